// Why a delivery has not got an answer, in the few words that are told to whoever looks after the receiver. Knows the codes of Node,
// OpenSSL and undici, and tells none of our own network.

import { AddressRefused } from './checked-lookup.ts';
import { TargetFault } from './webhook-target.ts';

export const failureReasons = [
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

export interface DeliveryFailure {
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
    failure: { reason: 'dns', detail: 'The name of the receiver could not be looked up.' },
  },
  {
    codes: /^(ERR_TLS_CERT_ALTNAME_INVALID|HOSTNAME_MISMATCH)$/,
    failure: { reason: 'tls', detail: 'The certificate of the receiver is for another name.' },
  },
  {
    codes: /^CERT_HAS_EXPIRED$/,
    failure: { reason: 'tls', detail: 'The certificate of the receiver has expired.' },
  },
  {
    codes: /CERT|SELF_SIGNED|UNABLE_TO_|CRL|ISSUER|INVALID_PURPOSE|PATH_LENGTH/,
    failure: { reason: 'tls', detail: 'The certificate of the receiver is not one that can be trusted.' },
  },
  {
    codes: /^(ERR_TLS_|ERR_SSL_|EPROTO)/,
    failure: { reason: 'tls', detail: 'The receiver and the service did not agree on a TLS connection.' },
  },
  {
    codes: /^(HPE_|UND_ERR_HEADERS_OVERFLOW|UND_ERR_RESPONSE|UND_ERR_RES_)/,
    failure: { reason: 'bad-answer', detail: 'What the receiver answered is not HTTP, or has too many headers.' },
  },
  {
    codes: /^ECONNREFUSED$/,
    failure: { reason: 'connection', detail: 'The receiver refused the connection.' },
  },
];

const connectionLost: DeliveryFailure = {
  reason: 'connection',
  detail: 'The connection to the receiver was lost or could not be made.',
};

export function toDeliveryFailure(error: unknown): DeliveryFailure {
  if (error instanceof AddressRefused) return { reason: 'refused-address', detail: error.message };
  if (error instanceof TargetFault) return { reason: 'refused-target', detail: error.message };
  const code = errorCode(error);
  return failuresByCode.find(({ codes }) => codes.test(code))?.failure ?? connectionLost;
}

/** The parser of answers gives a code to some of its errors only, and its name to all. */
function errorCode(error: unknown): string {
  if (!(error instanceof Error)) return '';
  if (error.name === 'HTTPParserError') return 'HPE_';
  return 'code' in error ? String(error.code) : '';
}
