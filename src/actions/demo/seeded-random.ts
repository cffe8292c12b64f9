// Numbers that look like chance and are the same everywhere: whole numbers from a seed, without a double in sight.

/** Marsaglia's xorshift with 32 bits. */
export class SeededRandom {
  #state: number;

  constructor(seed: number) {
    this.#state = (seed * 0x9e3779b1) >>> 0 || 1;
  }

  /** From 0 up to, and without, `end`. */
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
