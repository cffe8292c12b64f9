// Lists what a person should check before trusting a day's figures: about the facts, the lots, the uploads and the values.

import { append, greatestOf } from '../../kit/memory/long-list.ts';
import { computeAtOnce, type Pieces } from '../../kit/turns/pieces.ts';
import type { Day } from '../../kit/day.ts';
import type { Fixed } from '../../kit/fixed.ts';
import { staleRateDay } from '../currencies/exchange-rates.ts';
import type { PositionFinding } from '../lots/lot-book-changes.ts';
import type { History } from './history.ts';
import { principalFindings, type PrincipalFinding } from '../findings/loan-findings.ts';
import {
  assumedUnitFindings,
  spreadFundFindings,
  type AssumedUnitFinding,
  type SpreadFundFinding,
} from '../findings/fund-findings.ts';
import { isTradeKind } from './position-kinds.ts';
import type { PositionValue } from './position-values.ts';
import type { UploadFinding } from './unit-replay.ts';
import { coveredPositions, type Coverage } from './holdings.ts';
import { noSettlementDay } from '../ledger/columns/ledger-chunk.ts';
import { findSyntheticInstrument } from '../ledger/position-key.ts';
import type { DayWindow } from '../quick/daily-points.ts';
import { UnlikelyFigures, type UnlikelyFigure } from '../findings/unlikely-figures.ts';
import type { ValuationFinding } from '../valuation/valuation.ts';

export type Finding =
  | PositionFinding
  | UploadFinding
  | StateFinding
  | PrincipalFinding
  | SpreadFundFinding
  | AssumedUnitFinding
  | UnlikelyFigure;

/** A finding about a position on the day. */
type StateFinding = { readonly position: number } & (
  | { readonly kind: 'short' | 'overdrawn'; readonly quantity: Fixed }
  /** No catalogue has it: a trade named no instrument. */
  | { readonly kind: 'unidentified'; readonly quantity: Fixed }
  /** The value uses a point that is too old, or an estimate. */
  | { readonly kind: 'stale-value' | 'estimated-value'; readonly day: Day | null }
  /** The value is converted at a rate of this day, which is too old. */
  | { readonly kind: 'stale-rate'; readonly day: Day }
  /** Traded up to the day of an upload and settled after it: the upload may not include it. */
  | { readonly kind: 'settles-after-upload'; readonly row: number; readonly day: Day; readonly settlement: Day }
  /** A contract is past its last day and still held. */
  | { readonly kind: 'settlement-not-booked'; readonly day: Day }
  | { readonly kind: 'about-value'; readonly finding: ValuationFinding }
);

interface FindingsRequest {
  readonly day: Day;
  readonly covers: Coverage;
  /** From when on trades and changes of value are checked; from the beginning if absent. */
  readonly from?: Day | undefined;
}

/** Findings of rows and uploads by day come first, then those of the holdings in their order. */
export function findings(history: History, request: FindingsRequest): readonly Finding[] {
  return computeAtOnce(findingPieces(history, request));
}

/** The same, position by position. */
export function* findingPieces(history: History, { day, covers, from }: FindingsRequest): Pieces<readonly Finding[]> {
  const covered = (position: number): boolean => covers(history.key(position));
  const positions = coveredPositions(history, covers);
  const unlikely = yield* unlikelyFigures(history, positions, { first: from ?? -Infinity, last: day });
  const dated = [...(yield* datedFindings(history)), ...unsettledFindings(history), ...unlikely]
    .filter((finding) => covered(finding.position) && finding.day <= day)
    .toSorted((one, other) => one.day - other.day || one.position - other.position);
  const stated: StateFinding[] = [];
  const clean = positionsWithoutFindings(history, day);
  for (const position of positions) {
    if (clean.has(position)) continue;
    const found = positionFindings(history, position, day);
    if (found.length === 0) clean.add(position);
    append(stated, found);
    yield;
  }
  const spread = spreadFundFindings(history, positions, day);
  const unclear = assumedUnitFindings(history, positions, day);
  return [...dated, ...stated, ...principalFindings(history, positions, day), ...spread, ...unclear];
}

/** Which are known to have none, for as long as a history lives, on the day that was needed last: most reports of a client end on one day. */
const cleanCache = new WeakMap<History, { readonly day: Day; readonly positions: Set<number> }>();

function positionsWithoutFindings(history: History, day: Day): Set<number> {
  const cached = cleanCache.get(history);
  if (cached?.day === day) return cached.positions;
  const positions = new Set<number>();
  cleanCache.set(history, { day, positions });
  return positions;
}

/** Only for positions that `holdings` would list. Computing the cost takes long, so it is done only if nothing else is held. */
function positionFindings(history: History, position: number, day: Day): readonly StateFinding[] {
  const state = { position, quantity: history.units(position).valueOn(day), ...history.value(position, day) };
  const found = [...stateFindings(history, state, day)];
  const isHeld = found.length === 0 || state.quantity !== 0n || state.value !== 0n;
  return isHeld || history.quantityAndCost(position, day).referenceCost !== 0n ? found : [];
}

/** Amounts and values that are far from what prices and trades say. */
function* unlikelyFigures(
  history: History,
  positions: readonly number[],
  window: DayWindow,
): Pieces<readonly UnlikelyFigure[]> {
  const unlikely = UnlikelyFigures.of(history);
  const found: UnlikelyFigure[] = [];
  for (const position of positions) {
    if (findSyntheticInstrument(history.key(position).instrument) !== undefined) continue;
    append(found, unlikely.find(position, window));
    yield;
  }
  return found;
}

type DatedFinding = PositionFinding | UploadFinding;

/** Those of a history, for as long as it lives: they are the same for every day and every set of positions. */
const datedCache = new WeakMap<History, readonly DatedFinding[]>();

/** More are collected each time, so that little memory is taken. */
const cachedMax = 1_000;

function* datedFindings(history: History): Pieces<readonly DatedFinding[]> {
  const cached = datedCache.get(history);
  if (cached !== undefined) return cached;
  const found = yield* collectDatedFindings(history);
  if (found.length <= cachedMax) datedCache.set(history, found);
  return found;
}

function* collectDatedFindings(history: History): Pieces<readonly DatedFinding[]> {
  const found: DatedFinding[] = [...(yield* history.replayPieces()).findings];
  for (const position of history.table.positions.keys()) {
    yield;
    if (findSyntheticInstrument(history.key(position).instrument) !== undefined) {
      if (history.checkpoints.has(position)) append(found, history.money(position).findings);
    } else if (canHaveLotFindings(history, position)) {
      const booked = yield* history.bookedRowPieces(position, { from: -Infinity, to: Infinity });
      for (const changes of booked) append(found, changes.findings);
    }
  }
  return found;
}

/** Only named lots and shorts cause findings; positions that do not fit into doubles are checked too. */
function canHaveLotFindings(history: History, position: number): boolean {
  if (history.methodOf(position) === 'SPECIFIC_ID') return true;
  const { rows, byPosition } = history;
  let held = 0;
  for (const row of byPosition.rowsOf(position)) {
    if (!isTradeKind(rows.kinds[row]!)) continue;
    held += rows.quantities[row]!;
    if (!(held >= 0)) return true;
  }
  return false;
}

function* unsettledFindings({ checkpoints, rows, byPosition, byCash }: History) {
  for (const [position, uploads] of checkpoints) {
    for (const row of [...byPosition.rowsOf(position), ...byCash.rowsOf(position)]) {
      const [day, settlement] = [rows.days[row]!, rows.settlement(row)];
      if (settlement === noSettlementDay) continue;
      const isBetween = uploads.some((upload) => day <= upload.day && upload.day < settlement);
      if (isBetween)
        yield { kind: 'settles-after-upload', position, row: rows.numbers[row]!, day, settlement } as const;
    }
  }
}

interface PositionOnDay extends PositionValue {
  readonly position: number;
  readonly quantity: Fixed;
}

function* stateFindings(history: History, state: PositionOnDay, day: Day): Generator<StateFinding> {
  const { position, quantity, valuation, value, conversion } = state;
  const { instrument } = history.key(position);
  const synthetic = findSyntheticInstrument(instrument);
  const rateDay = value === 0n ? null : staleRateDay(conversion);
  if (rateDay !== null) yield { kind: 'stale-rate', position, day: rateDay };
  if (synthetic?.kind === 'cash' && quantity < 0n) yield { kind: 'overdrawn', position, quantity };
  if (synthetic !== undefined) return;
  if (quantity < 0n) yield { kind: 'short', position, quantity };
  if (!history.facts.instruments.has(instrument)) yield { kind: 'unidentified', position, quantity };
  if (valuation.isStale) yield { kind: 'stale-value', position, day: valuation.day };
  if (valuation.isEstimated) yield { kind: 'estimated-value', position, day: valuation.day };
  for (const finding of valuation.findings) yield { kind: 'about-value', position, finding };
  const { terms } = history.instrument(position);
  if (terms.type !== 'forward' || quantity === 0n) return;
  const last = greatestOf(terms.legs.map((leg) => leg.day));
  if (last <= day) yield { kind: 'settlement-not-booked', position, day: last };
}
