// The refusals that an operation can answer with: those of its kind and those that it declares.

import { keysOf } from '../../../kit/keys.ts';
import { refusals, type RefusalCode } from '../../../model/refusals/refusals.ts';
import type { OpenOperation } from './open-operation.ts';
import { isAdding, isIdempotent, type Operation } from './operation.ts';

/** The refusals of any request that needs the database. */
const databaseRefusals: readonly RefusalCode[] = [
  'database-away',
  'database-read-only',
  'database-full',
  'read-only-mode',
  'maintenance',
  'records-busy',
];

/** The refusals of any request with a token. */
export const commonRefusals: readonly RefusalCode[] = [
  'malformed-request',
  'unknown-parameter',
  'token-missing',
  'token-invalid',
  'token-expired',
  'token-revoked',
  'workspace-suspended',
  'right-missing',
  'not-acceptable',
  'budget-exceeded',
  'too-many-in-flight',
  ...databaseRefusals,
  'starting',
  'stopping',
];

/** The codes of the faults of an `invalid-document`. */
export const faultCodes: readonly RefusalCode[] = [
  'missing-attribute',
  'unknown-attribute',
  'invalid-attribute',
  'immutable-attribute',
];

const bodyRefusals: readonly RefusalCode[] = [
  'malformed-json',
  'body-too-large',
  'unsupported-media-type',
  'invalid-document',
];

/** A bulk body creates records only, and has one of several formats. */
const bulkRefusals: readonly RefusalCode[] = [
  ...bodyRefusals,
  'spool-full',
  'malformed-csv',
  'missing-attribute',
  'unknown-attribute',
  'invalid-attribute',
];

/** The content of an upload is refused by codes of its own operation. */
const uploadRefusals: readonly RefusalCode[] = ['body-too-large', 'unsupported-media-type', 'spool-full'];

const declaredOrder = keysOf(refusals);

function inDeclaredOrder(codes: readonly RefusalCode[]): RefusalCode[] {
  const given = new Set(codes);
  return declaredOrder.filter((code) => given.has(code));
}

function operationFaultCodes({ method }: Operation): readonly RefusalCode[] {
  return faultCodes.filter((code) => code !== 'immutable-attribute' || method === 'PATCH');
}

/** Whether a read has an entity tag, and answers 304 to a caller that already has the answer. */
export function isConditional({ wire, mode, method }: Operation): boolean {
  return wire.supportsIdempotencyAndETags && mode === 'read' && method === 'GET';
}

/** Every refusal of an operation, in the order of declaration. A defect (`internal`) is not among them. */
export function possibleRefusals(operation: Operation): RefusalCode[] {
  const { method, right, query, body, bulk, upload } = operation;
  return inDeclaredOrder([
    ...commonRefusals.filter((code) => code !== 'right-missing' || right !== 'any'),
    ...(Object.keys(query).length > 0 ? (['invalid-parameter'] as const) : []),
    ...(body === undefined ? [] : [...bodyRefusals, ...operationFaultCodes(operation)]),
    ...(bulk === undefined ? [] : bulkRefusals),
    ...(upload === undefined ? [] : uploadRefusals),
    ...(method === 'DELETE' ? (['body-too-large'] as const) : []), // an unused body still counts
    ...(isIdempotent(operation)
      ? (['invalid-idempotency-key', 'idempotency-key-reused', 'outside-reach'] as const)
      : []),
    ...(isAdding(operation) ? (['storage-quota-reached'] as const) : []),
    ...operation.refusals,
  ]);
}

/** The refusals of an operation without a token, in addition to the answers that it declares; one with a form of its own declares all. */
export function possibleOpenRefusals({ bodies, isAlwaysAnswered, showProblem }: OpenOperation): RefusalCode[] {
  if (showProblem !== undefined) return [];
  const withBody: readonly RefusalCode[] = ['body-too-large', 'unsupported-media-type', ...databaseRefusals];
  // The only refusal that a request without token, parameters and body can cause.
  const withoutBody: readonly RefusalCode[] = ['expectation-failed'];
  const underMaintenance: readonly RefusalCode[] = isAlwaysAnswered === true ? [] : ['maintenance'];
  return inDeclaredOrder([
    'starting',
    'stopping',
    ...underMaintenance,
    ...(bodies === undefined ? withoutBody : withBody),
  ]);
}

export function groupByStatus(codes: readonly RefusalCode[]): ReadonlyMap<number, readonly RefusalCode[]> {
  return Map.groupBy(codes, (code) => refusals[code].status);
}
