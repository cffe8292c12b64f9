// Decides whether a return over a window has a base that somebody invested. Without one there is no percentage.

import type { AmountColumn } from '../../amounts/amount-column.ts';
import type { NoReturnReason } from '../return-path.ts';
import type { SegmentColumns } from './segment-columns.ts';

/**
 * Where nothing is covered there is nothing to explain, and the return is 0. Else there is one if on some day there was something invested to earn on, and if that began with a value before the window or
 * with money that came in. What only grew out of nothing (a short position and its proceeds, interest on an empty account) is
 * gain, not a base. Takes each day's base, and reads the
 * flows only if there was no value before.
 */
export function findNoReturnReason(
  columns: SegmentColumns,
  bases: Float64Array,
  readFlows: () => AmountColumn,
): NoReturnReason | null {
  if (!columns.isCovered) return null;
  const isInvested = hasValueBefore(columns) || hasInflow(readFlows());
  return isInvested && bases.some((base) => base > 0) ? null : 'nothing-invested';
}

function hasValueBefore({ values, uninvested }: SegmentColumns): boolean {
  return values.at(0) > (uninvested?.values.at(0) ?? 0n);
}

function hasInflow(flows: AmountColumn): boolean {
  for (let index = 1; index < flows.length; index++) if (flows.sign(index) > 0) return true;
  return false;
}
