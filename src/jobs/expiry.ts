// Deletes what has expired: used assertions, stored answers, retired signing keys, private halves of retired webhook keys, old events, mail
// of deleted invites, sessions, lines of the request log. Enters only the environments that have any of these, one at a time.

import { minuteMs } from '../kit/clock.ts';
import type { AppContext } from '../actions/core/context.ts';
import { mailCountingWindowMs } from '../actions/people/mail-limits.ts';
import { requestLogMs } from '../actions/access/request-log.ts';
import { sessionRetentionMs } from '../actions/access/session.ts';
import { signingKeyRetentionMs } from '../actions/access/token.ts';
import { webhookKeyOverlapMs } from '../actions/events/webhook-key.ts';
import { allClients, type Scope } from '../model/access/scope.ts';
import type { Job } from './scheduler.ts';

const intervalMs = 10 * minuteMs;
/** There may be very many environments. */
const giveUpMs = 60 * minuteMs;

/** Returns how many rows were deleted or emptied. An environment that fails does not keep the others from being cleared. */
export async function deleteExpired(context: AppContext, signal?: AbortSignal): Promise<number> {
  const now = context.clock.now();
  const errors: unknown[] = [];
  let deletedCount = 0;
  const cutoffs = {
    now,
    signingKeysBefore: now - signingKeyRetentionMs,
    webhookKeysBefore: now - webhookKeyOverlapMs,
    mailsBefore: now - mailCountingWindowMs,
    sessionsBefore: now - sessionRetentionMs,
    requestsBefore: now - requestLogMs,
    eventsBefore: now - context.eventRetentionMs,
  };
  for (const tenant of await context.stores.preAuth.dueTenants.withExpired(cutoffs)) {
    if (signal?.aborted === true) break;
    const scope = { ...tenant, visibleClients: allClients, credentialId: null };
    const deleteForTenant = async (): Promise<void> => {
      deletedCount += await context.stores.forWriting({ scope }, (store) => store.dropExpired(cutoffs));
      deletedCount += await deleteOldEvents(context, scope, cutoffs.eventsBefore);
    };
    await deleteForTenant().catch((error: unknown) => errors.push(error));
  }
  if (errors.length > 0)
    throw new Error(`Expired rows of ${errors.length} environments could not be deleted.`, { cause: errors[0] });
  return deletedCount;
}

/** Deletes in short transactions, at most this many in one run: the next run deletes the rest. */
const eventBatchesMax = 200;

async function deleteOldEvents(context: AppContext, scope: Scope, before: number): Promise<number> {
  let deletedCount = 0;
  for (let batch = 0, hasMore = true; hasMore && batch < eventBatchesMax; batch++) {
    const result = await context.stores.forWriting({ scope }, (store) => store.dropOldEvents(before));
    deletedCount += result.count;
    hasMore = result.hasMore;
  }
  return deletedCount;
}

export function expiryJob(context: AppContext): Job {
  return { name: 'expiry', intervalMs, giveUpMs, run: (signal) => deleteExpired(context, signal) };
}
