import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { parseCalendarDate, toDayNumber } from '../../kit/calendar-date.ts';
import type { Day } from '../../kit/day.ts';
import { parseDecimal } from '../../kit/decimal.ts';
import { divideRounded, fromFixed, oneFixed, toFixed, type Fixed } from '../../kit/fixed.ts';
import { compareConversions, conversionRate, convertedAmount, staleRateDay } from './exchange-rates.ts';
import { ExchangeRates, MissingRateError, type RateSeries } from './exchange-rates.ts';

const day = (text: string): Day => toDayNumber(parseCalendarDate(text));
const fixed = (text: string): Fixed => toFixed(parseDecimal(text));

function pair(base: string, quote: string, points: Record<string, string>): RateSeries {
  const dated = Object.entries(points).map(([date, value]) => ({ day: day(date), value: fixed(value) }));
  return { base, quote, points: dated };
}

const onDay = '2013-05-22';
const rateOn = (rates: ExchangeRates, from: string, to: string, date = onDay): string =>
  fromFixed(conversionRate(rates.get({ from, to, day: day(date) })));

describe('the rate of a day', () => {
  // fx-pp-carry-forward
  const euroDollar = new ExchangeRates([
    pair('EUR', 'USD', { '2014-12-31': '1.2141', '2015-01-02': '1.2043', '2015-01-05': '1.1915' }),
  ]);

  // Portfolio Performance, TestCurrencyConverter
  test.each([
    ['2015-01-01', '1.2141'],
    ['2015-01-02', '1.2043'],
    ['2015-01-03', '1.2043'],
    ['2015-01-04', '1.2043'],
    ['2015-01-05', '1.1915'],
    ['2026-11-15', '1.1915'],
  ])('on %s is the latest on or before it, %s', (date, rate) => {
    expect(rateOn(euroDollar, 'EUR', 'USD', date)).toBe(rate);
  });

  test('is missing before the first point, and the error names the pair and the day', () => {
    const exchange = { from: 'EUR', to: 'USD', day: day('2014-12-30') };
    expect(euroDollar.find(exchange)).toBeUndefined();
    expect(() => convertedAmount(oneFixed, euroDollar.get(exchange))).toThrow(new MissingRateError(exchange));
    expect(convertedAmount(0n, euroDollar.get(exchange))).toBe(0n);
    expect(new MissingRateError(exchange)).toMatchObject({ exchange, message: 'There is no rate from EUR to USD.' });
  });

  test('from a currency to itself is 1, even if no rate is stored', () => {
    expect(rateOn(new ExchangeRates([]), 'CHF', 'CHF')).toBe('1');
  });
});

describe('paths between currencies', () => {
  const centralBankRates = new ExchangeRates([
    pair('EUR', 'USD', { [onDay]: '1.2923' }),
    pair('EUR', 'DKK', { [onDay]: '7.4535' }),
  ]);

  test('a pair that is stored the other way round is inverted', () => {
    expect(rateOn(centralBankRates, 'USD', 'EUR')).toBe('0.773814129846010988');
  });

  // fx-triangulation-ecb. European Central Bank, 2013-05-22: 7.4535 / 1.2923
  test('two pairs are crossed through the currency they share', () => {
    expect(rateOn(centralBankRates, 'USD', 'DKK')).toBe('5.7676236168072429');
    const { quoted } = centralBankRates.get({ from: 'USD', to: 'DKK', day: day('2013-05-24') });
    expect(quoted).toEqual([
      { base: 'EUR', quote: 'USD', day: day(onDay), rate: fixed('1.2923'), isStale: false },
      { base: 'EUR', quote: 'DKK', day: day(onDay), rate: fixed('7.4535'), isStale: false },
    ]);
  });

  test('the euro is preferred as the middle currency, then the dollar, then all others', () => {
    const through = (pivot: string, rate: string): RateSeries[] => [
      pair('CHF', pivot, { [onDay]: rate }),
      pair(pivot, 'JPY', { [onDay]: '1' }),
    ];
    const all = [...through('AUD', '4'), ...through('USD', '3'), ...through('EUR', '2'), ...through('CAD', '5')];
    expect(rateOn(new ExchangeRates(all), 'CHF', 'JPY')).toBe('2');
    expect(
      rateOn(new ExchangeRates(all.filter(({ base, quote }) => base !== 'EUR' && quote !== 'EUR')), 'CHF', 'JPY'),
    ).toBe('3');
    expect(
      rateOn(new ExchangeRates(all.filter(({ base, quote }) => !/EUR|USD/.test(base + quote))), 'CHF', 'JPY'),
    ).toBe('4');
  });

  test('a middle currency without a rate on the day is skipped', () => {
    const rates = new ExchangeRates([
      pair('CHF', 'EUR', { '2013-05-23': '2' }),
      pair('EUR', 'JPY', { [onDay]: '1' }),
      pair('CHF', 'USD', { [onDay]: '3' }),
      pair('USD', 'JPY', { [onDay]: '1' }),
    ]);
    expect(rateOn(rates, 'CHF', 'JPY')).toBe('3');
    expect(rateOn(rates, 'CHF', 'JPY', '2013-05-23')).toBe('2');
  });

  test('a pair stored in both directions is used as requested, and inverted before its first rate', () => {
    const rates = new ExchangeRates([
      pair('USD', 'CHF', { '2013-05-23': '0.9' }),
      pair('CHF', 'USD', { [onDay]: '1.25' }),
    ]);
    expect(rateOn(rates, 'USD', 'CHF', '2013-05-23')).toBe('0.9');
    expect(rateOn(rates, 'USD', 'CHF')).toBe('0.8');
  });

  const overTwo = [
    pair('EUR', 'CHF', { [onDay]: '0.5' }),
    pair('EUR', 'USD', { [onDay]: '3' }),
    pair('USD', 'JPY', { [onDay]: '100' }),
  ];

  test('two middle currencies are crossed where no chain with one is stored', () => {
    const rates = new ExchangeRates(overTwo);
    expect(rateOn(rates, 'CHF', 'JPY')).toBe('600');
    expect(
      rates.get({ from: 'CHF', to: 'JPY', day: day(onDay) }).quoted.map(({ base, quote }) => base + quote),
    ).toEqual(['EURCHF', 'EURUSD', 'USDJPY']);
    expect(rates.listPaths('CHF', 'JPY').map((path) => path.map(({ isInverse }) => isInverse))).toEqual([
      [true, false, false],
    ]);
  });

  test('a stored chain with one middle currency counts from its first rate, and two are not tried before', () => {
    const later = '2013-05-23';
    const one = [pair('CHF', 'GBP', { [later]: '2' }), pair('GBP', 'JPY', { [later]: '5' })];
    const rates = new ExchangeRates([...overTwo, ...one]);
    expect(rateOn(rates, 'CHF', 'JPY', later)).toBe('10');
    expect(rates.find({ from: 'CHF', to: 'JPY', day: day(onDay) })).toBeUndefined();
  });

  test('a path through three middle currencies is not used', () => {
    const rates = new ExchangeRates([...overTwo, pair('JPY', 'KRW', { [onDay]: '9' })]);
    expect(rates.find({ from: 'CHF', to: 'KRW', day: day(onDay) })).toBeUndefined();
  });

  test('a pair that hundreds of chains could reach is found through the first of them', () => {
    const pivots = Array.from({ length: 60 }, (_, index) => `P${String(index).padStart(2, '0')}`);
    const rates = new ExchangeRates([
      ...pivots.flatMap((pivot) => [
        pair('CHF', `A${pivot}`, { [onDay]: '2' }),
        pair(`B${pivot}`, 'JPY', { [onDay]: '3' }),
      ]),
      ...pivots.flatMap((one) => pivots.map((other) => pair(`A${one}`, `B${other}`, { [onDay]: '1' }))),
    ]);
    expect(rateOn(rates, 'CHF', 'JPY')).toBe('6');
    expect(rates.listPaths('CHF', 'JPY').length).toBe(32);
  });
});

test('conversions are listed by day, then by the currency to convert from and into', () => {
  const sorted = ['9 USD EUR', '10 CHF EUR', '10 CHF JPY', '10 EUR CHF', '11 AUD EUR'].map((text) => {
    const [on, from = '', to = ''] = text.split(' ');
    return { day: Number(on), from, to };
  });
  expect(sorted.toReversed().toSorted(compareConversions)).toEqual(sorted);
  for (const [index, one] of sorted.entries())
    expect(sorted.map((other) => Math.sign(compareConversions(one, other)))).toEqual(
      sorted.map((_, other) => Math.sign(index - other)),
    );
});

describe('an amount', () => {
  const positive = fc.bigInt({ min: 1n, max: 10n ** 24n });

  test('is rounded once, however many rates it is converted at', () => {
    fc.assert(
      fc.property(fc.bigInt({ min: -(10n ** 30n), max: 10n ** 30n }), positive, positive, (amount, one, other) => {
        const rates = new ExchangeRates([
          { base: 'EUR', quote: 'USD', points: [{ day: 0, value: one }] },
          { base: 'EUR', quote: 'CHF', points: [{ day: 0, value: other }] },
        ]);
        const conversion = rates.get({ from: 'USD', to: 'CHF', day: 9 });
        expect(convertedAmount(amount, conversion)).toBe(divideRounded(amount * other, one));
      }),
    );
  });

  test('of 1 converts to the rate', () => {
    const rates = new ExchangeRates([pair('EUR', 'USD', { [onDay]: '3' })]);
    const back = rates.get({ from: 'USD', to: 'EUR', day: day(onDay) });
    expect(convertedAmount(oneFixed, back)).toBe(conversionRate(back));
    expect(fromFixed(convertedAmount(fixed('10'), back))).toBe('3.333333333333333333');
  });
});

test.each([
  ['fresh rates', '2024-01-01', '2024-01-01', null],
  ['rates as old as accepted', '2024-01-01', '2024-01-06', null],
  ['one old rate', '2024-01-03', '2024-01-07', '2024-01-01'],
  ['two old rates', '2024-01-03', '2024-01-09', '2024-01-01'],
  ['two old rates, the second of which is older', '2023-12-31', '2024-01-09', '2023-12-31'],
])('of %s the oldest that is stale counts', (_fact, other, on, stale) => {
  const rates = new ExchangeRates([
    pair('USD', 'EUR', { '2024-01-01': '0.9' }),
    pair('EUR', 'CHF', { [other]: '0.95' }),
  ]).withStaleness({ daysMax: 5 });
  const found = staleRateDay(rates.get({ from: 'USD', to: 'CHF', day: day(on) }));
  expect(found).toBe(stale === null ? null : day(stale));
  expect(staleRateDay(rates.get({ from: 'CHF', to: 'CHF', day: day(on) }))).toBeNull();
});
