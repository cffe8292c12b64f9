// Computes daily returns of what a report covers, for the whole and along every axis, from a history.

import { computeAtOnce, type Pieces } from '../../../kit/turns/pieces.ts';
import type { Day } from '../../../kit/day.ts';
import type { AmountColumn } from '../../amounts/amount-column.ts';
import type { IsoCurrency } from '../../currencies/exchange-rates.ts';
import type { History } from '../../history/history.ts';
import { coveredPositions, type Coverage } from '../../history/holdings.ts';
import type { PositionKey } from '../../ledger/position-key.ts';
import { PositionDays, type FeeTreatment } from './position-days.ts';
import { segmentReturns, type ReturnRequest, type SegmentReturns } from '../segments/segment-returns.ts';

export interface PerformanceRequest<Axis extends string> extends ReturnRequest<Axis> {
  readonly covers: Coverage;
  /** `gross` adds back what was paid for advice. */
  readonly fees: FeeTreatment;
  /** Amounts are converted to it at each day's rate; without it, to the reference currency. */
  readonly currency?: IsoCurrency;
  /** Whether gains are split into price, income and currency. */
  readonly splitsGain?: boolean;
  /** The segments of a position on each axis, including the one for everything else. */
  segmentsOf(key: PositionKey): Readonly<Record<Axis, readonly string[]>>;
}

export interface Performance<Axis extends string> extends SegmentReturns<Axis> {
  readonly currency: IsoCurrency;
  /** The covered positions, in the order of the holdings. */
  readonly positions: readonly number[];
  readonly days: PositionDays;
}

export function performance<Axis extends string>(
  history: History,
  request: PerformanceRequest<Axis>,
): Performance<Axis> {
  return computeAtOnce(performancePieces(history, request));
}

/** The same, position by position. */
export function* performancePieces<Axis extends string>(
  history: History,
  request: PerformanceRequest<Axis>,
): Pieces<Performance<Axis>> {
  const { covers, fees, window, splitsGain = false } = request;
  const { referenceCurrency, volatilityDays } = history.facts.settings;
  const currency = request.currency ?? referenceCurrency;
  const span = { first: window.start - 1, last: window.end };
  const days = new PositionDays(history, { window: span, fees, currency, splitsGain });
  const positions = coveredPositions(history, covers).filter((position) => hasBegun(history, position, window.end));
  const segmented = positions.map((position) => ({
    columns: (spare?: AmountColumn) => days.columns(position, spare),
    segments: request.segmentsOf(history.key(position)),
  }));
  const returns = yield* segmentReturns({ volatilityDays, ...request }, segmented);
  return { ...returns, currency, positions, days };
}

/** Whether anything has happened to the position by then. */
function hasBegun(history: History, position: number, day: Day): boolean {
  const { days } = history.units(position);
  if (days.length > 0 && days[0]! <= day) return true;
  const [first] = history.byPosition.rowsOf(position);
  return first !== undefined && history.rows.days[first]! <= day;
}
