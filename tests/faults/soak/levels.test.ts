// The rule of the soak: what grows from the second quarter to the last is not level; what is needed to warm up does not count.

import { expect, test } from 'vitest';
import { judgeLevels } from './levels.ts';
import type { SoakSample } from './sample.ts';

function samplesOf(rss: readonly number[]): SoakSample[] {
  return rss.map((rssMb, index) => ({
    seconds: index,
    rssMb,
    heapMb: 1,
    connections: 1,
    fileHandles: 1,
    requests: 1,
    p50Ms: 1,
    p95Ms: 1,
    p99Ms: 1,
  }));
}

test.each([
  ['grows all the time', [100, 110, 120, 130, 140, 150, 160, 170], false],
  ['grows only at first', [50, 90, 100, 101, 100, 102, 101, 100], true],
  ['has one peak', [100, 100, 100, 100, 100, 300, 100, 100], true],
  ['shrinks', [100, 100, 100, 100, 90, 90, 80, 80], true],
])('memory that %s', (_how, rss, isLevel) => {
  const findings = judgeLevels(samplesOf(rss));
  expect(findings.filter((one) => !one.isLevel).map(({ figure }) => figure)).toEqual(isLevel ? [] : ['rssMb']);
});
