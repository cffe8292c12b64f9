// Tests that everything a client has adds to the estimate of its memory, the second of a kind as much as the first.

import { expect, test } from 'vitest';
import type { Ledger } from '../../../engine/ledger/ledger.ts';
import type { LoadedInputs } from './build-history.ts';
import { inputsBytes } from './inputs-bytes.ts';

const kinds = ['accounts', 'depositories', 'portfolios', 'reportingEntities', 'instruments', 'uploads'] as const;
const ofLedger = ['positions', 'rows', 'bytes'] as const;
type Kind = (typeof kinds)[number] | (typeof ofLedger)[number];

/** The estimate for a client with so many of each kind. */
function weigh(counts: Partial<Record<Kind, number>>): number {
  const listOf = (kind: Kind): number[] => Array.from({ length: counts[kind] ?? 0 }, (_none, index) => index);
  const mapOf = (kind: Kind): Map<number, number> => new Map(listOf(kind).map((one) => [one, one]));
  const [accounts, depositories, portfolios, reportingEntities, instruments] = kinds.map(mapOf);
  const structure = { accounts, depositories, portfolios, reportingEntities };
  const inputs = { structure, instruments, uploads: listOf('uploads') } as unknown as LoadedInputs;
  const ledger = {
    positions: listOf('positions'),
    chunks: [{ day: listOf('rows') }, { day: listOf('rows') }],
    bytes: () => 1_000 * (counts.bytes ?? 0),
  } as unknown as Ledger;
  return inputsBytes(inputs, ledger);
}

test.each([...kinds, ...ofLedger])('%s', (kind) => {
  const [none, one, two] = [0, 1, 2].map((count) => weigh({ [kind]: count }));
  expect(none).toBeGreaterThan(0);
  expect(one! - none!).toBeGreaterThanOrEqual(100);
  expect(two! - one!).toBe(one! - none!);
});

test('rows of all parts of a ledger count', () => {
  expect(weigh({ rows: 10 }) - weigh({})).toBe(20 * ((weigh({ rows: 1 }) - weigh({})) / 2));
});
