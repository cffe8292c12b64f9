// A seeded random number generator in integer arithmetic, so that its numbers are the same on every machine.

/** Marsaglia's xorshift with 32 bits of state. */
export class SeededRandom {
  #state: number;

  constructor(seed: number) {
    this.#state = (seed * 0x9e3779b1) >>> 0 || 1;
  }

  /** Returns a whole number from 0 up to, but not including, `end`. */
  integerBelow(end: number): number {
    let state = this.#state;
    state ^= state << 13;
    state ^= state >>> 17;
    state ^= state << 5;
    this.#state = state >>> 0;
    return this.#state % end;
  }

  bytes(length: number): Uint8Array {
    return Uint8Array.from({ length }, () => this.integerBelow(256));
  }
}
