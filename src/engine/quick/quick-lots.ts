// Plain buys and sells straight from columns of doubles, all positions of a ledger in one pass: the lots and costs of the lot
// book, to the last place, or none. Knows no shorts, no named lots and no corporate actions.

import { LotBook, type LotRules } from '../lots/lot-book.ts';
import { shareOut, sumOf } from '../lots/quantity-and-cost.ts';
import type { Lot, Stake } from '../lots/lot.ts';
import { passAverage, passFifo } from './lot-pass.ts';
import { QuickState, none, quantityMax, totalOfLots, type QuickLedger } from './lot-pass-state.ts';

export { type QuickColumn, type QuickLedger } from './lot-pass-state.ts';

export interface QuickRequest {
  readonly rules: LotRules;
  readonly positionCount: number;
}

/** By position, what its trades left; undefined where the lot book has to do it. */
export function quickLots(ledger: QuickLedger, request: QuickRequest): readonly (QuickLots | undefined)[] {
  const { rules, positionCount } = request;
  if (rules.method === 'SPECIFIC_ID') return Array.from({ length: positionCount }, () => undefined);
  const state = new QuickState(ledger, positionCount);
  if (rules.method === 'FIFO') passFifo(state, ledger.positions);
  else passAverage(state, ledger.positions);
  return Array.from({ length: positionCount }, (_, position) => {
    const isPlain = state.isPlain[position] === 1 && state.held[position]! <= quantityMax;
    return isPlain ? new QuickLots(state, position, rules) : undefined;
  });
}

/** One position after its trades. */
export class QuickLots {
  readonly #state: QuickState;
  readonly #position: number;
  readonly #rules: LotRules;
  #total: Stake | undefined;

  constructor(state: QuickState, position: number, rules: LotRules) {
    this.#state = state;
    this.#position = position;
    this.#rules = rules;
  }

  get total(): Stake {
    return (this.#total ??= this.#sumUp());
  }

  #sumUp(): Stake {
    const carried = this.#state.carriedStake(this.#position, this.#carriedUnits());
    return this.#isFifo() ? sumOf(carried, totalOfLots(this.#state, this.#state.oldest[this.#position]!)) : carried;
  }

  /** A lot book that goes on from here. */
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
      const carried = this.#state.carriedStake(this.#position, units);
      lots.push({ ...this.#state.lotOf(current[this.#position]!), ...carried });
    }
    for (let lot = oldest[this.#position]!; lot !== none; lot = link[lot]!) lots.push(this.#state.lotOf(lot));
    return lots;
  }

  /** What is held came last. */
  #averageLots(): Lot[] {
    const { held, newest, link, quantities, quantityScale } = this.#state;
    const lots: Lot[] = [];
    let missing = held[this.#position]!;
    for (let lot = newest[this.#position]!; missing > 0; lot = link[lot]!) {
      const units = Math.min(missing, quantities[lot]!);
      lots.push({ ...this.#state.lotOf(lot), quantity: quantityScale.toFixed(units) });
      missing -= units;
    }
    return shareOut(this.total, lots.toReversed());
  }
}
