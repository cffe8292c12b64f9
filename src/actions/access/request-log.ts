// What a workspace was asked for: the lines of its request log, and how much of its budget it uses.

import { dayMs, hourMs, minuteMs } from '../../kit/clock.ts';
import { loggedRequest, requestLogDays } from '../../model/access/logged-request.ts';
import type { CallerCount, RequestCounts } from '../../store/access/request-log.ts';
import { requireWholeWorkspace } from '../core/all-clients-access.ts';
import { readActions, type ReadActions } from '../core/record-actions.ts';
import type { Work } from '../core/work.ts';

/** Two years and a month, so that the same month of the year before can be compared. */
export const requestCountMs = 761 * dayMs;

const requestActions = readActions({ resource: loggedRequest });

export const requestLogActions: ReadActions<typeof loggedRequest> = {
  ...requestActions,
  async list(work, query) {
    requireWholeWorkspace(work);
    return requestActions.list(work, query);
  },
};

/** The slots of time that usage is counted in: how long one is, and how many are shown. */
export const usageIntervals = {
  minute: { slotMs: minuteMs, count: 60 },
  hour: { slotMs: hourMs, count: 24 },
  day: { slotMs: dayMs, count: requestLogDays },
} as const;

export type UsageInterval = keyof typeof usageIntervals;

export interface UsageSlot extends RequestCounts {
  readonly from: number;
}

export interface Usage {
  /** Oldest first; the last one has not ended yet. */
  readonly slots: readonly UsageSlot[];
  readonly callers: readonly CallerCount[];
}

const callersMax = 20;
const noRequests: RequestCounts = {
  requestCount: 0,
  applicationCount: 0,
  refusedCount: 0,
  failedCount: 0,
  overBudgetCount: 0,
};

/** Counts the lines of the request log in whole minutes, hours or days of UTC. */
export async function readUsage(work: Work, interval: UsageInterval): Promise<Usage> {
  requireWholeWorkspace(work);
  const { slotMs, count } = usageIntervals[interval];
  const since = Math.floor(work.now / slotMs) * slotMs - (count - 1) * slotMs;
  const [counted, callers] = await Promise.all([
    work.store.requestLog.countBySlot(since, slotMs),
    work.store.requestLog.countByCaller(since, callersMax),
  ]);
  const bySlot = new Map(counted.map(({ slot, ...counts }) => [slot, counts]));
  const slots = Array.from({ length: count }, (_none, slot) => ({
    from: since + slot * slotMs,
    ...(bySlot.get(slot) ?? noRequests),
  }));
  return { slots, callers };
}
