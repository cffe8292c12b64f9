// Tells apart the errors of the database: unavailable, worth another try, or a fault of the statement.

import { Refusal } from '../../kit/refusal.ts';

/** SQLSTATEs and system errors that mean that the database cannot be used now, not that the request is wrong. */
const unavailableStates = /^(08...|53[123]00|57P0[1-5]|57014|25006|55P03)$/;
const unavailableErrors = new Set([
  'ECONNREFUSED',
  'ECONNRESET',
  'ECONNABORTED',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'ENOENT',
  'EPIPE',
  'ETIMEDOUT',
  'ENOTFOUND',
  'EAI_AGAIN',
  'EACCES',
]);
const unavailableMessages =
  /connection terminated|timeout (expired|exceeded when trying to connect)|is not queryable|pool after calling end/i;

function codeOf(error: unknown): string {
  return error instanceof Error && 'code' in error ? String(error.code) : '';
}

export function isDatabaseUnavailable(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  const code = codeOf(error);
  return (
    unavailableErrors.has(code) ||
    unavailableStates.test(code) ||
    (code === '' && unavailableMessages.test(error.message))
  );
}

/** PostgreSQL's serialization_failure: the transaction met another one and should start again. */
const serializationFailure = '40001';

/**
 * Conflicts between transactions, keys that were taken or released after they had been read, rows that became invisible (42501), and
 * statements prepared against a schema that has changed since.
 */
const retryableStates = new Set([serializationFailure, '40P01', '23505', '23503', '42501', '0A000', '26000']);

export function isRetryable(error: unknown): boolean {
  return retryableStates.has(codeOf(error));
}

/**
 * Starts the transaction again because a row that it had locked is no longer visible: its client was moved meanwhile. The next try will
 * not find the row.
 */
export function throwMovedAway(): never {
  throw Object.assign(new Error('A locked row has been moved out of the visible clients.'), {
    code: serializationFailure,
  });
}

/** PostgreSQL's lock_not_available: another transaction held what a statement needs for longer than `lock_timeout`. */
const lockTimeout = '55P03';

/** After a commit that failed with this error. A statement that waited too long for a lock failed before the commit. */
export function mayHaveCommitted(error: unknown): boolean {
  return isDatabaseUnavailable(error) && codeOf(error) !== lockTimeout;
}

export function databaseUnavailable(cause: unknown): Refusal {
  const detail =
    codeOf(cause) === lockTimeout
      ? 'Another request has been changing the same records for too long. Nothing was changed: try again.'
      : 'The database cannot be reached at the moment. Nothing was changed.';
  return new Refusal('database-away', detail, { retryAfterSeconds: 2, cause });
}

/** For a commit that was sent and never answered: only the database knows whether it happened. */
export function commitOutcomeUnknown(cause: unknown): Refusal {
  const detail =
    'The connection to the database was lost during the commit: the change was made completely or not at all. Check whether it is there, or repeat the request with the same Idempotency-Key.';
  return new Refusal('database-away', detail, { retryAfterSeconds: 2, cause });
}

/** Makes a refusal of an error that means that the database is unavailable; returns any other error unchanged. */
export function toRefusal(error: unknown): unknown {
  return isDatabaseUnavailable(error) ? databaseUnavailable(error) : error;
}
