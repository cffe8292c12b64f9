// Notices that the clock was set back, and pulls back what was stored for later, so that work goes on at once and not when the clock has
// caught up. Looks through everything once after the start and now and then, because another clock may have been wrong.

import { feedLeaseMs, feedWaitMaxMs } from '../actions/feeds/feed-run.ts';
import { deliveryLeaseMs } from '../actions/events/delivery-queue.ts';
import { secretOverlapMs } from '../actions/events/webhook.ts';
import { mailLeaseMs, mailRetryMs } from '../actions/people/mail-queue.ts';
import { calendarDayOf, roundLeaseMs, roundRetryMs } from '../actions/rounds/round.ts';
import { sessionLifetimeMs } from '../actions/access/session.ts';
import type { AppContext } from '../actions/core/context.ts';
import { forEachTenant } from '../actions/core/each-tenant.ts';
import { clockSkewMsMax, dayMs, minuteMs, secondMs } from '../kit/clock.ts';
import { allClients, type Tenant } from '../model/access/scope.ts';
import type { LongestWaits, SetbackCheck } from '../store/queues/clock-setback.ts';
import type { Job } from './scheduler.ts';

/** How often the clock is looked at. */
const lookIntervalMs = 5 * secondMs;
const checkIntervalMs = 10 * minuteMs;

const longestWaits: LongestWaits = {
  deliveryLease: deliveryLeaseMs,
  roundLease: roundLeaseMs,
  roundRetry: roundRetryMs,
  feedLease: feedLeaseMs,
  feedWait: feedWaitMaxMs,
  mailLease: mailLeaseMs,
  mailRetry: mailRetryMs,
  idempotentAnswer: dayMs,
  session: sessionLifetimeMs,
  previousSecret: secretOverlapMs,
};

function setbackCheck(context: AppContext): SetbackCheck {
  const now = context.clock.now();
  const today = calendarDayOf(context, now + clockSkewMsMax);
  return { now, today, skewMs: clockSkewMsMax, longestWaits };
}

/** Pulls back what lies further ahead than its rule allows, one environment at a time. Returns how many rows it changed. */
export async function pullBackAfterSetback(context: AppContext, signal?: AbortSignal): Promise<number> {
  let changedCount = 0;
  const pullBack = async (tenant: Tenant): Promise<void> => {
    const check = setbackCheck(context);
    const scope = { ...tenant, visibleClients: allClients, credentialId: null };
    changedCount += await context.stores.forWriting({ scope }, (store) => store.pullBackMoments(check));
  };
  const tenants = await context.stores.preAuth.dueTenants.withMomentsAhead(setbackCheck(context));
  const describe = (count: number): string => `The moments of ${count} environments could not be checked.`;
  await forEachTenant(tenants, pullBack, { signal, describe });
  return changedCount;
}

export function clockSetbackJob(context: AppContext): Job {
  let lookedAt = Infinity;
  let checkedAt = -Infinity;
  return {
    name: 'clock-setback',
    intervalMs: lookIntervalMs,
    async run(signal) {
      const now = context.clock.now();
      const isSetBack = now < lookedAt - clockSkewMsMax;
      lookedAt = now;
      if (!isSetBack && now - checkedAt < checkIntervalMs) return;
      checkedAt = now;
      await pullBackAfterSetback(context, signal);
    },
  };
}
