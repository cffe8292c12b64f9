// Lists what is held at the end of a day, position by position: units, value, cost and unrealised gain.

import type { Day } from '../../kit/day.ts';
import type { Fixed } from '../../kit/fixed.ts';
import type { Conversion, IsoCurrency } from '../currencies/exchange-rates.ts';
import type { History } from './history.ts';
import type { Lot, LotSnapshot, QuantityAndCost } from '../lots/lot.ts';
import { noLots } from '../lots/quantity-and-cost.ts';
import { findSyntheticInstrument, type PositionKey } from '../ledger/position-key.ts';
import type { Valuation } from '../valuation/valuation.ts';

/** Which positions a report covers. */
export type Coverage = (key: PositionKey) => boolean;

export interface Holding extends PositionKey {
  readonly position: number;
  readonly quantity: Fixed;
  readonly valuation: Valuation;
  /** From the currency of the valuation to the reference currency. */
  readonly conversion: Conversion;
  /** In the reference currency, including accrued interest. */
  readonly marketValue: Fixed;
  /**
   * In the instrument's currency, and in the reference currency at the rates of the acquisitions. Cash costs what it is worth.
   */
  readonly cost: Fixed;
  readonly referenceCost: Fixed;
  /** marketValue − referenceCost. */
  readonly unrealised: Fixed;
  /** Cash, or fees owed as uploaded: it has no lots. */
  readonly isMoney: boolean;
  /** Negative cash. */
  readonly isOverdrawn: boolean;
}

interface HoldingsRequest {
  readonly day: Day;
  readonly covers: Coverage;
}

/** Positions with units, a value or a cost, ordered by instrument, account and depository. */
export function holdings(history: History, { day, covers }: HoldingsRequest): readonly Holding[] {
  const known = holdingsByPosition(history, day);
  const found: Holding[] = [];
  for (const position of coveredPositions(history, covers)) {
    let holding = known.get(position);
    if (holding === undefined) known.set(position, (holding = findHolding(history, position, day)));
    if (holding !== null) found.push(holding);
  }
  return found;
}

type HoldingsByPosition = Map<number, Holding | null>;

/** For as long as a history lives, on the day that was needed last: most reports of a client end on one day, and are read page by page. */
const holdingsCache = new WeakMap<History, { readonly day: Day; readonly byPosition: HoldingsByPosition }>();

function holdingsByPosition(history: History, day: Day): HoldingsByPosition {
  const cached = holdingsCache.get(history);
  if (cached?.day === day) return cached.byPosition;
  const byPosition: HoldingsByPosition = new Map();
  holdingsCache.set(history, { day, byPosition });
  return byPosition;
}

/** Null if it has neither units nor a value nor a cost. */
function findHolding(history: History, position: number, day: Day): Holding | null {
  const holding = holdingAt(history, position, day);
  const { quantity, marketValue, referenceCost } = holding;
  return quantity !== 0n || marketValue !== 0n || referenceCost !== 0n ? holding : null;
}

export function coveredPositions({ table }: History, covers: Coverage): readonly number[] {
  return table.sortedPositions().filter((position) => covers(table.key(position)));
}

export function holdingAt(history: History, position: number, day: Day): Holding {
  const { valuation, conversion, value: marketValue } = history.value(position, day);
  const key = history.key(position);
  const synthetic = findSyntheticInstrument(key.instrument);
  const quantity = history.units(position).valueOn(day);
  const isMoney = synthetic !== undefined;
  const quantityAndCost: QuantityAndCost = isMoney
    ? { quantity, cost: valuation.value, referenceCost: marketValue }
    : history.quantityAndCost(position, day);
  return {
    ...key,
    position,
    quantity,
    valuation,
    conversion,
    marketValue,
    cost: quantityAndCost.cost,
    referenceCost: quantityAndCost.referenceCost,
    unrealised: marketValue - quantityAndCost.referenceCost,
    isMoney,
    isOverdrawn: synthetic?.kind === 'cash' && quantity < 0n,
  };
}

/** A holding, or the part of it that is in another currency than its instrument. */
export interface Exposure extends Holding {
  readonly legCurrency?: IsoCurrency;
}

/**
 * What a holding is exposed to, by currency: a forward that is valued by its open legs is long in one currency and short in another. The
 * values of the parts add up to that of the holding. A forward with a price or a cost is one part.
 */
export function exposuresOf(holding: Holding): readonly Exposure[] {
  const { valuation, cost, referenceCost } = holding;
  const legs = valuation.parts.filter((part) => part.kind === 'leg');
  if (legs.length === 0 || legs.length < valuation.parts.length || cost !== 0n || referenceCost !== 0n)
    return [holding];
  return legs.map((part) => ({
    ...holding,
    valuation: { ...valuation, value: part.amount, parts: [part] },
    marketValue: part.amount,
    unrealised: part.amount,
    legCurrency: part.leg.currency,
  }));
}

/** The open lots of a holding; money has none. */
export function openLotsOf(history: History, { position, isMoney }: Holding, day: Day): readonly Lot[] {
  return isMoney ? [] : history.openLots(position, day);
}

/** The same with the cost of one unit of each. */
export function lotSnapshotOf(history: History, { position, isMoney }: Holding, day: Day): LotSnapshot {
  return isMoney ? noLots : history.lots(position, day);
}
