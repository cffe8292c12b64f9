// Deletes what has expired: used assertions, stored answers, retired signing keys, private halves of retired webhook keys, mail of deleted
// invites, sessions, lines of the request log, counts of requests; and what was kept as long as the settings say: events, rounds, states of limits, imports
// that nobody has booked, lines of the audit log. Enters only the environments that have any of these, one at a time.

import { minuteMs } from '../kit/clock.ts';
import { dropOldAuditLines } from '../actions/access/audit-chain.ts';
import { destinationsOf, dropUnshippedRequests } from '../actions/access/held-lines.ts';
import type { AppContext } from '../actions/core/context.ts';
import { forEachTenant } from '../actions/core/each-tenant.ts';
import { mailCountingWindowMs } from '../actions/people/mail-limits.ts';
import { requestCountMs, requestLogMs } from '../actions/access/request-log.ts';
import { sessionRetentionMs } from '../actions/access/session.ts';
import { dropUnbookedImport } from '../actions/imports/unbooked-imports.ts';
import { signingKeyRetentionMs } from '../actions/access/token.ts';
import { webhookKeyOverlapMs } from '../actions/events/webhook-key.ts';
import { allClients, type Tenant } from '../model/access/scope.ts';
import type { ExpiryCutoffs } from '../store/access/expiry.ts';
import type { DropResult } from '../store/access/retention.ts';
import type { Store } from '../store/store.ts';
import type { Job } from './scheduler.ts';

const intervalMs = 10 * minuteMs;
/** There may be very many environments. */
const giveUpMs = 60 * minuteMs;

/** Returns how many rows were deleted or emptied. An environment that fails does not keep the others from being cleared. */
export async function deleteExpired(context: AppContext, signal?: AbortSignal): Promise<number> {
  const now = context.clock.now();
  let deletedCount = 0;
  const cutoffs = {
    now,
    signingKeysBefore: now - signingKeyRetentionMs,
    webhookKeysBefore: now - webhookKeyOverlapMs,
    mailsBefore: now - mailCountingWindowMs,
    sessionsBefore: now - sessionRetentionMs,
    requestsBefore: now - requestLogMs,
    requestsShippedTo: destinationsOf(context, 'requests'),
    requestCountsBefore: now - requestCountMs,
    eventsBefore: now - context.retentionMs.events,
    roundsBefore: now - context.retentionMs.rounds,
    limitStatesBefore: now - context.retentionMs.limitStates,
    auditLinesBefore: now - context.retentionMs.auditLines,
    unbookedImportsBefore: now - context.retentionMs.unbookedImports,
  };
  const tenants = await context.stores.preAuth.dueTenants.withExpired(cutoffs);
  const deleteFor = async (tenant: Tenant): Promise<void> => {
    for (const drop of dropsOf(context, tenant, cutoffs)) deletedCount += await dropInBatches(drop, signal);
  };
  const describe = (count: number): string => `Expired rows of ${count} environments could not be deleted.`;
  await forEachTenant(tenants, deleteFor, { signal, describe });
  return deletedCount;
}

type Drop = () => Promise<DropResult>;

/** What is deleted of a tenant, each some rows at a time. The audit log comes last: where its chain does not hold, it throws. */
function dropsOf(context: AppContext, tenant: Tenant, cutoffs: ExpiryCutoffs): readonly Drop[] {
  const scope = { ...tenant, visibleClients: allClients, credentialId: null };
  const write = <T>(task: (store: Store) => Promise<T>): Promise<T> => context.stores.forWriting({ scope }, task);
  const { eventsBefore, roundsBefore, limitStatesBefore, auditLinesBefore, unbookedImportsBefore } = cutoffs;
  let afterId = '';
  return [
    async () => ({ count: await write((store) => store.dropExpired(cutoffs)), hasMore: false }),
    () => write((store) => store.dropOldEvents(eventsBefore)),
    () => write((store) => store.dropOldLimitStates(limitStatesBefore)),
    async () => {
      const result = await write((store) => store.dropOldRounds({ before: roundsBefore, afterId }));
      afterId = result.lastId;
      return result;
    },
    () => dropUnbookedImport(context, tenant, unbookedImportsBefore),
    () => dropUnshippedRequests(context, tenant),
    () => dropOldAuditLines(context, tenant, auditLinesBefore),
  ];
}

/** In short transactions, at most this many in one run: the next run deletes the rest. */
const batchesMax = 200;

export async function dropInBatches(drop: Drop, signal: AbortSignal | undefined): Promise<number> {
  let deletedCount = 0;
  for (let batch = 0, hasMore = true; hasMore && batch < batchesMax; batch++) {
    if (signal?.aborted === true) break;
    const result = await drop();
    deletedCount += result.count;
    hasMore = result.hasMore;
  }
  return deletedCount;
}

export function expiryJob(context: AppContext): Job {
  return { name: 'expiry', intervalMs, giveUpMs, run: (signal) => deleteExpired(context, signal) };
}
