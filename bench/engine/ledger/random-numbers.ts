// Pseudorandom numbers that are the same for the same seed on every machine.

export interface RandomNumbers {
  /** At least 0, less than 1. */
  fraction(): number;
  /** An integer between both bounds, inclusive. */
  between(least: number, greatest: number): number;
}

/** The Mulberry32 generator. */
export function randomNumbers(seed: number): RandomNumbers {
  let state = seed | 0;
  const fraction = (): number => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
  return { fraction, between: (least, greatest) => least + Math.floor(fraction() * (greatest - least + 1)) };
}
