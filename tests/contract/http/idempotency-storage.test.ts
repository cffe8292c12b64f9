// What is stored under an Idempotency-Key: answers and refusals of the body and by rule, but no missing access, no request over the
// budget and no internal errors. Stored answers are encrypted.

import { beforeAll, describe, expect, test } from 'vitest';
import { minuteMs } from '../../../src/kit/clock.ts';
import type { Caller, Reply, CallOptions } from '../../setup/http/caller.ts';
import {
  comparableAnswer,
  countClients,
  newIdempotencyKey,
  idempotencyHeader,
} from '../../setup/http/repeated-request.ts';
import { workspaceForThisFile, serviceForThisTest } from '../../setup/node/test-service.ts';
import { runSql } from '../../setup/database/sql.ts';

const service = workspaceForThisFile();
let admin: Caller;
let bound: Caller;

beforeAll(async () => {
  ({ admin } = service);
  bound = await admin.becomeApplication({ scoped_to: await admin.makeClient('Bound') });
});

describe('stored answers', () => {
  const good = { name: 'At last' };

  const failing: [what: string, status: number, who: () => Caller | Promise<Caller>, sending: CallOptions][] = [
    ['without a token', 401, () => admin.withToken(null), { body: good }],
    ['with an invalid token', 401, () => admin.withToken('abc'), { body: good }],
    ['without the right', 403, () => admin.becomeApplication({ rights: ['read'] }), { body: good }],
    ['in another media type', 415, () => admin, { raw: '{}', headers: { 'content-type': 'text/plain' } }],
    ['with an unsupported Accept header', 406, () => admin, { body: good, headers: { accept: 'text/html' } }],
    ['to what the caller may not do', 403, () => bound, { body: good }],
    ['that is too large', 413, () => admin, { raw: ' '.repeat(1024 * 1024 + 1) }],
  ];

  test.each(failing)('a request %s gets %i and leaves the key unused', async (_what, status, makeCaller, sending) => {
    const key = newIdempotencyKey();
    const headers = { ...idempotencyHeader(key), ...sending.headers };
    const caller = await makeCaller();
    expect((await caller.send('/v1/clients', { ...sending, method: 'POST', headers })).status).toBe(status);
    const reply = await admin.post('/v1/clients', good, idempotencyHeader(key));
    expect(reply.status).toBe(201);
    expect(reply.headers.has('idempotent-replayed')).toBe(false);
  });

  const faulty: [what: string, status: number, sending: CallOptions][] = [
    ['that is not JSON', 400, { raw: '{' }],
    ['that is not UTF-8', 400, { raw: Buffer.from([0xff]) }],
    ['that is empty', 400, {}],
    ['that violates the schema', 422, { body: { name: '' } }],
    ['with an unknown field', 422, { body: { name: 'Good', surplus: 1 } }],
  ];

  test.each(faulty)('a body %s gets %i, and uses the key up', async (_what, status, sending) => {
    const key = newIdempotencyKey();
    const send = (caller: Caller): Promise<Reply> =>
      caller.send('/v1/clients', { ...sending, method: 'POST', headers: idempotencyHeader(key) });
    const first = await send(admin);
    expect([first.status, first.headers.get('idempotent-replayed')]).toEqual([status, null]);
    for (const caller of [admin, await admin.becomeApplication({ rights: ['read', 'write'] })]) {
      const replay = await send(caller);
      expect(comparableAnswer(replay)).toEqual(comparableAnswer(first));
      expect(replay.headers.get('idempotent-replayed')).toBe('true');
      const corrected = await caller.post('/v1/clients', good, idempotencyHeader(key));
      expect([corrected.status, corrected.body.code]).toEqual([409, 'idempotency-key-reused']);
    }
  });

  test('a bulk body with an unknown parameter or format uses the key up; one of a dry run does not', async () => {
    const rows = { data: [] };
    const send = (query: string, key: string): Promise<Reply> =>
      admin.post(`/v1/transactions/bulk${query}`, rows, idempotencyHeader(key));
    expect((await send('?surplus=1', 'bulk')).status).toBe(400);
    expect((await send('', 'bulk')).status).toBe(409);
    expect((await send('?surplus=1&mode=dry-run', 'dry')).status).toBe(400);
    expect((await send('', 'dry')).status).not.toBe(409);
  });

  test('two nodes that get the same faulty body at once store one refusal', async () => {
    const key = newIdempotencyKey();
    const sending = Array.from({ length: 10 }, () => admin.post('/v1/clients', { name: '' }, idempotencyHeader(key)));
    const replies = await Promise.all(sending);
    for (const reply of replies) expect(comparableAnswer(reply)).toEqual(comparableAnswer(replies[0]!));
    expect(replies.filter(({ headers }) => headers.has('idempotent-replayed'))).toHaveLength(9);
  });

  test('a request over the budget gets 429 and leaves the key unused', async () => {
    const node = await serviceForThisTest({ settings: { BUDGET_BURST: '3', BUDGET_PER_MINUTE: '60' } });
    node.clock.advance(minuteMs);
    const statuses = [];
    for (let count = 0; count < 4; count++) statuses.push((await node.admin.get('/v1/me')).status);
    expect(statuses).toEqual([200, 200, 200, 429]);
    expect((await node.admin.post('/v1/clients', good, idempotencyHeader('late'))).status).toBe(429);
    node.clock.advance(minuteMs);
    expect((await node.admin.post('/v1/clients', good, idempotencyHeader('late'))).status).toBe(201);
  });

  test('a refusal by a rule is stored like any other answer', async () => {
    const parent = await admin.makeClient('Parent');
    const child = await admin.makeClient('Child', parent);
    const requests = [
      [404, (key: string) => admin.delete(`/v1/clients/${'0'.repeat(24)}`, idempotencyHeader(key))],
      [
        404,
        (key: string) => admin.post('/v1/clients', { name: 'X', parent_id: '0'.repeat(24) }, idempotencyHeader(key)),
      ],
      [409, (key: string) => admin.delete(`/v1/clients/${parent}`, idempotencyHeader(key))],
      [409, (key: string) => admin.patch(`/v1/clients/${parent}`, { parent_id: child }, idempotencyHeader(key))],
    ] as const;
    const refused: (readonly [string, Reply, (key: string) => Promise<Reply>])[] = [];
    for (const [status, sendWithKey] of requests) {
      const key = newIdempotencyKey();
      const first = await sendWithKey(key);
      expect(first.status).toBe(status);
      refused.push([key, first, sendWithKey]);
    }
    await admin.delete(`/v1/clients/${child}`);
    for (const [key, first, sendWithKey] of refused) {
      const replay = await sendWithKey(key);
      expect(comparableAnswer(replay)).toEqual(comparableAnswer(first));
      expect(replay.headers.get('idempotent-replayed')).toBe('true');
    }
    expect((await admin.delete(`/v1/clients/${parent}`, idempotencyHeader(newIdempotencyKey()))).status).toBe(204);
  });

  test('an internal error is not stored: the request may be repeated', async () => {
    const node = await serviceForThisTest();
    const clients = await countClients(node.database);
    await runSql(node.database, 'REVOKE INSERT ON audit_entry FROM holdfast_service');
    expect((await node.admin.post('/v1/clients', good, idempotencyHeader('broken'))).status).toBe(500);
    expect(await countClients(node.database)).toBe(clients);
    await runSql(node.database, 'GRANT INSERT ON audit_entry TO holdfast_service');
    const reply = await node.admin.post('/v1/clients', good, idempotencyHeader('broken'));
    expect(reply.status).toBe(201);
    expect(reply.headers.has('idempotent-replayed')).toBe(false);
  });

  test('it cannot be read in the database', async () => {
    const { body } = await admin.post(
      '/v1/applications',
      { name: 'Unreadable' },
      idempotencyHeader('a key that could be guessed'),
    );
    const rows = await runSql<{ key_hash: Buffer; answer_sealed: Buffer }>(
      service.database,
      'SELECT key_hash, request_hash, answer_sealed FROM idempotent_answer WHERE answer_sealed IS NOT NULL',
    );
    const stored = Buffer.concat(rows.flatMap((row) => Object.values(row))).toString('latin1');
    expect(rows.length).toBeGreaterThan(0);
    for (const word of ['could be guessed', 'Unreadable', 'client_secret', body.client_secret, body.id, 'status']) {
      expect(stored).not.toContain(word);
    }
  });
});
