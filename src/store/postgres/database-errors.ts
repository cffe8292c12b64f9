// Tells apart the errors of the database: unavailable, worth another try, or a fault of the statement.

import pg from 'pg';
import { Refusal } from '../../kit/refusal.ts';
import type { UnwritableState } from '../server-state.ts';
import type { DatabaseErrorKind } from '../../model/operations/node-figures.ts';

/** SQLSTATEs and system errors that mean that the database cannot be used now, not that the request is wrong. */
const unavailableStates = /^(08...|53[123]00|57P0[1-5]|57014|25006|25P0[34]|55P03)$/;
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

/** By SQLSTATE or class of SQLSTATE, or by system error; the first that matches. */
const errorKinds: readonly (readonly [pattern: RegExp, kind: DatabaseErrorKind])[] = [
  [/^(ETIMEDOUT)$/, 'silence'],
  [/^(08...|E[A-Z]{2,}|EAI_AGAIN)$/, 'connection'],
  [/^53300$/, 'connections-used-up'],
  [/^(28...|3D000)$/, 'refused-connection'],
  [/^57P0.$/, 'shutdown'],
  [/^(57014|25P0[34])$/, 'timeout'],
  [/^55P03$/, 'lock-timeout'],
  [/^40P01$/, 'deadlock'],
  [/^40...$/, 'conflict'],
  [/^23...$/, 'constraint'],
  [/^42501$/, 'permission'],
  [/^25006$/, 'read-only'],
  [/^53100$/, 'disk-full'],
  [/^53...$/, 'resources'],
  [/^22...$/, 'data'],
  [/^(42...|0A000|26...)$/, 'statement'],
];

export function databaseErrorKind(error: unknown): DatabaseErrorKind {
  const code = codeOf(error);
  if (code === '' && error instanceof Error && unavailableMessages.test(error.message)) return 'connection';
  return errorKinds.find(([pattern]) => pattern.test(code))?.[1] ?? 'other';
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
/** PostgreSQL's insufficient_privilege. */
const denied = '42501';

/**
 * Conflicts between transactions, keys that were taken or released after they had been read, rows that became invisible (42501), and
 * statements that a pooler's connection has not prepared.
 */
const retryableStates = new Set([serializationFailure, '40P01', '23505', '23503', denied, '26000']);

/** A statement prepared against a schema that has changed since: one of the many errors of what a server does not support. */
function isStalePlan(error: unknown): boolean {
  return codeOf(error) === '0A000' && error instanceof pg.DatabaseError && error.routine === 'RevalidateCachedQuery';
}

/** Where tables are spread: a part that a statement was planned for has just been moved or split. It has no code of its own. */
const partMoved = /^could not find valid entry for shard \d+|^shard for the given value does not exist/;

function isPartMoved(error: unknown): boolean {
  return error instanceof pg.DatabaseError && partMoved.test(error.message);
}

export function isRetryable(error: unknown): boolean {
  return retryableStates.has(codeOf(error)) || isStalePlan(error) || isPartMoved(error);
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
const readOnly = '25006';
const diskFull = '53100';
/** PostgreSQL's too_many_connections: the server runs, and has no place left. */
const tooManyConnections = '53300';

/** Why the database accepts no changes, if an error says so. */
export function unwritableState(error: unknown): UnwritableState | undefined {
  const code = codeOf(error);
  if (code === readOnly) return 'database-read-only';
  return code === diskFull ? 'database-full' : undefined;
}

/** After a commit that failed with this error. The others are the server's own words: the transaction is rolled back. */
export function mayHaveCommitted(error: unknown): boolean {
  return isDatabaseUnavailable(error) && ![lockTimeout, readOnly, diskFull].includes(codeOf(error));
}

export function databaseUnavailable(cause: unknown): Refusal {
  const refuse = (code: string, detail: string): Refusal =>
    new Refusal(code, `${detail} Nothing was changed.`, { retryAfterSeconds: 2, cause });
  switch (codeOf(cause)) {
    case lockTimeout:
      return recordsBusy(cause);
    case readOnly:
      return refuse('database-read-only', 'The database is read-only at the moment: it accepts no changes.');
    case diskFull:
      return refuse('database-full', 'The disk of the database is full: it can store no changes.');
    case tooManyConnections:
      return refuse('database-away', 'The database runs, but has no connection left: others use all that it allows.');
    default:
      return refuse('database-away', 'The database cannot be reached at the moment.');
  }
}

/** For a request that met others at every try, or waited too long for them. */
export function recordsBusy(cause?: unknown): Refusal {
  const detail = 'Other requests have been changing the same records for too long. Nothing was changed: try again.';
  return new Refusal('records-busy', detail, { retryAfterSeconds: 2, cause });
}

/** For a request that waited too long because its workspace already has as many connections as it may. */
export function shareUsedUp(cause: unknown): Refusal {
  const detail =
    'Too many requests of this workspace are waiting for the database. Nothing was changed. Try again in a second, with fewer at a time.';
  return new Refusal('too-many-in-flight', detail, { retryAfterSeconds: 1, cause });
}

/** For a commit that was sent and never answered: only the database knows whether it happened. */
export function commitOutcomeUnknown(cause: unknown): Refusal {
  const detail =
    'The connection to the database was lost during the commit: the change was made completely or not at all. Check whether it is there, or repeat the request with the same Idempotency-Key.';
  return new Refusal('database-away', detail, { retryAfterSeconds: 2, cause });
}

/**
 * Makes a refusal of an error that may be over when the request is sent again; returns any other error unchanged. A missing privilege
 * that persists is a defect.
 */
export function toRefusal(error: unknown): unknown {
  if (isDatabaseUnavailable(error)) return databaseUnavailable(error);
  return isRetryable(error) && codeOf(error) !== denied ? recordsBusy(error) : error;
}
