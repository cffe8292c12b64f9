import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { oneFixed } from '../../kit/fixed.ts';
import { DailyRates } from './daily-rates.ts';
import { convertedAmount, ExchangeRates, MissingRateError, type RateSeries } from '../currencies/exchange-rates.ts';

function pair(base: string, quote: string, points: Readonly<Record<number, number | bigint>>): RateSeries {
  const fixed = (rate: number | bigint): bigint =>
    typeof rate === 'bigint' ? rate : (BigInt(Math.round(rate * 1e6)) * oneFixed) / 1_000_000n;
  return {
    base,
    quote,
    points: Object.entries(points).map(([day, rate]) => ({ day: Number(day), value: fixed(rate) })),
  };
}

const rates = new ExchangeRates([
  pair('EUR', 'USD', { 10: 1.0876, 12: 1.09 }),
  pair('EUR', 'CHF', { 11: 0.9412 }),
  pair('EUR', 'JPY', { 0: 163.45, 12: 163.5 }),
  pair('EUR', 'NOK', { 13: 11.5 }),
  pair('CHF', 'SEK', { 12: oneFixed * 12n + 1n }),
]);
const window = { first: 9, last: 13 };
const none = Number.NaN;

const daily = (from: string, to: string): DailyRates => new DailyRates(rates, { from, to }, window);

describe('the rates of a window', () => {
  test.each([
    ['EUR', 'EUR', [1, 1, 1, 1, 1], [1, 1, 1, 1, 1]],
    ['EUR', 'USD', [none, 10_876, 10_876, 10_900, 10_900], [none, 10_000, 10_000, 10_000, 10_000]],
    ['USD', 'EUR', [none, 10_000, 10_000, 10_000, 10_000], [none, 10_876, 10_876, 10_900, 10_900]],
    ['USD', 'CHF', [none, none, 9_412, 9_412, 9_412], [none, none, 10_876, 10_900, 10_900]],
    ['JPY', 'USD', [none, 10_876, 10_876, 10_900, 10_900], [none, 1_634_500, 1_634_500, 1_635_000, 1_635_000]],
    ['EUR', 'NOK', [none, none, none, none, 115], [none, none, none, none, 10]],
    ['CHF', 'SEK', [none, none, none, none, none], [none, none, none, none, none]],
  ])('from %s to %s are fractions of integers, without common powers of ten', (from, to, by, per) => {
    const made = daily(from, to);
    expect([...made.by]).toEqual(by);
    expect([...made.per]).toEqual(per);
  });

  test('are those of the next days where these are asked for', () => {
    for (const [from, to] of [
      ['EUR', 'USD'],
      ['USD', 'CHF'],
      ['EUR', 'NOK'],
      ['EUR', 'EUR'],
    ] as const) {
      const next = new DailyRates(rates, { from, to }, window, 'nextDay');
      const later = new DailyRates(rates, { from, to }, { first: window.first + 1, last: window.last + 1 });
      expect([...next.by, ...next.per]).toEqual([...later.by, ...later.per]);
      for (let day = 11; day <= 12; day++) expect(next.get(day)).toEqual(rates.get({ from, to, day: day + 1 }));
    }
  });

  test('that do not fit doubles are still available', () => {
    expect(daily('CHF', 'SEK').get(12)).toMatchObject({ numerator: 12n * oneFixed + 1n, denominator: oneFixed });
  });

  test('are missing before the first one, and the error names the pair and the day', () => {
    expect(() => convertedAmount(1n, daily('USD', 'EUR').get(9))).toThrow(
      new MissingRateError({ from: 'USD', to: 'EUR', day: 9 }),
    );
    expect(() => convertedAmount(1n, daily('USD', 'GBP').get(13))).toThrow(MissingRateError);
  });

  test('a rate of zero is never a divisor', () => {
    const worthless = new ExchangeRates([pair('EUR', 'XXX', { 0: 0 })]);
    expect(new DailyRates(worthless, { from: 'XXX', to: 'EUR' }, window).per[0]).toBeNaN();
    expect(new DailyRates(worthless, { from: 'EUR', to: 'XXX' }, window).by[0]).toBe(0);
  });
});

const currencies = ['CHF', 'EUR', 'JPY', 'USD'];
const points = fc.dictionary(
  fc.integer({ min: 0, max: 30 }).map(String),
  fc.oneof(
    fc.integer({ min: 1, max: 200_000 }).map((rate) => (BigInt(rate) * oneFixed) / 10_000n),
    fc.integer({ min: 1, max: 2_000 }).map((rate) => (BigInt(rate) * oneFixed) / 10n),
    fc.bigInt({ min: 1n, max: 10n ** 19n }),
  ),
  { maxKeys: 6 },
);
const pairs = fc.array(
  fc.record({ base: fc.constantFrom(...currencies), quote: fc.constantFrom(...currencies), points }),
  { maxLength: 6 },
);

test('every day has the rate that a lookup finds', () => {
  fc.assert(
    fc.property(pairs, fc.integer({ min: 0, max: 30 }), fc.integer({ min: 0, max: 15 }), (stored, first, length) => {
      const all = new ExchangeRates(stored.map((each) => pair(each.base, each.quote, each.points)));
      for (const from of currencies) {
        for (const to of currencies) {
          const made = new DailyRates(all, { from, to }, { first, last: first + length });
          for (let index = 0; index <= length; index++) {
            const found = all.find({ from, to, day: first + index });
            const [by, per] = [made.by[index]!, made.per[index]!];
            const isFit = !Number.isNaN(by);
            expect(isFit && found ? BigInt(by) * found.denominator : isFit).toBe(
              isFit && found ? BigInt(per) * found.numerator : false,
            );
            expect(Number.isNaN(per)).toBe(!isFit);
            expect(found && made.get(first + index)).toEqual(found);
          }
        }
      }
    }),
    { numRuns: 300 },
  );
});
