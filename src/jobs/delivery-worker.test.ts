// Tests deliveries on a real database, with a manual clock and several nodes: in order, at least once, abandoned after a day, and not
// delayed by the receivers of other tenants.

import { createHmac, verify } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import type { Caller } from '../../tests/setup/http/caller.ts';
import {
  webhookAnswer,
  deliverAllDue,
  createDeliveries,
  connectionRefused,
  standardKeyPair,
} from '../../tests/setup/events/deliveries.ts';
import { clientIdNumbered, EventInbox, emitEvents, sequence, tenantOf } from '../../tests/setup/events/event-source.ts';
import { serviceForThisFile, startTestService, type TestService } from '../../tests/setup/node/test-service.ts';
import { awaitLockWaits, holdLock } from '../../tests/setup/database/lock-waits.ts';
import { runSql } from '../../tests/setup/database/sql.ts';
import { jitteredBackoffMs } from '../kit/backoff.ts';
import { retryMs, type SendWebhook } from '../actions/events/delivery-attempt.ts';
import { emit } from '../actions/events/event.ts';
import { runInTransaction, serviceAuthor } from '../actions/core/work.ts';
import { fanOutEvents } from '../actions/events/delivery-queue.ts';
import type { AppContext } from '../actions/core/context.ts';
import type { Tenant } from '../model/access/scope.ts';
import { hourMs, minuteMs, secondMs } from '../kit/clock.ts';
import type { Id } from '../kit/id.ts';

/** One base URL for both nodes, so that tokens of one are valid on the other. */
const settings = { BASE_URL: 'http://holdfast.test' };
const service = serviceForThisFile({ settings });
let context: AppContext;
let admin: Caller;
let tenant: Tenant;
/** A second node on the same database and clock. */
let other: TestService;

beforeAll(async () => {
  other = await startTestService({ database: service.database, clock: service.clock, settings });
});

afterAll(() => other.stop());

/** Deletes the leftovers of earlier tests. */
beforeEach(async () => {
  context = service.context;
  admin = await service.openWorkspace();
  tenant = await tenantOf(admin);
  await runSql(service.database, 'DELETE FROM delivery_queue; DELETE FROM outbox');
});

type Post = Parameters<SendWebhook>[0];
type Answer = Awaited<ReturnType<SendWebhook>>;

async function register(more: object = {}): Promise<{ id: Id; secret: string }> {
  const url = 'https://hooks.example.com/one';
  return (await admin.post('/v1/webhooks', { url, events: ['limit.breached'], ...more })).body;
}

const ok = webhookAnswer(204);

/** A receiver that records what it accepts; `answer` decides what it answers. */
function fakeReceiver(answer: (post: Post) => Answer | Promise<Answer> = () => ok) {
  const inbox = new EventInbox();
  const posts: Post[] = [];
  const send: SendWebhook = async (post) => {
    posts.push(post);
    const outcome = await answer(post);
    if (outcome.kind === 'answered' && outcome.status < 300) inbox.receive(String(post.body));
    return outcome;
  };
  return { inbox, posts, send };
}

/** Advances the clock in steps of hours, and delivers what is due after each. */
async function passHours(hours: number, deliveries: ReturnType<typeof createDeliveries>, stepHours = 1): Promise<void> {
  for (let hour = 0; hour < hours; hour += stepHours) {
    service.clock.advance(stepHours * hourMs);
    await deliverAllDue(context, deliveries);
  }
}

/** Counts the tenant's deliveries by state. */
async function states(): Promise<Record<string, number>> {
  const rows = await runSql<{ state: string; count: number }>(
    service.database,
    'SELECT state, count(*)::int AS count FROM delivery WHERE workspace_id = $1 GROUP BY state',
    [tenant.workspaceId],
  );
  return Object.fromEntries(rows.map(({ state, count }) => [state, count]));
}

interface AttemptRow {
  readonly at: number;
  readonly status: number | null;
  readonly error: string | null;
}

/** Lists the tenant's attempts in the order in which they were made. */
async function attempts(): Promise<AttemptRow[]> {
  const rows = await runSql<{ at: Date; status: number | null; error: string | null }>(
    service.database,
    `SELECT at, status, error FROM (SELECT at, status, error, delivery_id, number FROM delivery_attempt WHERE workspace_id = $1
       UNION ALL SELECT attempt_at, attempt_status, NULL, id, attempt_count FROM delivery
         WHERE workspace_id = $1 AND attempt_at IS NOT NULL) a ORDER BY at, delivery_id, number`,
    [tenant.workspaceId],
  );
  return rows.map(({ at, ...rest }) => ({ at: at.getTime(), ...rest }));
}

describe('1,000 events of 50 clients', () => {
  test('arrive once each, and those of a client in the order in which they happened', async () => {
    await register();
    await emitEvents(context, tenant, { clients: 50, perClient: 20 });
    const { inbox, send } = fakeReceiver();
    await deliverAllDue(context, createDeliveries(context, send));
    expect([inbox.clients, inbox.sequences, new Set(inbox.ids).size]).toEqual([50, [sequence(0, 20)], 1_000]);
    expect(await states()).toEqual({ delivered: 1_000 });
    expect(await runSql(service.database, 'SELECT FROM delivery_queue')).toEqual([]);
  });

  test('wait for a receiver that recovers at hour 23, and all arrive in order', async () => {
    await register();
    await emitEvents(context, tenant, { clients: 50, perClient: 20 });
    const upAt = service.clock.now() + 23 * hourMs;
    const { inbox, send } = fakeReceiver(() => (service.clock.now() < upAt ? connectionRefused : ok));
    const deliveries = createDeliveries(context, send);
    await deliverAllDue(context, deliveries);
    await passHours(22, deliveries, 2);
    expect([inbox.ids, await states()]).toEqual([[], { pending: 1_000 }]);
    await passHours(1, deliveries);
    expect([inbox.clients, inbox.sequences, await states()]).toEqual([50, [sequence(0, 20)], { delivered: 1_000 }]);
  });

  test('whose receiver is down for 24 hours are all given up, tried or held back, and arrive in order when they are replayed', async () => {
    const { id } = await register();
    await emitEvents(context, tenant, { clients: 50, perClient: 20 });
    const startedAt = service.clock.now();
    const { inbox, send } = fakeReceiver(() =>
      service.clock.now() <= startedAt + 24 * hourMs ? connectionRefused : ok,
    );
    const deliveries = createDeliveries(context, send);
    await deliverAllDue(context, deliveries);
    await passHours(24, deliveries, 3);
    expect([inbox.ids, await states()]).toEqual([[], { dead: 1_000 }]);
    expect(await runSql(service.database, 'SELECT FROM delivery_queue')).toEqual([]);
    service.clock.advance(hourMs);
    const caller = await service.enter(tenant);
    const since = new Date(startedAt).toISOString();
    const replayed = await caller.post(`/v1/webhooks/${id}/replay-dead-letters`, { since });
    expect(replayed.body).toEqual({ replayed_count: 1_000 });
    await deliverAllDue(context, deliveries);
    expect([inbox.clients, inbox.sequences, await states()]).toEqual([50, [sequence(0, 20)], { delivered: 1_000 }]);
  });

  test('that became ready later keep their own day, and are tried as soon as those before them are given up', async () => {
    await register();
    await emitEvents(context, tenant, { clients: 2, perClient: 3 });
    const startedAt = service.clock.now();
    const { inbox, send } = fakeReceiver(() =>
      service.clock.now() <= startedAt + 24 * hourMs ? connectionRefused : ok,
    );
    const deliveries = createDeliveries(context, send);
    await deliverAllDue(context, deliveries);
    await passHours(12, deliveries, 3);
    await emitEvents(context, tenant, { clients: 2, perClient: 2 });
    await passHours(12, deliveries, 3);
    expect(await states()).toEqual({ dead: 6, pending: 4 });
    await passHours(1, deliveries);
    expect([inbox.clients, inbox.sequences, await states()]).toEqual([2, [[0, 1]], { dead: 6, delivered: 4 }]);
  });

  test('that a replay has queued again are given up together after another day', async () => {
    const { id } = await register();
    await emitEvents(context, tenant, { clients: 2, perClient: 3 });
    const startedAt = service.clock.now();
    const deliveries = createDeliveries(context, async () => connectionRefused);
    await deliverAllDue(context, deliveries);
    await passHours(24, deliveries, 6);
    const caller = await service.enter(tenant);
    await caller.post(`/v1/webhooks/${id}/replay-dead-letters`, { since: new Date(startedAt).toISOString() });
    await deliverAllDue(context, deliveries);
    await passHours(23, deliveries);
    expect(await states()).toEqual({ pending: 6 });
    await passHours(1, deliveries);
    expect(await states()).toEqual({ dead: 6 });
  });

  test('of one client, more than one statement gives up, are given up together', async () => {
    await register();
    for (let round = 0; round < 3; round++) {
      await runInTransaction(context, serviceAuthor(tenant), async (work) => {
        const one = { type: 'limit.breached', client: clientIdNumbered(1), object: { number: round } } as const;
        emit(work, ...Array.from({ length: 900 }, () => one));
      });
    }
    const { posts, send } = fakeReceiver(() => connectionRefused);
    const deliveries = createDeliveries(context, send);
    await deliverAllDue(context, deliveries);
    await passHours(24, deliveries, 6);
    expect([await states(), new Set(posts.map(({ body }) => body)).size]).toEqual([{ dead: 2_700 }, 1]);
  });

  test('delivered by two nodes at the same time arrive once each, in order', async () => {
    await register();
    await emitEvents(context, tenant, { clients: 50, perClient: 20 });
    const { inbox, send } = fakeReceiver();
    const nodes = [createDeliveries(context, send), createDeliveries(other.context, send)] as const;
    await Promise.all([deliverAllDue(context, nodes[0]), deliverAllDue(other.context, nodes[1])]);
    expect([inbox.clients, inbox.sequences, inbox.ids.length]).toEqual([50, [sequence(0, 20)], 1_000]);
  });
});

describe('a queue that two nodes find due', () => {
  test('is taken by one of them, although both asked before either had it', async () => {
    await register();
    await emitEvents(context, tenant, { clients: 1, perClient: 3 });
    await fanOutEvents(context, tenant);
    const { posts, inbox, send } = fakeReceiver();
    const nodes = [createDeliveries(context, send), createDeliveries(other.context, send)] as const;
    const release = await holdLock(service.database, 'SELECT FROM delivery_queue FOR NO KEY UPDATE');
    const sweeps = nodes.map((node) => node.sweep());
    await awaitLockWaits(service.database, 2);
    await release();
    await Promise.all(sweeps);
    await Promise.all(nodes.map((node) => node.drain()));
    expect([posts.length, inbox.sequences]).toEqual([3, [sequence(0, 3)]]);
    expect([nodes.map(({ failures }) => failures), await states()]).toEqual([[[], []], { delivered: 3 }]);
  });
});

test('events are written while others of their clients are handed out by one node, and sent after these', async () => {
  await register();
  await emitEvents(context, tenant, { clients: 2, perClient: 2 });
  const release = await holdLock(service.database, 'SELECT FROM webhook FOR UPDATE');
  const handedOut = fanOutEvents(context, tenant);
  await awaitLockWaits(service.database, 1);
  expect(await fanOutEvents(other.context, tenant)).toBe('others');
  await emitEvents(other.context, tenant, { clients: 2, perClient: 3 });
  expect(await fanOutEvents(other.context, tenant)).toBe('others');
  await release();
  expect(await handedOut).toBe('nothing');
  const { inbox, send } = fakeReceiver();
  await deliverAllDue(context, createDeliveries(context, send));
  expect([inbox.clients, inbox.sequences]).toEqual([2, [[0, 1, 0, 1, 2]]]);
});

describe('retries', () => {
  const delays = (attempt: number): number[] =>
    sequence(0, 500).map((number) => jitteredBackoffMs(retryMs, `${number}`, attempt));

  test.each([
    [0, 5, 10],
    [1, 10, 20],
    [3, 40, 80],
    [9, 1_800, 3_600],
    [40, 1_800, 3_600],
  ])('after %d failed retries the next one follows after %d to %d seconds, at random', (attempt, least, most) => {
    const found = delays(attempt);
    expect(Math.min(...found)).toBeGreaterThanOrEqual(least * secondMs);
    expect(Math.max(...found)).toBeLessThanOrEqual(most * secondMs);
    expect(new Set(found).size).toBeGreaterThan(100);
  });

  test('a retry is not made early, and the last one is made when a day has passed', async () => {
    await register();
    const startedAt = service.clock.now();
    await emitEvents(context, tenant, { clients: 1, perClient: 1 });
    const { send } = fakeReceiver(() => connectionRefused);
    const deliveries = createDeliveries(context, send);
    await deliverAllDue(context, deliveries);
    while ((await states())['dead'] === undefined) {
      const [queue] = await runSql<{ due_at: Date }>(service.database, 'SELECT due_at FROM delivery_queue');
      service.clock.advance(queue!.due_at.getTime() - service.clock.now() - 1);
      const before = (await attempts()).length;
      await deliverAllDue(context, deliveries);
      expect((await attempts()).length).toBe(before);
      service.clock.advance(1);
      await deliverAllDue(context, deliveries);
    }
    const times = (await attempts()).map(({ at }) => at - startedAt);
    expect([times[0], times.at(-1)]).toEqual([0, 24 * hourMs]);
    expect(times.length).toBeGreaterThan(24);
    expect(times.length).toBeLessThan(64);
  });

  test('`Retry-After` is honoured if it is longer, up to a day after the event', async () => {
    await register();
    await emitEvents(context, tenant, { clients: 1, perClient: 1 });
    const startedAt = service.clock.now();
    const answers = [
      webhookAnswer(503, { retryAfterMs: 2 * hourMs }),
      webhookAnswer(429, { retryAfterMs: 100 * hourMs }),
      ok,
    ];
    const { send } = fakeReceiver(() => answers.shift()!);
    const deliveries = createDeliveries(context, send);
    await deliverAllDue(context, deliveries);
    await passHours(25, deliveries);
    const recorded = (await attempts()).map(({ at, status }) => [at - startedAt, status]);
    expect(recorded).toEqual([
      [0, 503],
      [2 * hourMs, 429],
      [24 * hourMs, 204],
    ]);
  });

  test.each([
    [9_900, ok, { delivered: 1 }],
    [10_100, ok, { pending: 1 }],
  ])('an answer after %d ms: the timeout is ten seconds', async (takesMs, answer, expected) => {
    await register();
    await emitEvents(context, tenant, { clients: 1, perClient: 1 });
    const late: Answer = {
      kind: 'failed',
      reason: 'timeout',
      detail: 'There was no whole answer.',
      durationMs: 10_000,
    };
    const { send } = fakeReceiver(({ timeoutMs }) => {
      service.clock.advance(Math.min(takesMs, timeoutMs));
      return takesMs > timeoutMs ? late : answer;
    });
    await deliverAllDue(context, createDeliveries(context, send));
    expect(await states()).toEqual(expected);
  });

  test.each([200, 204, 299])('status %d counts as delivered', async (status) => {
    await register();
    await emitEvents(context, tenant, { clients: 1, perClient: 1 });
    await deliverAllDue(
      context,
      createDeliveries(context, async () => webhookAnswer(status)),
    );
    expect(await states()).toEqual({ delivered: 1 });
  });

  test.each([199, 301, 304, 400, 401, 404, 500, 503])('status %d leads to a retry', async (status) => {
    await register();
    await emitEvents(context, tenant, { clients: 1, perClient: 1 });
    await deliverAllDue(
      context,
      createDeliveries(context, async () => webhookAnswer(status)),
    );
    expect(await states()).toEqual({ pending: 1 });
  });
});

describe('every attempt', () => {
  test('has the same body and the same id, and a signature with its own timestamp that verifies', async () => {
    const { secret } = await register();
    await emitEvents(context, tenant, { clients: 1, perClient: 1 });
    const { send, posts } = fakeReceiver(() => (posts.length < 5 ? connectionRefused : ok));
    const deliveries = createDeliveries(context, send);
    await deliverAllDue(context, deliveries);
    await passHours(4, deliveries);
    expect([posts.length, new Set(posts.map(({ body }) => body)).size]).toEqual([5, 1]);
    const parts = posts.map(({ headers }) => headers['service-signature']!.split(','));
    expect(new Set(parts.map(([at]) => at)).size).toBe(5);
    for (const [index, [at, signature]] of parts.entries()) {
      const expected = createHmac('sha256', secret).update(`${at}.${posts[index]!.body}`).digest('hex');
      expect([parts[index]!.length, signature]).toEqual([2, expected]);
    }
  });

  test('still verifies after the secret is rotated: for a day each secret has its header, then only the new one', async () => {
    const { id, secret: old } = await register();
    await emitEvents(context, tenant, { clients: 50, perClient: 4 });
    const verified: string[][] = [];
    let rotated: string | undefined;
    const { send, inbox } = fakeReceiver(async ({ headers, body }) => {
      const at = Math.floor(service.clock.now() / secondMs);
      const sign = (key: string) => `${at},${createHmac('sha256', key).update(`${at}.${body}`).digest('hex')}`;
      const names = new Map([[sign(old), 'old'] as const, ...(rotated ? [[sign(rotated), 'new'] as const] : [])]);
      const sent = [headers['service-signature']!, headers['service-signature-previous']];
      verified.push(sent.filter((header) => header !== undefined).map((header) => names.get(header) ?? 'neither'));
      if (verified.length === 100) rotated = (await admin.post(`/v1/webhooks/${id}/rotate-secret`, {})).body.secret;
      return ok;
    });
    const deliveries = createDeliveries(context, send);
    await deliverAllDue(context, deliveries);
    expect(new Set(verified.map(String))).toEqual(new Set(['old', 'new,old']));
    await emitEvents(context, tenant, { clients: 1, perClient: 1 });
    await deliverAllDue(context, deliveries);
    expect(verified.at(-1)).toEqual(['new', 'old']);
    service.clock.advance(24 * hourMs);
    await emitEvents(context, tenant, { clients: 1, perClient: 1 });
    await deliverAllDue(context, deliveries);
    expect(verified.at(-1)).toEqual(['new']);
    expect(new Set(inbox.ids).size).toBe(202);
  });

  test('of the standard scheme has the headers of Standard Webhooks, and an ECDSA signature', async () => {
    await register({ scheme: 'standard' });
    await emitEvents(context, tenant, { clients: 1, perClient: 1 });
    const posts: Post[] = [];
    const at = Math.floor(service.clock.now() / secondMs);
    await deliverAllDue(
      context,
      createDeliveries(context, async (post) => {
        posts.push(post);
        return ok;
      }),
    );
    const [{ headers, body }] = posts as [Post];
    const [event] = (await admin.get('/v1/events')).body.data;
    expect(headers).toEqual({
      'content-type': 'application/json',
      'user-agent': 'Holdfast-Webhooks',
      'webhook-id': event.id,
      'webhook-timestamp': String(at),
      'webhook-signature': expect.stringMatching(/^v1a,[A-Za-z0-9+/]{86}==$/),
    });
    const signature = Buffer.from(headers['webhook-signature']!.slice(4), 'base64');
    const key = { key: standardKeyPair.publicKey, dsaEncoding: 'ieee-p1363' } as const;
    expect(verify('sha256', Buffer.from(`${event.id}.${at}.${body}`), key, signature)).toBe(true);
    expect(JSON.parse(String(body))).toEqual({
      type: 'limit.breached',
      timestamp: event.created_at,
      data: { client_id: event.client_id, object: { number: 0 }, previous: {} },
    });
  });
});

describe('a receiver that is gone', () => {
  test('answers 410 and gets no more deliveries until the webhook is enabled again', async () => {
    const { id } = await register();
    await emitEvents(context, tenant, { clients: 3, perClient: 2 });
    const { send, posts } = fakeReceiver(() => webhookAnswer(410));
    await deliverAllDue(context, createDeliveries(context, send, { concurrency: 1 }));
    await passHours(1, createDeliveries(context, send, { concurrency: 1 }));
    expect(posts.length).toBe(1);
    const now = await service.enter(tenant); // a token is valid for an hour
    expect((await now.get(`/v1/webhooks/${id}`)).body).toMatchObject({
      state: 'disabled',
      disabled_reason: 'gone',
      pending_count: 6,
    });
    await now.patch(`/v1/webhooks/${id}`, { state: 'enabled' });
    const { inbox, send: acceptAll } = fakeReceiver();
    await deliverAllDue(context, createDeliveries(context, acceptAll));
    expect([inbox.clients, inbox.sequences]).toEqual([3, [[0, 1]]]);
  });
});

describe('other deliveries', () => {
  test('do not wait for a receiver that never answers', async () => {
    const blocked = Promise.withResolvers<Answer>();
    const dead = await service.openWorkspace();
    const deadTenant = await tenantOf(dead);
    for (const number of sequence(0, 30)) {
      const url = `https://dead.example.com/${number}`;
      await dead.post('/v1/webhooks', { url, events: ['limit.breached'] });
    }
    await register();
    await emitEvents(context, deadTenant, { clients: 5, perClient: 1 });
    await emitEvents(context, tenant, { clients: 20, perClient: 3 });
    const { inbox, send } = fakeReceiver();
    const deliveries = createDeliveries(
      context,
      (post) => (post.url.startsWith('https://dead') ? blocked.promise : send(post)),
      { concurrency: 8 },
    );
    await deliveries.sweep();
    await expect.poll(() => inbox.ids.length).toBe(60);
    blocked.resolve(connectionRefused);
    await deliveries.drain();
    expect(inbox.sequences).toEqual([sequence(0, 3)]);
  });

  test('of the same webhook do not wait either: a failing event delays only events of the same client', async () => {
    await register();
    await emitEvents(context, tenant, { clients: 10, perClient: 3 });
    const isBad = (body: unknown): boolean => JSON.parse(String(body)).client_id.endsWith('3');
    const { inbox, send } = fakeReceiver(({ body }) => (isBad(body) ? webhookAnswer(500) : ok));
    await deliverAllDue(context, createDeliveries(context, send));
    expect([inbox.clients, inbox.sequences, await states()]).toEqual([9, [[0, 1, 2]], { delivered: 27, pending: 3 }]);
  });
});

test('a receiver that answers gets several deliveries at a time, and one that failed a single one until it answers again', async () => {
  await register();
  let answer = ok;
  let [running, most] = [0, 0];
  let held = Promise.withResolvers<void>();
  const { send } = fakeReceiver(async () => {
    most = Math.max(most, ++running);
    await held.promise;
    running--;
    return answer;
  });
  const deliveries = createDeliveries(context, send);
  const sendsSeveral = async (): Promise<void> => {
    held = Promise.withResolvers();
    await emitEvents(context, tenant, { clients: 4, perClient: 1 });
    await deliveries.sweep();
    await expect.poll(() => running).toBe(4);
    held.resolve();
    await deliverAllDue(context, deliveries);
  };
  await sendsSeveral();
  answer = webhookAnswer(500);
  await sendsSeveral();
  most = 0;
  service.clock.advance(hourMs);
  await deliverAllDue(context, deliveries);
  expect(most).toBe(1);
  answer = ok;
  service.clock.advance(hourMs);
  await deliverAllDue(context, deliveries);
  await sendsSeveral();
});

test('of one webhook, eight queues run at a time as long as it answers; others are delivered beside them', async () => {
  await register();
  const elsewhere = await service.openWorkspace();
  await elsewhere.post('/v1/webhooks', { url: 'https://other.example.com/', events: ['limit.breached'] });
  const held = Promise.withResolvers<void>();
  let [running, most] = [0, 0];
  const { inbox, send } = fakeReceiver();
  const deliveries = createDeliveries(context, async (post) => {
    if (post.url.includes('other')) return send(post);
    most = Math.max(most, ++running);
    await held.promise;
    running--;
    return ok;
  });
  await emitEvents(context, tenant, { clients: 12, perClient: 1 });
  await emitEvents(context, await tenantOf(elsewhere), { clients: 1, perClient: 1 });
  await deliveries.sweep();
  await expect.poll(() => [running, inbox.ids.length]).toEqual([8, 1]);
  held.resolve();
  await deliverAllDue(context, deliveries);
  expect([most, await states()]).toEqual([8, { delivered: 12 }]);
});

test('what another node is handing out is looked at again a fifth of a second later', async () => {
  await register();
  await emitEvents(context, tenant, { clients: 1, perClient: 1 });
  const release = await holdLock(service.database, 'SELECT FROM outbox FOR UPDATE');
  const { inbox, send } = fakeReceiver();
  const deliveries = createDeliveries(context, send);
  context.deliveryWakeUps.take(context.clock.now());
  await deliveries.sweep();
  await release();
  const processAfter = async (ms: number): Promise<number> => {
    service.clock.advance(ms);
    await deliveries.processWakeUps();
    await deliveries.drain();
    return inbox.ids.length;
  };
  expect([await processAfter(0), await processAfter(199), await processAfter(1)]).toEqual([0, 0, 1]);
});

describe('a node that fails', () => {
  test('loses its queues when their leases expire, and writes nothing afterwards', async () => {
    await register();
    await emitEvents(context, tenant, { clients: 1, perClient: 3 });
    const blocked = Promise.withResolvers<Answer>();
    const started = Promise.withResolvers<void>();
    const slow = createDeliveries(context, () => (started.resolve(), blocked.promise));
    await slow.sweep();
    await started.promise;
    const { inbox, send } = fakeReceiver();
    const next = createDeliveries(other.context, send);
    service.clock.advance(29 * secondMs);
    await deliverAllDue(other.context, next);
    expect(inbox.ids).toEqual([]);
    service.clock.advance(secondMs);
    await deliverAllDue(other.context, next);
    expect(inbox.sequences).toEqual([[0, 1, 2]]);
    blocked.resolve(webhookAnswer(500));
    await slow.drain();
    expect((await attempts()).map(({ status }) => status)).toEqual([204, 204, 204]);
    expect([slow.failures, await states()]).toEqual([[], { delivered: 3 }]);
  });

  test('that is stopped releases its queues at once, and records no attempt', async () => {
    await register();
    await emitEvents(context, tenant, { clients: 2, perClient: 2 });
    const started = Promise.withResolvers<void>();
    const stopped: Answer = { kind: 'failed', reason: 'stopped', detail: 'Stopped.', durationMs: 0 };
    const leaving = createDeliveries(context, ({ signal }) => {
      started.resolve();
      return new Promise((resolve) => signal!.addEventListener('abort', () => resolve(stopped)));
    });
    await leaving.sweep();
    await started.promise;
    await leaving.stop();
    expect(await attempts()).toEqual([]);
    const { inbox, send } = fakeReceiver();
    await deliverAllDue(other.context, createDeliveries(other.context, send));
    expect([inbox.clients, inbox.sequences]).toEqual([2, [[0, 1]]]);
  });

  test('that loses the database after the receiver has accepted events sends them again, with the same ids and in order', async () => {
    await register();
    await emitEvents(context, tenant, { clients: 1, perClient: 3 });
    const { inbox, send } = fakeReceiver();
    let isLost = false;
    const failing = createDeliveries(context, async (post) => {
      const outcome = await send(post);
      if (isLost || inbox.ids.length < 2) return outcome;
      isLost = true;
      await runSql(service.database, 'ALTER TABLE delivery_attempt RENAME TO away');
      return outcome;
    });
    await failing.sweep();
    await failing.drain();
    expect(failing.failures).toHaveLength(1);
    await runSql(service.database, 'ALTER TABLE away RENAME TO delivery_attempt');
    service.clock.advance(minuteMs);
    await deliverAllDue(context, createDeliveries(context, send));
    expect([inbox.sequences, new Set(inbox.ids).size]).toEqual([[[0, 1, 2, 0, 1, 2]], 3]);
  });
});

describe('deliveries about a client that moved away from the client of the webhook', () => {
  async function moveTo(client: string, parent: string): Promise<void> {
    expect((await admin.patch(`/v1/clients/${client}`, { parent_id: parent })).status).toBe(200);
  }

  /** The clients of the events that were sent to an address. */
  const clientsSentTo = (url: string, posts: readonly Post[]): string[] =>
    posts.filter((post) => post.url === url).map(({ body }) => JSON.parse(String(body)).client_id);

  test('are given up unsent, also when they are replayed, until it moves back; those about other clients are sent', async () => {
    const [from, to] = [await admin.makeClient('From'), await admin.makeClient('To')];
    const [moved, stays] = [await admin.makeClient('Moved', from), await admin.makeClient('Stays', from)];
    const below = await admin.makeClient('Below', moved);
    const clients = [moved, stays, below, from].toSorted();
    const ofAll = 'https://hooks.example.com/all';
    await register({ url: ofAll });
    const ofOne = 'https://hooks.example.com/one';
    const { id } = await register({ url: ofOne, client_id: from });
    const deadLetters = async (): Promise<any[]> =>
      (await admin.get(`/v1/webhooks/${id}/deliveries?state=dead`)).body.data;
    await emitEvents(context, tenant, { clients: 0, perClient: 1 }, [moved]);
    await deliverAllDue(context, createDeliveries(context, fakeReceiver().send));
    const [delivered] = (await admin.get(`/v1/webhooks/${id}/deliveries`)).body.data;
    await emitEvents(context, tenant, { clients: 0, perClient: 1 }, clients);
    const down = fakeReceiver(() => connectionRefused);
    await deliverAllDue(context, createDeliveries(context, down.send));
    expect(clientsSentTo(ofOne, down.posts).toSorted()).toEqual(clients);

    await moveTo(moved, to);
    service.clock.advance(minuteMs);
    const up = fakeReceiver();
    const deliveries = createDeliveries(context, up.send);
    await deliverAllDue(context, deliveries);
    expect(clientsSentTo(ofOne, up.posts).toSorted()).toEqual([stays, from].toSorted());
    expect(clientsSentTo(ofAll, up.posts).toSorted()).toEqual(clients);
    const error = 'moved-away: The client of the event no longer belongs to the client of the webhook.';
    const refused = { status: null, error, duration_ms: 0 };
    const dead = await deadLetters();
    const unsent = [{ number: 1 }, { number: 2, ...refused }];
    expect(dead.map(({ attempts: made }) => made)).toMatchObject([unsent, unsent]);

    const replayed = up.posts.length;
    await admin.post(`/v1/deliveries/${delivered.id}/replay`, undefined);
    await admin.post(`/v1/webhooks/${id}/replay-dead-letters`, { since: dead[0].created_at });
    await deliverAllDue(context, deliveries);
    expect([up.posts.length - replayed, (await deadLetters()).length, deliveries.failures]).toEqual([0, 3, []]);

    await moveTo(moved, stays);
    await admin.post(`/v1/webhooks/${id}/replay-dead-letters`, { since: dead[0].created_at });
    await deliverAllDue(context, deliveries);
    expect(clientsSentTo(ofOne, up.posts.slice(replayed)).toSorted()).toEqual([moved, moved, below].toSorted());
    expect(await deadLetters()).toEqual([]);
  });

  test('do not make the receiver one that fails: it still gets several at a time', async () => {
    const [from, to] = [await admin.makeClient('From'), await admin.makeClient('To')];
    const moved = await admin.makeClient('Moved', from);
    const staying = await Promise.all(['One', 'Two', 'Three'].map((name) => admin.makeClient(name, from)));
    await register({ client_id: from });
    await emitEvents(context, tenant, { clients: 0, perClient: 1 }, [moved]);
    await fanOutEvents(context, tenant);
    await moveTo(moved, to);
    let sending = 0;
    const gate = Promise.withResolvers<void>();
    const deliveries = createDeliveries(context, async () => {
      sending++;
      await gate.promise;
      return ok;
    });
    await deliverAllDue(context, deliveries);
    expect(sending).toBe(0);
    await emitEvents(context, tenant, { clients: 0, perClient: 1 }, staying);
    const delivering = deliverAllDue(context, deliveries);
    await expect.poll(() => sending).toBe(3);
    gate.resolve();
    await delivering;
    expect(deliveries.failures).toEqual([]);
  });

  test('are not sent any more from the next ten on, where it moves while they are', async () => {
    const [from, to] = [await admin.makeClient('From'), await admin.makeClient('To')];
    const moved = await admin.makeClient('Moved', from);
    const { id } = await register({ client_id: from });
    await emitEvents(context, tenant, { clients: 0, perClient: 20 }, [moved]);
    const { send, posts } = fakeReceiver();
    const deliveries = createDeliveries(context, async (post) => {
      const outcome = await send(post);
      if (posts.length === 1) await moveTo(moved, to);
      return outcome;
    });
    await deliverAllDue(context, deliveries);
    const dead = (await admin.get(`/v1/webhooks/${id}/deliveries?state=dead&limit=100`)).body.data;
    expect([posts.length <= 10, posts.length + dead.length, deliveries.failures]).toEqual([true, 20, []]);
  });
});

describe('the created deliveries', () => {
  test('are those of subscribed events of the client and the clients below it', async () => {
    const root = await admin.makeClient('Root');
    const child = await admin.makeClient('Child', root);
    const stranger = await admin.makeClient('Stranger');
    const ids = [await register({ client_id: root }), await register({ client_id: child }), await register()];
    const unwanted = await register({ events: ['limit.restored'] });
    await emitEvents(context, tenant, { clients: 1, perClient: 1 }, [root, child, stranger]);
    await deliverAllDue(
      context,
      createDeliveries(context, async () => ok),
    );
    const counts: number[] = [];
    for (const { id } of [...ids, unwanted]) {
      counts.push((await admin.get(`/v1/webhooks/${id}/deliveries`)).body.data.length);
    }
    expect(counts).toEqual([2, 1, 4, 0]);
  });

  test('are created in parts for a very large batch of events', async () => {
    await register();
    await emitEvents(
      context,
      tenant,
      { clients: 0, perClient: 1 },
      Array.from({ length: 2_500 }, () => 'a'.repeat(24)),
    );
    const fannedOut: number[] = [];
    for (let remaining = 'more'; remaining === 'more';) {
      remaining = await fanOutEvents(context, tenant);
      fannedOut.push((await states())['pending']!);
    }
    expect(fannedOut).toEqual([1_000, 2_000, 2_500]);
  });

  test('are none while the webhook is disabled', async () => {
    const { id } = await register({ state: 'disabled' });
    await emitEvents(context, tenant, { clients: 2, perClient: 2 });
    const { inbox, send } = fakeReceiver();
    await deliverAllDue(context, createDeliveries(context, send));
    await admin.patch(`/v1/webhooks/${id}`, { state: 'enabled' });
    await deliverAllDue(context, createDeliveries(context, send));
    expect([inbox.ids, await states()]).toEqual([[], {}]);
  });
});
