// Lists the flows of a segment from the investor's side, for its money-weighted return: the value before the window is paid in,
// then each day's flow, and at the end everything comes back.

import type { AmountColumn } from '../../amounts/amount-column.ts';
import type { NetFlows } from '../money-weighted/net-flows.ts';
import type { SegmentColumns } from './segment-columns.ts';

/** As long as the columns. */
export interface ScratchColumns {
  readonly amounts: AmountColumn;
  readonly doubles: Float64Array;
  readonly times: Int32Array;
}

/** Read the result at once: it uses the scratch columns. Flows of the last day are one flow, rounded once. */
export function investorFlows(columns: SegmentColumns, { amounts: scratch, doubles, times }: ScratchColumns): NetFlows {
  const { values } = columns;
  const flows = columns.read('flows', scratch);
  const last = values.length - 1;
  for (let index = 1; index < last; index++) doubles[index] = -flows.doubleAt(index);
  doubles[0] = -values.doubleAt(0);
  doubles[last] = Number(values.at(last) - flows.at(last));
  return compactNonZero(doubles, times);
}

/** Works in place. */
function compactNonZero(amounts: Float64Array, times: Int32Array): NetFlows {
  let count = 0;
  let first = 0;
  for (let index = 0, { length } = amounts; index < length; index++) {
    const amount = amounts[index]!;
    if (amount === 0) continue;
    if (count === 0) first = index;
    times[count] = index - first;
    amounts[count++] = amount;
  }
  return { times: times.subarray(0, count), amounts: amounts.subarray(0, count) };
}
