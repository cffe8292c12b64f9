// Finds the lots that sales name in an array that only grows, without going over it for each name.

import type { Lot, LotKey } from './lot.ts';

export class LotPlaces {
  readonly #indexes = new Map<string, number>();
  /** How many lots of the array are known. */
  #count = 0;

  /** Always of the same array. */
  find(key: LotKey, lots: readonly Lot[]): number | undefined {
    for (; this.#count < lots.length; this.#count++) this.#add(lots[this.#count]!);
    return this.#indexes.get(textOf(key));
  }

  #add(lot: Lot): void {
    const key = textOf(lot);
    if (!this.#indexes.has(key)) this.#indexes.set(key, this.#count);
  }
}

function textOf({ row, ordinal }: LotKey): string {
  return `${row} ${ordinal}`;
}
