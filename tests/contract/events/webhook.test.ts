// Webhooks, their deliveries and events over HTTP: register, change, test, list and replay them.

import { beforeEach, describe, expect, test } from 'vitest';
import { emitAccount, emitAuthorityExpiring } from '../../../src/actions/events/event.ts';
import { serviceAuthor, runInTransaction } from '../../../src/actions/core/work.ts';
import { hourMs } from '../../../src/kit/clock.ts';
import type { Id } from '../../../src/kit/id.ts';
import type { Caller } from '../../setup/http/caller.ts';
import { reportedRefusal } from '../../setup/structure/client-document.ts';
import {
  webhookAnswer,
  deliverAllDue,
  createDeliveries,
  deliverDueAt,
  connectionRefused,
} from '../../setup/events/deliveries.ts';
import { emitEvents, tenantOf } from '../../setup/events/event-source.ts';
import { makeRoundHousehold, pay } from '../../setup/limits/round-household.ts';
import { runRounds } from '../../setup/limits/rounds.ts';
import { serviceForThisFile, serviceForThisTest } from '../../setup/node/test-service.ts';

const service = serviceForThisFile();
const url = 'https://hooks.example.com/holdfast';
let admin: Caller;

beforeEach(async () => {
  admin = await service.openWorkspace();
});

async function register(more: object = {}, caller = admin): Promise<any> {
  const reply = await caller.post('/v1/webhooks', { url, events: ['limit.breached'], ...more });
  expect(reply.status).toBe(201);
  return reply.body;
}

describe('without the right to read', () => {
  const missing = (act: string) => ({
    status: 403,
    code: 'right-missing',
    detail: `${act} requires the right \`read\`, which the application or key does not have.`,
  });

  test('nobody has events sent to an address, or more of them', async () => {
    const blind = await admin.becomeApplication({ rights: ['write', 'admin'] });
    const body = { url, events: ['limit.breached'] };
    expect(reportedRefusal(await blind.post('/v1/webhooks', body))).toMatchObject(missing('Registering a webhook'));
    const { id } = await register({ events: ['limit.breached', 'transaction.created'] });
    for (const change of [{ url: `${url}/mine` }, { events: ['transaction.created', 'transaction.updated'] }]) {
      const reply = await blind.patch(`/v1/webhooks/${id}`, change);
      expect(reportedRefusal(reply)).toMatchObject(missing('Changing where or which events are sent'));
    }
    expect((await admin.get('/v1/webhooks')).body.data).toMatchObject([
      { id, url, events: ['transaction.created', 'limit.breached'] },
    ]);
  });

  test('fewer may be sent, and a webhook may be disabled, enabled, given another secret and deleted', async () => {
    const blind = await admin.becomeApplication({ rights: ['admin'] });
    const { id } = await register({ events: ['limit.breached', 'transaction.created'] });
    const changes = [{ events: ['limit.breached'], url }, { state: 'disabled' }, { state: 'enabled' }];
    for (const change of changes) expect((await blind.patch(`/v1/webhooks/${id}`, change)).status).toBe(200);
    expect((await blind.send(`/v1/webhooks/${id}/rotate-secret`, { method: 'POST' })).status).toBe(200);
    expect((await blind.delete(`/v1/webhooks/${id}`)).status).toBe(204);
  });
});

describe('registration', () => {
  test('returns the webhook with its secret, which is never shown again', async () => {
    const reply = await admin.post('/v1/webhooks', { url, events: ['transaction.updated', 'transaction.created'] });
    const { secret, ...shown } = reply.body;
    expect([reply.status, reply.headers.get('location')]).toEqual([
      201,
      `${service.addresses.baseUrl}/v1/webhooks/${shown.id}`,
    ]);
    expect(secret).toMatch(/^hfw_[\w-]{43}$/);
    expect(shown).toEqual({
      id: expect.stringMatching(/^[0-9a-f]{24}$/),
      url,
      events: ['transaction.created', 'transaction.updated'],
      scheme: 'hmac',
      state: 'enabled',
      disabled_reason: null,
      disabled_at: null,
      previous_secret_until: null,
      pending_count: 0,
      dead_letter_count: 0,
      created_at: '2026-11-15T12:00:00.000Z',
      client_id: null,
    });
    const read = await admin.get(`/v1/webhooks/${shown.id}`);
    expect([read.body, read.headers.get('etag')]).toEqual([shown, expect.any(String)]);
    expect((await admin.get('/v1/audit-log?limit=1')).text).not.toContain(secret);
  });

  test.each([
    [['calculated_data.created'], undefined, 'standard'],
    [['calculated_data.created', 'limit.breached'], undefined, 'hmac'],
    [['limit.breached'], undefined, 'hmac'],
    [['calculated_data.created'], 'hmac', 'hmac'],
    [['transaction.created'], 'standard', 'standard'],
  ])('of %j with the scheme %s is signed as %s', async (events, scheme, expected) => {
    const made = await register({ events, ...(scheme ? { scheme } : {}) });
    expect([made.scheme, made.secret === null]).toEqual([expected, expected === 'standard']);
  });

  test.each([
    ['an unknown event', { events: ['account.closed'] }, '/events'],
    ['the test event', { events: ['webhook.test'] }, '/events'],
    ['an event twice', { events: ['limit.breached', 'limit.breached'] }, '/events'],
    ['no event', { events: [] }, '/events'],
    ['no address', { url: 'hooks.example.com' }, '/url'],
    ['another protocol', { url: 'ftp://hooks.example.com' }, '/url'],
    ['a password', { url: 'https://me:secret@hooks.example.com' }, '/url'],
    ['a fragment', { url: 'https://hooks.example.com/#here' }, '/url'],
    ['another scheme', { scheme: 'none' }, '/scheme'],
    ['a custom secret', { secret: 'x' }, '/secret'],
  ])('with %s is refused with a pointer', async (_what, more, pointer) => {
    const reply = await admin.post('/v1/webhooks', { url, events: ['limit.breached'], ...more });
    expect([reply.status, reply.body.errors.map((one: any) => one.pointer)]).toEqual([422, [pointer]]);
  });

  test('of a private address is allowed only in development', async () => {
    const settings = { NODE_ENV: 'production' };
    const strict = await serviceForThisTest({ settings });
    const fields = { url: 'http://127.0.0.1:9/', events: ['limit.breached'] };
    const refused = await strict.admin.post('/v1/webhooks', fields);
    expect([refused.status, refused.body.errors[0].pointer]).toEqual([422, '/url']);
    expect((await admin.post('/v1/webhooks', fields)).status).toBe(201);
  });

  test('belongs to a client if its caller is bound to one', async () => {
    const client = await admin.makeClient('Own');
    const scoped = await admin.becomeApplication({ rights: ['read', 'write', 'admin'], scoped_to: client });
    const refused = await scoped.post('/v1/webhooks', { url, events: ['limit.breached'] });
    expect([refused.status, refused.body.code]).toEqual([403, 'outside-reach']);
    expect((await register({ client_id: client }, scoped)).client_id).toBe(client);
    const refusedDeletion = await admin.delete(`/v1/clients/${client}`);
    expect([refusedDeletion.status, refusedDeletion.body.detail]).toEqual([409, expect.stringContaining('1 webhook')]);
  });
});

describe('a change', () => {
  test('of address, events and state is accepted, and a private address is refused', async () => {
    const { id } = await register();
    const changed = await admin.patch(`/v1/webhooks/${id}`, { url: `${url}/2`, state: 'disabled' });
    expect(changed.body).toMatchObject({
      url: `${url}/2`,
      state: 'disabled',
      disabled_reason: 'asked',
      disabled_at: '2026-11-15T12:00:00.000Z',
    });
    expect((await admin.patch(`/v1/webhooks/${id}`, { scheme: 'standard' })).body.errors[0]).toMatchObject({
      code: 'immutable-attribute',
      pointer: '/scheme',
    });
    expect((await admin.patch(`/v1/webhooks/${id}`, { url: 'nowhere' })).body.errors[0].pointer).toBe('/url');
    const enabled = (await admin.patch(`/v1/webhooks/${id}`, { state: 'enabled' })).body;
    expect([enabled.disabled_reason, enabled.disabled_at]).toEqual([null, null]);
  });

  test('of the secret shows the new one once, and both sign for a day', async () => {
    const { id, secret } = await register();
    const { status, body } = await admin.send(`/v1/webhooks/${id}/rotate-secret`, { method: 'POST' });
    expect([status, body.previous_secret_until]).toEqual([200, '2026-11-16T12:00:00.000Z']);
    expect(body.secret).toMatch(/^hfw_[\w-]{43}$/);
    expect(body.secret).not.toBe(secret);
    const standard = await register({ scheme: 'standard' });
    const refused = await admin.send(`/v1/webhooks/${standard.id}/rotate-secret`, { method: 'POST' });
    expect([refused.status, refused.body.code]).toEqual([409, 'webhook-without-secret']);
  });

  test('a deletion deletes its deliveries too, and keeps the event', async () => {
    const { id } = await register();
    const { body: made } = await admin.send(`/v1/webhooks/${id}/test`, { method: 'POST' });
    expect((await admin.delete(`/v1/webhooks/${id}`)).status).toBe(204);
    const paths = [`/v1/webhooks/${id}/deliveries`, `/v1/deliveries/${made.id}`, `/v1/events/${made.event_id}`];
    const statuses = await Promise.all(paths.map(async (path) => (await admin.get(path)).status));
    expect(statuses).toEqual([404, 404, 200]);
  });
});

describe('deliveries', () => {
  test('a test event is sent to one webhook, and shown with its attempt', async () => {
    const { id } = await register();
    const { status, headers, body: made } = await admin.send(`/v1/webhooks/${id}/test`, { method: 'POST' });
    expect([status, headers.get('location')]).toEqual([201, `${service.addresses.baseUrl}/v1/deliveries/${made.id}`]);
    const [post] = await deliverDueAt(admin.address);
    expect(JSON.parse(String(post!.body))).toEqual((await admin.get(`/v1/events/${made.event_id}`)).body);
    expect(JSON.parse(String(post!.body))).toEqual({
      id: made.event_id,
      type: 'webhook.test',
      created_at: '2026-11-15T12:00:00.000Z',
      workspace_id: (await tenantOf(admin)).workspaceId,
      data: { object: { webhook_id: id, message: 'This is a test. Nothing has happened.' }, previous: {} },
      client_id: null,
    });
    const at = '2026-11-15T12:00:00.000Z';
    expect((await admin.get(`/v1/deliveries/${made.id}`)).body).toEqual({
      id: made.id,
      event_type: 'webhook.test',
      state: 'delivered',
      attempt_count: 1,
      created_at: at,
      first_attempt_at: at,
      next_attempt_at: null,
      ended_at: at,
      attempts: [{ number: 1, at, status: 204, error: null, duration_ms: 0, answer: '' }],
      webhook_id: id,
      event_id: made.event_id,
    });
    await admin.patch(`/v1/webhooks/${id}`, { state: 'disabled' });
    const refused = await admin.send(`/v1/webhooks/${id}/test`, { method: 'POST' });
    expect([refused.status, refused.body.code]).toEqual([409, 'webhook-disabled']);
  });

  test('a delivery that was made can be replayed, and shows all its attempts', async () => {
    const own = await serviceForThisTest();
    const { id } = await register({}, own.admin);
    const { body: made } = await own.admin.send(`/v1/webhooks/${id}/test`, { method: 'POST' });
    const answers = [
      webhookAnswer(500),
      webhookAnswer(204),
      webhookAnswer(503),
      webhookAnswer(200, { answer: 'again' }),
    ];
    const deliveries = createDeliveries(own.context, async () => answers.shift()!);
    const deliverLater = async (): Promise<void> => {
      await deliverAllDue(own.context, deliveries);
      own.clock.advance(hourMs);
      await deliverAllDue(own.context, deliveries);
    };
    const tenant = await tenantOf(own.admin);
    await deliverLater();
    const later = await own.enter(tenant);
    const replayed = await later.send(`/v1/deliveries/${made.id}/replay`, { method: 'POST' });
    const show = ({ state, attempts }: any): unknown => [
      state,
      attempts.map((one: any) => [one.number, one.status, one.answer]),
    ];
    const firstTwo = [
      [1, 500, ''],
      [2, 204, ''],
    ];
    expect(show(replayed.body)).toEqual(['pending', firstTwo]);
    await deliverLater();
    const { body: shown } = await (await own.enter(tenant)).get(`/v1/deliveries/${made.id}`);
    expect(show(shown)).toEqual(['delivered', [...firstTwo, [3, 503, ''], [4, 200, 'again']]]);
  });

  test('deliveries of all states are listed together, the newest first, over pages', async () => {
    const own = await serviceForThisTest();
    const tenant = await tenantOf(own.admin);
    const { id } = await register({}, own.admin);
    let answer = webhookAnswer(204);
    const deliveries = createDeliveries(own.context, async () => answer);
    const deliverEvents = async (): Promise<void> => {
      await emitEvents(own.context, tenant, { clients: 3, perClient: 1 });
      await deliverAllDue(own.context, deliveries);
      own.clock.advance(24 * hourMs);
      await deliverAllDue(own.context, deliveries);
    };
    await deliverEvents();
    answer = connectionRefused;
    await deliverEvents();
    answer = webhookAnswer(204);
    await deliverEvents();
    const later = await own.enter(tenant);
    const list = async (query: string): Promise<any> =>
      (await later.get(`/v1/webhooks/${id}/deliveries?${query}`)).body;
    const { data: all } = await list('limit=100');
    await later.send(`/v1/deliveries/${all[7].id}/replay`, { method: 'POST' });
    const paged: any[] = [];
    for (let query = 'limit=2'; query !== '';) {
      const page = await list(query);
      paged.push(...page.data);
      query = page.has_more ? `limit=2&cursor=${page.next_cursor}` : '';
    }
    const [sent, dead] = [Array(3).fill('delivered'), Array(3).fill('dead')];
    expect(paged.map(({ state }) => state)).toEqual([...sent, ...dead, 'delivered', 'pending', 'delivered']);
    expect(paged.map((one) => one.id)).toEqual(all.map((one: any) => one.id));
    expect(paged.map((one) => one.id)).toEqual(
      paged
        .map((one) => one.id)
        .toSorted()
        .toReversed(),
    );
  });

  test('dead letters are shown in diagnostics and can be replayed, one or all since a given time', async () => {
    const own = await service.openWorkspace();
    const tenant = await tenantOf(own);
    const { id } = await register({}, own);
    await emitEvents(service.context, tenant, { clients: 3, perClient: 1 });
    const failing = createDeliveries(service.context, async () => connectionRefused);
    await deliverAllDue(service.context, failing);
    expect((await own.get('/v1/diagnostics')).body).toEqual({
      webhooks: [
        {
          webhook_id: id,
          state: 'enabled',
          pending_count: 3,
          oldest_pending_at: '2026-11-15T12:00:00.000Z',
          dead_letter_count: 0,
          newest_dead_letter_at: null,
        },
      ],
    });
    service.clock.advance(24 * hourMs);
    await deliverAllDue(service.context, failing);
    const later = await service.enter(tenant);
    expect((await later.get('/v1/diagnostics')).body.webhooks[0]).toMatchObject({
      pending_count: 0,
      dead_letter_count: 3,
      newest_dead_letter_at: '2026-11-16T12:00:00.000Z',
    });
    const { data } = (await later.get(`/v1/webhooks/${id}/deliveries?state=dead`)).body;
    expect(data.map(({ attempts }: any) => attempts.map(({ error }: any) => error))).toEqual(
      Array.from({ length: 3 }, () => Array(2).fill('connection: The receiver refused the connection.')),
    );
    const replayed = await later.send(`/v1/deliveries/${data[0].id}/replay`, { method: 'POST' });
    expect([replayed.status, replayed.body.state]).toEqual([200, 'pending']);
    const again = await later.send(`/v1/deliveries/${data[0].id}/replay`, { method: 'POST' });
    expect([again.status, again.body.code]).toEqual([409, 'delivery-pending']);
    const replay = (since: string) => later.post(`/v1/webhooks/${id}/replay-dead-letters`, { since });
    expect((await replay('2026-11-16T12:00:00.001Z')).body).toEqual({ replayed_count: 0 });
    expect((await replay('2026-11-16T12:00:00Z')).body).toEqual({ replayed_count: 2 });
    const posts = await deliverDueAt(own.address);
    expect(posts.map(({ body }) => JSON.parse(String(body)).id).toSorted()).toEqual(
      data.map(({ event_id }: any) => event_id).toSorted(),
    );
    expect((await later.get('/v1/diagnostics')).body).toEqual({ webhooks: [] });
  });

  test.each([
    [{}, '/since', 'missing-attribute'],
    [{ since: 'yesterday' }, '/since', 'invalid-attribute'],
    [{ since: '2026-11-16T12:00:00Z', all: true }, '/all', 'unknown-attribute'],
  ])('a replay of %j is refused with a pointer', async (body, pointer, code) => {
    const { id } = await register();
    const reply = await admin.post(`/v1/webhooks/${id}/replay-dead-letters`, body);
    expect([reply.status, reply.body.errors]).toEqual([422, [{ code, pointer, detail: expect.any(String) }]]);
  });

  test('the beginning of an answer is stored', async () => {
    const { id } = await register();
    const { body: made } = await admin.send(`/v1/webhooks/${id}/test`, { method: 'POST' });
    await deliverAllDue(
      service.context,
      createDeliveries(service.context, async () => webhookAnswer(500, { answer: 'Oh no' })),
    );
    expect((await admin.get(`/v1/deliveries/${made.id}`)).body).toMatchObject({
      state: 'pending',
      next_attempt_at: expect.any(String),
      attempts: [{ status: 500, answer: 'Oh no', error: null }],
    });
  });
});

describe('emitted events', () => {
  test('a booking, its amendment, and the following round, as shown by v1', async () => {
    const own = await service.openWorkspace();
    const family = await makeRoundHousehold(own);
    await runRounds(own.address);
    const before = (await own.get('/v1/events')).body.data.map(({ id }: any) => id);
    await pay(own, family, '100');
    const [booked] = (await own.get('/v1/transactions?limit=100')).body.data.toReversed();
    await own.patch(`/v1/transactions/${booked.id}`, { comment: 'Confirmed' });
    await runRounds(own.address);
    const { data } = (await own.get('/v1/events')).body;
    const listedEvents = data.filter(({ id }: any) => !before.includes(id)).toReversed();
    const amended = (await own.get(`/v1/transactions/${booked.id}`)).body;
    expect(listedEvents.slice(0, 2).map(({ type, data: its }: any) => [type, its])).toEqual([
      ['transaction.created', { object: booked, previous: {} }],
      ['transaction.updated', { object: amended, previous: { comment: null } }],
    ]);
    const types = listedEvents.slice(2).map(({ type }: any) => type);
    expect(types.filter((type: string) => type.endsWith('.valued'))).toEqual(['reporting_entity.valued']);
    expect(types.filter((type: string) => type === 'calculated_data.created')).toHaveLength(1);
    const round = (await own.get('/v1/calculation-rounds?limit=1')).body.data[0];
    const calculated = listedEvents.find(({ type }: any) => type === 'calculated_data.created');
    expect(calculated.data).toEqual({
      object: { client_id: family.client, calculation_round_id: round.id, causes: ['transaction'] },
      previous: {},
    });
    expect((await own.get('/v1/events?type=transaction.updated')).body.data).toHaveLength(1);
  });

  test('a breached limit, and its restoration', async () => {
    const own = await service.openWorkspace();
    const family = await makeRoundHousehold(own);
    for (const amount of ['100', '600', '1', '-700']) {
      await runRounds(own.address);
      await pay(own, family, amount);
    }
    await runRounds(own.address);
    const { data } = (await own.get('/v1/events?limit=100')).body;
    const listedEvents = data.filter(({ type }: any) => type.startsWith('limit.')).toReversed();
    const common = {
      limit_id: family.limit,
      reporting_entity_id: family.reportingEntity,
      client_id: family.client,
      calculation_round_id: expect.any(String),
      kind: 'absolute',
      bound: 'max',
      bound_value: '1500',
    };
    expect(listedEvents.map(({ type, data: its }: any) => [type, its])).toEqual([
      [
        'limit.breached',
        { object: { ...common, state: 'breached', current_value: '1700' }, previous: { state: 'compliant' } },
      ],
      [
        'limit.restored',
        { object: { ...common, state: 'compliant', current_value: '1001' }, previous: { state: 'breached' } },
      ],
    ]);
  });

  test('each booking of a bulk request, including amendments', async () => {
    const own = await service.openWorkspace();
    const { account } = await makeRoundHousehold(own);
    const row = (number: number, amount: string) => ({
      type: 'deposit',
      account_id: account,
      date: '2026-01-05',
      amount,
      source: 'custodian',
      external_reference: `row ${number}`,
    });
    const send = (rows: object[]) => own.post('/v1/transactions/bulk', { data: rows });
    const reply = await send([1, 2, 3].map((number) => row(number, '1')));
    expect(reply.status).toBe(200);
    await send([row(1, '1'), row(2, '5'), row(4, '1')]);
    const { data } = (await own.get('/v1/events?limit=6')).body;
    const listedEvents = data
      .toReversed()
      .map(({ type, data: its }: any) => [type, its.object.external_reference, its.previous]);
    expect(listedEvents.slice(-5)).toEqual([
      ['transaction.created', 'row 1', {}],
      ['transaction.created', 'row 2', {}],
      ['transaction.created', 'row 3', {}],
      ['transaction.updated', 'row 2', { amount: '1' }],
      ['transaction.created', 'row 4', {}],
    ]);
  });

  test.each(['account.connected', 'account.disconnected'] as const)(
    '%s by a custody connection: the account as v1 shows it',
    async (type) => {
      const own = await service.openWorkspace();
      await register({ events: [type] }, own);
      const family = await makeRoundHousehold(own);
      await runInTransaction(service.context, serviceAuthor(await tenantOf(own)), async (work) => {
        await emitAccount(work, type, family.account as Id);
      });
      const [event] = (await own.get(`/v1/events?type=${type}`)).body.data;
      const object = (await own.get(`/v1/accounts/${family.account}`)).body;
      expect([event.client_id, event.data]).toEqual([family.client, { object, previous: {} }]);
      const posts = await deliverDueAt(own.address);
      expect(posts.map(({ body }) => JSON.parse(String(body)))).toContainEqual(event);
    },
  );

  test('an authority that is about to expire', async () => {
    const own = await service.openWorkspace();
    await register({ events: ['authority.expiring'] }, own);
    const client = (await own.makeClient('Family')) as Id;
    const [id, custodian] = ['a'.repeat(24) as Id, 'b'.repeat(24) as Id];
    await runInTransaction(service.context, serviceAuthor(await tenantOf(own)), async (work) => {
      emitAuthorityExpiring(work, { id, client, custodian, expiresAt: Date.parse('2026-12-01T00:00:00Z') });
    });
    const object = {
      authority_id: id,
      client_id: client,
      custodian_id: custodian,
      expires_at: '2026-12-01T00:00:00.000Z',
    };
    const [event] = (await own.get('/v1/events')).body.data;
    expect([event.type, event.client_id, event.data]).toEqual(['authority.expiring', client, { object, previous: {} }]);
    const posts = await deliverDueAt(own.address);
    expect(posts.map(({ body }) => JSON.parse(String(body)))).toContainEqual(event);
  });

  test('nothing for a booking that was refused or had no effect', async () => {
    const own = await service.openWorkspace();
    const family = await makeRoundHousehold(own);
    const count = async () => (await own.get('/v1/events?limit=100')).body.data.length;
    const before = await count();
    const fields = { type: 'deposit', account_id: family.account, date: '2026-01-05', amount: 'many' };
    expect((await own.post('/v1/transactions', fields)).status).toBe(422);
    expect(await count()).toBe(before);
  });

  test('`calculated_data.created` with the envelope of the standard track', async () => {
    const own = await service.openWorkspace();
    await register({ events: ['calculated_data.created'] }, own);
    const family = await makeRoundHousehold(own);
    await runRounds(own.address);
    const posts = (await deliverDueAt(own.address)).filter(({ headers }) => headers['webhook-id'] !== undefined);
    expect(posts.map(({ body }) => JSON.parse(String(body)))).toContainEqual({
      type: 'calculated_data.created',
      timestamp: expect.any(String),
      data: { clientId: family.client },
    });
  });
});
