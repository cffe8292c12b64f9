import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { fromDayNumber } from '../../kit/calendar-date.ts';
import { fromFixed } from '../../kit/fixed.ts';
import {
  day,
  fixed,
  flagsOn,
  holdingState,
  instrument,
  valuationOn,
  valueTextOn,
} from '../../../tests/setup/engine/valued-holding.ts';
import type { ValuationCase, Dated, HoldingStateText } from '../../../tests/setup/engine/valued-holding.ts';
import { findCouponAmount } from '../instruments/accrued-interest.ts';
import { listCouponDates, type CouponFrequency, type CouponSchedule } from '../instruments/coupon-schedule.ts';
import type { BondTerms } from '../instruments/instrument.ts';
import { listDueCoupons } from './due-coupon.ts';

const yearly: CouponSchedule = { maturity: day('2030-06-15') };

/** `2024-06-15 1000`: date and nominal of each coupon owed. */
function due(schedule: CouponSchedule, date: string, text: Partial<HoldingStateText>): string[] {
  const holding = holdingState({ quantity: '1000', quantities: { '2023-01-01': '1000' }, ...text });
  return listDueCoupons(schedule, holding, day(date)).map(
    ({ couponDate, nominal }) => `${fromDayNumber(couponDate)} ${fromFixed(nominal)}`,
  );
}

describe('a coupon', () => {
  test('is owed from its date until it is booked', () => {
    const coupons = ['2023-06-15', '2024-06-18'];
    expect(
      ['2024-06-14', '2024-06-15', '2024-06-17', '2024-06-18'].map((date) => due(yearly, date, { coupons })),
    ).toEqual([[], ['2024-06-15 1000'], ['2024-06-15 1000'], []]);
  });

  test('that is never booked stays owed, and so do all others', () => {
    expect(due(yearly, '2025-12-01', { coupons: ['2024-06-15'] })).toEqual(['2023-06-15 1000', '2025-06-15 1000']);
  });

  // 15 June 2024 is 366 days after 15 June 2023: a row 183 days after the first is equally near to both.
  test.each([
    ['2023-12-15', ['2024-06-15 1000']],
    ['2023-12-16', ['2023-06-15 1000']],
    ['2024-06-12', ['2023-06-15 1000']],
    ['2024-12-14', ['2023-06-15 1000']],
    ['2024-12-15', ['2023-06-15 1000', '2024-06-15 1000']],
  ])('is booked by the row nearest to it: with a row on %s, %j is owed', (row, expected) => {
    expect(due(yearly, '2025-01-31', { coupons: [row] })).toEqual(expected);
  });

  test('is not booked by a row of a later day', () => {
    expect(due(yearly, '2024-06-20', { coupons: ['2023-06-15', '2024-06-21'] })).toEqual(['2024-06-15 1000']);
  });

  test.each([
    ['bought on the coupon date', { '2024-06-15': '1000' }, []],
    ['bought the day before', { '2024-06-14': '1000' }, ['2024-06-15 1000']],
    ['of the smallest unit', { '2024-06-14': '0.000000000000000001' }, ['2024-06-15 0.000000000000000001']],
    ['raised on the coupon date', { '2024-01-01': '600', '2024-06-15': '1000' }, ['2024-06-15 600']],
    ['sold in part since', { '2024-01-01': '1000', '2024-06-20': '300' }, ['2024-06-15 1000']],
    ['not held in between', { '2024-01-01': '5', '2024-02-01': '0', '2024-07-01': '9' }, []],
    ['short', { '2024-01-01': '-1000' }, ['2024-06-15 -1000']],
  ] as [string, Dated, string[]][])('is owed on what was held before its date: %s', (_name, quantities, expected) => {
    expect(due(yearly, '2024-07-01', { quantities })).toEqual(expected);
  });

  test('on or before the day of the last upload is settled', () => {
    const upload = { day: '2024-06-15', quantity: '1000', marketValue: '1000' };
    expect(due(yearly, '2025-07-01', { upload })).toEqual(['2025-06-15 1000']);
    expect(due(yearly, '2025-07-01', { upload: { ...upload, day: '2024-06-14' } })).toEqual([
      '2024-06-15 1000',
      '2025-06-15 1000',
    ]);
  });

  test('is not owed on what was bought on or after its ex-dividend date', () => {
    const ex = { ...yearly, exDividendDays: 7 };
    const owed = (bought: string) => due(ex, '2024-06-20', { quantities: { [bought]: '1000' } });
    expect(['2024-06-07', '2024-06-08', '2024-06-09'].map(owed)).toEqual([['2024-06-15 1000'], [], []]);
  });

  test('with an ex-dividend date is owed from that date on the units held before it', () => {
    const ex = { ...yearly, exDividendDays: 7 };
    const quantities = { '2024-01-01': '600', '2024-06-08': '1000' };
    expect(['2024-06-07', '2024-06-08', '2024-06-15'].map((date) => due(ex, date, { quantities }))).toEqual([
      [],
      ['2024-06-15 600'],
      ['2024-06-15 600'],
    ]);
  });

  test('is not owed before its own period, however long the ex-dividend window', () => {
    const monthly: CouponSchedule = { ...yearly, frequency: 12, exDividendDays: 40 };
    const quantities = { '2024-05-20': '1000' };
    expect(
      ['2024-06-15', '2024-06-16'].map((date) => due(monthly, date, { quantities, coupons: ['2024-06-15'] })),
    ).toEqual([[], ['2024-07-15 1000']]);
  });

  test('is not booked by a row that is nearest to a coupon before the purchase', () => {
    const bought = { quantities: { '2023-06-20': '1000' }, coupons: ['2023-07-01'] };
    expect(due({ ...yearly }, '2024-07-01', bought)).toEqual(['2024-06-15 1000']);
  });

  test('is owed to a position that began earlier, on the same schedule', () => {
    const schedule = { ...yearly };
    expect(due(schedule, '2024-07-01', { quantities: { '2024-01-01': '1' } })).toEqual(['2024-06-15 1']);
    expect(due(schedule, '2024-07-01', { quantities: { '2021-01-01': '1' } })).toHaveLength(4);
  });
});

const [bookedCoupon] = holdingState({ quantity: '1', coupons: ['2024-01-01'] }).coupons;

test('every coupon of every schedule has an amount, and one booked on each date leaves nothing owed', () => {
  const schedule = fc
    .record({
      maturity: fc.integer({ min: day('2010-01-01'), max: day('2040-12-31') }),
      frequency: fc.constantFrom<CouponFrequency>(1, 2, 4, 12),
      life: fc.integer({ min: 1, max: 3_000 }),
      first: fc.option(fc.integer({ min: 1, max: 800 }), { nil: undefined }),
      exDividendDays: fc.constantFrom(undefined, 7),
    })
    .map(({ maturity, frequency, life, first, exDividendDays }) => {
      const datedDate = maturity - life;
      const firstCouponDate = first === undefined ? undefined : datedDate + first;
      return { maturity, frequency, datedDate, firstCouponDate, exDividendDays };
    });
  fc.assert(
    fc.property(schedule, (each) => {
      const dates = listCouponDates(each, { start: each.datedDate, end: each.maturity });
      const holding = { ...holdingState({ quantity: '1' }), quantities: [{ day: each.datedDate - 1, value: 1n }] };
      const owed = listDueCoupons(each, holding, each.maturity).map(({ couponDate }) => couponDate);
      expect(owed).toEqual(dates);
      const bond = { schedule: each, convention: 'ACT/365' as const, rate: fixed('0.05') };
      for (const couponDate of owed) expect(findCouponAmount(bond, { couponDate, nominal: 1n })).toBeDefined();
      const coupons = dates.map((date) => ({ ...bookedCoupon!, day: date, paidOn: date }));
      expect(listDueCoupons(each, { ...holding, coupons }, each.maturity)).toEqual([]);
    }),
    { numRuns: 300 },
  );
});

describe('the value of a bond around its coupon', () => {
  const plain: CouponSchedule = { maturity: day('2030-06-15'), datedDate: day('2020-06-15') };

  function bond(schedule: CouponSchedule, coupons: string[]): ValuationCase {
    const terms = { type: 'bond', schedule, convention: 'ACT/ACT-ICMA', rate: fixed('0.0366') } as const;
    const prices = { '2024-06-01': '100', '2024-06-10': '100', '2024-06-20': '100' };
    return {
      instrument: instrument(terms, { prices }),
      holdingState: { quantity: '1000', quantities: { '2023-06-15': '1000' }, coupons },
    };
  }

  test.each([
    ['2024-07-01', '36.6', 'coupon', 'coupon-not-booked'],
    ['2025-07-01', '36.6', 'coupon', 'coupon-not-booked'],
  ])('that was sold since, as of %s: one coupon that was not booked is still owed', (date, value, kinds, flags) => {
    const { instrument: one } = bond(plain, []);
    const quantities = { '2023-06-15': '1000', '2024-06-20': '0' };
    const sold = { instrument: one, holdingState: { quantity: '0', quantities } };
    const { parts, source } = valuationOn(sold, date);
    expect([valueTextOn(sold, date), parts.map(({ kind }) => kind).join(), source]).toEqual([value, kinds, 'nothing']);
    expect(flagsOn(sold, date)).toBe(flags);
    const paid = { ...sold, holdingState: { ...sold.holdingState, coupons: ['2024-06-16'] } };
    expect(valuationOn(paid, date).parts).toEqual([]);
  });

  test.each([
    ['without an ex-dividend date', plain],
    ['with an ex-dividend date', { ...plain, exDividendDays: 7 }],
  ])('rises by a day of interest each day and falls when the coupon is booked, %s', (_name, schedule) => {
    const one = bond(schedule, ['2024-06-18']);
    const dates = ['2024-06-07', '2024-06-08', '2024-06-14', '2024-06-15', '2024-06-16', '2024-06-18'];
    expect(dates.map((date) => valueTextOn(one, date))).toEqual([
      '1035.8', // 1,000 + 36.6 × 358/366
      '1035.9',
      '1036.5',
      '1036.6',
      '1036.700273972602739726', // plus 36.6 × 1/365 of the next coupon
      '1000.300821917808219178',
    ]);
  });

  test('is flagged from the coupon date, with the coupon separate from accrued interest', () => {
    const one = bond({ ...plain, exDividendDays: 7 }, []);
    expect(['2024-06-08', '2024-06-14', '2024-06-15'].map((date) => flagsOn(one, date))).toEqual([
      '',
      '',
      'coupon-not-booked',
    ]);
    const { accrued, parts, findings } = valuationOn(one, '2024-06-15');
    expect(accrued).toBe(0n);
    expect(parts.map(({ kind, amount }) => [kind, fromFixed(amount)])).toEqual([
      ['quoted', '1000'],
      ['accrued', '0'],
      ['coupon', '36.6'],
    ]);
    expect(findings).toEqual([{ kind: 'coupon-not-booked', couponDate: day('2024-06-15'), amount: fixed('36.6') }]);
    expect(fromFixed(valuationOn(one, '2024-06-08').accrued)).toBe('-0.7');
  });

  test('differs by holder and by index factor, although the bond is the same', () => {
    const one = bond({ ...plain }, []);
    const half = {
      ...one,
      holdingState: { ...one.holdingState, quantity: '500', quantities: { '2023-06-15': '500' } },
    };
    expect([one, half, one].map((each) => valueTextOn(each, '2024-06-15'))).toEqual(['1036.6', '518.3', '1036.6']);
    const linked = { ...one.instrument.terms, index: { baseFactor: fixed('100') } } as BondTerms;
    const factors = ['100', '200', '100'].map((factor) => ({
      prices: { '2024-06-10': '100' },
      indexFactors: { '2024-06-01': factor },
    }));
    const values = factors.map((text) => valueTextOn({ ...one, instrument: instrument(linked, text) }, '2024-06-15'));
    expect(values).toEqual(['1036.6', '2073.2', '1036.6']);
    const unnamed = { ...linked, index: { baseFactor: null } };
    const bases = ['100', '50'].map((base) =>
      instrument(unnamed, {
        prices: { '2024-06-10': '100' },
        indexFactors: { '2020-06-15': base, '2024-06-01': '100' },
      }),
    );
    expect(bases.map((each) => valueTextOn({ ...one, instrument: each }, '2024-06-15'))).toEqual(['1036.6', '2073.2']);
  });
});
