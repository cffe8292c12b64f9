// Keeps the state of each position while a pass goes over the trades of a ledger.

import { fixedPlaces, type Fixed } from '../../kit/fixed.ts';
import { AmountColumn } from '../amounts/amount-column.ts';
import { amountFromParts } from '../amounts/amount-parts.ts';
import type { ScaledColumn } from '../amounts/number-columns.ts';
import { zeroQuantityAndCost } from '../lots/quantity-and-cost.ts';
import type { Lot, QuantityAndCost } from '../lots/lot.ts';
import { AmountScale, getWideCost, type WideCosts } from './wide-cost.ts';

/** Rows in ledger order, so by day. A buy has units and their cost; a sell has negative units. */
export interface TradeColumns {
  /** The position of each row; negative if it is no trade. Without it, all rows belong to position 0. */
  readonly positions?: Int32Array;
  readonly days: Int32Array;
  readonly quantity: ScaledColumn;
  readonly cost: ScaledColumn;
  /** The same column object if the trade currency is the reference currency; exact amounts if they were converted. */
  readonly referenceCost: ScaledColumn | AmountColumn;
  /** Booking numbers of the rows; without it, their indexes. */
  readonly numbers?: Float64Array;
}

/** Places of a high: see AmountColumn. */
const highPlaces = 4;

export const noLot = -1;

/** Positions with more units than this, in the column's smallest part, are left to the lot book. */
export const quantityMax = 2 ** 50;

/** A lot is identified by the row of its buy. */
export class LotPassState {
  readonly days: Int32Array;
  readonly quantities: Float64Array;
  readonly costs: Float64Array;
  /** With lows beside them, the highs of amounts. */
  readonly referenceCosts: Float64Array;
  readonly referenceLows: Float64Array | undefined;
  readonly quantityScale: AmountScale;
  readonly costScale: AmountScale;
  readonly referenceScale: AmountScale;
  readonly isOneCurrency: boolean;
  readonly #numbers: Float64Array | undefined;

  /** By position: whether all its rows could be processed here, and its units. */
  readonly isPlain: Uint8Array;
  readonly held: Float64Array;
  /** By position: the cost of all units or, under FIFO, of the rest of the lot being sold. */
  readonly carried: WideCosts;
  /** Cost and reference cost, two numbers each; in one currency the second is unused. */
  readonly carriedWidth: number;
  /** Under FIFO: the lot being sold, what is left of it, and the lot after it. */
  readonly current: Int32Array;
  readonly left: Float64Array;
  readonly oldest: Int32Array;
  readonly newest: Int32Array;

  /** From each lot to the next of its position; under AVERAGE, to the one before. */
  readonly link: Int32Array;

  constructor(ledger: TradeColumns, count: number) {
    this.days = ledger.days;
    this.quantities = ledger.quantity.values;
    this.costs = ledger.cost.values;
    const reference = referenceCostColumns(ledger.referenceCost);
    this.referenceCosts = reference.values;
    this.referenceLows = reference.lows;
    this.quantityScale = new AmountScale(ledger.quantity.scale);
    this.costScale = new AmountScale(ledger.cost.scale);
    this.referenceScale = new AmountScale(reference.scale);
    this.isOneCurrency = ledger.cost === ledger.referenceCost;
    this.#numbers = ledger.numbers;
    this.isPlain = new Uint8Array(count).fill(1);
    this.held = new Float64Array(count);
    this.carried = new Float64Array(4 * count);
    this.carriedWidth = this.isOneCurrency ? 2 : 4;
    this.current = new Int32Array(count).fill(noLot);
    this.left = new Float64Array(count);
    this.oldest = new Int32Array(count).fill(noLot);
    this.newest = new Int32Array(count).fill(noLot);
    this.link = new Int32Array(ledger.days.length);
  }

  get rowCount(): number {
    return this.days.length;
  }

  /** Returns a lot as it was when it came. */
  lotAt(lot: number): Lot {
    const cost = this.costScale.toFixed(this.costs[lot]!);
    return {
      row: this.#numbers?.[lot] ?? lot,
      ordinal: 0,
      acquired: this.days[lot]!,
      quantity: this.quantityScale.toFixed(this.quantities[lot]!),
      cost,
      referenceCost: this.isOneCurrency ? cost : this.#referenceCostOf(lot),
      isEstimated: false,
    };
  }

  #referenceCostOf(lot: number): Fixed {
    const high = this.referenceCosts[lot]!;
    return this.referenceLows ? amountFromParts(high, this.referenceLows[lot]!) : this.referenceScale.toFixed(high);
  }

  /** Returns these units with the cost carried for them. */
  carriedCost(position: number, units: number): QuantityAndCost {
    if (units === 0) return zeroQuantityAndCost;
    const cost = getWideCost(this.carried, 4 * position);
    const referenceCost = this.isOneCurrency ? cost : getWideCost(this.carried, 4 * position + 2);
    return { quantity: this.quantityScale.toFixed(units), cost, referenceCost };
  }
}

interface ReferenceCosts extends ScaledColumn {
  readonly lows?: Float64Array | undefined;
}

/** NaN marks an amount that does not fit into parts, which this pass cannot process. */
function referenceCostColumns(column: TradeColumns['referenceCost']): ReferenceCosts {
  if (!(column instanceof AmountColumn)) return column;
  const parts = column.findParts();
  if (parts === undefined) return { values: new Float64Array(column.length).fill(Number.NaN), scale: highPlaces };
  return { values: parts.high, lows: parts.low, scale: highPlaces };
}

/** Sums all lots from one on, along the links. */
export function sumLots(state: LotPassState, first: number): QuantityAndCost {
  const cost = sumRows(state, first, state.costs, state.costScale);
  return {
    quantity: sumRows(state, first, state.quantities, state.quantityScale),
    cost,
    referenceCost: state.isOneCurrency ? cost : sumReferenceCosts(state, first),
  };
}

function sumReferenceCosts(state: LotPassState, first: number): Fixed {
  const { referenceCosts, referenceScale, referenceLows } = state;
  const sum = sumRows(state, first, referenceCosts, referenceScale);
  return referenceLows === undefined ? sum : sum + sumRows(state, first, referenceLows, new AmountScale(fixedPlaces));
}

/** Sums in doubles while that is exact: no summand exceeds 2^52. */
function sumRows({ link }: LotPassState, first: number, column: Float64Array, scale: AmountScale): Fixed {
  let total = 0n;
  let sum = 0;
  for (let row = first; row !== noLot; row = link[row]!) {
    sum += column[row]!;
    if (Math.abs(sum) <= 2 ** 52) continue;
    total += scale.toFixed(sum);
    sum = 0;
  }
  return total + scale.toFixed(sum);
}
