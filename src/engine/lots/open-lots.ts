// Keeps the open lots of one position with their total, and adds and takes units by a method.

import type { Fixed } from '../../kit/fixed.ts';
import { findGap, type CostGap } from './cost-gap.ts';
import type { CostMethod, Lot, LotKey, QuantityAndCost } from './lot.ts';
import type { LotObserver } from './lot-observer.ts';
import { LotQueue } from './lot-queue.ts';
import {
  nearerToZero,
  proportionalPart,
  subtractCosts,
  allocateCost,
  addCosts,
  totalCosts,
} from './quantity-and-cost.ts';

/** What left a lot, and what its cost was taken from. */
export interface TakenLot {
  readonly lot: Lot;
  readonly held: QuantityAndCost;
}

/** All lots are long or all are short. Under AVERAGE only the cost of the total counts; those of queued lots are never read. */
export class OpenLots {
  readonly #method: CostMethod;
  readonly #observer: LotObserver | undefined;
  #queue: LotQueue;
  #total: QuantityAndCost;
  /** Under AVERAGE, the gap of the cost that all lots share; otherwise lots have their own. */
  #gap: CostGap | undefined;

  constructor(method: CostMethod, lots: readonly Lot[] = [], observer?: LotObserver) {
    this.#method = method;
    this.#observer = observer;
    this.#gap = findGap(lots);
    this.#queue = new LotQueue(lots);
    this.#total = totalCosts(lots);
  }

  copy(): OpenLots {
    const copy = new OpenLots(this.#method);
    copy.#queue = this.#queue.copy();
    copy.#total = this.#total;
    copy.#gap = this.#gap;
    return copy;
  }

  /** Why the cost of the whole is not known. */
  get gap(): CostGap | undefined {
    if (this.#gap === undefined || this.#method === 'AVERAGE') return this.#gap;
    return this.#queue.gap;
  }

  get total(): QuantityAndCost {
    return this.#total;
  }

  list(): Lot[] {
    const lots = this.#queue.toArray();
    return this.#method === 'AVERAGE' ? this.#withSharedGap(allocateCost(this.#total, lots)) : lots;
  }

  #withSharedGap(lots: Lot[]): Lot[] {
    const gap = this.#gap;
    return gap === undefined ? lots : lots.map((lot) => ({ ...lot, gap }));
  }

  put(lots: readonly Lot[]): void {
    this.#gap ??= findGap(lots);
    for (const lot of lots) this.#total = addCosts(this.#total, lot);
    for (const lot of lots) this.#observer?.opened(lot);
    this.#queue.insert(lots);
  }

  replaceAll(lots: readonly Lot[]): void {
    this.#observer?.replaced(this.list(), lots);
    this.#gap = findGap(lots);
    this.#queue.replaceAll(lots);
    this.#total = totalCosts(lots);
  }

  /** Takes the oldest units. The quantity has the sign of the lots and must not exceed them. */
  take(quantity: Fixed): TakenLot[] {
    const held = this.#total;
    const taken: TakenLot[] = [];
    for (let missing = quantity; missing !== 0n;) {
      const first = this.#queue.first!;
      const part = nearerToZero(missing, first.quantity);
      taken.push(this.#takeFrom(first, part));
      missing -= part;
    }
    return this.#method === 'AVERAGE' ? this.#takeAverage(held, taken) : taken;
  }

  /** Takes up to the given quantity from one lot. The quantity has the sign of the lots. */
  takeNamed(key: LotKey, quantity: Fixed): TakenLot | undefined {
    const lot = this.#queue.find(key);
    return lot && this.#takeFrom(lot, nearerToZero(quantity, lot.quantity));
  }

  /** Zero if the lot is not open. */
  unitsOf(key: LotKey): Fixed {
    return this.#queue.find(key)?.quantity ?? 0n;
  }

  #takeFrom(lot: Lot, quantity: Fixed): TakenLot {
    const part = proportionalPart(lot, quantity);
    const rest = subtractCosts(lot, part);
    this.#queue.replace(lot, rest.quantity === 0n ? undefined : { ...lot, ...rest });
    this.#total = subtractCosts(this.#total, part);
    if (this.#method !== 'AVERAGE') this.#observer?.taken(lot, part);
    return { lot: { ...lot, ...part }, held: lot };
  }

  /** The position's cost × quantity sold / quantity held, rounded once, then split between the lots whose units left. */
  #takeAverage(held: QuantityAndCost, taken: readonly TakenLot[]): TakenLot[] {
    const lots = taken.map(({ lot }) => lot);
    const removed = proportionalPart(held, held.quantity - this.#total.quantity);
    this.#total = subtractCosts(held, removed);
    this.#observer?.takenTogether(held, removed, lots);
    const leaving = this.#withSharedGap(allocateCost(removed, lots));
    if (this.#total.quantity === 0n) this.#gap = undefined;
    return leaving.map((lot) => ({ lot, held }));
  }
}
