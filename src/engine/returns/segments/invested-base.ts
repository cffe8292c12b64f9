// Decides whether a return over a window has a base that somebody invested. Without one there is no percentage.

import type { AmountColumn } from '../../amounts/amount-column.ts';
import type { NoReturnReason } from '../return-path.ts';
import type { SegmentColumns } from './segment-columns.ts';

/**
 * There is a return if something was invested to earn on, on some day, and if that began with a value before the window or with
 * money that came in. What only grew out of nothing (a short position and its proceeds, interest on an empty account) is
 * gain, not a base. Takes each day's base.
 */
export function findNoReturnReason(
  columns: SegmentColumns,
  bases: Float64Array,
  flows: AmountColumn,
): NoReturnReason | null {
  if (!columns.isCovered) return 'nothing-covered';
  const isInvested = hasValueBefore(columns) || hasInflow(flows);
  return isInvested && hasBase(bases) ? null : 'nothing-invested';
}

function hasBase(bases: Float64Array): boolean {
  for (let index = 0; index < bases.length; index++) if (bases[index]! > 0) return true;
  return false;
}

function hasValueBefore({ values, uninvested }: SegmentColumns): boolean {
  return values.at(0) > (uninvested?.values.at(0) ?? 0n);
}

/** Skips the days without a flow, which are most, before it computes anything. */
function hasInflow(flows: AmountColumn): boolean {
  if (flows.isEmpty) return false;
  const { high, low } = flows.findUnnormalisedParts() ?? {};
  for (let index = 1; index < flows.length; index++) {
    if (high?.[index] === 0 && low?.[index] === 0) continue;
    if (flows.sign(index) > 0) return true;
  }
  return false;
}
