// Tests that what was stored about entries by earlier releases is recognised: a digest is made of the same text for ever.

import { createHash } from 'node:crypto';
import { expect, test } from 'vitest';
import type { Id } from '../../kit/id.ts';
import type { StatementEntry } from '../../model/custody/statement.ts';
import { toTransactionInput } from './entry-input.ts';
import { custodianReference, statedDigest } from './entry-identity.ts';

test.each([
  { kind: 'flow', amount: '5' },
  { kind: 'trade', amount: '-105.5', quantity: '10', price: '10', fees: '5.5', comment: 'A "quoted" — note' },
  { kind: 'dividend', amount: '3', currency: 'USD', executedAt: '2026-03-02T10:00:00Z' },
] as const)('the digest of $kind is that of its fields by name, without its reference', (parts) => {
  const records = { account: 'a1' as Id, depository: 'd1' as Id, instrument: 'i1' as Id, targetInstrument: null };
  const entry = { item: 'entry', place: { line: 1 }, status: 'booked', currency: 'CHF', ...parts } as const;
  const stated: Record<string, unknown> = { ...entry, date: '2026-03-02' };
  const input = toTransactionInput(stated as unknown as StatementEntry, { ...records, counterAccount: null }, 'R-1');
  const fields = Object.entries(input).filter(([name]) => name !== 'externalReference');
  const text = JSON.stringify(fields.toSorted(([one], [other]) => (one < other ? -1 : 1)));
  expect(statedDigest(input)).toBe(createHash('sha256').update(text).digest('hex').slice(0, 32));
  expect(fields.length).toBeGreaterThan(4);
});

test.each([
  ['none', undefined, null],
  ['blank', '  ', null],
  ['as it is', ' A-1 ', 'A-1'],
  ['of the greatest length', 'x'.repeat(200), 'x'.repeat(200)],
  ['too long for the ledger', 'x'.repeat(201), `sha256:${createHash('sha256').update('x'.repeat(201)).digest('hex')}`],
])('the reference of a custodian: %s', (_what, reference, kept) => {
  expect(custodianReference(reference)).toBe(kept);
});
