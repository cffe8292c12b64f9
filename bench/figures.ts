// Shared by the reports: medians of rounds, and ratios of the same round with minimum and maximum.

export function median(values: readonly number[]): number {
  return values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)]!;
}

/** Compares each round with the same round of the other contender. */
export function ratio(one: readonly number[], other: readonly number[]): string {
  const ratios = one.map((figure, round) => (100 * figure) / other[round]!);
  const [least, greatest] = [Math.min(...ratios), Math.max(...ratios)].map((value) => value.toFixed(0));
  return `${median(ratios).toFixed(0)} % (${least}–${greatest})`;
}
