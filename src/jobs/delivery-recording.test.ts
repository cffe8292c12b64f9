// Tests on a real database when deliveries are recorded: a few of a queue together, never more than a bound, and each of them at most a
// moment after it was accepted.

import { attemptTimeoutMs, deliveryLeaseMs } from '../actions/events/delivery-queue.ts';
import { afterAll, beforeAll, beforeEach, expect, onTestFinished, test } from 'vitest';
import type { Caller } from '../../tests/setup/http/caller.ts';
import { createDeliveries, deliverAllDue, webhookAnswer } from '../../tests/setup/events/deliveries.ts';
import { emitEvents, sequence, tenantOf } from '../../tests/setup/events/event-source.ts';
import { awaitLockWaits, holdLock } from '../../tests/setup/database/lock-waits.ts';
import { runSql } from '../../tests/setup/database/sql.ts';
import { serviceForThisFile, startTestService, type TestService } from '../../tests/setup/node/test-service.ts';
import { unrecordedMax } from '../actions/events/delivery-run.ts';
import type { SendWebhook } from '../actions/events/delivery-attempt.ts';
import type { Tenant } from '../model/access/scope.ts';
import { hourMs, secondMs } from '../kit/clock.ts';

const settings = { BASE_URL: 'http://holdfast.test' };
const service = serviceForThisFile({ settings });
/** A second node on the same database and clock. */
let other: TestService;
let admin: Caller;
let tenant: Tenant;
let webhookId: string;

beforeAll(async () => {
  other = await startTestService({ database: service.database, clock: service.clock, settings });
});

afterAll(() => other.stop());

beforeEach(async () => {
  admin = await service.openWorkspace();
  tenant = await tenantOf(admin);
  const webhook = { url: 'https://hooks.example.com/one', events: ['limit.breached'] };
  webhookId = (await admin.post('/v1/webhooks', webhook)).body.id;
  await runSql(service.database, 'DELETE FROM delivery_queue; DELETE FROM outbox');
});

type Answer = Awaited<ReturnType<SendWebhook>>;

const ok = webhookAnswer(204);
const stopped: Answer = { kind: 'failed', reason: 'stopped', detail: 'Stopped.', durationMs: 0 };

/** Events of one client, and so of one queue. */
function emitInOneQueue(count: number): Promise<void> {
  return emitEvents(service.context, tenant, { clients: 1, perClient: count });
}

/** A receiver that keeps the numbers it was sent, in their order; `answer` decides on each, knowing how many came before. */
function receiver(answer: (index: number, post: Parameters<SendWebhook>[0]) => Answer | Promise<Answer> = () => ok) {
  const numbers: number[] = [];
  const send: SendWebhook = async (post) => {
    const index = numbers.push(JSON.parse(String(post.body)).data.object.number) - 1;
    return answer(index, post);
  };
  return { numbers, send };
}

async function states(): Promise<Record<string, number>> {
  const rows = await runSql<{ state: string; count: number }>(
    service.database,
    'SELECT state, count(*)::int AS count FROM delivery WHERE workspace_id = $1 GROUP BY state',
    [tenant.workspaceId],
  );
  return Object.fromEntries(rows.map(({ state, count }) => [state, count]));
}

async function countAttempts(): Promise<number> {
  const [row] = await runSql<{ count: number }>(
    service.database,
    'SELECT sum(attempt_count)::int AS count FROM delivery WHERE workspace_id = $1',
    [tenant.workspaceId],
  );
  return row!.count;
}

test('a queue waits once as many deliveries as a crash may repeat are not recorded', async () => {
  await emitInOneQueue(25);
  let release = async (): Promise<void> => {};
  const { numbers, send } = receiver(async (index) => {
    if (index === 0) release = await holdLock(service.database, 'SELECT FROM delivery_queue FOR NO KEY UPDATE');
    return ok;
  });
  const deliveries = createDeliveries(service.context, send);
  await deliveries.sweep();
  await awaitLockWaits(service.database, 1);
  await expect.poll(() => numbers.length).toBe(unrecordedMax);
  expect(await states()).toEqual({ pending: 25 });
  await release();
  await deliveries.drain();
  expect([numbers, await states()]).toEqual([sequence(0, 25), { delivered: 25 }]);
});

test('what was accepted is recorded while the next delivery is still under way', async () => {
  await emitInOneQueue(2);
  const held = Promise.withResolvers<void>();
  onTestFinished(() => held.resolve());
  const { numbers, send } = receiver(async (index) => {
    if (index === 1) await held.promise;
    return ok;
  });
  const deliveries = createDeliveries(service.context, send);
  await deliveries.sweep();
  await expect.poll(states).toEqual({ delivered: 1, pending: 1 });
  held.resolve();
  await deliveries.drain();
  expect([numbers, await states(), await countAttempts()]).toEqual([[0, 1], { delivered: 2 }, 2]);
});

test('a failure is recorded with what was accepted before it, and nothing behind it is sent', async () => {
  await emitInOneQueue(6);
  const { numbers, send } = receiver((index) => (index === 3 ? webhookAnswer(500) : ok));
  const deliveries = createDeliveries(service.context, send);
  await deliverAllDue(service.context, deliveries);
  expect([numbers, await states(), await countAttempts()]).toEqual([sequence(0, 4), { delivered: 3, pending: 3 }, 4]);
  service.clock.advance(hourMs);
  await deliverAllDue(service.context, deliveries);
  expect([numbers.slice(4), await states(), await countAttempts()]).toEqual([[3, 4, 5], { delivered: 6 }, 7]);
});

test('a node that loses a queue between two deliveries sends no more of it, and records nothing', async () => {
  await emitInOneQueue(5);
  const next = receiver();
  const { numbers, send } = receiver(async (index) => {
    if (index < 1) return ok;
    service.clock.advance(30 * secondMs);
    await deliverAllDue(other.context, createDeliveries(other.context, next.send));
    return ok;
  });
  const ends: string[] = [];
  const observer = { onAttempt: (end: string) => void ends.push(end), onDeadLetters: () => {} };
  const deliveries = createDeliveries(service.context, send, { observer });
  await deliveries.sweep();
  await deliveries.drain();
  expect([numbers, next.numbers, ends]).toEqual([[0, 1], sequence(0, 5), []]);
  expect([deliveries.failures, await states(), await countAttempts()]).toEqual([[], { delivered: 5 }, 5]);
});

test('a lease outlasts every delivery of a slow receiver', async () => {
  await emitInOneQueue(8);
  const others = receiver();
  const { numbers, send } = receiver(async () => {
    service.clock.advance(9 * secondMs);
    await deliverAllDue(other.context, createDeliveries(other.context, others.send));
    return ok;
  });
  await deliverAllDue(service.context, createDeliveries(service.context, send));
  expect([numbers, others.numbers, await states()]).toEqual([sequence(0, 8), [], { delivered: 8 }]);
});

test('what was accepted is recorded before a delivery that might outlast the lease to the millisecond', async () => {
  await emitInOneQueue(2);
  const before: unknown[] = [];
  const { send } = receiver(async (index) => {
    if (index === 1) before.push(await states());
    service.clock.advance(deliveryLeaseMs - attemptTimeoutMs);
    return ok;
  });
  await deliverAllDue(service.context, createDeliveries(service.context, send));
  expect(before).toEqual([{ delivered: 1, pending: 1 }]);
});

test('a node that is stopped between two deliveries records those that were accepted', async () => {
  await emitInOneQueue(5);
  const started = Promise.withResolvers<void>();
  const { send } = receiver((index, { signal }) => {
    if (index < 2) return ok;
    started.resolve();
    return new Promise((resolve) => signal!.addEventListener('abort', () => resolve(stopped)));
  });
  const leaving = createDeliveries(service.context, send);
  await leaving.sweep();
  await started.promise;
  await leaving.stop();
  expect([await states(), await countAttempts()]).toEqual([{ delivered: 2, pending: 3 }, 2]);
  const next = receiver();
  await deliverAllDue(other.context, createDeliveries(other.context, next.send));
  expect(next.numbers).toEqual([2, 3, 4]);
});

test.each([
  ['disabled', { state: 'disabled' }, { state: 'enabled' }],
  ['given another URL', { url: 'https://hooks.example.com/two' }, {}],
])('a webhook that is %s gets no more than was not recorded yet', async (_name, change, back) => {
  await emitInOneQueue(25);
  const urls: string[] = [];
  const { numbers, send } = receiver(async (index, { url }) => {
    urls.push(url);
    if (index === 2) await admin.patch(`/v1/webhooks/${webhookId}`, change);
    return ok;
  });
  const deliveries = createDeliveries(service.context, send);
  await deliveries.sweep();
  await deliveries.drain();
  expect([numbers, await states()]).toEqual([
    sequence(0, unrecordedMax),
    { delivered: unrecordedMax, pending: 25 - unrecordedMax },
  ]);
  await admin.patch(`/v1/webhooks/${webhookId}`, back);
  await deliverAllDue(service.context, deliveries);
  expect([numbers, await states()]).toEqual([sequence(0, 25), { delivered: 25 }]);
  const last = 'url' in change ? change.url : urls[0];
  expect(new Set(urls.slice(unrecordedMax))).toEqual(new Set([last]));
});
test('answers and errors are recorded as they are, whatever characters they have', async () => {
  await emitInOneQueue(4);
  const answers = ['{"a":"b\\\\c"},NULL', 'NULL', '', 'line\none,{two}"'];
  const detail = 'It said "no" \\ {NULL},';
  let isDown = true;
  const { send } = receiver((index) => {
    if (index < 3) return webhookAnswer(200, { answer: answers[index]! });
    return isDown
      ? { kind: 'failed', reason: 'connection', detail, durationMs: 7 }
      : webhookAnswer(200, { answer: answers[3]! });
  });
  const deliveries = createDeliveries(service.context, send);
  await deliverAllDue(service.context, deliveries);
  isDown = false;
  service.clock.advance(hourMs);
  await deliverAllDue(service.context, deliveries);
  const caller = await service.enter(tenant);
  const { data } = (await caller.get(`/v1/webhooks/${webhookId}/deliveries`)).body;
  const attempts = data.toReversed().map((one: any) => one.attempts.map(({ answer, error }: any) => answer ?? error));
  expect(attempts).toEqual([[answers[0]], [answers[1]], [answers[2]], [`connection: ${detail}`, answers[3]]]);
});
