import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { parseCalendarDate, toDayNumber } from '../../kit/calendar-date.ts';
import type { Day } from '../../kit/day.ts';
import { parseDecimal } from '../../kit/decimal.ts';
import { fromFixed, toFixed, type Fixed } from '../../kit/fixed.ts';
import { findQuote, quotedValue, quoteFromPoint, type QuoteUnit } from './quote.ts';
import type { UnitChange } from './unit-change-span.ts';
import { Series } from '../amounts/series.ts';

const day = (text: string): Day => toDayNumber(parseCalendarDate(text));
const fixed = (text: string): Fixed => toFixed(parseDecimal(text));
const staleness = { daysMax: 10 };

function change(exDate: string, numerator: bigint, denominator: bigint): UnitChange {
  return { exDay: day(exDate), ratio: { numerator, denominator } };
}

const points = { '2024-06-14': '1200', '2024-06-17': '121.5', '2024-07-01': '130' };
const series = new Series(Object.entries(points).map(([date, value]) => ({ day: day(date), value: fixed(value) })));
const tenForOne = change('2024-06-15', 10n, 1n);

const worth = (date: string, changes: readonly UnitChange[] = [], units = '30', unit: QuoteUnit = '1'): string =>
  fromFixed(quotedValue(fixed(units), findQuote({ series, changes, staleness }, day(date))!, unit));

describe('a price from before a split', () => {
  test('is unchanged until the ex-date', () => {
    expect(worth('2024-06-14', [tenForOne])).toBe('36000');
  });

  test.each(['2024-06-15', '2024-06-16'])('is divided by the ratio on %s', (date) => {
    expect(worth(date, [tenForOne])).toBe('3600');
  });

  test('is no longer used once there is a newer price', () => {
    expect(worth('2024-06-17', [tenForOne])).toBe('3645');
  });

  // Ghostfolio, asset-profile-split: a point dated on the ex-date is already in new units.
  test.each([
    ['2024-06-14', '120'],
    ['2024-06-15', '1200'],
    ['2024-06-16', '1200'],
  ])('of 1200 dated %s values a unit at %s after the split', (date, expected) => {
    const quote = quoteFromPoint({ day: day(date), value: fixed('1200') }, [tenForOne], {
      day: day('2024-06-18'),
      staleness,
    });
    expect(fromFixed(quotedValue(fixed('1'), quote, '1'))).toBe(expected);
  });

  test('is adjusted for every split since, including a reverse split', () => {
    const changes = [tenForOne, change('2024-06-16', 1n, 4n)];
    expect(worth('2024-06-16', changes)).toBe('14400');
    expect(findQuote({ series, changes, staleness }, day('2024-06-16'))?.changes).toEqual(changes);
  });

  test('gives a position the same value before and after the split', () => {
    const ratio = fc.record({
      numerator: fc.bigInt({ min: 1n, max: 50n }),
      denominator: fc.bigInt({ min: 1n, max: 50n }),
    });
    fc.assert(
      fc.property(fc.bigInt({ min: 1n, max: 10n ** 12n }), ratio, (units, each) => {
        const splits = [{ exDay: day('2024-06-15'), ratio: each }];
        const before = units * each.denominator * 10n ** 18n;
        const after = units * each.numerator * 10n ** 18n;
        const on = (date: string) => findQuote({ series, changes: splits, staleness }, day(date))!;
        expect(quotedValue(after, on('2024-06-15'), '1')).toBe(quotedValue(before, on('2024-06-14'), '1'));
      }),
    );
  });
});

describe('a point', () => {
  test.each([
    ['2024-07-01', 0, false],
    ['2024-07-11', 10, false],
    ['2024-07-12', 11, true],
  ])('of 1 July, read on %s, is %i days old; stale: %s', (date, ageDays, isStale) => {
    expect(findQuote({ series, changes: [], staleness }, day(date))).toMatchObject({ ageDays, isStale });
  });

  test('is not used before its day', () => {
    expect(findQuote({ series, changes: [], staleness }, day('2024-06-13'))).toBeUndefined();
  });
});

describe('units and price', () => {
  test.each([
    ['1', '3900'],
    ['per 100', '39'],
    ['hundredths', '39'],
  ] as const)('quoted as %s give %s', (unit, expected) => {
    expect(worth('2024-07-01', [], '30', unit)).toBe(expected);
  });

  test('are rounded once, at the last of 18 places', () => {
    const changes = [change('2024-07-02', 3n, 1n)];
    expect(worth('2024-07-02', changes, '1')).toBe('43.333333333333333333');
    expect(worth('2024-07-02', changes, '3')).toBe('130');
  });

  test('of a short position have a negative value', () => {
    expect(worth('2024-07-01', [], '-2.5')).toBe('-325');
  });
});

test('the ratio of each of very many splits is multiplied once for all days that follow', () => {
  const count = 1_000;
  let readCount = 0;
  const changes = Array.from({ length: count }, (_, index): UnitChange => ({
    exDay: index + 1,
    get ratio() {
      readCount++;
      return { numerator: 2n, denominator: 1n };
    },
  }));
  const point = { day: 0, value: fixed('1') };
  for (let on = 0; on <= count; on++) quoteFromPoint(point, changes, { day: on, staleness });
  expect(quoteFromPoint(point, changes, { day: count, staleness }).denominator).toBe(2n ** BigInt(count));
  expect(readCount).toBe(2 * count);
});
