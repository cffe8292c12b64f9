// Checks what a row's money is in the reference currency, where it is paid in the instrument's currency, in a third one, and without a rate.

import { expect, test } from 'vitest';
import { eventWith } from '../../../tests/setup/engine/generated-facts.ts';
import { day, fixed } from '../../../tests/setup/engine/valued-holding.ts';
import { oneFixed, type Fixed } from '../../kit/fixed.ts';
import { ExchangeRates } from './exchange-rates.ts';
import { referenceMoney } from './reference-money.ts';

const rates = new ExchangeRates(
  [
    ['USD', '0.5'],
    ['CHF', '0.9'],
  ].map(([base, rate]) => ({ base: base!, quote: 'EUR', points: [{ day: day('2024-01-01'), value: fixed(rate!) }] })),
);

interface Paid {
  readonly value: Fixed;
  readonly amount: Fixed;
  readonly currency?: string;
  readonly accrued?: Fixed;
}

function moneyOf({ value, amount, currency = 'USD', accrued }: Paid, instrumentCurrency = 'USD') {
  const details = accrued === undefined ? null : { accrued };
  const event = eventWith({ kind: 'trade', day: day('2024-01-02'), account: null, value, amount, currency, details });
  return referenceMoney({ ...event, row: 1 }, { currency: instrumentCurrency, referenceCurrency: 'EUR', rates });
}

test.each<[fact: string, paid: Paid, amount: Fixed, rate: Fixed]>([
  ['is its value at the day’s rate', { value: fixed('100'), amount: fixed('-100') }, fixed('50'), fixed('0.5')],
  [
    'paid in a third currency is what was paid, at the rate of that',
    { value: fixed('100'), amount: fixed('-80'), currency: 'CHF' },
    fixed('72'),
    fixed('0.72'),
  ],
  [
    'paid in the reference currency is what was paid',
    { value: fixed('100'), amount: fixed('-60'), currency: 'EUR' },
    fixed('60'),
    fixed('0.6'),
  ],
  [
    'paid with interest is the part of it without interest',
    { value: fixed('100'), amount: fixed('-90'), currency: 'EUR', accrued: fixed('20') },
    fixed('75'),
    fixed('0.75'),
  ],
  [
    'for which nothing was paid is its value at the day’s rate',
    { value: fixed('100'), amount: 0n, currency: 'CHF' },
    fixed('50'),
    fixed('0.5'),
  ],
  [
    'that its interest makes up for is its value at the day’s rate',
    { value: fixed('100'), amount: fixed('-1'), currency: 'EUR', accrued: fixed('-100') },
    fixed('50'),
    fixed('0.5'),
  ],
  ['of nothing has the day’s rate', { value: 0n, amount: 0n }, 0n, fixed('0.5')],
  ['that rounds to nothing has the day’s rate', { value: 1n, amount: -1n }, 0n, fixed('0.5')],
  ['of the smallest unit', { value: 2n, amount: -2n }, 1n, fixed('0.5')],
  ['of the smallest unit that was paid', { value: 2n, amount: -1n, currency: 'EUR' }, 1n, fixed('0.5')],
  ['for the smallest unit', { value: 1n, amount: fixed('-3'), currency: 'EUR' }, fixed('3'), fixed('3') * oneFixed],
])('money %s', (_fact, paid, amount, rate) => {
  expect(moneyOf(paid)).toEqual({ amount, rate });
});

test('money in the reference currency is its value, at a rate of one', () => {
  expect(moneyOf({ value: fixed('7'), amount: fixed('-9'), currency: 'CHF' }, 'EUR')).toEqual({
    amount: fixed('7'),
    rate: oneFixed,
  });
});

test('money without a rate is not known', () => {
  const unknown = { amount: 0n, rate: oneFixed, gap: { lacks: 'reference-cost', conversion: { to: 'EUR' } } };
  const [value, amount] = [fixed('7'), fixed('-9')];
  expect(moneyOf({ value, amount, currency: 'JPY' })).toMatchObject({
    ...unknown,
    gap: { conversion: { from: 'JPY' } },
  });
  expect(moneyOf({ value, amount, currency: 'JPY' }, 'JPY')).toMatchObject(unknown);
});
