// Computes daily returns of a whole and of every segment of every axis, in one pass over positions. All amounts are in the
// report's currency.

import type { Pieces } from '../../../kit/turns/pieces.ts';
import { AmountColumn } from '../../amounts/amount-column.ts';
import type { ReturnMethod } from '../daily-return.ts';
import { cumulativeReturns } from '../return-statistics.ts';
import { computeDailyReturns, type WholeDays } from './daily-returns-of-columns.ts';
import { windowDays, type NoReturnReason, type ReturnWindow } from '../return-path.ts';
import { AxisSegments } from './axis-segments.ts';
import { findNoReturnReason } from './invested-base.ts';
import { SegmentColumns } from './segment-columns.ts';
import { SegmentReturn, type SegmentContext } from './segment-return.ts';
import { segmentSums, type ColumnSource } from './segment-sums.ts';

export interface ReturnRequest<Axis extends string> {
  readonly window: ReturnWindow;
  readonly method: ReturnMethod;
  readonly axes: readonly Axis[];
  /** Days per year that turn the deviation of daily returns into a yearly one; 252 by default. */
  readonly volatilityDays?: number | undefined;
}

export interface SegmentedPosition<Axis extends string> extends ColumnSource {
  /**
   * The segments it belongs to on each axis. If each position has exactly one, including the one for everything else, the
   * segments partition the whole and their contributions add up to its return.
   */
  readonly segments: Readonly<Record<Axis, readonly string[]>>;
}

export interface SegmentReturns<Axis extends string> {
  readonly whole: SegmentReturn;
  /** In the order in which the segments first appeared. */
  readonly axes: Readonly<Record<Axis, ReadonlyMap<string, SegmentReturn>>>;
}

/**
 * A set's flow is the sum of its positions' flows: what moves between two of them leaves one and enters the other. So the columns
 * of a segment are plain sums.
 */
export function* segmentReturns<Axis extends string>(
  request: ReturnRequest<Axis>,
  positions: readonly SegmentedPosition<Axis>[],
): Pieces<SegmentReturns<Axis>> {
  const days = windowDays(request.window);
  const emptyColumn = new AmountColumn(days.length + 1);
  const axes = request.axes.map((axis) => new AxisSegments(positions.map(({ segments }) => segments[axis])));
  const [[whole = new SegmentColumns(emptyColumn)] = [], ...sums] = yield* segmentSums(
    [new AxisSegments(positions.map(() => ['whole'])), ...axes],
    positions,
    emptyColumn,
  );
  const context = buildContext(request, days, whole);
  const returns = axes.map(
    ({ keys }, axis) => new Map(keys.map((key, segment) => [key, new SegmentReturn(sums[axis]![segment]!, context)])),
  );
  const byAxis = request.axes.map((axis, index) => [axis, returns[index]]);
  return { whole: new SegmentReturn(whole, context), axes: Object.fromEntries(byAxis) };
}

function buildContext(
  { window, method, volatilityDays }: ReturnRequest<string>,
  days: Int32Array,
  whole: SegmentColumns,
): SegmentContext {
  const [bases, terms] = [new Float64Array(days.length), new Float64Array(days.length)];
  const length = days.length + 1;
  const scratchColumns = {
    amounts: new AmountColumn(length),
    doubles: new Float64Array(length),
    times: new Int32Array(length),
  };
  const { wholeDays, noReturn } = buildWholeDays(whole, method, days.length);
  return {
    window,
    method,
    volatilityDays,
    days,
    wholeDays,
    wholeNoReturn: noReturn,
    scratch: { bases, terms, ...scratchColumns },
  };
}

function buildWholeDays(
  columns: SegmentColumns,
  method: ReturnMethod,
  length: number,
): { readonly wholeDays: WholeDays; readonly noReturn: NoReturnReason | null } {
  const column = () => new Float64Array(length);
  const figures = { ratios: column(), flags: new Uint8Array(length), bases: column(), terms: column() };
  computeDailyReturns({ columns, method, wholeDays: { bases: column(), growthBefore: column() } }, figures);
  const cumulative = cumulativeReturns(figures.ratios);
  const growthBefore = cumulative.map((_, index) => (index === 0 ? 1 : 1 + cumulative[index - 1]!));
  const noReturn = findNoReturnReason(columns, figures.bases, columns.flows);
  return { wholeDays: { bases: figures.bases, growthBefore }, noReturn };
}
