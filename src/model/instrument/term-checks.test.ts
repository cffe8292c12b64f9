import { describe, expect, test } from 'vitest';
import {
  couponDates,
  forwardLegs,
  hasDayCountMaturity,
  interestCheck,
  isQuotedPerHundred,
  loanDates,
} from './term-checks.ts';

type Check = typeof forwardLegs;

/** The fields that a check refuses. */
const refused = (check: Check, terms: object): string[] =>
  check(terms as never).flatMap((fault) => (fault ? [`${fault.code} ${fault.field}`] : []));

const leg = (amount: string, ccyCode: string, date = '2024-06-01') => ({ amount, ccyCode, date });

describe('the legs of a forward', () => {
  const near = leg('100', 'CHF');
  test.each([
    ['received and paid', near, leg('-90', 'EUR'), []],
    ['paid and received', leg('-100', 'CHF'), leg('90', 'EUR'), []],
    ['both received', near, leg('90', 'EUR'), ['farLeg']],
    ['both paid', leg('-100', 'CHF'), leg('-90', 'EUR'), ['farLeg']],
    ['of nothing', leg('0', 'CHF'), leg('-90', 'EUR'), ['farLeg']],
    ['in one currency', near, leg('-90', 'CHF'), ['farLeg']],
    ['on one day', near, leg('-90', 'EUR', '2024-06-01'), []],
    ['the far one before the near one', near, leg('-90', 'EUR', '2024-05-31'), ['farLeg']],
  ])('%s', (_, nearLeg, farLeg, fields) => {
    expect(refused(forwardLegs, { nearLeg, farLeg })).toEqual(fields.map((field) => `invalid-attribute ${field}`));
  });

  test('settle on the day of the near one at the earliest', () => {
    const legs = { nearLeg: near, farLeg: leg('-90', 'EUR', '2024-07-01') };
    expect(refused(forwardLegs, { ...legs, settlementDate: '2024-06-01' })).toEqual([]);
    expect(refused(forwardLegs, { ...legs, settlementDate: '2024-05-31' })).toEqual([
      'invalid-attribute settlementDate',
    ]);
    expect(refused(forwardLegs, { nearLeg: near })).toEqual([]);
  });
});

describe('interest', () => {
  const check = interestCheck('coupon', 'A coupon');
  test.each([
    ['fixed', { coupon: '1' }, []],
    ['by a reference rate', { referenceRate: 'x' }, []],
    ['by a reference rate with a spread', { referenceRate: 'x', spread: '1' }, []],
    ['neither', {}, ['missing-attribute coupon']],
    ['nothing said', { coupon: null, referenceRate: null, spread: null }, ['missing-attribute coupon']],
    ['both', { coupon: '1', referenceRate: 'x' }, ['invalid-attribute referenceRate']],
    ['fixed with a spread', { coupon: '1', spread: '1' }, ['invalid-attribute spread']],
  ])('%s', (_, terms, faults) => {
    expect(refused(check, terms)).toEqual(faults);
  });
});

describe('the days of a bond and a loan', () => {
  const [one, two] = ['2024-01-01', '2024-01-02'];
  test.each([
    [couponDates, { datedDate: one, maturity: two }, []],
    [couponDates, { datedDate: one, maturity: one }, ['maturity']],
    [couponDates, { datedDate: one, firstCouponDate: one }, ['firstCouponDate']],
    [couponDates, { maturity: one, firstCouponDate: one }, []],
    [couponDates, { maturity: one, firstCouponDate: two }, ['firstCouponDate']],
    [couponDates, { firstCouponDate: two }, []],
    [loanDates, { startDate: one, maturity: two }, []],
    [loanDates, { startDate: one, maturity: one }, ['maturity']],
    [loanDates, { startDate: two, maturity: null }, []],
  ])('case %#', (check, terms, fields) => {
    expect(refused(check, terms)).toEqual(fields.map((field) => `invalid-attribute ${field}`));
  });

  test('a convention that counts up to the maturity needs one', () => {
    const dayCountConvention = '30E/360-ISDA';
    expect(refused(hasDayCountMaturity, { dayCountConvention })).toEqual(['missing-attribute maturity']);
    expect(refused(hasDayCountMaturity, { dayCountConvention, maturity: one })).toEqual([]);
    expect(refused(hasDayCountMaturity, { dayCountConvention: '30E/360' })).toEqual([]);
  });
});

test('bonds are quoted per 100', () => {
  expect(refused(isQuotedPerHundred, { priceUnit: 'per 100' })).toEqual([]);
  expect(refused(isQuotedPerHundred, { priceUnit: 'per 1' })).toEqual(['invalid-attribute priceUnit']);
});
