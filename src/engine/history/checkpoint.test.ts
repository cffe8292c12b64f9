// Checks what uploads state for each position, and what a newer statement says by not listing it.

import { describe, expect, test } from 'vitest';

import { cashInstrument, feesOwedInstrument } from '../ledger/position-key.ts';
import { PositionTable } from '../ledger/position-table.ts';
import { checkpointDay, checkpointRow, checkpointsByPosition } from './checkpoint.ts';
import type { Upload } from './facts.ts';

const accounts = new Map([
  ['main', { currency: 'EUR', depositories: ['own', 'shared'] }],
  ['other', { currency: 'EUR', depositories: ['shared'] }],
]);

function units(day: number, quantity: bigint, parts: { depository?: string; instrument?: string } = {}): Upload {
  const money = { marketValue: 1n, accrued: 0n, exchange: null };
  return { kind: 'units', day, depository: 'own', instrument: 'share', quantity, ...money, ...parts };
}

/** By place and instrument: the days and quantities, with a ! where a statement says that nothing is left. */
function stated(...uploads: readonly Upload[]): Record<string, string> {
  const table = new PositionTable(accounts);
  const found = [...checkpointsByPosition(uploads, table)].map(([position, checkpoints]) => {
    const { account, depository, instrument } = table.key(position);
    expect(checkpoints.every((one) => one.position === position)).toBe(true);
    const texts = checkpoints.map(({ day, quantity, upload }) => `${day}: ${quantity}${upload === null ? '!' : ''}`);
    return [[account ?? '', depository ?? '', instrument].join('/'), texts.join(', ')];
  });
  return Object.fromEntries(found);
}

const place = 'main/own/share';

describe('uploads', () => {
  test('count by day, whatever their order', () => {
    expect(stated(units(9, 2n), units(5, 1n), units(7, 3n))).toEqual({ [place]: '5: 1, 7: 3, 9: 2' });
  });

  test('of one day replace each other', () => {
    expect(stated(units(5, 1n), units(5, 2n))).toEqual({ [place]: '5: 2' });
  });

  test('of zero units say that nothing is left, except where accounts share a depository', () => {
    expect(stated(units(5, 1n), units(7, 0n))).toEqual({ [place]: '5: 1, 7: 0!' });
    expect(stated(units(5, 0n, { depository: 'shared' }))).toEqual({ '/shared/share': '5: 0' });
  });

  test('of cash are as stated, and of fees owed the other way', () => {
    expect(
      stated(
        { kind: 'cash', day: 5, account: 'main', balance: -3n },
        { kind: 'fees', day: 5, account: 'main', owed: 4n },
      ),
    ).toEqual({
      [`main//${cashInstrument('EUR')}`]: '5: -3!',
      [`main//${feesOwedInstrument('EUR')}`]: '5: -4!',
    });
  });
});

describe('a statement', () => {
  const fund = { instrument: 'fund' };

  test('says that what an earlier one listed and it does not is gone, once', () => {
    expect(stated(units(9, 1n, fund), units(5, 1n), units(5, 2n, fund), units(7, 3n, fund))).toEqual({
      [place]: '5: 1, 7: 0!',
      'main/own/fund': '5: 2, 7: 3, 9: 1',
    });
  });

  test('may list again what was gone, and leave it out again', () => {
    expect(stated(units(5, 1n), units(7, 3n, fund), units(9, 4n), units(11, 5n, fund))).toEqual({
      [place]: '5: 1, 7: 0!, 9: 4, 11: 0!',
      'main/own/fund': '7: 3, 9: 0!, 11: 5',
    });
  });

  test('of zero units has nothing to leave out later', () => {
    expect(stated(units(5, 0n), units(7, 3n, fund))).toEqual({ [place]: '5: 0!', 'main/own/fund': '7: 3' });
  });

  test('says nothing about other depositories', () => {
    expect(stated(units(5, 1n), units(7, 3n, { depository: 'shared' }))).toEqual({
      [place]: '5: 1',
      '/shared/share': '7: 3',
    });
  });
});

test('lots of uploads are numbered by their day, below all rows', () => {
  expect([0, 1, 20_000].map(checkpointRow)).toEqual([-1_000_000, -1_000_001, -1_020_000]);
  expect([0, 1, 20_000].map((day) => checkpointDay(checkpointRow(day)))).toEqual([0, 1, 20_000]);
});
