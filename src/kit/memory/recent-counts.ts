// Counts how often each of the texts of a file of any size came, as far as it came lately: in little memory, by numbers made of the texts.

import { NumberCounts } from './number-counts.ts';

/** A number of 52 bits that hardly any other text has. Two products of 32 bits, as in cyrb53. */
function numberOf(text: string): number {
  let [high, low] = [0xdead_beef, 0x41c6_ce57];
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at);
    high = Math.imul(high ^ code, 0x9e37_79b1);
    low = Math.imul(low ^ code, 0x5f35_6495);
  }
  high = Math.imul(high ^ (high >>> 16), 0x85eb_ca6b) ^ Math.imul(low ^ (low >>> 13), 0xc2b2_ae35);
  low = Math.imul(low ^ (low >>> 16), 0x85eb_ca6b) ^ Math.imul(high ^ (high >>> 13), 0xc2b2_ae35);
  return (high & 0xf_ffff) * 0x1_0000_0000 + (low >>> 0);
}

export class RecentCounts {
  readonly #rememberedMin: number;
  #counts = new NumberCounts();
  #earlier = new NumberCounts();

  /** At least so many different texts are remembered, the latest, and at most twice as many. */
  constructor(rememberedMin: number) {
    this.#rememberedMin = rememberedMin;
  }

  /** Returns the how-manieth of its kind it is. */
  increment(text: string): number {
    const key = numberOf(text);
    const before = this.#counts.get(key) || this.#earlier.get(key);
    this.#counts.set(key, before + 1);
    if (this.#counts.size >= this.#rememberedMin) [this.#earlier, this.#counts] = [this.#counts, new NumberCounts()];
    return before + 1;
  }
}
