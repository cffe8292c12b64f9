// What the body of one caller can cost others: faults are found only as far as they are listed, and parsing waits for the
// caller's turn like any other work.

import { describe, expect, test } from 'vitest';
import { awaitLockWaits } from '../../setup/database/lock-waits.ts';
import { lockClients } from '../../setup/database/row-lock.ts';
import { newClientDocument } from '../../setup/structure/client-document.ts';
import { serviceForThisFile } from '../../setup/node/test-service.ts';

const service = serviceForThisFile({ settings: { BUDGET_IN_FLIGHT: '1' } });
const cut = 'The request has more than 100 faults; the first 100 are listed.';

function manyMembers(count: number): Record<string, number> {
  return Object.fromEntries(Array.from({ length: count }, (_, index) => [`m${index}`, 1]));
}

function manyEmpty(length: number): object[] {
  return Array.from({ length }, () => ({}));
}

describe('very many faults in one body: the first are listed, and the others are not looked for', () => {
  const limit = { kind: 'proportional', max_pct: '0.5' };
  const instrument = { type: 'other-instrument', name: 'Odd' };

  test.each([
    ['unknown members', '/v1/clients', { name: 'Many', ...manyMembers(4_900) }],
    ['unknown members of a part', '/v1/transactions', { type: 'sell', lots: [manyMembers(4_900)] }],
    ['wrong items', '/v1/transactions', { type: 'sell', lots: manyEmpty(1_000) }],
    ['wrong filters', '/v1/limits', { ...limit, filter: { kind: 'and', filters: manyEmpty(90_000) } }],
    ['members that no filter has', '/v1/limits', { ...limit, filter: { kind: 'and', ...manyMembers(4_900) } }],
    ['numbers that cannot be kept', '/v1/instruments', { ...instrument, metadata: { a: Array(2_000).fill(1e99) } }],
    ['rows at fault', '/v1/limits/check', { client_id: 'x', trades: manyEmpty(1_000) }],
    ['members that no row has', '/v1/limits/check', { client_id: 'x', trades: [manyMembers(4_900)] }],
  ])('v1: %s', async (_what, path, body) => {
    const reply = await service.admin.post(path, body);
    expect([reply.status, reply.body.code, reply.body.detail]).toEqual([422, 'invalid-document', cut]);
    expect(reply.body.errors).toHaveLength(100);
  });

  test.each([
    ['JSON:API: members of the document', '/api/v2/clients', { ...newClientDocument('Many'), ...manyMembers(4_900) }],
    ['JSON:API: attributes', '/api/v2/clients', newClientDocument('Many', { attributes: manyMembers(4_900) })],
    ['JSON:API: relationships', '/api/v2/clients', newClientDocument('Many', { relationships: manyMembers(4_900) })],
    ['Plain: members', '/v2/limits', manyMembers(4_900)],
    ['Plain: members of a transaction', '/v2/transactions', { type: 'EquityTrade', ...manyMembers(4_900) }],
  ])('%s', async (_what, path, body) => {
    const reply = await service.admin.post(path, body);
    expect([reply.status, reply.body.errors.length]).toEqual([422, 100]);
  });

  test('an object with more parts than it may have characters is refused without reading them', async () => {
    const metadata = { a: Array(90_000).fill(1e99) };
    const reply = await service.admin.post('/v1/instruments', { ...instrument, metadata });
    expect([reply.status, reply.body.errors]).toEqual([
      422,
      [
        {
          code: 'invalid-attribute',
          pointer: '/metadata',
          detail: 'metadata must have at most 16384 characters.',
        },
      ],
    ]);
  });
});

test.each([
  ['numbers', `{"name":[${'1,'.repeat(100_000)}1]}`, 'The document has more than 100000 values'],
  ['objects', `{"name":[${'{},'.repeat(300_000)}1]}`, 'The document has more than 100000 values'],
  ['members', JSON.stringify(manyMembers(80_000)), 'An object has more than 5000 members'],
])('a body with more %s than any has is not parsed to its end', async (_what, raw, detail) => {
  const reply = await service.admin.send('/v1/clients', { method: 'POST', raw });
  expect([reply.status, reply.body.code, reply.body.detail]).toEqual([
    400,
    'malformed-json',
    expect.stringMatching(new RegExp(`^${detail} at offset \\d+\\.$`)),
  ]);
});

describe('parsing', () => {
  test('waits for its turn like any other work of the workspace, and not for others', async () => {
    const { admin, database } = service;
    const neighbour = await service.openWorkspace();
    const id = await admin.makeClient('Locked');
    const lock = await lockClients(database, id);
    const order: string[] = [];
    const done = (name: string, { status }: { readonly status: number }): unknown => order.push(`${name} ${status}`);
    const before = admin.patch(`/v1/clients/${id}`, { name: 'Free' }).then((reply) => done('before it', reply));
    await awaitLockWaits(database, 1);
    const behind = [{ name: '' }, manyMembers(1_000)].map((body) =>
      admin.post('/v1/clients', body).then((reply) => done('behind it', reply)),
    );
    for (let count = 0; count < 3; count++) done('elsewhere', await neighbour.post('/v1/clients', { name: '' }));
    await lock.release();
    await Promise.all([before, ...behind]);
    expect(order.slice(0, 3)).toEqual(['elsewhere 422', 'elsewhere 422', 'elsewhere 422']);
    expect(order.slice(3).toSorted()).toEqual(['before it 200', 'behind it 422', 'behind it 422']);
  });
});
