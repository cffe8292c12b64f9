// Declares the fee: what is owed for a service and accrues until it is booked.

import { calendarDate, text } from '../../kit/field.ts';
import {
  sharedAttributes,
  fractionTerm,
  sharedDeclaration,
  nonNegativeTerm,
  optional,
  required,
  timesPerYear,
} from './instrument-fields.ts';
import { declareInstrumentType, pricedPerUnit } from './instrument-traits.ts';

const type = 'fee-instrument';

export const fee = declareInstrumentType({
  ...sharedDeclaration,
  type,
  plural: 'fee-instruments',
  description: 'A running fee: it accrues from the last booked fee on.',
  only: { type: [type] },
  traits: {
    termFamily: 'fee',
    isBond: false,
    canBeBenchmark: false,
    series: ['interest-rate'],
    priceUnit: pricedPerUnit,
    dayCount: { fixed: 'ACT/365' },
    checks: [],
  },
  attributes: {
    ...sharedAttributes(type, 'Mandate fee'),
    category: required(text({ lengthMax: 64 }), { description: 'What the fee is for.', example: 'advisory' }),
    rate: required(fractionTerm, {
      description: 'The rate per year, as a decimal fraction of the basis: 0.75 % is 0.0075.',
      example: '0.0075',
    }),
    basis: required(nonNegativeTerm, {
      description: 'The amount that the rate applies to, in the currency of the fee.',
      example: '1000000',
    }),
    startDate: required(calendarDate, { description: 'The day it starts to accrue.', example: '2026-01-01' }),
    frequency: optional(timesPerYear, {
      description: 'How many times per year it is charged: 1, 2, 4 or 12.',
      example: 4,
    }),
  },
});
