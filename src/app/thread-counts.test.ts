// A node has threads for what its role is: reports, rounds or both, so that a report never waits for a round.

import { expect, test } from 'vitest';
import { ledgerBytesMax, threadCounts } from './thread-counts.ts';

test.each([
  ['all', 0, { reports: 0, rounds: 0 }],
  ['all', 1, { reports: 1, rounds: 1 }],
  ['all', 7, { reports: 7, rounds: 4 }],
  ['api', 3, { reports: 3, rounds: 0 }],
  ['worker', 3, { reports: 0, rounds: 3 }],
] as const)('role %s with WORK_THREADS=%i', (role, workThreads, counts) => {
  expect(threadCounts({ role, workThreads })).toEqual(counts);
});

test('the main thread has an eighth of the memory for ledgers, and the threads for reports and rounds share the rest', () => {
  const config = { role: 'all', workThreads: 2, ledgerMemoryMb: 24 } as const;
  expect(ledgerBytesMax(config, 'main')).toBe(3 * 1_048_576);
  expect(ledgerBytesMax(config, 'work')).toBe(7 * 1_048_576); // two for reports, one for rounds
  expect(ledgerBytesMax({ ...config, workThreads: 1 }, 'work')).toBe(10.5 * 1_048_576); // one each
  expect(ledgerBytesMax({ ...config, workThreads: 0 }, 'main')).toBe(24 * 1_048_576);
});
