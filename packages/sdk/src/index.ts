// What `@holdfast/sdk` exports. Webhook verification is in `@holdfast/sdk/webhooks`.

export type { FileContent, Rows } from './bodies.ts';
export { List } from './calls.ts';
export type { Answer, Call, CallOptions, LogEntry, Page, Unless, WriteOptions } from './calls.ts';
export { decimal, type Decimal, type DecimalFormat, type Rounding } from './decimal.ts';
export {
  BadRequest,
  BodyTooLarge,
  Conflict,
  Forbidden,
  Gone,
  HoldfastError,
  NoAnswer,
  NotFound,
  PreconditionFailed,
  RateLimited,
  ServiceFailed,
  Unauthorized,
  Unprocessable,
  type Fault,
} from './errors.ts';
export type * from './generated/api.ts';
export type { ErrorCode } from './generated/error-codes.ts';
export type * as Schemas from './generated/schemas.ts';
export { Holdfast, type HoldfastOptions } from './holdfast.ts';
export type { SigningKey } from './assertion.ts';
export type { ClientCredentials, OwnToken, RegisteredKey } from './token-requests.ts';
export type { FetchedToken, TokenSource } from './tokens.ts';
