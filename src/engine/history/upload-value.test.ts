// Checks what an upload says about the units of a position, down to the smallest unit.

import { describe, expect, test } from 'vitest';

import { ExchangeRates } from '../currencies/exchange-rates.ts';
import { oneFixed } from '../../kit/fixed.ts';
import type { Checkpoint } from './checkpoint.ts';
import { datedUploads, uploadAsOf, uploadedMoney, uploadedValues, uploadShare } from './upload-value.ts';

function checkpoint(day: number, parts: Partial<NonNullable<Checkpoint['upload']>> = {}): Checkpoint {
  const upload = {
    kind: 'units' as const,
    day,
    depository: 'north',
    instrument: 'share',
    quantity: 4n,
    marketValue: 10n,
    accrued: 2n,
    exchange: null,
    ...parts,
  };
  return { position: 0, day, quantity: upload.quantity, upload };
}

const ended = (day: number): Checkpoint => ({ position: 0, day, quantity: 0n, upload: null });
const [stated] = uploadedValues([checkpoint(5)], 'USD');

test('what is uploaded has the currency of its instrument, unless it states a rate into another', () => {
  const exchange = { rate: 3n * oneFixed, currency: 'CHF' };
  const one = { day: 5, quantity: 4n, marketValue: 10n, accrued: 2n, currency: 'USD' };
  expect(uploadedValues([checkpoint(5), ended(6), checkpoint(7, { exchange })], 'USD')).toEqual([
    { ...one, rate: oneFixed, reportingCurrency: 'USD' },
    { ...one, day: 7, rate: 3n * oneFixed, reportingCurrency: 'CHF' },
  ]);
});

test('an upload counts until the next statement, if that no longer lists it', () => {
  const uploads = datedUploads([checkpoint(5), ended(6), checkpoint(7), checkpoint(8), ended(9)], 'USD');
  expect(uploads.map(({ day, endedOn }) => [day, endedOn])).toEqual([
    [5, 6],
    [7, undefined],
    [8, 9],
  ]);
});

test('after the day on which a statement no longer lists it, nothing is left of an upload', () => {
  const value = { ...stated!, endedOn: 7 };
  expect([uploadAsOf(value, 6), uploadAsOf(value, 7), uploadAsOf(stated!, 9)]).toEqual([value, value, stated]);
  expect(uploadAsOf(value, 8)).toEqual({ ...value, day: 7, listedOn: 5, quantity: 0n, marketValue: 0n, accrued: 0n });
});

test.each([
  ['all units have all', 4n, 4n, [10n, 2n]],
  ['some have their share, rounded to the nearest even unit', 4n, 3n, [8n, 2n]],
  ['a single unit has its share', 4n, 1n, [2n, 0n]],
  ['no units have nothing', 4n, 0n, [0n, 0n]],
])('of an upload, %s', (_what, quantity, share, [marketValue, accrued]) => {
  const value = { ...stated!, quantity };
  expect(uploadShare(value, share)).toEqual({ ...value, quantity: share, marketValue, accrued });
});

test('an upload without units is not shared', () => {
  const value = { ...stated!, quantity: 0n };
  expect(uploadShare(value, 3n)).toBe(value);
});

describe('the money of an upload', () => {
  const rates = new ExchangeRates([
    { base: 'EUR', quote: 'USD', points: [{ day: 0, value: 2n * oneFixed }] },
    { base: 'EUR', quote: 'GBP', points: [{ day: 0, value: oneFixed / 2n }] },
  ]);
  const context = { currency: 'USD', referenceCurrency: 'EUR', rates };
  const nothing = { quantityAndCost: { quantity: 0n, cost: 0n, referenceCost: 0n }, value: 0n, currency: 'USD' };

  test('is its market value as a cost, and with interest as a flow', () => {
    expect(uploadedMoney(checkpoint(5), 4n, context)).toEqual({
      quantityAndCost: { quantity: 4n, cost: 10n, referenceCost: 5n },
      value: 12n,
      currency: 'USD',
    });
    const exchange = { rate: 3n * oneFixed, currency: 'GBP' };
    expect(uploadedMoney(checkpoint(5, { exchange }), 2n, context)).toEqual({
      quantityAndCost: { quantity: 2n, cost: 5n, referenceCost: 30n },
      value: 18n,
      currency: 'GBP',
    });
  });

  test('is nothing for no units, or once a statement no longer lists it; the smallest unit has some', () => {
    expect([uploadedMoney(checkpoint(5), 0n, context), uploadedMoney(ended(5), 4n, context)]).toEqual([
      nothing,
      nothing,
    ]);
    expect(uploadedMoney(checkpoint(5), 1n, context).quantityAndCost).toEqual({
      quantity: 1n,
      cost: 2n,
      referenceCost: 1n,
    });
  });

  test('lacks a cost in the reference currency without a rate, unless there is none', () => {
    const francs = { ...context, currency: 'CHF' };
    const { quantityAndCost, value } = uploadedMoney(checkpoint(5, { marketValue: 1n }), 4n, francs);
    expect(quantityAndCost).toMatchObject({ cost: 1n, referenceCost: 0n, gap: { lacks: 'reference-cost' } });
    expect(value).toBe(3n);
    expect(uploadedMoney(checkpoint(5, { marketValue: 0n }), 4n, francs).quantityAndCost).toEqual({
      quantity: 4n,
      cost: 0n,
      referenceCost: 0n,
    });
  });
});
