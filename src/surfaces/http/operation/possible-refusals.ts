// What an operation can answer with beyond success: the refusals of its kind and those it declares. Knows no wire's bodies.

import { refusals, type RefusalCode } from '../../../model/refusals/refusals.ts';
import type { OpenOperation } from './open-operation.ts';
import { isIdempotent, type Operation } from './operation.ts';

/** What any request with a token can meet, whatever it asks for. */
export const commonRefusals: readonly RefusalCode[] = [
  'malformed-request',
  'unknown-parameter',
  'token-missing',
  'token-invalid',
  'token-expired',
  'token-revoked',
  'right-missing',
  'not-acceptable',
  'budget-exceeded',
  'too-many-in-flight',
  'database-away',
  'stopping',
];

/** What stands beside `invalid-document`, once for each fault. */
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

/** A body of many rows has nothing that could be changed, and is in one of several formats. */
const bulkRefusals: readonly RefusalCode[] = [
  ...bodyRefusals,
  'malformed-csv',
  'missing-attribute',
  'unknown-attribute',
  'invalid-attribute',
];

const declaredOrder = Object.keys(refusals) as RefusalCode[];

function inDeclaredOrder(codes: readonly RefusalCode[]): RefusalCode[] {
  const given = new Set(codes);
  return declaredOrder.filter((code) => given.has(code));
}

function operationFaultCodes({ method }: Operation): readonly RefusalCode[] {
  return faultCodes.filter((code) => code !== 'immutable-attribute' || method === 'PATCH');
}

/** Whether a read is answered with an entity tag, and with 304 where the caller has it already. */
export function isConditional({ wire, mode, method }: Operation): boolean {
  return wire.supportsIdempotencyAndETags && mode === 'read' && method === 'GET';
}

/** Every refusal an operation can give, in the order of their declaration. A defect (`internal`) is none of them. */
export function possibleRefusals(operation: Operation): RefusalCode[] {
  const { method, right, query, body, bulk } = operation;
  return inDeclaredOrder([
    ...commonRefusals.filter((code) => code !== 'right-missing' || right !== 'any'),
    ...(Object.keys(query).length > 0 ? (['invalid-parameter'] as const) : []),
    ...(body === undefined ? [] : [...bodyRefusals, ...operationFaultCodes(operation)]),
    ...(bulk === undefined ? [] : bulkRefusals),
    ...(method === 'DELETE' ? (['body-too-large'] as const) : []), // a body that nobody wants is still counted
    ...(isIdempotent(operation) ? (['invalid-idempotency-key', 'idempotency-key-reused'] as const) : []),
    ...operation.refusals,
  ]);
}

/** Those of an operation without a token, beyond the answers it describes itself. */
export function possibleOpenRefusals({ bodies }: OpenOperation): RefusalCode[] {
  const withBody: readonly RefusalCode[] = ['body-too-large', 'unsupported-media-type', 'database-away'];
  return inDeclaredOrder(['stopping', ...(bodies === undefined ? [] : withBody)]);
}

export function groupByStatus(codes: readonly RefusalCode[]): ReadonlyMap<number, readonly RefusalCode[]> {
  return Map.groupBy(codes, (code) => refusals[code].status);
}
