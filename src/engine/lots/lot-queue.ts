// Keeps lots in the order in which they leave. Copies are nearly free: they share their common part.

import { defined } from '../../kit/assert.ts';
import type { CostGap } from './cost-gap.ts';
import type { Lot, LotKey } from './lot.ts';
import { LotPlaces } from './lot-places.ts';

const consumedLotsMax = 1_024;
/** For fewer names, going over the lots is quicker than noting where each is. */
const searchesMax = 8;

/**
 * A window on an append-only array. The first lot may be replaced by what is left of it, and so may any other that is named. A queue
 * appends to a shared array only if it ends where the array does; otherwise it makes a new array.
 */
export class LotQueue {
  #lots: Lot[];
  #start = 0;
  #end: number;
  #first: Lot | undefined;
  /** What is left of lots behind the first, by index; undefined where nothing is. */
  readonly #named = new Map<number, Lot | undefined>();
  /** Where the lots of the array are; made when several are named. */
  #places: LotPlaces | undefined;
  #searchCount = 0;
  /** No lot before it has a gap. */
  #gapFrom = 0;

  constructor(lots: readonly Lot[] = []) {
    this.#lots = [...lots];
    this.#end = lots.length;
  }

  copy(): LotQueue {
    if (this.#named.size > 0) this.replaceAll(this.toArray());
    const copy = new LotQueue();
    copy.#lots = this.#lots;
    copy.#start = this.#start;
    copy.#end = this.#end;
    copy.#first = this.#first;
    copy.#gapFrom = this.#gapFrom;
    return copy;
  }

  get first(): Lot | undefined {
    if (this.#first !== undefined) return this.#first;
    return this.#start < this.#end ? this.#lots[this.#start] : undefined;
  }

  /** The gap of the first lot that has one. */
  get gap(): CostGap | undefined {
    for (this.#gapFrom = Math.max(this.#gapFrom, this.#start); this.#gapFrom < this.#end; this.#gapFrom++) {
      const gap = this.#lotAt(this.#gapFrom)?.gap;
      if (gap !== undefined) return gap;
    }
    return undefined;
  }

  /** Removes the first lot, or replaces it with `rest`. */
  replaceFirst(rest: Lot | undefined): void {
    this.#first = rest;
    if (rest !== undefined) return;
    this.#start++;
    if (this.#named.size > 0) this.#skipNamed();
  }

  /** What is left of the first lot is known in one place only, and the window never begins with a lot that is gone. */
  #skipNamed(): void {
    for (; this.#named.has(this.#start); this.#start++) {
      this.#first = this.#named.get(this.#start);
      this.#named.delete(this.#start);
      if (this.#first !== undefined) return;
    }
  }

  /** Adds lots by day, behind those of the same day. They must be in order themselves. */
  insert(lots: readonly Lot[]): void {
    const [earliest] = lots;
    if (earliest === undefined) return;
    const last = this.#lots[this.#end - 1];
    if (this.#start === this.#end || last!.acquired <= earliest.acquired) this.#append(lots);
    else this.replaceAll(mergedByDay(this.toArray(), lots));
  }

  find(key: LotKey): Lot | undefined {
    const index = this.#indexOf(key);
    return index === undefined ? undefined : this.#lotAt(index);
  }

  /** Of an open lot, or one that is gone. */
  #indexOf(key: LotKey): number | undefined {
    if (++this.#searchCount > searchesMax) this.#places ??= new LotPlaces();
    const index = this.#places === undefined ? this.#searchFor(key) : this.#places.find(key, this.#lots);
    return index !== undefined && index >= this.#start && index < this.#end ? index : undefined;
  }

  #searchFor({ row, ordinal }: LotKey): number | undefined {
    for (let index = this.#start; index < this.#end; index++) {
      const lot = this.#lots[index]!;
      if (lot.row === row && lot.ordinal === ordinal) return index;
    }
    return undefined;
  }

  #lotAt(index: number): Lot | undefined {
    if (index === this.#start) return this.first;
    return this.#named.has(index) ? this.#named.get(index) : this.#lots[index];
  }

  /** Removes an open lot, or replaces it with `rest`. */
  replace(lot: Lot, rest: Lot | undefined): void {
    if (lot === this.first) return this.replaceFirst(rest);
    this.#named.set(defined(this.#indexOf(lot), 'an open lot has a place'), rest);
    const isMostlyNamed = this.#named.size > consumedLotsMax && this.#named.size * 2 > this.#end - this.#start;
    if (isMostlyNamed) this.replaceAll(this.toArray());
  }

  replaceAll(lots: readonly Lot[]): void {
    this.#lots = [...lots];
    this.#start = 0;
    this.#end = lots.length;
    this.#first = undefined;
    this.#named.clear();
    this.#places = undefined;
    this.#searchCount = 0;
    this.#gapFrom = 0;
  }

  toArray(): Lot[] {
    const lots = this.#lots.slice(this.#start, this.#end);
    if (this.#first !== undefined) lots[0] = this.#first;
    if (this.#named.size === 0) return lots;
    return lots.flatMap((lot, offset) => {
      const index = this.#start + offset;
      const left = this.#named.has(index) ? this.#named.get(index) : lot;
      return left === undefined ? [] : [left];
    });
  }

  #append(lots: readonly Lot[]): void {
    const isMostlyConsumed = this.#start > consumedLotsMax && this.#start * 2 > this.#end;
    if (this.#end !== this.#lots.length || isMostlyConsumed) this.replaceAll(this.toArray());
    for (const lot of lots) this.#lots.push(lot);
    this.#end = this.#lots.length;
  }
}

function mergedByDay(earlier: readonly Lot[], later: readonly Lot[]): Lot[] {
  const merged: Lot[] = [];
  let next = 0;
  for (const lot of later) {
    while (next < earlier.length && earlier[next]!.acquired <= lot.acquired) merged.push(earlier[next++]!);
    merged.push(lot);
  }
  return merged.concat(earlier.slice(next));
}
