// A node has threads for what its role is: reports, rounds or both, so that a report never waits for a round.

import { expect, test } from 'vitest';
import { ledgerBytesMax, threadCounts, usualLedgerMemoryMb, usualWorkThreads } from './thread-counts.ts';

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

test.each([
  [1, 1],
  [2, 1],
  [3, 2],
  [8, 7],
  [9, 8],
  [10, 8],
  [64, 8],
])('of %i processors, %i are for heavy work', (processors, threads) => {
  expect(usualWorkThreads(processors)).toBe(threads);
});

const mebibyte = 2 ** 20;

test.each([
  [128, 64],
  [512, 64],
  [519, 64],
  [520, 65],
  [1_024, 128],
  [32_767, 4_095],
  [32_768, 4_096],
  [65_536, 4_096],
])('of %i MiB of memory, %i are for ledgers', (available, ledgers) => {
  expect(usualLedgerMemoryMb(available * mebibyte)).toBe(ledgers);
  expect(usualLedgerMemoryMb((available + 1) * mebibyte - 1)).toBe(ledgers);
});
