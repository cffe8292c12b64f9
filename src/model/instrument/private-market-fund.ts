// Declares the private-market fund: a commitment that is called and paid back over years.

import { calendarDate, integer, oneOf, text } from '../../kit/field.ts';
import { listOf, objectOf } from '../../kit/structured-field.ts';
import {
  sharedAttributes,
  currencyField,
  sharedDeclaration,
  optional,
  positiveTerm,
  required,
} from './instrument-fields.ts';
import { declareInstrumentType, pricedPerUnit } from './instrument-traits.ts';

const type = 'private-market-fund';

const expectedFlow = objectOf({
  date: { kind: calendarDate, description: 'When it is expected.' },
  kind: { kind: oneOf(['call', 'distribution']), description: 'Whether it is a call or a distribution.' },
  amount: { kind: positiveTerm, description: 'The amount, in the currency of the fund.' },
});

export const privateMarketFund = declareInstrumentType({
  ...sharedDeclaration,
  type,
  plural: 'private-market-funds',
  description: 'A private-market fund: private equity, venture capital, private debt, infrastructure, real estate.',
  only: { type: [type] },
  traits: {
    termFamily: 'private-fund',
    isBond: false,
    canBeBenchmark: false,
    series: ['net-asset-value'],
    priceUnit: pricedPerUnit,
    dayCount: null,
    checks: [],
  },
  attributes: {
    ...sharedAttributes(type, 'Alpine Growth Partners IV'),
    ccyCode: { ...currencyField, required: true, description: 'ISO 4217 code of its currency.', example: 'EUR' },
    commitment: required(positiveTerm, {
      description: 'The committed amount, in the currency of the fund.',
      example: '5000000',
    }),
    managerName: optional(text({ lengthMax: 200 }), {
      description: 'The name of its manager.',
      example: 'Alpine Growth Management',
    }),
    strategy: optional(text({ lengthMax: 200 }), { description: 'What it invests in.', example: 'European buyout' }),
    vintageYear: optional(integer({ min: 1900, max: 2200 }), {
      description: 'The year of its first investment.',
      example: 2024,
    }),
    schedule: optional(listOf(expectedFlow, { itemsMax: 500 }), {
      description: 'The expected calls and distributions.',
      example: [{ date: '2027-03-31', kind: 'call', amount: '750000' }],
    }),
  },
});
