// The open lots of one position with their total, put in and taken out by a method. Knows no gain and no event.

import type { Fixed } from '../../kit/fixed.ts';
import type { CostMethod, Lot, LotKey, Stake } from './lot.ts';
import { LotQueue } from './lot-queue.ts';
import { lesserOf, partOf, restOf, shareOut, sumOf, totalOf } from './quantity-and-cost.ts';

/** What left of a lot, and what its cost was taken from. */
export interface Taken {
  readonly lot: Lot;
  readonly held: Stake;
}

/** All lots are long or all are short. Under AVERAGE only the total has a cost: queued lots have none of their own. */
export class LotPile {
  readonly #method: CostMethod;
  #queue: LotQueue;
  #total: Stake;

  constructor(method: CostMethod, lots: readonly Lot[] = []) {
    this.#method = method;
    this.#queue = new LotQueue(this.#queued(lots));
    this.#total = totalOf(lots);
  }

  copy(): LotPile {
    const copy = new LotPile(this.#method);
    copy.#queue = this.#queue.copy();
    copy.#total = this.#total;
    return copy;
  }

  get total(): Stake {
    return this.#total;
  }

  open(): Lot[] {
    const lots = this.#queue.toArray();
    return this.#method === 'AVERAGE' ? shareOut(this.#total, lots) : lots;
  }

  put(lots: readonly Lot[]): void {
    for (const lot of lots) this.#total = sumOf(this.#total, lot);
    this.#queue.insert(this.#queued(lots));
  }

  replaceAll(lots: readonly Lot[]): void {
    this.#queue.replaceAll(this.#queued(lots));
    this.#total = totalOf(lots);
  }

  /** The oldest units, as many as that: of the pile's own sign, and no more than it holds. */
  take(quantity: Fixed): Taken[] {
    const held = this.#total;
    const taken: Taken[] = [];
    for (let missing = quantity; missing !== 0n;) {
      const first = this.#queue.first!;
      const part = lesserOf(missing, first.quantity);
      taken.push(this.#takeFrom(first, part));
      missing -= part;
    }
    return this.#method === 'AVERAGE' ? this.#takeAverage(held, taken) : taken;
  }

  /** Of one lot, as much as it has, of the pile's own sign. */
  takeNamed(key: LotKey, quantity: Fixed): Taken | undefined {
    const lot = this.#queue.find(key);
    return lot && this.#takeFrom(lot, lesserOf(quantity, lot.quantity));
  }

  #queued(lots: readonly Lot[]): readonly Lot[] {
    return this.#method === 'AVERAGE' ? lots.map((lot) => ({ ...lot, cost: 0n, referenceCost: 0n })) : lots;
  }

  #takeFrom(lot: Lot, quantity: Fixed): Taken {
    const part = partOf(lot, quantity);
    const rest = restOf(lot, part);
    this.#queue.replace(lot, rest.quantity === 0n ? undefined : { ...lot, ...rest });
    this.#total = restOf(this.#total, part);
    return { lot: { ...lot, ...part }, held: lot };
  }

  /** The position's cost × quantity sold / quantity held, rounded once, then shared by the lots whose units left. */
  #takeAverage(held: Stake, taken: readonly Taken[]): Taken[] {
    const lots = taken.map(({ lot }) => lot);
    const removed = partOf(held, held.quantity - this.#total.quantity);
    this.#total = restOf(held, removed);
    return shareOut(removed, lots).map((lot) => ({ lot, held }));
  }
}
