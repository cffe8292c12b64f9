// Every way the service says no, with its status on the wire and what a caller should make of it. The reference lists these.

import { conflictRefusals } from './conflict.ts';
import type { RefusalKind } from './refusal-kind.ts';
import { notFoundRefusals } from './not-found.ts';

export type { RefusalKind };

export const refusals = {
  'malformed-request': {
    status: 400,
    title: 'Malformed request',
    meaning: 'The request is not HTTP as it should be: an address that cannot be decoded, for example.',
  },
  'malformed-json': {
    status: 400,
    title: 'Malformed JSON',
    meaning:
      'The body is not JSON, is nested too deeply, names a member twice, or holds characters that cannot be stored. The detail says where.',
  },
  'malformed-csv': {
    status: 400,
    title: 'Malformed CSV',
    meaning:
      'The body is not CSV as RFC 4180 has it: a quote that is never closed, a row with more or fewer fields than the header, no header. The detail names the line.',
  },
  'invalid-parameter': {
    status: 400,
    title: 'Invalid parameter',
    meaning: 'A query parameter has a value it cannot have. `limit` is at most 100.',
  },
  'unknown-parameter': {
    status: 400,
    title: 'Unknown parameter',
    meaning: 'A query parameter that this path does not take. Nothing is ignored silently.',
  },
  'cursor-invalid': {
    status: 400,
    title: 'Invalid cursor',
    meaning: 'A cursor that was not given out for this list, these filters and this caller. Start from the beginning.',
  },
  'cursor-expired': {
    status: 400,
    title: 'Cursor expired',
    meaning: 'Cursors hold for 24 hours. Start from the beginning.',
  },
  'report-too-large': {
    status: 400,
    title: 'Report too large',
    meaning:
      'A series would have more than 10,000,000 points: a day of a segment is one. Ask for fewer days or along fewer axes.',
  },
  'invalid-idempotency-key': {
    status: 400,
    title: 'Invalid idempotency key',
    meaning: '`Idempotency-Key` has 1 to 255 bytes.',
  },
  'token-missing': {
    status: 401,
    title: 'Access token missing',
    meaning: 'The request carries no `Authorization: Bearer` header, nor the cookie of somebody who is signed in.',
  },
  'token-invalid': {
    status: 401,
    title: 'Access token invalid',
    meaning: 'The token was not issued by this service, or has been changed.',
  },
  'token-expired': { status: 401, title: 'Access token expired', meaning: 'Tokens hold for an hour. Get a new one.' },
  'token-revoked': {
    status: 401,
    title: 'Access token revoked',
    meaning:
      'The application or key that the token was issued for has been deleted, or no client lets its user in any more.',
  },
  'right-missing': {
    status: 403,
    title: 'Right missing',
    meaning:
      'The application or key has not been given the right this takes: `read`, `write` or `admin`. Or a person does not have the role this takes, `viewer`, `advisor` or `admin`, or it is not open to people.',
  },
  'request-forged': {
    status: 403,
    title: 'Perhaps not sent on purpose',
    meaning:
      'Somebody who is signed in changes something with `X-CSRF-Token`, as their session has it, and with the `Origin` of the service itself. Another site could send the rest without them.',
  },
  'outside-reach': {
    status: 403,
    title: 'Outside the reach of this token',
    meaning: 'A token bound to one client may only change what belongs to that client and its descendants.',
  },
  'client-generated-id': {
    status: 403,
    title: 'Ids are not taken from callers',
    meaning: 'A document to be created must not carry an `id`.',
  },
  'path-not-found': { status: 404, title: 'No such path', meaning: 'Nothing is served under this address.' },
  'client-not-found': {
    status: 404,
    title: 'Client not found',
    meaning: 'There is no such client, it has been deleted, or it belongs to somebody else.',
  },
  ...notFoundRefusals,
  'method-not-allowed': {
    status: 405,
    title: 'Method not allowed',
    meaning: 'The path exists and does not take this method; `Allow` says which it takes.',
  },
  'not-acceptable': {
    status: 406,
    title: 'Not acceptable',
    meaning: 'The answer cannot be given in any media type that `Accept` names.',
  },
  'request-timeout': {
    status: 408,
    title: 'Request timeout',
    meaning: 'The request did not arrive whole within a minute, or ten where it is a bulk body. Send it again.',
  },
  ...conflictRefusals,
  'precondition-failed': {
    status: 412,
    title: 'Precondition failed',
    meaning: 'The thing is not as `If-Match` says: it has changed since it was read.',
  },
  'body-too-large': {
    status: 413,
    title: 'Body too large',
    meaning: 'A body has at most 1 MiB, and one of many rows 256 MiB.',
  },
  'unsupported-media-type': {
    status: 415,
    title: 'Unsupported media type',
    meaning: 'The body is not in the media type this path takes.',
  },
  'invalid-document': {
    status: 422,
    title: 'Invalid document',
    meaning: 'The body is well-formed and does not fit the schema. There is one error for each fault, with its place.',
  },
  'missing-attribute': { status: 422, title: 'Missing attribute', meaning: 'Something required was not sent.' },
  'unknown-attribute': {
    status: 422,
    title: 'Unknown attribute',
    meaning: 'Something was sent that this resource does not have here.',
  },
  'invalid-attribute': {
    status: 422,
    title: 'Invalid attribute',
    meaning: 'A value does not have the form or range its field wants.',
  },
  'immutable-attribute': {
    status: 422,
    title: 'Immutable attribute',
    meaning: 'A field that cannot change was sent with another value than it has.',
  },
  'series-not-of-type': {
    status: 422,
    title: 'Series not of this type',
    meaning: 'Instruments of this type have no such time series. The detail says which they have.',
  },
  'different-client': {
    status: 422,
    title: 'Different client',
    meaning: 'Only things of the same client can be joined. The pointer names the one that belongs to another.',
  },
  'not-a-member': {
    status: 422,
    title: 'Not a member',
    meaning: 'Only a member of a client can be invited to it. Add the user to the client first.',
  },
  'amount-mismatch': {
    status: 422,
    title: 'Amount mismatch',
    meaning:
      'An amount goes the wrong way, or is not what quantity, price, fees, taxes, accrued interest and rates come to. The detail names both figures.',
  },
  'fx-rate-missing': {
    status: 422,
    title: 'Exchange rate missing',
    meaning:
      'A figure needs the rate of two currencies on a day, and no rate on or before it leads from one to the other, directly or through others. The detail names the pair and the day. Send the rate, then ask again.',
  },
  'invalid-public-key': {
    status: 422,
    title: 'Invalid public key',
    meaning: 'RSA keys of 2048 to 4096 bits as PEM, or P-256 keys as JWK, are taken.',
  },
  'private-key-sent': {
    status: 422,
    title: 'Private key sent',
    meaning:
      'A private key was sent where a public one belongs. It was not stored; treat it as compromised and make a new pair.',
  },
  'budget-exceeded': {
    status: 429,
    title: 'Too many requests',
    meaning: 'The request budget of this workspace is used up for the moment. Wait for `Retry-After` seconds.',
  },
  'too-many-in-flight': {
    status: 429,
    title: 'Too many requests at once',
    meaning:
      'More requests of this workspace are waiting for each other than the service holds. Wait for `Retry-After` seconds.',
  },
  'mail-limit': {
    status: 429,
    title: 'Too much mail',
    meaning:
      'A client sends one address 5 mails an hour and 20 a day at most, and a workspace 200 and 1,000, unless the operator of the service has set other limits. Nothing was changed. Wait for `Retry-After` seconds.',
  },
  'headers-too-large': {
    status: 431,
    title: 'Headers too large',
    meaning: 'The address and headers of a request have at most 16 KiB together.',
  },
  internal: {
    status: 500,
    title: 'Internal error',
    meaning: 'A defect of the service. Nothing was changed. Tell us the request id.',
  },
  'database-away': {
    status: 503,
    title: 'Database away',
    meaning:
      'The database cannot be reached at the moment. Try again after `Retry-After` seconds. Nothing was changed, unless the detail says that this is not known.',
  },
  stopping: {
    status: 503,
    title: 'Stopping',
    meaning: 'This node is being stopped. Try again: another one, or its successor, will answer.',
  },
} as const satisfies Record<string, RefusalKind>;

export type RefusalCode = keyof typeof refusals;

export function isRefusalCode(code: string): code is RefusalCode {
  return Object.hasOwn(refusals, code);
}
