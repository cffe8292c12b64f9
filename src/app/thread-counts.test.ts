// A node has threads for what its role is: reports, rounds or both, so that a report never waits for a round.

import { expect, test } from 'vitest';
import { threadCounts } from './thread-counts.ts';

test.each([
  ['all', 0, { reports: 0, rounds: 0 }],
  ['all', 1, { reports: 1, rounds: 1 }],
  ['all', 7, { reports: 7, rounds: 4 }],
  ['api', 3, { reports: 3, rounds: 0 }],
  ['worker', 3, { reports: 0, rounds: 3 }],
] as const)('role %s with WORK_THREADS=%i', (role, workThreads, counts) => {
  expect(threadCounts({ role, workThreads })).toEqual(counts);
});
