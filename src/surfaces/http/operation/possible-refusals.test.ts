import { describe, expect, test } from 'vitest';
import { refusals, type RefusalCode } from '../../../model/refusals/refusals.ts';
import { operations } from '../../operations.ts';
import { groupByStatus, isConditional, possibleOpenRefusals, possibleRefusals } from './possible-refusals.ts';
import type { OpenOperation } from './open-operation.ts';
import type { Operation } from './operation.ts';

function getOperation(id: string): Operation {
  const found = operations.find((operation) => operation.id === id);
  if (!found) throw new Error(`There is no operation ${id}.`);
  return found;
}

function codesWith(id: string, status: number): readonly RefusalCode[] {
  return groupByStatus(possibleRefusals(getOperation(id))).get(status) ?? [];
}

describe('the possible refusals of an operation', () => {
  test.each<[string, number, RefusalCode[]]>([
    ['v1.me.read', 400, ['malformed-request', 'unknown-parameter']],
    ['v1.me.read', 401, ['token-missing', 'token-invalid', 'token-expired', 'token-revoked']],
    ['v1.me.read', 403, ['workspace-suspended']],
    ['v1.me.read', 406, ['not-acceptable']],
    ['v1.me.read', 409, []],
    ['v1.me.read', 413, []],
    ['v1.me.read', 422, []],
    ['v1.me.read', 429, ['budget-exceeded', 'too-many-in-flight']],
    [
      'v1.me.read',
      503,
      [
        'database-away',
        'database-read-only',
        'database-full',
        'read-only-mode',
        'maintenance',
        'records-busy',
        'starting',
        'stopping',
      ],
    ],
    [
      'v1.client.list',
      400,
      ['malformed-request', 'invalid-parameter', 'unknown-parameter', 'cursor-invalid', 'cursor-expired'],
    ],
    ['v1.client.list', 403, ['right-missing', 'workspace-suspended']],
    ['v1.client.create', 400, ['malformed-request', 'malformed-json', 'unknown-parameter', 'invalid-idempotency-key']],
    ['v1.client.create', 403, ['right-missing', 'workspace-suspended', 'outside-reach']],
    ['v1.client.create', 409, ['storage-quota-reached', 'parent-cycle', 'idempotency-key-reused']],
    ['v1.client.create', 413, ['body-too-large']],
    ['v1.client.create', 415, ['unsupported-media-type']],
    ['v1.client.create', 422, ['invalid-document', 'missing-attribute', 'unknown-attribute', 'invalid-attribute']],
    ['v1.client.change', 412, ['precondition-failed']],
    [
      'v1.client.change',
      422,
      ['invalid-document', 'missing-attribute', 'unknown-attribute', 'invalid-attribute', 'immutable-attribute'],
    ],
    ['v1.client.delete', 400, ['malformed-request', 'unknown-parameter', 'invalid-idempotency-key']],
    ['v1.client.delete', 409, ['client-has-live-data', 'idempotency-key-reused']],
    ['json-api.client.create', 400, ['malformed-request', 'malformed-json', 'unknown-parameter']],
    ['json-api.client.delete', 409, ['client-has-live-data']],
    ['plain.client.read', 404, ['client-not-found']],
  ])('%s, %i: %j', (id, status, codes) => {
    expect(codesWith(id, status)).toEqual(codes);
  });

  test.each(operations.map((operation) => [operation.id, operation] as const))(
    '%s has no duplicate codes and no internal error',
    (_id, operation) => {
      const codes = possibleRefusals(operation);
      expect(new Set(codes).size).toBe(codes.length);
      expect(codes.every((code) => refusals[code].status !== 500)).toBe(true);
    },
  );

  test('only the reads of v1 are answered conditionally', () => {
    expect(isConditional(getOperation('v1.client.read'))).toBe(true);
    expect(isConditional(getOperation('v1.client.change'))).toBe(false);
    expect(isConditional(getOperation('v1.limit.check'))).toBe(false);
    expect(isConditional(getOperation('plain.client.read'))).toBe(false);
  });
});

describe('the possible refusals of an operation without a token', () => {
  const plain: OpenOperation = {
    id: 'sign',
    host: 'any',
    method: 'GET',
    path: '/sign',
    summary: 'A sign',
    group: 'signs',
    responses: {},
    handle: async () => ({ status: 204, headers: {}, text: null }),
  };

  test('every operation refuses expectations, and everything while the node is being started or stopped', () => {
    expect(possibleOpenRefusals(plain)).toEqual(['expectation-failed', 'maintenance', 'starting', 'stopping']);
  });

  test('what is about the node itself is answered under maintenance', () => {
    const always = { ...plain, isAlwaysAnswered: true } as const;
    expect(possibleOpenRefusals(always)).toEqual(['expectation-failed', 'starting', 'stopping']);
  });

  test('an operation with a body can also refuse the body, and needs the database', () => {
    const withBody = { ...plain, bodies: { 'application/json': { schema: { type: 'object' } } } };
    expect(possibleOpenRefusals(withBody)).toEqual([
      'body-too-large',
      'unsupported-media-type',
      'database-away',
      'database-read-only',
      'database-full',
      'read-only-mode',
      'maintenance',
      'records-busy',
      'starting',
      'stopping',
    ]);
  });
});
