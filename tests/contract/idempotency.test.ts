// Idempotency-Key on v1: a write sent again happens once and is answered the same, for whoever made it, for 24 hours.

import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { dayMs, minuteMs } from '../../src/kit/clock.ts';
import { Caller, type Reply, type Sending } from '../setup/caller.ts';
import { newClient } from '../setup/client-document.ts';
import { makeDatabase, serviceForThisTest, startTestService, type TestService } from '../setup/service.ts';
import { countAuditLines, runSql } from '../setup/sql.ts';

// Two nodes are one service under one address.
const settings = { BASE_URL: 'http://holdfast.test' };
let service: TestService;
let secondNode: TestService;
let admin: Caller;

beforeAll(async () => {
  const database = await makeDatabase();
  service = await startTestService({ database, settings });
  secondNode = await startTestService({ database, settings, clock: service.clock });
  ({ admin } = service);
});
afterAll(async () => {
  await secondNode.stop();
  await service.stop();
  await service.database.drop();
});

let keys = 0;
const newKey = (): string => `key-${keys++}`;
const under = (key: string): Record<string, string> => ({ 'idempotency-key': key });

async function countClients({ database } = service): Promise<number> {
  return Number((await runSql<{ count: string }>(database, 'SELECT count(*) FROM client'))[0]!.count);
}

/** An answer without what belongs to each request alone. */
function answerOf({ status, headers, text }: Reply): object {
  const own = ['x-request-id', 'ratelimit', 'date', 'idempotent-replayed'];
  return { status, text, headers: [...headers].filter(([name]) => !own.includes(name)) };
}

function expectReplayed(replay: Reply, first: Reply): void {
  expect(answerOf(replay)).toEqual(answerOf(first));
  expect([first, replay].map(({ headers }) => headers.get('idempotent-replayed'))).toEqual([null, 'true']);
}

function renewed(): Promise<Caller> {
  return Caller.withCredentials(admin.address, service.first);
}

describe('the same key with the same request', () => {
  test('a creation happens once and is answered alike: status, Location, ETag, body', async () => {
    const key = newKey();
    const first = await admin.post('/v1/clients', { name: 'Once' }, under(key));
    const clients = await countClients();
    const replay = await admin.post('/v1/clients', { name: 'Once' }, under(key));
    expect(first.status).toBe(201);
    expect(first.headers.get('location')).toBe(`${settings.BASE_URL}/v1/clients/${first.body.id}`);
    expect(first.headers.get('etag')).toMatch(/^"[\w-]+"$/);
    expectReplayed(replay, first);
    expect(await countClients()).toBe(clients);
  });

  test('a change is answered as it was, even if the thing has changed since', async () => {
    const id = await admin.makeClient('Before');
    const key = newKey();
    const first = await admin.patch(`/v1/clients/${id}`, { name: 'First' }, under(key));
    await admin.patch(`/v1/clients/${id}`, { name: 'Second' });
    expectReplayed(await admin.patch(`/v1/clients/${id}`, { name: 'First' }, under(key)), first);
    expect((await admin.get(`/v1/clients/${id}`)).body.name).toBe('Second');
  });

  test('a deletion answers 204 again', async () => {
    const id = await admin.makeClient('Deleted once');
    const key = newKey();
    const first = await admin.delete(`/v1/clients/${id}`, under(key));
    expect(first.status).toBe(204);
    expectReplayed(await admin.delete(`/v1/clients/${id}`, under(key)), first);
    expect((await admin.delete(`/v1/clients/${id}`)).status).toBe(404);
  });

  test('another node knows of it', async () => {
    const key = newKey();
    const first = await admin.post('/v1/clients', { name: 'Elsewhere' }, under(key));
    expectReplayed(await secondNode.admin.post('/v1/clients', { name: 'Elsewhere' }, under(key)), first);
  });

  test('another token of the same application knows of it', async () => {
    const key = newKey();
    const first = await admin.post('/v1/clients', { name: 'Renewed' }, under(key));
    expectReplayed(await (await renewed()).post('/v1/clients', { name: 'Renewed' }, under(key)), first);
  });

  test.each([{}, { environment: 'sandbox' }])(
    'an application %o is made once, and its secret told again',
    async (where) => {
      const key = newKey();
      const sent = { name: 'Secretive', ...where };
      const first = await admin.post('/v1/applications', sent, under(key));
      expect(first.status).toBe(201);
      const lines = await countAuditLines(service.database);
      const replay = await admin.post('/v1/applications', sent, under(key));
      expectReplayed(replay, first);
      expect(replay.body.client_secret).toMatch(/.{20}/);
      expect(await countAuditLines(service.database)).toBe(lines);
    },
  );
});

describe('the same key with another request', () => {
  test.each([
    ['another body', 'POST', '/v1/clients', { name: 'Other' }],
    ['another path', 'POST', '/v1/applications', { name: 'Original' }],
    ['another method', 'DELETE', '/v1/clients/{id}', undefined],
    ['another thing', 'PATCH', '/v1/clients/{id}', { name: 'Original' }],
  ])('%s is a conflict, and nothing happens', async (_what, method, path, body) => {
    const key = newKey();
    const { body: made } = await admin.post('/v1/clients', { name: 'Original' }, under(key));
    const lines = await countAuditLines(service.database);
    const reply = await admin.send(path.replace('{id}', made.id), { method, body, headers: under(key) });
    expect(reply.status).toBe(409);
    expect(reply.body.code).toBe('idempotency-key-reused');
    expect(await countAuditLines(service.database)).toBe(lines);
  });

  test('without a key every request is a new one', async () => {
    const [one, other] = [await admin.makeClient('Twin'), await admin.makeClient('Twin')];
    expect(one).not.toBe(other);
  });
});

describe('whose key it is', () => {
  test('on a GET it is ignored', async () => {
    const id = await admin.makeClient('Read');
    const key = newKey();
    expect((await admin.get(`/v1/clients/${id}`, under(key))).body.name).toBe('Read');
    await admin.patch(`/v1/clients/${id}`, { name: 'Read again' });
    expect((await admin.get(`/v1/clients/${id}`, under(key))).body.name).toBe('Read again');
    expect((await admin.get('/v1/me', under(key))).status).toBe(200);
    expect((await admin.get('/v1/me', under('x'.repeat(256)))).status).toBe(200);
    expect((await admin.post('/v1/clients', { name: 'Still free' }, under(key))).status).toBe(201);
  });

  test('on JSON:API there is none', async () => {
    const key = newKey();
    const replies = [1, 2].map(() => admin.post('/api/v2/clients', newClient('Twin'), under(key)));
    const [one, other] = await Promise.all(replies);
    expect([one!.status, other!.status]).toEqual([201, 201]);
    expect(one!.body.data.id).not.toBe(other!.body.data.id);
  });

  test('each workspace and each environment has keys of its own', async () => {
    const key = newKey();
    const sandbox = await admin.become({ environment: 'sandbox' });
    const callers = [admin, await service.openWorkspace(), sandbox];
    const replies = [];
    for (const caller of callers) replies.push(await caller.post('/v1/clients', { name: 'Same key' }, under(key)));
    expect(replies.map(({ status }) => status)).toEqual([201, 201, 201]);
    expect(new Set(replies.map(({ body }) => body.id)).size).toBe(3);
    for (const [index, caller] of callers.entries()) {
      expectReplayed(await caller.post('/v1/clients', { name: 'Same key' }, under(key)), replies[index]!);
    }
  });

  test('another application of the same workspace gets a conflict that tells nothing', async () => {
    const key = newKey();
    const other = await admin.become({ rights: ['read', 'write', 'admin'] });
    const first = await admin.post('/v1/applications', { name: 'Not for others' }, under(key));
    const sameBody = await other.post('/v1/applications', { name: 'Not for others' }, under(key));
    const otherBody = await other.post('/v1/applications', { name: 'Something else' }, under(key));
    for (const reply of [sameBody, otherBody]) {
      expect(reply.body).toEqual({
        type: `${settings.BASE_URL}/docs/errors#idempotency-key-reused`,
        title: 'Idempotency key reused',
        status: 409,
        detail: 'This Idempotency-Key has been used with another request or by another caller.',
        code: 'idempotency-key-reused',
        request_id: reply.headers.get('x-request-id'),
      });
    }
    expectReplayed(await admin.post('/v1/applications', { name: 'Not for others' }, under(key)), first);
  });
});

describe('twins at the same time', () => {
  test.each([
    ['one node', () => [admin]],
    ['two nodes', () => [admin, secondNode.admin]],
  ])('of 20 on %s one happens, and all get its answer', async (_where, callers) => {
    const key = newKey();
    const nodes = callers();
    const clients = await countClients();
    const sending = Array.from({ length: 20 }, (_, index) =>
      nodes[index % nodes.length]!.post('/v1/clients', { name: 'Raced' }, under(key)),
    );
    const replies = await Promise.all(sending);
    const replayed = replies.filter(({ headers }) => headers.has('idempotent-replayed'));
    expect(replayed).toHaveLength(19);
    for (const reply of replies) expect(answerOf(reply)).toEqual(answerOf(replies[0]!));
    expect(replies[0]!.status).toBe(201);
    expect(await countClients()).toBe(clients + 1);
  });

  test('of 20 with different bodies one happens, and the others are conflicts', async () => {
    const key = newKey();
    const clients = await countClients();
    const sending = Array.from({ length: 20 }, (_, index) =>
      admin.post('/v1/clients', { name: `Raced ${index}` }, under(key)),
    );
    const statuses = (await Promise.all(sending)).map(({ status }) => status);
    expect(statuses.toSorted()).toEqual([201, ...Array.from({ length: 19 }, () => 409)]);
    expect(await countClients()).toBe(clients + 1);
  });
});

describe('how long', () => {
  test('an answer is kept for 24 hours, and then the request is a new one', async () => {
    const { clock, ...node } = await serviceForThisTest();
    const send = async (name: string): Promise<Reply> => {
      const caller = await Caller.withCredentials(node.admin.address, node.first);
      return caller.post('/v1/clients', { name }, under('daily'));
    };
    const first = await send('Kept');
    clock.advance(dayMs - 1);
    expectReplayed(await send('Kept'), first);
    expect((await send('Another')).status).toBe(409);
    clock.advance(1);
    const anew = await send('Another');
    expect(anew.status).toBe(201);
    expect(anew.body.id).not.toBe(first.body.id);
    clock.advance(dayMs - 1);
    expectReplayed(await send('Another'), anew);
  });
});

describe('what is kept', () => {
  const good = { name: 'At last' };

  const failing: [what: string, status: number, who: () => Caller | Promise<Caller>, sending: Sending][] = [
    ['without a token', 401, () => admin.with(null), { body: good }],
    ['with a token that is none', 401, () => admin.with('abc'), { body: good }],
    ['without the right', 403, () => admin.become({ rights: ['read'] }), { body: good }],
    ['in another media type', 415, () => admin, { raw: '{}', headers: { 'content-type': 'text/plain' } }],
    ['that cannot be answered so', 406, () => admin, { body: good, headers: { accept: 'text/html' } }],
    ['that is not JSON', 400, () => admin, { raw: '{' }],
    ['that is empty', 400, () => admin, {}],
    ['against the schema', 422, () => admin, { body: { name: '' } }],
    ['that is too large', 413, () => admin, { raw: ' '.repeat(1024 * 1024 + 1) }],
  ];

  test.each(failing)('a request %s is a %i that leaves the key free', async (_what, status, who, sending) => {
    const key = newKey();
    const headers = { ...under(key), ...sending.headers };
    const caller = await who();
    expect((await caller.send('/v1/clients', { ...sending, method: 'POST', headers })).status).toBe(status);
    const reply = await admin.post('/v1/clients', good, under(key));
    expect(reply.status).toBe(201);
    expect(reply.headers.has('idempotent-replayed')).toBe(false);
  });

  test('a request over the budget is a 429 that leaves the key free', async () => {
    const node = await serviceForThisTest({ settings: { BUDGET_BURST: '3', BUDGET_PER_MINUTE: '60' } });
    const statuses = [];
    for (let count = 0; count < 4; count++) statuses.push((await node.admin.get('/v1/me')).status);
    expect(statuses).toEqual([200, 200, 200, 429]);
    expect((await node.admin.post('/v1/clients', good, under('late'))).status).toBe(429);
    node.clock.advance(minuteMs);
    expect((await node.admin.post('/v1/clients', good, under('late'))).status).toBe(201);
  });

  test('a refusal by rule is an answer like any other', async () => {
    const parent = await admin.makeClient('Parent');
    const child = await admin.makeClient('Child', parent);
    const asks = [
      [404, (key: string) => admin.delete(`/v1/clients/${'0'.repeat(24)}`, under(key))],
      [404, (key: string) => admin.post('/v1/clients', { name: 'X', parent_id: '0'.repeat(24) }, under(key))],
      [409, (key: string) => admin.delete(`/v1/clients/${parent}`, under(key))],
      [409, (key: string) => admin.patch(`/v1/clients/${parent}`, { parent_id: child }, under(key))],
    ] as const;
    const refused: (readonly [string, Reply, (key: string) => Promise<Reply>])[] = [];
    for (const [status, ask] of asks) {
      const key = newKey();
      const first = await ask(key);
      expect(first.status).toBe(status);
      refused.push([key, first, ask]);
    }
    await admin.delete(`/v1/clients/${child}`);
    for (const [key, first, ask] of refused) expectReplayed(await ask(key), first);
    expect((await admin.delete(`/v1/clients/${parent}`, under(newKey()))).status).toBe(204);
  });

  test('a failure of our own is not kept: the request may come again', async () => {
    const node = await serviceForThisTest();
    const clients = await countClients(node);
    await runSql(node.database, 'REVOKE INSERT ON audit_entry FROM holdfast_service');
    expect((await node.admin.post('/v1/clients', good, under('broken'))).status).toBe(500);
    expect(await countClients(node)).toBe(clients);
    await runSql(node.database, 'GRANT INSERT ON audit_entry TO holdfast_service');
    const reply = await node.admin.post('/v1/clients', good, under('broken'));
    expect(reply.status).toBe(201);
    expect(reply.headers.has('idempotent-replayed')).toBe(false);
  });

  test('nothing of it can be read in the database', async () => {
    const { body } = await admin.post('/v1/applications', { name: 'Unreadable' }, under('a key that could be guessed'));
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

describe('what a key may be', () => {
  test.each([
    ['1 byte', 'x', 201],
    ['255 bytes', 'k'.repeat(255), 201],
    ['255 bytes beyond ASCII', 'é'.repeat(255), 201],
    ['256 bytes', 'k'.repeat(256), 400],
    ['no bytes', '', 400],
  ])('%s', async (_length, key, status) => {
    const reply = await admin.post('/v1/clients', { name: 'Key' }, under(key));
    expect(reply.status).toBe(status);
    if (status === 201) return;
    const detail = 'Idempotency-Key has 1 to 255 bytes and is sent once.';
    expect(reply.body.errors).toEqual([{ code: 'invalid-idempotency-key', detail, header: 'Idempotency-Key' }]);
  });

  test('keys that differ in one byte are different keys', async () => {
    const long = 'k'.repeat(254);
    const replies = [];
    for (const last of ['a', 'b']) replies.push(await admin.post('/v1/clients', { name: 'Key' }, under(long + last)));
    expect(replies.map(({ status }) => status)).toEqual([201, 201]);
    expect(replies[0]!.body.id).not.toBe(replies[1]!.body.id);
  });
});
