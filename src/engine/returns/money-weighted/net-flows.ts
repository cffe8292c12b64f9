// Sums dated flows by day.

import type { Day } from '../../../kit/day.ts';
import type { Fixed } from '../../../kit/fixed.ts';

export interface DatedFlow {
  readonly day: Day;
  /** From the investor's side: money paid in is negative, money returned positive. */
  readonly amount: Fixed;
}

/** The same as columns of doubles. Several on one day are added in the order given. */
export interface FlowColumns {
  readonly days: Int32Array;
  readonly amounts: Float64Array;
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
  for (let from = 0, to = 0; from < sorted.length; from = to) {
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
  for (let from = 0, to = 0; from < sorted.length; from = to) {
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
  const times = new Int32Array(days.length);
  for (let index = 0, count = days.length; index < count; index++) times[index] = days[index]! - days[0]!;
  return times;
}

/** Within these sizes no sum, quotient or moment of flows overflows or vanishes in a double. */
const [sizeMin, sizeMax] = [1e-120, 1e120];

export function netColumns(columns: FlowColumns): NetFlows {
  const { days, amounts } = isNetAndSorted(columns) ? columns : summedByDay(sortedColumns(columns));
  let [smallest, largest] = [1, 1];
  for (let index = 0, count = days.length; index < count; index++) {
    const size = Math.abs(amounts[index]!);
    smallest = Math.min(smallest, size);
    largest = Math.max(largest, size);
  }
  if (!(smallest >= sizeMin && largest <= sizeMax)) throw new RangeError('A flow is no amount of money.');
  return { times: daysSinceFirst(days), amounts };
}

/** Whether each day has exactly one flow, none of them zero, oldest first. */
function isNetAndSorted({ days, amounts }: FlowColumns): boolean {
  let before = -Infinity;
  for (let index = 0, count = days.length; index < count; index++) {
    const day = days[index]!;
    if (day <= before || amounts[index] === 0) return false;
    before = day;
  }
  return true;
}

function sortedColumns({ days, amounts }: FlowColumns): FlowColumns {
  const count = days.length;
  let [least, isSorted] = [days[0]!, true];
  for (let index = 1; index < count; index++) {
    if (days[index]! < days[index - 1]!) isSorted = false;
    if (days[index]! < least) least = days[index]!;
  }
  if (isSorted) return { days, amounts };
  // Plain numbers sort several times faster than with a comparison: the key is the day first, then the index.
  const keys = new Float64Array(count);
  for (let index = 0; index < count; index++) keys[index] = (days[index]! - least) * count + index;
  const sorted = { days: new Int32Array(count), amounts: new Float64Array(count) };
  keys.toSorted().forEach((key, index) => {
    sorted.days[index] = days[key % count]!;
    sorted.amounts[index] = amounts[key % count]!;
  });
  return sorted;
}

function summedByDay({ days, amounts }: FlowColumns): FlowColumns {
  const netDays = new Int32Array(days.length);
  const sums = new Float64Array(days.length);
  let count = 0;
  for (let index = 0, length = days.length; index < length;) {
    const day = days[index]!;
    let sum = 0;
    while (index < length && days[index] === day) sum += amounts[index++]!;
    if (sum === 0) continue;
    netDays[count] = day;
    sums[count++] = sum;
  }
  return { days: netDays.subarray(0, count), amounts: sums.subarray(0, count) };
}
