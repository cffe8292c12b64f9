// Turns errors of Node, OpenSSL and undici into the reason of a failed delivery, for the operator of the receiver. Reveals nothing
// about our own network.

import { AddressRefused } from './checked-lookup.ts';
import { TargetFault } from './webhook-target.ts';

const failureReasons = [
  'timeout',
  'refused-address',
  'refused-target',
  'dns',
  'tls',
  'connection',
  'bad-answer',
  'stopped',
] as const;
export type FailureReason = (typeof failureReasons)[number];

interface DeliveryFailure {
  readonly reason: FailureReason;
  readonly detail: string;
}

const failuresByCode: readonly { readonly codes: RegExp; readonly failure: DeliveryFailure }[] = [
  {
    codes: /^(UND_ERR_CONNECT_TIMEOUT|ETIMEDOUT|ETIMEOUT)$/,
    failure: { reason: 'timeout', detail: 'The receiver could not be reached in time.' },
  },
  {
    codes: /^(ENOTFOUND|ENODATA|ENONAME|EAI_\w+|ESERVFAIL|EREFUSED|EBADNAME|EBADRESP|EFORMERR|ENOTIMP)$/,
    failure: { reason: 'dns', detail: "The receiver's host name could not be resolved." },
  },
  {
    codes: /^(ERR_TLS_CERT_ALTNAME_INVALID|HOSTNAME_MISMATCH)$/,
    failure: { reason: 'tls', detail: "The receiver's certificate is for another host name." },
  },
  {
    codes: /^CERT_HAS_EXPIRED$/,
    failure: { reason: 'tls', detail: "The receiver's certificate has expired." },
  },
  {
    codes: /CERT|SELF_SIGNED|UNABLE_TO_|CRL|ISSUER|INVALID_PURPOSE|PATH_LENGTH/,
    failure: { reason: 'tls', detail: "The receiver's certificate is not trusted." },
  },
  {
    codes: /^(ERR_TLS_|ERR_SSL_|EPROTO)/,
    failure: { reason: 'tls', detail: 'The TLS handshake with the receiver failed.' },
  },
  {
    codes: /^(HPE_|UND_ERR_HEADERS_OVERFLOW|UND_ERR_RESPONSE|UND_ERR_RES_)/,
    failure: {
      reason: 'bad-answer',
      detail: 'The response of the receiver is not valid HTTP, or its headers are too large.',
    },
  },
  {
    codes: /^ECONNREFUSED$/,
    failure: { reason: 'connection', detail: 'The receiver refused the connection.' },
  },
];

const connectionLost: DeliveryFailure = {
  reason: 'connection',
  detail: 'The connection to the receiver failed or was lost.',
};

export function toDeliveryFailure(error: unknown): DeliveryFailure {
  if (error instanceof AddressRefused) return { reason: 'refused-address', detail: error.message };
  if (error instanceof TargetFault) return { reason: 'refused-target', detail: error.message };
  const code = errorCode(error);
  return failuresByCode.find(({ codes }) => codes.test(code))?.failure ?? connectionLost;
}

/** Only some errors of the response parser have a code, so its name is used. */
function errorCode(error: unknown): string {
  if (!(error instanceof Error)) return '';
  if (error.name === 'HTTPParserError') return 'HPE_';
  return 'code' in error ? String(error.code) : '';
}
