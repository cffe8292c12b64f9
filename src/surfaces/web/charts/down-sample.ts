// Thins a long series for drawing: of each stretch it keeps the first, lowest, highest and last point, so no extreme is lost.

export interface Position {
  readonly at: number;
  readonly value: number;
}

/** At most `countMax` (at least 4) of the points, in their order. */
export function downSample(points: readonly Position[], countMax: number): readonly Position[] {
  if (points.length <= countMax) return points;
  const stretches = Math.floor(countMax / 4);
  return Array.from({ length: stretches }, (_, index) => {
    const start = Math.floor((index * points.length) / stretches);
    return keptOf(points.slice(start, Math.floor(((index + 1) * points.length) / stretches)));
  }).flat();
}

function keptOf(stretch: readonly Position[]): readonly Position[] {
  let [low, high] = [0, 0];
  for (const [index, { value }] of stretch.entries()) {
    if (value < stretch[low]!.value) low = index;
    if (value > stretch[high]!.value) high = index;
  }
  const kept = new Set([0, low, high, stretch.length - 1]);
  return stretch.filter((_, index) => kept.has(index));
}
