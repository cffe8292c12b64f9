// Tests how often a node looks for each kind of work: what it wrote itself within a second, what others wrote within seconds.

import { describe, expect, test } from 'vitest';
import { ManualClock } from '../../tests/setup/kit/manual-clock.ts';
import { TenantWakeUps } from '../actions/core/tenant-wake-ups.ts';
import { mailAttemptTimeoutMs, mailLeaseMs } from '../actions/people/mail-queue.ts';
import type { AppContext } from '../actions/core/context.ts';
import { minuteMs, secondMs } from '../kit/clock.ts';
import type { Id } from '../kit/id.ts';
import type { Tenant } from '../model/access/scope.ts';
import { auditChaining } from './audit-chaining.ts';
import { authorityEndsJob } from './authority-ends.ts';
import { clockSetbackJob } from './clock-setback.ts';
import { createDeliveryWorker, type DeliveryWorkerOptions } from './delivery-worker.ts';
import { expiryJob } from './expiry.ts';
import { createFeedWorker, type FeedWorkerOptions } from './feed-worker.ts';
import { leftoverDeliveriesJob } from './leftover-deliveries.ts';
import { createMailWorker, type MailWorkerOptions } from './mail-worker.ts';
import { revocations } from './revocations.ts';
import { waitingRowsJob } from './waiting-rows.ts';
import { createRoundWorker, type RoundWorkerOptions } from './round-worker.ts';

const wakeUps = new TenantWakeUps();
const context = { mailWakeUps: wakeUps, deliveryWakeUps: wakeUps, roundWakeUps: wakeUps } as unknown as AppContext;
/** Nothing runs here, so that nothing else is needed. */
const options = { context, ports: {}, concurrency: 1, observer: {}, onFailure: () => {} } as object;

test('a node looks as often as this for each kind of work', () => {
  const workers = [
    createMailWorker(options as MailWorkerOptions),
    createDeliveryWorker(options as DeliveryWorkerOptions),
    createRoundWorker(options as RoundWorkerOptions),
    createFeedWorker(options as FeedWorkerOptions),
  ];
  const makers = [
    auditChaining,
    clockSetbackJob,
    revocations,
    waitingRowsJob,
    expiryJob,
    leftoverDeliveriesJob,
    authorityEndsJob,
  ];
  const jobs = [...workers.flatMap((worker) => worker.jobs), ...makers.map((make) => make(context))];
  expect(jobs.map(({ name, intervalMs, giveUpMs }) => [name, intervalMs, giveUpMs])).toEqual([
    ['mails', 200, undefined],
    ['all mails', 5 * secondMs, undefined],
    ['deliveries', 50, undefined],
    ['all deliveries', 5 * secondMs, undefined],
    ['rounds', secondMs, undefined],
    ['all rounds', 7 * secondMs, undefined],
    ['feeds', secondMs, undefined],
    ['all feeds', 5 * secondMs, undefined],
    ['audit-chain', 5 * secondMs, undefined],
    ['clock-setback', 5 * secondMs, undefined],
    ['revocations', minuteMs, undefined],
    ['waiting-rows', 10 * secondMs, undefined],
    // There may be very many environments to go through.
    ['expiry', 10 * minuteMs, 60 * minuteMs],
    ['leftover-deliveries', 10 * minuteMs, 60 * minuteMs],
    ['authority-ends', 10 * minuteMs, 60 * minuteMs],
  ]);
});

const tenant: Tenant = { workspaceId: 'one' as Id, environment: 'production' };
/** A round waits until changes have gathered; nothing else waits. */
const gathersMs = { mails: 0, deliveries: 0, rounds: 2 * secondMs, feeds: 0 };
/** What can be taken at once is looked for at once; what waits for others, a mail server or a custodian, a moment later. */
const goesOnMs = { mails: 200, deliveries: 0, rounds: 2 * secondMs, feeds: secondMs };

/** A worker of a node where as much of a tenant is due as one look finds, or nothing, with the number of looks. */
function workerThatFinds(kind: keyof typeof goesOnMs, isFull: boolean) {
  const clock = new ManualClock('2026-11-15T12:00:00Z');
  let looks = 0;
  const look = async (tenants: readonly Tenant[]): Promise<object[]> => {
    looks++;
    return tenants.map((one) => ({ tenant: one, keys: [], queues: [], isFull }));
  };
  const list = async (): Promise<readonly Tenant[]> => [tenant];
  const own = {
    clock,
    timeZone: 'UTC',
    mailWakeUps: new TenantWakeUps(),
    deliveryWakeUps: new TenantWakeUps(),
    roundWakeUps: new TenantWakeUps(),
    stores: {
      preAuth: { dueTenants: { withMails: list, withDeliveries: list, withRounds: list, withFeeds: list } },
      findDueMails: look,
      findDueDeliveries: look,
      findDueRounds: look,
      findDueFeeds: look,
    },
  };
  const parts = { ...options, context: own } as object;
  const worker = {
    mails: () => createMailWorker(parts as MailWorkerOptions),
    deliveries: () => createDeliveryWorker(parts as DeliveryWorkerOptions),
    rounds: () => createRoundWorker(parts as RoundWorkerOptions),
    feeds: () => createFeedWorker(parts as FeedWorkerOptions),
  }[kind]();
  /** How often it has looked after each of these steps of time; at each moment it processes only the first wake-ups. */
  const countLooks = async (...steps: readonly number[]): Promise<number[]> => {
    const counts = [];
    for (const ms of steps) {
      clock.advance(ms);
      const onlyFirst = new AbortController();
      const done = worker.processWakeUps(onlyFirst.signal);
      onlyFirst.abort();
      await done;
      counts.push(looks);
    }
    return counts;
  };
  return { worker, clock, countLooks, own };
}

describe.each(['mails', 'deliveries', 'rounds', 'feeds'] as const)('%s', (kind) => {
  test('that may be more than one look found are looked for again soon', async () => {
    const { worker, countLooks } = workerThatFinds(kind, true);
    await worker.sweep();
    const waitMs = goesOnMs[kind];
    expect(await countLooks(...(waitMs === 0 ? [0] : [waitMs - 1, 1]))).toEqual(waitMs === 0 ? [2] : [1, 2]);
  });

  test('that were all found are looked for when something is written, and not before', async () => {
    const { worker, clock, countLooks, own } = workerThatFinds(kind, false);
    await worker.sweep();
    expect(await countLooks(minuteMs)).toEqual([1]);
    for (const wakeUpsOf of [own.mailWakeUps, own.deliveryWakeUps, own.roundWakeUps])
      wakeUpsOf.put(tenant, clock.now());
    const waitMs = gathersMs[kind];
    const looks = await countLooks(...(waitMs === 0 ? [0] : [waitMs - 1, 1]));
    // No request writes what feeds fetch: only sweeps find it.
    expect(looks).toEqual(kind === 'feeds' ? [1] : waitMs === 0 ? [2] : [1, 2]);
  });
});

test('a mail server has a minute for a message, which ends before another node may take it', () => {
  expect(mailAttemptTimeoutMs).toBe(minuteMs);
  expect(mailLeaseMs).toBeGreaterThan(mailAttemptTimeoutMs);
});
