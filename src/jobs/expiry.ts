// Deletes what has expired: used assertions, stored answers, retired signing keys, private halves of retired webhook keys, mail of deleted
// invites, sessions, lines of the request log, counts of requests; and what was kept as long as the settings of its workspace say: events, rounds, states of limits, imports
// that nobody has booked, lines of the audit log. Enters only the environments that have any of these, one at a time.

import { minuteMs } from '../kit/clock.ts';
import { keysOf } from '../kit/keys.ts';
import { dropOldAuditLines } from '../actions/access/audit-chain.ts';
import { destinationsOf, dropUnshippedRequests } from '../actions/access/held-lines.ts';
import type { AppContext } from '../actions/core/context.ts';
import { forEachTenant } from '../actions/core/each-tenant.ts';
import { cutoffsOf, effectiveRetention, readSettings } from '../actions/access/workspace-settings.ts';
import { dropUnbookedImport } from '../actions/imports/unbooked-imports.ts';
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
  const deleteFor = async (tenant: Tenant): Promise<void> => {
    for (const drop of dropsOf(context, tenant, now)) deletedCount += await dropInBatches(drop, signal);
  };
  const describe = (count: number): string => `Expired rows of ${count} environments could not be deleted.`;
  await forEachTenant(await listDue(context, now), deleteFor, { signal, describe });
  return deletedCount;
}

/** So many different times are asked for, each in a question of its own; the last question is for the shortest of all others. */
const questionsMax = 20;

/** The environments that have anything to delete: one question for those that keep rows as the installation says, and one for each other time. */
async function listDue(context: AppContext, now: number): Promise<readonly Tenant[]> {
  const { preAuth } = context.stores;
  const retentions = await preAuth.listOwnRetentions();
  const own = new Map(
    retentions.map((one) => [one.workspaceId, cutoffsOf(effectiveRetention(context, one), now)] as const),
  );
  const groups = [...Map.groupBy(own, ([, cutoffs]) => JSON.stringify(cutoffs)).values()];
  const together = groups.slice(questionsMax - 1).flat();
  const questions = [...groups.slice(0, questionsMax - 1), ...(together.length === 0 ? [] : [together])].map(
    (group) => ({
      ids: new Set(group.map(([id]) => id)),
      cutoffs: latestOf(group.map(([, cutoffs]) => cutoffs)),
    }),
  );
  const usual = await preAuth.dueTenants.withExpired(cutoffsOf(effectiveRetention(context, {}), now));
  const due = [usual.filter(({ workspaceId }) => !own.has(workspaceId))];
  for (const { ids, cutoffs } of questions)
    due.push((await preAuth.dueTenants.withExpired(cutoffs)).filter(({ workspaceId }) => ids.has(workspaceId)));
  return due.flat();
}

/** Lists at least the tenants that any of these would. */
function latestOf(all: readonly ExpiryCutoffs[]): ExpiryCutoffs {
  return all.reduce((most, one) => {
    const latest = keysOf(most).map((name) => [name, Math.max(most[name], one[name])]);
    return { ...most, ...Object.fromEntries(latest) };
  });
}

type Drop = () => Promise<DropResult>;

/**
 * What is deleted of a tenant, each some rows at a time. Each transaction asks for how long rows are kept, so that a longer time that is set
 * meanwhile holds at once. The audit log comes last: where its chain does not hold, it throws.
 */
function dropsOf(context: AppContext, tenant: Tenant, now: number): readonly Drop[] {
  const scope = { ...tenant, visibleClients: allClients, credentialId: null };
  const readCutoffs = async (store: Store): Promise<ExpiryCutoffs> =>
    cutoffsOf(await readSettings(context, store), now);
  const write = <T>(task: (store: Store, cutoffs: ExpiryCutoffs) => Promise<T>): Promise<T> =>
    context.stores.forWriting({ scope }, async (store) => task(store, await readCutoffs(store)));
  let afterId = '';
  return [
    async () => {
      const requestsShippedTo = destinationsOf(context, 'requests');
      const drop = (store: Store, cutoffs: ExpiryCutoffs): Promise<number> =>
        store.dropExpired({ ...cutoffs, requestsShippedTo });
      return { count: await write(drop), hasMore: false };
    },
    () => write((store, { eventsBefore }) => store.dropOldEvents(eventsBefore)),
    () => write((store, { limitStatesBefore }) => store.dropOldLimitStates(limitStatesBefore)),
    async () => {
      const result = await write((store, { roundsBefore: before }) => store.dropOldRounds({ before, afterId }));
      afterId = result.lastId;
      return result;
    },
    () => dropUnbookedImport(context, tenant, async (store) => (await readCutoffs(store)).unbookedImportsBefore),
    () => dropUnshippedRequests(context, tenant),
    () => dropOldAuditLines(context, tenant, async (store) => (await readCutoffs(store)).auditLinesBefore),
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
