// Tests how a transaction that is not booked yet looks to the engine: its moment, what it leaves out, and the lots it names.

import { expect, test } from 'vitest';
import { toDayNumber, type CalendarDate } from '../../kit/calendar-date.ts';
import { dayMs } from '../../kit/clock.ts';
import type { Id } from '../../kit/id.ts';
import { unidentifiedInstrument } from '../../engine/ledger/position-key.ts';
import type { LedgerTransaction } from '../../engine/ledger/transaction.ts';
import { engineTransaction, lotKeyOf, type FindTransaction } from './engine-transaction.ts';
import type { ResolvedTransaction } from './transaction-resolution.ts';

const date = '2026-03-12' as CalendarDate;
const day = toDayNumber(date);
const nothing: FindTransaction = () => undefined;

function translate(fields: object): LedgerTransaction {
  const resolved = { kind: 'fee', date, settlementDate: null, executedAt: null, value: '0', ...fields };
  return engineTransaction(resolved as ResolvedTransaction, 7, nothing);
}

test.each([
  ['without one', null, null],
  ['a day before the day begins', (day - 1) * dayMs, 0],
  ['earlier than any clock of the world shows that day', (day - 1) * dayMs - 1, 0],
  ['a moment of the day', day * dayMs + 5, dayMs + 5],
  ['the last that some clock shows', (day + 2) * dayMs - 1, 3 * dayMs - 1],
  ['later than any clock shows that day', (day + 2) * dayMs, 3 * dayMs - 1],
])('the moment of a transaction counts within the clocks of the world: %s', (_what, executedAt, time) => {
  expect(translate({ executedAt }).time).toBe(time);
});

test('what a transaction does not state is nothing, and units of an unnamed instrument are units of something', () => {
  const left = { quantity: 0n, amount: 0n, currency: 'XXX', price: null, settlement: null, details: null };
  expect(translate({})).toMatchObject({ ...left, row: 7, day, instrument: null });
  expect(translate({ kind: 'trade', quantity: '0.000000000000000001', settlementDate: '2026-03-13' })).toMatchObject({
    ...left,
    quantity: 1n,
    settlement: day + 1,
    instrument: unidentifiedInstrument,
  });
});

const client = 'c'.repeat(24) as Id;
const opening = 'a'.repeat(24) as Id;

test.each([
  ['of the client', client, { row: 5, ordinal: 0 }],
  ['of all holders', null, { row: 5, ordinal: 0 }],
  ['of another client', 'd'.repeat(24) as Id, { row: 0, ordinal: 0 }],
])('a lot is named by the transaction that opened it: one %s', (_what, owner, key) => {
  const find = () => ({ client: owner, sequence: 5 }) as unknown as ReturnType<FindTransaction>;
  expect(lotKeyOf(opening, client, find)).toEqual(key);
  expect(lotKeyOf(`${opening}.2`, client, find)).toEqual({ ...key, ordinal: 2 });
});

test('a lot that nothing opened has no row, and that of an upload has one for its day', () => {
  expect(lotKeyOf(opening, client, nothing)).toEqual({ row: 0, ordinal: 0 });
  const [one, other] = [`upload:${date}.1`, 'upload:2026-03-13'].map((id) => lotKeyOf(id, client, nothing));
  expect([one!.ordinal, other!.ordinal, one!.row - other!.row]).toEqual([1, 0, 1]);
});
