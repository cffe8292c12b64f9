// Finds the known text that is most like another one, to suggest it where a name was misspelt.

/** The pairs of neighbouring characters, with marks at both ends, and how often each occurs. */
function countPairs(text: string): ReadonlyMap<string, number> {
  const marked = [...` ${text.normalize('NFKC').toLowerCase()} `];
  const pairs = new Map<string, number>();
  for (const [at, character] of marked.slice(1).entries()) {
    const pair = `${marked[at]}${character}`;
    pairs.set(pair, (pairs.get(pair) ?? 0) + 1);
  }
  return pairs;
}

const sumOf = (counts: Iterable<number>): number => [...counts].reduce((sum, count) => sum + count, 0);

/** The share of pairs that two texts have in common (the Dice coefficient): 1 for equal texts, 0 for texts without a common pair. */
function similarity(one: ReadonlyMap<string, number>, other: ReadonlyMap<string, number>): number {
  const common = sumOf([...one].map(([pair, count]) => Math.min(count, other.get(pair) ?? 0)));
  return (2 * common) / (sumOf(one.values()) + sumOf(other.values()));
}

/** The candidate whose text is most like `text`; the first of several alike. Undefined if there is none. */
export function findNearest<T>(
  text: string,
  candidates: readonly T[],
  textOf: (candidate: T) => string,
): T | undefined {
  const pairs = countPairs(text);
  let nearest: { readonly candidate: T; readonly score: number } | undefined;
  for (const candidate of candidates) {
    const score = similarity(pairs, countPairs(textOf(candidate)));
    if (nearest === undefined || score > nearest.score) nearest = { candidate, score };
  }
  return nearest?.candidate;
}
