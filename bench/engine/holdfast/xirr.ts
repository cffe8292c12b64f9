// XIRR with the engine's solver, from columns of doubles.

import type { NetFlows } from '../../../src/engine/returns/money-weighted/net-flows.ts';
import { xirrFromNetFlows, type MoneyWeightedReturn } from '../../../src/engine/returns/money-weighted/xirr.ts';

/** Flows in order of their days. Several on one day are added in the order given. */
export interface FlowColumns {
  readonly days: Int32Array;
  /** Deposits are negative. */
  readonly amounts: Float64Array;
}

export function xirrFromColumns(columns: FlowColumns): MoneyWeightedReturn {
  return xirrFromNetFlows(netColumns(columns));
}

/** Within these sizes no sum, quotient or moment of flows overflows or vanishes in a double. */
const [sizeMin, sizeMax] = [1e-120, 1e120];

function netColumns(columns: FlowColumns): NetFlows {
  const { days, amounts } = isNet(columns) ? columns : summedByDay(columns);
  let [smallest, largest] = [1, 1];
  for (let index = 0, count = days.length; index < count; index++) {
    const size = Math.abs(amounts[index]!);
    smallest = Math.min(smallest, size);
    largest = Math.max(largest, size);
  }
  if (!(smallest >= sizeMin && largest <= sizeMax)) throw new RangeError('A flow is not an amount of money.');
  return { times: daysSinceFirst(days), amounts };
}

function daysSinceFirst(days: Int32Array): Int32Array {
  const times = new Int32Array(days.length);
  for (let index = 0, count = days.length; index < count; index++) times[index] = days[index]! - days[0]!;
  return times;
}

/** Whether each day has exactly one flow, none of them zero. */
function isNet({ days, amounts }: FlowColumns): boolean {
  let before = -Infinity;
  for (let index = 0, count = days.length; index < count; index++) {
    const day = days[index]!;
    if (day <= before || amounts[index] === 0) return false;
    before = day;
  }
  return true;
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
