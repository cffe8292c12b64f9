// Chooses mutants by a seed: all kinds in turn, at most one of a line, the same ones for the same seed and source.

import type { Mutant } from './mutants.ts';

/** A small generator of numbers from 0 to 1, the same for the same seed (mulberry32). */
export function seededRandom(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

export function chooseMutants(all: readonly Mutant[], count: number, seed: number): Mutant[] {
  const random = seededRandom(seed);
  const kinds = [...Map.groupBy(all, ({ kind }) => kind)].toSorted(([one], [other]) => (one < other ? -1 : 1));
  // In an order by the seed, too: a small sample has not always the same kinds.
  const byKind = shuffled(kinds, random).map(([, mutants]) => shuffled(mutants, random));
  const chosen: Mutant[] = [];
  const lines = new Set<string>();
  while (chosen.length < count && byKind.some(({ length }) => length > 0)) {
    for (const mutants of byKind) {
      const mutant = takeOnFreshLine(mutants, lines);
      if (mutant !== undefined && chosen.length < count) chosen.push(mutant);
    }
  }
  return chosen;
}

function takeOnFreshLine(mutants: Mutant[], lines: Set<string>): Mutant | undefined {
  for (let mutant = mutants.pop(); mutant !== undefined; mutant = mutants.pop()) {
    const line = `${mutant.file}:${mutant.line}`;
    if (lines.has(line)) continue;
    lines.add(line);
    return mutant;
  }
  return undefined;
}

function shuffled<T>(items: readonly T[], random: () => number): T[] {
  return items
    .map((item) => [random(), item] as const)
    .toSorted(([one], [other]) => one - other)
    .map(([, item]) => item);
}
