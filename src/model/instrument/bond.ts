// Declares the bonds: fixed or floating coupon, index-linked, and zero-coupon. All are quoted per 100 of nominal.

import { calendarDate, integer } from '../../kit/field.ts';
import {
  sharedAttributes,
  dayCountConvention,
  fractionTerm,
  sharedDeclaration,
  isinField,
  maturity,
  optional,
  positiveTerm,
  referenceRate,
  sedolField,
  spread,
  timesPerYear,
} from './instrument-fields.ts';
import { declareInstrumentType, type InstrumentTraits } from './instrument-traits.ts';
import { couponDates, interestCheck, isQuotedPerHundred } from './term-checks.ts';

/** The terms of everything that is repaid at maturity. */
const debtTerms = {
  maturity,
  dayCountConvention: {
    kind: dayCountConvention,
    description:
      'How days become years: `30/360-US`, `30/360-BOND`, `30E/360`, `30E/360-ISDA`, `ACT/360`, `ACT/365`, `ACT/ACT-ICMA` or `ACT/ACT-ISDA`; other common spellings are accepted. Default: `ACT/ACT-ICMA`.',
    writable: 'always',
    example: 'ACT/ACT-ICMA',
  },
  couponFrequency: optional(timesPerYear, {
    description: 'Coupons per year, real or notional: 1, 2, 4 or 12. Default: 1.',
    example: 1,
  }),
  datedDate: optional(calendarDate, { description: 'The day interest starts to accrue.', example: '2024-06-15' }),
  issuePrice: optional(positiveTerm, { description: 'The issue price, per 100 of nominal.', example: '99.75' }),
} as const;

const couponTerms = {
  coupon: optional(fractionTerm, {
    description: 'The fixed interest rate per year, as a decimal fraction: 4.25 % is 0.0425.',
    example: '0.0125',
  }),
  ...debtTerms,
  firstCouponDate: optional(calendarDate, {
    description: 'The date of the first coupon, if the first period is shorter or longer than the others.',
  }),
  exDividendDays: optional(integer({ min: 0, max: 90 }), {
    description: 'The number of days before a coupon during which a buyer no longer receives it.',
  }),
  referenceRate,
  spread,
} as const;

const couponBondTraits = {
  termFamily: 'bond',
  isBond: true,
  canBeBenchmark: false,
  series: ['price', 'interest-rate'],
  priceUnit: { fixed: 'per 100' },
  dayCount: { default: 'ACT/ACT-ICMA' },
  checks: [isQuotedPerHundred, interestCheck('coupon', 'A coupon'), couponDates],
} as const satisfies InstrumentTraits;

const bondType = 'bond-instrument';

export const bond = declareInstrumentType({
  ...sharedDeclaration,
  type: bondType,
  plural: 'bond-instruments',
  description: 'A bond that pays a fixed coupon, or one that follows a reference rate.',
  only: { type: [bondType] },
  traits: couponBondTraits,
  attributes: {
    ...sharedAttributes(bondType, 'Eidgenossenschaft 1.25 % 2034'),
    isin: { ...isinField, example: 'CH0224397171' },
    sedol: sedolField,
    ...couponTerms,
  },
});

const indexLinkedType = 'index-linked-bond-instrument';

export const indexLinkedBond = declareInstrumentType({
  ...sharedDeclaration,
  type: indexLinkedType,
  plural: 'index-linked-bond-instruments',
  description: 'A bond whose principal accretes against an index.',
  only: { type: [indexLinkedType] },
  traits: {
    ...couponBondTraits,
    termFamily: 'index-linked-bond',
    series: [...couponBondTraits.series, 'index-factor'],
  },
  attributes: {
    ...sharedAttributes(indexLinkedType, 'OAT €i 1.25 % 2034'),
    isin: { ...isinField, example: 'FR0011982776' },
    sedol: sedolField,
    ...couponTerms,
    baseFactor: optional(positiveTerm, {
      description:
        'The index factor at which its nominal counts as is. Without one, the last factor on or before the dated date is used.',
      example: '112.40571',
    }),
  },
});

const zeroCouponType = 'zero-coupon-bond-instrument';

export const zeroCouponBond = declareInstrumentType({
  ...sharedDeclaration,
  type: zeroCouponType,
  plural: 'zero-coupon-bond-instruments',
  description: 'A bond without coupons: its price accretes towards par.',
  only: { type: [zeroCouponType] },
  traits: {
    ...couponBondTraits,
    termFamily: 'zero-coupon-bond',
    checks: [isQuotedPerHundred, couponDates],
  },
  attributes: {
    ...sharedAttributes(zeroCouponType, 'Strip 2034'),
    isin: { ...isinField, example: 'DE0001142263' },
    sedol: sedolField,
    ...debtTerms,
  },
});
