// Tests how often a node looks for each kind of work: what it wrote itself within a second, what others wrote within seconds.

import { expect, test } from 'vitest';
import { TenantWakeUps } from '../actions/core/tenant-wake-ups.ts';
import { mailAttemptTimeoutMs, mailLeaseMs } from '../actions/people/mail-queue.ts';
import type { AppContext } from '../actions/core/context.ts';
import { minuteMs, secondMs } from '../kit/clock.ts';
import { auditChaining } from './audit-chaining.ts';
import { authorityEndsJob } from './authority-ends.ts';
import { clockSetbackJob } from './clock-setback.ts';
import { createDeliveryWorker, type DeliveryWorkerOptions } from './delivery-worker.ts';
import { expiryJob } from './expiry.ts';
import { createFeedWorker, type FeedWorkerOptions } from './feed-worker.ts';
import { leftoverDeliveriesJob } from './leftover-deliveries.ts';
import { createMailWorker, type MailWorkerOptions } from './mail-worker.ts';
import { revocations } from './revocations.ts';
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
  const makers = [auditChaining, clockSetbackJob, revocations, expiryJob, leftoverDeliveriesJob, authorityEndsJob];
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
    // There may be very many environments to go through.
    ['expiry', 10 * minuteMs, 60 * minuteMs],
    ['leftover-deliveries', 10 * minuteMs, 60 * minuteMs],
    ['authority-ends', 10 * minuteMs, 60 * minuteMs],
  ]);
});

test('a mail server has a minute for a message, which ends before another node may take it', () => {
  expect(mailAttemptTimeoutMs).toBe(minuteMs);
  expect(mailLeaseMs).toBeGreaterThan(mailAttemptTimeoutMs);
});
