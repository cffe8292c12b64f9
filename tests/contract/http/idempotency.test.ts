// Idempotency-Key on v1: a repeated write happens once and gets the same answer, for 24 hours, for every caller of the workspace whom
// the request is open to.

import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { dayMs } from '../../../src/kit/clock.ts';
import { Caller, type CallOptions, type Reply } from '../../setup/http/caller.ts';
import { newClientDocument } from '../../setup/structure/client-document.ts';
import {
  comparableAnswer,
  countClients,
  newIdempotencyKey,
  idempotencyHeader,
} from '../../setup/http/repeated-request.ts';
import { makeDatabase, serviceForThisTest, startTestService, type TestService } from '../../setup/node/test-service.ts';
import { countAuditEntries } from '../../setup/database/sql.ts';

// Two nodes form one service under one address.
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

function expectReplayed(replay: Reply, first: Reply): void {
  expect(comparableAnswer(replay)).toEqual(comparableAnswer(first));
  expect([first, replay].map(({ headers }) => headers.get('idempotent-replayed'))).toEqual([null, 'true']);
}

function renewedCaller(): Promise<Caller> {
  return Caller.withCredentials(admin.address, service.first);
}

describe('the same key with the same request', () => {
  test('a creation happens once and gets the same answer: status, headers, body, and the id of the first request', async () => {
    const key = newIdempotencyKey();
    const first = await admin.post('/v1/clients', { name: 'Once' }, idempotencyHeader(key));
    const clients = await countClients(service.database);
    const replay = await admin.post('/v1/clients', { name: 'Once' }, idempotencyHeader(key));
    expect(first.status).toBe(201);
    expect(first.headers.get('location')).toBe(`${settings.BASE_URL}/v1/clients/${first.body.id}`);
    expect(first.headers.get('etag')).toMatch(/^"[\w-]+"$/);
    expectReplayed(replay, first);
    expect(await countClients(service.database)).toBe(clients);
  });

  test('a repeated change gets its first answer, even if the record has changed since', async () => {
    const id = await admin.makeClient('Before');
    const key = newIdempotencyKey();
    const first = await admin.patch(`/v1/clients/${id}`, { name: 'First' }, idempotencyHeader(key));
    await admin.patch(`/v1/clients/${id}`, { name: 'Second' });
    expectReplayed(await admin.patch(`/v1/clients/${id}`, { name: 'First' }, idempotencyHeader(key)), first);
    expect((await admin.get(`/v1/clients/${id}`)).body.name).toBe('Second');
  });

  test('a deletion answers 204 again', async () => {
    const id = await admin.makeClient('Deleted once');
    const key = newIdempotencyKey();
    const first = await admin.delete(`/v1/clients/${id}`, idempotencyHeader(key));
    expect(first.status).toBe(204);
    expectReplayed(await admin.delete(`/v1/clients/${id}`, idempotencyHeader(key)), first);
    expect((await admin.delete(`/v1/clients/${id}`)).status).toBe(404);
  });

  test('it works on another node', async () => {
    const key = newIdempotencyKey();
    const first = await admin.post('/v1/clients', { name: 'Elsewhere' }, idempotencyHeader(key));
    expect(first.status).toBe(201);
    expectReplayed(await secondNode.admin.post('/v1/clients', { name: 'Elsewhere' }, idempotencyHeader(key)), first);
  });

  test('it works with another token of the same application', async () => {
    const key = newIdempotencyKey();
    const first = await admin.post('/v1/clients', { name: 'Renewed' }, idempotencyHeader(key));
    expect(first.status).toBe(201);
    expectReplayed(
      await (await renewedCaller()).post('/v1/clients', { name: 'Renewed' }, idempotencyHeader(key)),
      first,
    );
  });

  test.each([{}, { environment: 'sandbox' }])(
    'an application %o is created once, and its secret is shown again',
    async (where) => {
      const key = newIdempotencyKey();
      const sent = { name: 'Secretive', ...where };
      const first = await admin.post('/v1/applications', sent, idempotencyHeader(key));
      expect(first.status).toBe(201);
      const lines = await countAuditEntries(service.database);
      const replay = await admin.post('/v1/applications', sent, idempotencyHeader(key));
      expectReplayed(replay, first);
      expect(replay.body.client_secret).toMatch(/.{20}/);
      expect(await countAuditEntries(service.database)).toBe(lines);
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
    const key = newIdempotencyKey();
    const { body: made } = await admin.post('/v1/clients', { name: 'Original' }, idempotencyHeader(key));
    const lines = await countAuditEntries(service.database);
    const reply = await admin.send(path.replace('{id}', made.id), { method, body, headers: idempotencyHeader(key) });
    expect(reply.status).toBe(409);
    expect(reply.body.code).toBe('idempotency-key-reused');
    expect(await countAuditEntries(service.database)).toBe(lines);
  });

  const unreadable: [what: string, sent: CallOptions][] = [
    ['against the schema', { body: { name: '' } }],
    ['with an unknown field', { body: { name: 'Original', surplus: 1 } }],
    ['that is not an object', { body: [] }],
    ['that is not JSON', { raw: '{' }],
    ['that is not UTF-8', { raw: Buffer.from([0xff]) }],
    ['that is empty', {}],
    ['of another media type', { raw: 'Original', headers: { 'content-type': 'text/plain' } }],
  ];

  test.each(unreadable)('a body %s is a conflict before it is at fault', async (_what, sent) => {
    const key = newIdempotencyKey();
    const first = await admin.post('/v1/clients', { name: 'Original' }, idempotencyHeader(key));
    const other = await admin.becomeApplication({ rights: ['read', 'write'] });
    const headers = { ...sent.headers, ...idempotencyHeader(key) };
    const lines = await countAuditEntries(service.database);
    for (const caller of [admin, secondNode.admin, other]) {
      const reply = await caller.send('/v1/clients', { ...sent, method: 'POST', headers });
      expect([reply.status, reply.body.code]).toEqual([409, 'idempotency-key-reused']);
    }
    expect(await countAuditEntries(service.database)).toBe(lines);
    expectReplayed(await admin.post('/v1/clients', { name: 'Original' }, idempotencyHeader(key)), first);
  });

  test('a query that cannot be read, another path and another method are conflicts too', async () => {
    const key = newIdempotencyKey();
    const { body } = await admin.post('/v1/clients', { name: 'Original' }, idempotencyHeader(key));
    const requests = [
      ['POST', '/v1/clients?surplus=1'],
      ['POST', '/v1/limits'],
      ['PATCH', `/v1/clients/${body.id}`],
    ] as const;
    for (const [method, path] of requests) {
      const reply = await admin.send(path, { method, body: { surplus: 1 }, headers: idempotencyHeader(key) });
      expect([reply.status, reply.body.code]).toEqual([409, 'idempotency-key-reused']);
    }
  });

  test('in another workspace or environment the key is free, so the body is at fault', async () => {
    const key = newIdempotencyKey();
    await admin.post('/v1/clients', { name: 'Original' }, idempotencyHeader(key));
    for (const caller of [await service.openWorkspace(), await admin.becomeApplication({ environment: 'sandbox' })])
      expect((await caller.post('/v1/clients', { name: '' }, idempotencyHeader(key))).status).toBe(422);
  });

  test('without a key every request is new', async () => {
    const [one, other] = [await admin.makeClient('Twin'), await admin.makeClient('Twin')];
    expect(one).not.toBe(other);
  });
});

describe('the owner of a key', () => {
  test('on a GET it is ignored', async () => {
    const id = await admin.makeClient('Read');
    const key = newIdempotencyKey();
    expect((await admin.get(`/v1/clients/${id}`, idempotencyHeader(key))).body.name).toBe('Read');
    await admin.patch(`/v1/clients/${id}`, { name: 'Read again' });
    expect((await admin.get(`/v1/clients/${id}`, idempotencyHeader(key))).body.name).toBe('Read again');
    expect((await admin.get('/v1/me', idempotencyHeader(key))).status).toBe(200);
    expect((await admin.get('/v1/me', idempotencyHeader('x'.repeat(256)))).status).toBe(200);
    expect((await admin.post('/v1/clients', { name: 'Still free' }, idempotencyHeader(key))).status).toBe(201);
  });

  test('JSON:API does not support it', async () => {
    const key = newIdempotencyKey();
    const replies = [1, 2].map(() => admin.post('/api/v2/clients', newClientDocument('Twin'), idempotencyHeader(key)));
    const [one, other] = await Promise.all(replies);
    expect([one!.status, other!.status]).toEqual([201, 201]);
    expect(one!.body.data.id).not.toBe(other!.body.data.id);
  });

  test('each workspace and each environment has separate keys', async () => {
    const key = newIdempotencyKey();
    const sandbox = await admin.becomeApplication({ environment: 'sandbox' });
    const callers = [admin, await service.openWorkspace(), sandbox];
    const replies = [];
    for (const caller of callers)
      replies.push(await caller.post('/v1/clients', { name: 'Same key' }, idempotencyHeader(key)));
    expect(replies.map(({ status }) => status)).toEqual([201, 201, 201]);
    expect(new Set(replies.map(({ body }) => body.id)).size).toBe(3);
    for (const [index, caller] of callers.entries()) {
      expectReplayed(await caller.post('/v1/clients', { name: 'Same key' }, idempotencyHeader(key)), replies[index]!);
    }
  });

  test('another application of the same workspace gets the answer, a secret too, and a conflict for another body', async () => {
    const key = newIdempotencyKey();
    const other = await admin.becomeApplication({ rights: ['read', 'write', 'admin'] });
    const first = await admin.post('/v1/applications', { name: 'Shared' }, idempotencyHeader(key));
    expectReplayed(await other.post('/v1/applications', { name: 'Shared' }, idempotencyHeader(key)), first);
    const otherBody = await other.post('/v1/applications', { name: 'Something else' }, idempotencyHeader(key));
    expect(otherBody.body).toEqual({
      type: `${settings.BASE_URL}/docs/errors#idempotency-key-reused`,
      title: 'Idempotency key reused',
      status: 409,
      detail: 'This Idempotency-Key was used with another request. Use a new one.',
      code: 'idempotency-key-reused',
      request_id: otherBody.headers.get('x-request-id'),
    });
  });

  test('a refusal names the first request in its header and its body alike', async () => {
    const key = newIdempotencyKey();
    const first = await admin.post('/v1/clients', { name: '' }, idempotencyHeader(key));
    const replay = await admin.post('/v1/clients', { name: '' }, idempotencyHeader(key));
    expect(replay.body.request_id).toBe(first.headers.get('x-request-id'));
    expect(replay.headers.get('x-request-id')).toBe(replay.body.request_id);
  });

  test('a caller without the right of the operation gets 403', async () => {
    const key = newIdempotencyKey();
    await admin.post('/v1/applications', { name: 'For admins' }, idempotencyHeader(key));
    const writer = await admin.becomeApplication({ rights: ['read', 'write'] });
    const reply = await writer.post('/v1/applications', { name: 'For admins' }, idempotencyHeader(key));
    expect([reply.status, reply.body.code]).toEqual([403, 'right-missing']);
  });

  test('a caller without a right that the body takes gets 403', async () => {
    const [key, clientId] = [newIdempotencyKey(), await admin.makeClient('With an advisor')];
    const person = {
      client_id: clientId,
      email: 'advisor@repeated.test',
      first_name: 'A',
      last_name: 'B',
      role: 'advisor',
    };
    const first = await admin.post('/v1/users', person, idempotencyHeader(key));
    expect(first.status).toBe(201);
    const [writer, other] = [
      await admin.becomeApplication({ rights: ['read', 'write'] }),
      await admin.becomeApplication({ rights: ['read', 'write', 'admin'] }),
    ];
    const reply = await writer.post('/v1/users', person, idempotencyHeader(key));
    expect([reply.status, reply.body.code]).toEqual([403, 'right-missing']);
    expectReplayed(await other.post('/v1/users', person, idempotencyHeader(key)), first);
  });

  test('an application of one client gets the answer about its client, and 403 for that of another client', async () => {
    const [own, stranger] = [await admin.makeClient('Own'), await admin.makeClient('Stranger')];
    const bound = await admin.becomeApplication({ scoped_to: own });
    const replies = [];
    for (const clientId of [own, stranger]) {
      const [key, body] = [newIdempotencyKey(), { client_id: clientId, name: 'Entity' }];
      const first = await admin.post('/v1/legal-entities', body, idempotencyHeader(key));
      expect(first.status).toBe(201);
      replies.push([first, await bound.post('/v1/legal-entities', body, idempotencyHeader(key))] as const);
    }
    const [[first, replay], [, refused]] = replies as [(typeof replies)[0], (typeof replies)[0]];
    expectReplayed(replay, first);
    expect([refused.status, refused.body.code]).toEqual([403, 'outside-reach']);
  });

  test('an application of one client does not see the parent of its client in an answer', async () => {
    const parent = await admin.makeClient('Family');
    const child = await admin.makeClient('Branch', parent);
    const bound = await admin.becomeApplication({ scoped_to: child });
    const key = newIdempotencyKey();
    await admin.patch(`/v1/clients/${child}`, { name: 'Renamed' }, idempotencyHeader(key));
    const reply = await bound.patch(`/v1/clients/${child}`, { name: 'Renamed' }, idempotencyHeader(key));
    expect([reply.status, reply.body.code]).toEqual([403, 'outside-reach']);
    expect(reply.text).not.toContain(parent);
  });

  test('what all clients share stays with callers that see all of them', async () => {
    const key = newIdempotencyKey();
    const bound = await admin.becomeApplication({ scoped_to: await admin.makeClient('Bound') });
    const body = { base: 'EUR', quote: 'USD', date: '2024-01-02', rate: '1.1' };
    const first = await admin.post('/v1/fx-rates', body, idempotencyHeader(key));
    expect(first.status).toBe(201);
    const reply = await bound.post('/v1/fx-rates', body, idempotencyHeader(key));
    expect([reply.status, reply.body.code]).toEqual([403, 'outside-reach']);
  });

  test('a caller that sees more performs a request that found nothing for another caller', async () => {
    const [own, stranger] = [await admin.makeClient('Own'), await admin.makeClient('Stranger')];
    const bound = await admin.becomeApplication({ scoped_to: own });
    const [key, body] = [newIdempotencyKey(), { client_id: stranger, name: 'Entity' }];
    expect((await bound.post('/v1/legal-entities', body, idempotencyHeader(key))).status).toBe(404);
    const made = await admin.post('/v1/legal-entities', body, idempotencyHeader(key));
    expect(made.status).toBe(201);
    expectReplayed(await admin.post('/v1/legal-entities', body, idempotencyHeader(key)), made);
    const reply = await bound.post('/v1/legal-entities', body, idempotencyHeader(key));
    expect([reply.status, reply.body.code]).toEqual([403, 'outside-reach']);
  });
});

describe('concurrent requests with the same key', () => {
  test.each([
    ['one node', () => [admin]],
    ['two nodes', () => [admin, secondNode.admin]],
  ])('of 20 on %s one is executed, and all get its answer', async (_where, callers) => {
    const key = newIdempotencyKey();
    const nodes = callers();
    const clients = await countClients(service.database);
    const sending = Array.from({ length: 20 }, (_, index) =>
      nodes[index % nodes.length]!.post('/v1/clients', { name: 'Raced' }, idempotencyHeader(key)),
    );
    const replies = await Promise.all(sending);
    const replayed = replies.filter(({ headers }) => headers.has('idempotent-replayed'));
    expect(replayed).toHaveLength(19);
    for (const reply of replies) expect(comparableAnswer(reply)).toEqual(comparableAnswer(replies[0]!));
    expect(replies[0]!.status).toBe(201);
    expect(await countClients(service.database)).toBe(clients + 1);
  });

  test('of 20 with different bodies one is executed, and the others are conflicts', async () => {
    const key = newIdempotencyKey();
    const clients = await countClients(service.database);
    const sending = Array.from({ length: 20 }, (_, index) =>
      admin.post('/v1/clients', { name: `Raced ${index}` }, idempotencyHeader(key)),
    );
    const statuses = (await Promise.all(sending)).map(({ status }) => status);
    expect(statuses.toSorted()).toEqual([201, ...Array.from({ length: 19 }, () => 409)]);
    expect(await countClients(service.database)).toBe(clients + 1);
  });
});

describe('retention', () => {
  test('an answer is stored for 24 hours, and then the request is new', async () => {
    const { clock, ...node } = await serviceForThisTest();
    const send = async (name: string): Promise<Reply> => {
      const caller = await Caller.withCredentials(node.admin.address, node.first);
      return caller.post('/v1/clients', { name }, idempotencyHeader('daily'));
    };
    const first = await send('Kept');
    clock.advance(dayMs - 1);
    expectReplayed(await send('Kept'), first);
    expect((await send('Another')).status).toBe(409);
    expect((await send('')).status).toBe(409);
    clock.advance(1);
    const newReply = await send('Another');
    expect(newReply.status).toBe(201);
    expect(newReply.body.id).not.toBe(first.body.id);
    clock.advance(dayMs - 1);
    expectReplayed(await send('Another'), newReply);
  });
});

describe('valid keys', () => {
  test.each([
    ['1 byte', 'x', 201],
    ['255 bytes', 'k'.repeat(255), 201],
    ['255 bytes beyond ASCII', 'é'.repeat(255), 201],
    ['256 bytes', 'k'.repeat(256), 400],
    ['no bytes', '', 400],
  ])('%s', async (_length, key, status) => {
    const reply = await admin.post('/v1/clients', { name: 'Key' }, idempotencyHeader(key));
    const detail = 'Send one Idempotency-Key of 1 to 255 bytes.';
    const faults = [{ code: 'invalid-idempotency-key', detail, header: 'Idempotency-Key' }];
    expect([reply.status, reply.body.errors]).toEqual([status, status === 201 ? undefined : faults]);
  });

  test('keys that differ in one byte are different keys', async () => {
    const long = 'k'.repeat(254);
    const replies = [];
    for (const last of ['a', 'b'])
      replies.push(await admin.post('/v1/clients', { name: 'Key' }, idempotencyHeader(long + last)));
    expect(replies.map(({ status }) => status)).toEqual([201, 201]);
    expect(replies[0]!.body.id).not.toBe(replies[1]!.body.id);
  });
});
