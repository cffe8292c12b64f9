// Computes the money-weighted return of a window: its own rate over the days on which money was at work, and from one year on the
// yearly rate.

import { exponentialMinusOne } from '../../amounts/elementary-functions.ts';
import type { NoReturnReason } from '../no-return-reason.ts';
import type { NetFlows } from './net-flows.ts';
import { daysPerYear, growthRange, xirrFromNetFlows, type MoneyWeightedReturn } from './xirr.ts';

export type WindowReturn = (MoneyWeightedReturn | NoWindowReturn) & {
  /** (1 + yearly rate) ^ (days / 365) − 1: not annualised. */
  readonly windowRate: number | null;
  /** The rate of the window at each of several roots. */
  readonly windowRoots: readonly number[];
  /** Null under a year. */
  readonly yearlyRate: number | null;
  /** From the first flow to the last: from the day before the window, or the first money in, until the money was back. */
  readonly days: number;
};

/** Flows of what nobody invested may have a rate, but it says nothing. */
interface NoWindowReturn {
  readonly rate: null;
  readonly growthPerDay: null;
  readonly reason: NoReturnReason;
  readonly roots: readonly [];
  readonly hasRootsOutside: false;
}

interface WindowContext {
  readonly firstFlow: FirstFlow;
  /** Why the window has no return at all. */
  readonly noReturn: NoReturnReason | null;
}

/** Whether the first flow is the value before the window, or money that came in on a day of the window. */
export type FirstFlow = 'value-before' | 'within-window';

/**
 * Under a year, a rate that is ordinary for the window may lie far outside the range when annualised (5 % lost in a day): if the
 * range has none, the only one that is within it for the window itself is the answer.
 */
export function windowReturn(flows: NetFlows, { firstFlow, noReturn }: WindowContext): WindowReturn {
  const days = flows.times.at(-1) ?? 0;
  if (noReturn !== null) {
    const none = {
      rate: null,
      growthPerDay: null,
      roots: [],
      hasRootsOutside: false,
      windowRate: null,
      windowRoots: [],
      yearlyRate: null,
    } as const;
    return { ...none, reason: noReturn, days };
  }
  const yearly = xirrFromNetFlows(flows);
  const isShort = days < daysPerYear;
  const result = isShort && yearly.reason === 'out-of-range' ? xirrFromNetFlows(flows, growthRange(days)) : yearly;
  const windowRoots = result.roots.map(({ growthPerDay }) => exponentialMinusOne(growthPerDay * days));
  if (result.growthPerDay === null) return { ...result, windowRate: null, windowRoots, yearlyRate: null, days };
  // As for the time-weighted return, a day of the window on which money came in counts whole.
  const countedDays = firstFlow === 'value-before' ? days : days + 1;
  return {
    ...result,
    windowRate: exponentialMinusOne(result.growthPerDay * days),
    windowRoots,
    yearlyRate: countedDays < daysPerYear ? null : result.rate,
    days,
  };
}
