// Tests a clock that is set back by an hour: nothing waits for the hour to pass once more, on a running node and after a restart.

import { beforeEach, describe, expect, test, vi } from 'vitest';
import {
  connectionRefused,
  createDeliveries,
  deliverAllDue,
  webhookAnswer,
} from '../../tests/setup/events/deliveries.ts';
import { emitEvents, tenantOf } from '../../tests/setup/events/event-source.ts';
import { runSql } from '../../tests/setup/database/sql.ts';
import type { Caller } from '../../tests/setup/http/caller.ts';
import { createRounds } from '../../tests/setup/limits/rounds.ts';
import { createMails, failedOutcome, recordingMailServer, sendDue } from '../../tests/setup/mail/mails.ts';
import { makeInvite, makeUser } from '../../tests/setup/people/members.ts';
import { insertAdministrator, signIn } from '../../tests/setup/people/person-caller.ts';
import { serviceForThisTest, type TestService } from '../../tests/setup/node/test-service.ts';
import { clockSkewMsMax, dayMs, hourMs, minuteMs, secondMs } from '../kit/clock.ts';
import { clockSetbackJob, pullBackAfterSetback } from './clock-setback.ts';

let service: TestService;
let admin: Caller;

/** The workspace has the budget of an installation, so that it can be used up. */
const settings = { BUDGET_PER_MINUTE: '1000', BUDGET_BURST: '60', BASE_URL: 'http://holdfast.test' };

beforeEach(async () => {
  service = await serviceForThisTest({ settings });
  admin = service.admin;
});

/** Another process on the same database, after the first has gone or beside it. */
function restart(): Promise<TestService> {
  return serviceForThisTest({ settings, database: service.database, clock: service.clock });
}

async function statuses(caller: Caller, count: number): Promise<number[]> {
  const replies = [];
  for (let sent = 0; sent < count; sent++) replies.push(await caller.get('/v1/me'));
  return replies.map(({ status }) => status);
}

async function tokenOf(node: TestService): Promise<Caller> {
  return node.enter(await tenantOf(node.admin));
}

describe('the request budget', () => {
  test('goes on at once on the same node, with what was left', async () => {
    await statuses(admin, 20);
    service.clock.advance(-hourMs);
    expect(new Set(await statuses(await tokenOf(service), 20))).toEqual(new Set([200]));
  });

  test('that is used up is refilled after seconds, not after an hour', async () => {
    const before = await statuses(admin, 70);
    expect(before.at(-1)).toBe(429);
    service.clock.advance(-hourMs);
    const refused = await admin.get('/v1/me');
    expect(Number(refused.headers.get('retry-after') ?? 0)).toBeLessThanOrEqual(1);
    service.clock.advance(secondMs);
    const node = await restart();
    service.clock.advance(2 * secondMs);
    for (const caller of [await tokenOf(service), await tokenOf(node)]) {
      expect((await caller.get('/v1/me')).status).toBe(200);
    }
  });

  test('is not filled anew: the same requests are left as before', async () => {
    await statuses(admin, 70);
    service.clock.advance(-hourMs);
    await admin.get('/v1/me');
    service.clock.advance(600);
    const admitted = (await statuses(await tokenOf(service), 30)).filter((status) => status === 200);
    expect(admitted.length).toBeLessThanOrEqual(15);
  });
});

describe('deliveries', () => {
  async function register(): Promise<void> {
    const { status } = await admin.post('/v1/webhooks', {
      url: 'https://hooks.example.com/one',
      events: ['limit.breached'],
    });
    expect(status).toBe(201);
  }

  test('that wait for their first attempt, or for the next, go on as if the clock had not moved', async () => {
    await register();
    const tenant = await tenantOf(admin);
    await emitEvents(service.context, tenant, { clients: 2, perClient: 1 });
    let isUp = false;
    const sent: number[] = [];
    const deliveries = createDeliveries(service.context, async () => {
      sent.push(service.clock.now());
      return isUp ? webhookAnswer(204) : connectionRefused;
    });
    await deliverAllDue(service.context, deliveries);
    expect(sent.length).toBe(2);
    await emitEvents(service.context, tenant, { clients: 5, perClient: 1 });
    isUp = true;
    service.clock.advance(-hourMs);
    expect(await pullBackAfterSetback(service.context)).toBe(2);
    await deliverAllDue(service.context, deliveries);
    expect(sent.length).toBe(2 + 3);
    service.clock.advance(10 * secondMs);
    await deliverAllDue(service.context, deliveries);
    expect(sent.length).toBe(5 + 4);
  });

  test('of a node that vanished are taken over within a lease', async () => {
    await register();
    await emitEvents(service.context, await tenantOf(admin), { clients: 1, perClient: 1 });
    const vanished = createDeliveries(service.context, () => new Promise(() => {}));
    await vanished.sweep();
    await expect
      .poll(async () => (await runSql(service.database, 'SELECT FROM delivery_queue WHERE holder IS NOT NULL')).length)
      .toBe(1);
    service.clock.advance(-hourMs);
    await pullBackAfterSetback(service.context);
    service.clock.advance(31 * secondMs);
    let sentCount = 0;
    const other = createDeliveries((await restart()).context, async () => {
      sentCount++;
      return webhookAnswer(204);
    });
    await deliverAllDue(service.context, other);
    expect(sentCount).toBe(1);
  });
});

test('a round that was flagged before runs at once, and the day is flagged again', async () => {
  service.clock.advance(11 * hourMs + 59 * minuteMs);
  const caller = await service.enter(service.first);
  const client = await caller.makeClient('Rivera Family');
  const rounds = createRounds(service.context, { batchWindowMs: 0 });
  const runAll = async (): Promise<void> => {
    await rounds.sweep();
    await rounds.drain();
  };
  await runAll();
  service.clock.advance(2 * minuteMs);
  await runAll();
  await caller.patch(`/v1/clients/${client}`, { reference_currency: 'USD' });
  const days = 'SELECT FROM environment WHERE day_marked = $1';
  expect((await runSql(service.database, days, ['2026-11-16'])).length).toBe(1);
  service.clock.advance(-hourMs);
  await pullBackAfterSetback(service.context);
  await runAll();
  expect((await runSql(service.database, 'SELECT FROM round_mark')).length).toBe(0);
  expect((await runSql(service.database, days, ['2026-11-15'])).length).toBe(1);
});

test('a day that begins within the skew of clocks counts as flagged: another node may be ahead', async () => {
  const rounds = createRounds(service.context, { batchWindowMs: 0 });
  service.clock.advance(12 * hourMs);
  await rounds.sweep();
  await rounds.drain();
  const flagged = async (): Promise<unknown[]> =>
    (await runSql<{ day: string }>(service.database, 'SELECT DISTINCT day_marked::text AS day FROM environment')).map(
      ({ day }) => day,
    );
  service.clock.advance(-clockSkewMsMax);
  await pullBackAfterSetback(service.context);
  expect(await flagged()).toEqual(['2026-11-16']);
  service.clock.advance(-1);
  await pullBackAfterSetback(service.context);
  expect(await flagged()).toEqual([null]);
});

test('mail that waits for its first attempt, or for the next, is sent', async () => {
  await makeInvite(admin, await makeUser(admin, await admin.makeClient('Rivera Family')));
  let isUp = false;
  const server = recordingMailServer(() => (isUp ? { kind: 'sent' } : failedOutcome('away')));
  const mails = createMails(service.context, server.send);
  await sendDue(mails);
  await makeInvite(admin, await makeUser(admin, await admin.makeClient('Chen Family')));
  isUp = true;
  service.clock.advance(-hourMs);
  await pullBackAfterSetback(service.context);
  await sendDue(mails);
  expect(server.messages.length).toBe(1);
  service.clock.advance(20 * secondMs);
  await sendDue(mails);
  expect(server.messages.length).toBe(2);
});

test('a stored answer is kept for a day from now, and a used assertion for as long as before', async () => {
  await admin.post('/v1/clients', { name: 'Once' }, { 'idempotency-key': 'one' });
  service.clock.advance(-hourMs);
  await pullBackAfterSetback(service.context);
  const [answer] = await runSql<{ at: Date }>(service.database, 'SELECT expires_at AS at FROM idempotent_answer');
  expect(answer?.at.getTime()).toBe(service.clock.now() + dayMs);
});

test('a wake-up from before does not hold up the next one', async () => {
  const tenant = await tenantOf(admin);
  const { deliveryWakeUps, clock } = service.context;
  deliveryWakeUps.put(tenant, clock.now());
  service.clock.advance(-hourMs);
  deliveryWakeUps.put(tenant, clock.now());
  expect(deliveryWakeUps.take(clock.now())).toEqual([tenant]);
});

test('nothing is changed where the clock was not set back', async () => {
  await emitEvents(service.context, await tenantOf(admin), { clients: 3, perClient: 2 });
  await makeInvite(admin, await makeUser(admin, await admin.makeClient('Rivera Family')));
  expect(await pullBackAfterSetback(service.context)).toBe(0);
});

test('no tenant is entered in which nothing lies ahead, whatever was begun there', async () => {
  await signIn(service, await insertAdministrator(service));
  const client = await admin.makeClient('Rivera Family');
  await admin.post('/v1/clients', { name: 'Once' }, { 'idempotency-key': 'once' });
  await makeInvite(admin, await makeUser(admin, client));
  await emitEvents(service.context, await tenantOf(admin), { clients: 1, perClient: 1 });
  const entered = vi.spyOn(service.context.stores, 'forWriting');
  await pullBackAfterSetback(service.context);
  expect(entered).not.toHaveBeenCalled();
  service.clock.advance(-hourMs);
  await pullBackAfterSetback(service.context);
  expect(entered).toHaveBeenCalledOnce();
});

test('the job looks through everything after its start, and again when the clock was set back', async () => {
  const job = clockSetbackJob(service.context);
  const flagAt = async (moment: number): Promise<void> => {
    await runSql(
      service.database,
      `INSERT INTO shared_round_mark (workspace_id, environment, concerns, cause, since)
       SELECT workspace_id, environment, 'all', 'day', $1 FROM environment
       ON CONFLICT (workspace_id, environment, concerns, cause) DO UPDATE SET since = excluded.since`,
      [new Date(moment)],
    );
  };
  const isPulledBack = async (): Promise<boolean> => {
    const ahead = await runSql(service.database, 'SELECT FROM shared_round_mark WHERE since > $1', [
      new Date(service.clock.now()),
    ]);
    return ahead.length === 0;
  };
  await flagAt(service.clock.now() + hourMs);
  await job.run(new AbortController().signal);
  expect(await isPulledBack()).toBe(true);
  await flagAt(service.clock.now() + hourMs);
  service.clock.advance(5 * secondMs);
  await job.run(new AbortController().signal);
  expect(await isPulledBack()).toBe(false);
  service.clock.advance(-minuteMs);
  await job.run(new AbortController().signal);
  expect(await isPulledBack()).toBe(true);
  // Now and then it looks anyway: another clock may have been wrong.
  await flagAt(service.clock.now() + hourMs);
  service.clock.advance(10 * minuteMs - 1);
  await job.run(new AbortController().signal);
  expect(await isPulledBack()).toBe(false);
  service.clock.advance(1);
  await job.run(new AbortController().signal);
  expect(await isPulledBack()).toBe(true);
  // Clocks may differ by this much: a step that is no larger is none.
  await flagAt(service.clock.now() + hourMs);
  service.clock.advance(-clockSkewMsMax);
  await job.run(new AbortController().signal);
  expect(await isPulledBack()).toBe(false);
  service.clock.advance(-clockSkewMsMax - 1);
  await job.run(new AbortController().signal);
  expect(await isPulledBack()).toBe(true);
});
