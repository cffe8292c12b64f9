// The digest of a ledger: the same for the same rows, however they were read, and another one for any change of a row.

import { describe, expect, test } from 'vitest';
import type { InternedNames } from '../postgres/binary/column-builder.ts';
import type { DecimalDigits } from '../postgres/binary/numeric.ts';
import type { LedgerBlock, LiveBlock } from './ledger-block.ts';
import { rowsDigest } from './row-digest.ts';

interface Row {
  readonly sequence: number;
  readonly id: number;
  readonly day: number;
  readonly settlement: number;
  readonly executed: number;
  readonly account: string | null;
  readonly kind: string | null;
  readonly depository: string | null;
  readonly instrument: string | null;
  readonly currency: string | null;
  readonly quantity: number | bigint | null;
  readonly amount: number | bigint | null;
  readonly price: number | bigint | null;
  readonly value: number | bigint | null;
  readonly places: number;
  readonly details: object | undefined;
}

const buy: Row = {
  sequence: 5,
  id: 1,
  day: 20_000,
  settlement: 20_002,
  executed: Number.NaN,
  account: 'a',
  kind: 'trade',
  depository: null,
  instrument: 'x',
  currency: 'EUR',
  quantity: 10,
  amount: -100,
  price: 10,
  value: 100,
  places: 0,
  details: undefined,
};

function namesOf(texts: readonly (string | null)[]): InternedNames {
  const names = [...new Set(texts.filter((text) => text !== null))];
  return { names, numbers: Int32Array.from(texts, (text) => (text === null ? -1 : names.indexOf(text))) };
}

function digitsOf(rows: readonly Row[], name: 'quantity' | 'amount' | 'price' | 'value'): DecimalDigits {
  const values = rows.map((row) => row[name]);
  return {
    digits: Float64Array.from(values, (value) => (typeof value === 'number' ? value : Number.NaN)),
    places: Uint8Array.from(rows, ({ places }) => places),
    wide: new Map(values.flatMap((value, row) => (typeof value === 'bigint' ? [[row, value] as const] : []))),
  };
}

function blockOf(rows: readonly Row[], removed: readonly number[] = []): LiveBlock {
  const names = (name: 'account' | 'kind' | 'depository' | 'instrument' | 'currency'): InternedNames =>
    namesOf(rows.map((row) => row[name]));
  const block: Partial<Record<keyof LedgerBlock, unknown>> = {
    sequence: Float64Array.from(rows, ({ sequence }) => sequence),
    id: Uint8Array.from(rows.flatMap(({ id }) => [...Array<number>(11).fill(0), id])),
    day: Int32Array.from(rows, ({ day }) => day),
    settlement: Int32Array.from(rows, ({ settlement }) => settlement),
    executed: Float64Array.from(rows, ({ executed }) => executed),
    account: names('account'),
    kind: names('kind'),
    depository: names('depository'),
    instrument: names('instrument'),
    currency: names('currency'),
    quantity: digitsOf(rows, 'quantity'),
    amount: digitsOf(rows, 'amount'),
    price: digitsOf(rows, 'price'),
    value: digitsOf(rows, 'value'),
    details: new Map(rows.flatMap(({ details }, row) => (details === undefined ? [] : [[row, details] as const]))),
  };
  return { rows: block as unknown as LedgerBlock, removed: new Set(removed) };
}

function digest(...blocks: readonly LiveBlock[]): string {
  const steps = rowsDigest(blocks);
  for (;;) {
    const { done, value } = steps.next();
    if (done === true) return value;
  }
}

const many = Array.from({ length: 50 }, (_none, index): Row => ({ ...buy, id: index, sequence: index * 7 }));

test('the same rows have the same digest, in whatever order and blocks they were read', () => {
  const whole = digest(blockOf(many));
  expect(digest(blockOf(many.toReversed()))).toBe(whole);
  expect(digest(blockOf(many.slice(0, 20)), blockOf(many.slice(20)))).toBe(whole);
  const closed = many.map((row): Row => ({ ...row, id: row.id + 100 }));
  const places = closed.map((_row, index) => many.length + index);
  expect(digest(blockOf([...many, ...closed], places))).toBe(whole);
  expect(digest(blockOf(many), blockOf(closed, [...closed.keys()]))).toBe(whole);
  expect(digest()).toBe('0.0.0.0');
});

describe('any change of a row gives another digest, in each of its parts', () => {
  const changes: readonly Partial<Row>[] = [
    { sequence: 6 },
    { sequence: 5 + 2 ** 32 },
    { id: 2 },
    { day: 20_001 },
    { settlement: 20_003 },
    { executed: 0 },
    { account: 'b' },
    { account: null },
    { kind: 'fee' },
    { depository: 'd' },
    { depository: 'a', account: null },
    { instrument: 'y' },
    { instrument: 'xx' },
    { currency: 'USD' },
    { quantity: 11 },
    { quantity: 10n },
    { amount: 100 },
    { price: null },
    { price: 100, value: 10 },
    { value: 101 },
    { places: 1 },
    { details: {} },
    { details: { accrued: '1' } },
  ];
  const before = digest(blockOf([buy])).split('.');

  test.each(changes)('%o', (change) => {
    const [count, ...sums] = digest(blockOf([{ ...buy, ...change }])).split('.');
    expect(count).toBe('1');
    expect(sums.filter((sum, index) => sum === before[index + 1])).toEqual([]);
  });

  test('no two of them are the same', () => {
    const digests = changes.map((change) => digest(blockOf([{ ...buy, ...change }])));
    expect(new Set(digests).size).toBe(changes.length);
  });
});
