// Computes the lots of plain buys and sells straight from columns of doubles, all positions of a ledger in one pass: exactly as
// the lot book would, or not at all. Shorts, named lots and corporate actions are left to the lot book.

import { LotBook, type LotRules } from '../lots/lot-book.ts';
import { allocateCost, addCosts } from '../lots/quantity-and-cost.ts';
import type { Lot, QuantityAndCost } from '../lots/lot.ts';
import { passAverage, passFifo } from './lot-pass.ts';
import { LotPassState, noLot, quantityMax, sumLots, type TradeColumns } from './lot-pass-state.ts';

interface QuickLotsRequest {
  readonly rules: LotRules;
  readonly positionCount: number;
}

/** Returns by position what its trades left; undefined if the lot book has to compute it. */
export function quickLots(ledger: TradeColumns, request: QuickLotsRequest): readonly (QuickLots | undefined)[] {
  const { rules, positionCount } = request;
  if (rules.method === 'SPECIFIC_ID') return Array.from({ length: positionCount }, () => undefined);
  const state = new LotPassState(ledger, positionCount);
  if (rules.method === 'FIFO') passFifo(state, ledger.positions);
  else passAverage(state, ledger.positions);
  return Array.from({ length: positionCount }, (_, position) => {
    const isPlain = state.isPlain[position] === 1 && state.held[position]! <= quantityMax;
    return isPlain ? new QuickLots(state, position, rules) : undefined;
  });
}

/** One position after its trades. */
export class QuickLots {
  readonly #state: LotPassState;
  readonly #position: number;
  readonly #rules: LotRules;
  #total: QuantityAndCost | undefined;

  constructor(state: LotPassState, position: number, rules: LotRules) {
    this.#state = state;
    this.#position = position;
    this.#rules = rules;
  }

  get total(): QuantityAndCost {
    return (this.#total ??= this.#computeTotal());
  }

  #computeTotal(): QuantityAndCost {
    const carried = this.#state.carriedCost(this.#position, this.#carriedUnits());
    return this.#isFifo() ? addCosts(carried, sumLots(this.#state, this.#state.oldest[this.#position]!)) : carried;
  }

  /** Returns a lot book that continues from here. */
  book(): LotBook {
    return new LotBook(this.#rules, this.lots());
  }

  lots(): readonly Lot[] {
    return this.#isFifo() ? this.#fifoLots() : this.#averageLots();
  }

  #isFifo(): boolean {
    return this.#rules.method === 'FIFO';
  }

  #carriedUnits(): number {
    return this.#isFifo() ? this.#state.left[this.#position]! : this.#state.held[this.#position]!;
  }

  #fifoLots(): Lot[] {
    const { left, current, oldest, link } = this.#state;
    const units = left[this.#position]!;
    const lots: Lot[] = [];
    if (units > 0) {
      const carried = this.#state.carriedCost(this.#position, units);
      lots.push({ ...this.#state.lotAt(current[this.#position]!), ...carried });
    }
    for (let lot = oldest[this.#position]!; lot !== noLot; lot = link[lot]!) lots.push(this.#state.lotAt(lot));
    return lots;
  }

  /** Units still held are those that came last. */
  #averageLots(): Lot[] {
    const { held, newest, link, quantities, quantityScale } = this.#state;
    const lots: Lot[] = [];
    let missing = held[this.#position]!;
    for (let lot = newest[this.#position]!; missing > 0; lot = link[lot]!) {
      const units = Math.min(missing, quantities[lot]!);
      lots.push({ ...this.#state.lotAt(lot), quantity: quantityScale.toFixed(units) });
      missing -= units;
    }
    return allocateCost(this.total, lots.toReversed());
  }
}
