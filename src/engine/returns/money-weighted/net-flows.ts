// Sums dated flows by day.

import type { Day } from '../../../kit/day.ts';
import type { Fixed } from '../../../kit/fixed.ts';

export interface DatedFlow {
  readonly day: Day;
  /** From the investor's side: money paid in is negative, money returned positive. */
  readonly amount: Fixed;
}

/** Net flows, one per day, none of them zero, oldest first. */
export interface NetFlows {
  /** Days since the first flow. */
  readonly times: Int32Array;
  readonly amounts: Float64Array;
}

/** Returns the exact sum of each day's flows, oldest first, without days that sum to zero. */
export function netFlowsPerDay(flows: readonly DatedFlow[]): DatedFlow[] {
  const net: DatedFlow[] = [];
  const sorted = sortedFlows(flows);
  for (let from = 0, to = from; from < sorted.length; from = to) {
    to = dayEndIndex(sorted, from);
    const amount = sumAmounts(sorted, from, to);
    if (amount !== 0n) net.push({ day: sorted[from]!.day, amount });
  }
  return net;
}

/** Returns the same as doubles, each sum rounded once; the common scale of 10^18 stays in. */
export function netFlows(flows: readonly DatedFlow[]): NetFlows {
  const sorted = sortedFlows(flows);
  const days = new Int32Array(sorted.length);
  const amounts = new Float64Array(sorted.length);
  let count = 0;
  for (let from = 0, to = from; from < sorted.length; from = to) {
    to = dayEndIndex(sorted, from);
    const amount = Number(sumAmounts(sorted, from, to));
    if (amount === 0) continue;
    days[count] = sorted[from]!.day;
    amounts[count++] = amount;
  }
  return { times: daysSinceFirst(days.subarray(0, count)), amounts: amounts.subarray(0, count) };
}

/** Returns the index after the last flow of a day. */
function dayEndIndex(sorted: readonly DatedFlow[], from: number): number {
  const { day } = sorted[from]!;
  let to = from + 1;
  while (to < sorted.length && sorted[to]!.day === day) to++;
  return to;
}

function sumAmounts(flows: readonly DatedFlow[], from: number, to: number): Fixed {
  let { amount } = flows[from]!;
  for (let index = from + 1; index < to; index++) amount += flows[index]!.amount;
  return amount;
}

function sortedFlows(flows: readonly DatedFlow[]): readonly DatedFlow[] {
  for (let index = 1; index < flows.length; index++) {
    if (flows[index]!.day < flows[index - 1]!.day) return flows.toSorted((one, other) => one.day - other.day);
  }
  return flows;
}

function daysSinceFirst(days: Int32Array): Int32Array {
  return days.map((day) => day - days[0]!);
}
