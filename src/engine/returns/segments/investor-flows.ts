// The flows of a segment as the purse sees them, for its money-weighted return: the value before the window goes in, then each day's
// flow; at the end all comes back. Knows no rate.

import type { AmountColumn } from '../../amounts/amount-column.ts';
import type { NetFlows } from '../money-weighted/net-flows.ts';
import type { SegmentColumns } from './segment-columns.ts';

/** As long as the columns. */
export interface ScratchColumns {
  readonly amounts: AmountColumn;
  readonly doubles: Float64Array;
  readonly times: Int32Array;
}

/** To be read at once: they stand in what is lent. Those of the last day are one flow, rounded once. */
export function investorFlows(columns: SegmentColumns, { amounts: scratch, doubles, times }: ScratchColumns): NetFlows {
  const { values } = columns;
  const flows = columns.read('flows', scratch);
  const last = values.length - 1;
  for (let index = 1; index < last; index++) doubles[index] = -flows.doubleAt(index);
  doubles[0] = -values.doubleAt(0);
  doubles[last] = Number(values.at(last) - flows.at(last));
  return compactNonZero(doubles, times);
}

/** In place. */
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
