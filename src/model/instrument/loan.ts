// Declares the loan: money lent directly, at a fixed or floating rate.

import { calendarDate } from '../../kit/field.ts';
import {
  sharedAttributes,
  dayCountConvention,
  sharedDeclaration,
  optional,
  positiveTerm,
  referenceRate,
  required,
  signedFractionTerm,
  spread,
} from './instrument-fields.ts';
import { declareInstrumentType, pricedPerUnit } from './instrument-traits.ts';
import { hasDayCountMaturity, interestCheck, loanDates } from './term-checks.ts';

const type = 'loan-instrument';

export const loan = declareInstrumentType({
  ...sharedDeclaration,
  type,
  plural: 'loan-instruments',
  description:
    'A direct loan, held by its nominal: what is outstanding, and the interest on it. A price is per 1 of nominal.',
  only: { type: [type] },
  traits: {
    termFamily: 'loan',
    isBond: false,
    canBeBenchmark: false,
    series: ['price', 'interest-rate'],
    priceUnit: pricedPerUnit,
    dayCount: { default: 'ACT/365' },
    checks: [interestCheck('interestRate', 'An interest rate'), loanDates, hasDayCountMaturity],
  },
  attributes: {
    ...sharedAttributes(type, 'Loan to Lindqvist Holding AG'),
    principal: required(positiveTerm, {
      description:
        'The size of the whole loan: the nominal that was lent. The quantity held is nominal too, so that all of it is a quantity of `principal`.',
      example: '250000',
    }),
    interestRate: optional(signedFractionTerm, {
      description: 'The fixed interest rate per year, as a decimal fraction: 4.25 % is 0.0425.',
      example: '0.0425',
    }),
    referenceRate,
    spread,
    startDate: required(calendarDate, { description: 'The day interest starts to accrue.', example: '2026-01-01' }),
    maturity: optional(calendarDate, {
      description: 'When it is repaid; null for an open-ended loan.',
      example: '2031-01-01',
    }),
    dayCountConvention: {
      kind: dayCountConvention,
      description: 'The day count convention, as with bonds; `30E/360-ISDA` needs a maturity. Default: `ACT/365`.',
      writable: 'always',
      example: 'ACT/360',
    },
  },
});
