// Keeps lots in the order in which they leave. Copies are free: they share their common part.

import type { Lot, LotKey } from './lot.ts';

const consumedLotsMax = 1_024;

/**
 * A window on an append-only array. The first lot may be replaced by what is left of it. A queue appends to a shared array only
 * if it ends where the array does; otherwise it makes a new array.
 */
export class LotQueue {
  #lots: Lot[];
  #start = 0;
  #end: number;
  #first: Lot | undefined;

  constructor(lots: readonly Lot[] = []) {
    this.#lots = [...lots];
    this.#end = lots.length;
  }

  copy(): LotQueue {
    const copy = new LotQueue();
    copy.#lots = this.#lots;
    copy.#start = this.#start;
    copy.#end = this.#end;
    copy.#first = this.#first;
    return copy;
  }

  get first(): Lot | undefined {
    if (this.#first !== undefined) return this.#first;
    return this.#start < this.#end ? this.#lots[this.#start] : undefined;
  }

  /** Removes the first lot, or replaces it with `rest`. */
  replaceFirst(rest: Lot | undefined): void {
    this.#first = rest;
    if (rest === undefined) this.#start++;
  }

  /** Adds lots by day, behind those of the same day. They must be in order themselves. */
  insert(lots: readonly Lot[]): void {
    const [earliest] = lots;
    if (earliest === undefined) return;
    const last = this.#start + 1 === this.#end ? this.first : this.#lots[this.#end - 1];
    if (this.#start === this.#end || last!.acquired <= earliest.acquired) this.#append(lots);
    else this.replaceAll(mergedByDay(this.toArray(), lots));
  }

  find({ row, ordinal }: LotKey): Lot | undefined {
    for (let index = this.#start; index < this.#end; index++) {
      const lot = this.#lots[index]!;
      if (lot.row === row && lot.ordinal === ordinal) return index === this.#start ? this.first : lot;
    }
    return undefined;
  }

  /** Removes an open lot, or replaces it with `rest`. */
  replace(lot: Lot, rest: Lot | undefined): void {
    if (lot === this.first) return this.replaceFirst(rest);
    const lots = this.toArray();
    lots.splice(lots.indexOf(lot), 1, ...(rest === undefined ? [] : [rest]));
    return this.replaceAll(lots);
  }

  replaceAll(lots: readonly Lot[]): void {
    this.#lots = [...lots];
    this.#start = 0;
    this.#end = lots.length;
    this.#first = undefined;
  }

  toArray(): Lot[] {
    const lots = this.#lots.slice(this.#start, this.#end);
    if (this.#first !== undefined) lots[0] = this.#first;
    return lots;
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
