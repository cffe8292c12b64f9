// The rule that says whether a figure of the soak stayed level.

import { percentile } from '../percentile.ts';
import type { SoakSample } from './sample.ts';

/** The first quarter is for warming up: caches fill, pools open. The last is compared with the second, median with median. */
export const growthMax = {
  rssMb: 0.1,
  heapMb: 0.15,
  connections: 0.1,
  fileHandles: 0.1,
  p50Ms: 0.25,
  p95Ms: 0.25,
} as const satisfies Partial<Record<keyof SoakSample, number>>;

export type LevelFigure = keyof typeof growthMax;

export interface LevelFinding {
  readonly figure: LevelFigure;
  readonly secondQuarter: number;
  readonly lastQuarter: number;
  readonly growthMax: number;
  readonly isLevel: boolean;
}

export function judgeLevels(samples: readonly SoakSample[]): LevelFinding[] {
  const quarter = Math.max(1, Math.floor(samples.length / 4));
  const second = samples.slice(quarter, 2 * quarter);
  const last = samples.slice(-quarter);
  return (Object.keys(growthMax) as LevelFigure[]).map((figure) => {
    const medianOf = (some: readonly SoakSample[]): number =>
      percentile(
        some.map((one) => one[figure]),
        0.5,
      );
    const [secondQuarter, lastQuarter] = [medianOf(second), medianOf(last)];
    const isLevel = lastQuarter <= secondQuarter * (1 + growthMax[figure]);
    return { figure, secondQuarter, lastQuarter, growthMax: growthMax[figure], isLevel };
  });
}
