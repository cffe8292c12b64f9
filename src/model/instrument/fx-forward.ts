// Declares the FX forwards: two legs in two currencies, settled in cash or delivered.

import { calendarDate, decimal } from '../../kit/field.ts';
import { objectOf } from '../../kit/structured-field.ts';
import { currencyCode } from '../currency.ts';
import { sharedAttributes, sharedDeclaration, optional, positiveTerm, required } from './instrument-fields.ts';
import { declareInstrumentType, pricedPerUnit, type InstrumentTraits } from './instrument-traits.ts';
import { forwardLegs } from './term-checks.ts';

const forwardLeg = objectOf({
  ccyCode: { kind: currencyCode, description: 'ISO 4217 code of its currency.', snakeCaseName: 'currency' },
  amount: { kind: decimal, description: 'What is received (positive) or paid (negative) for one contract.' },
  date: { kind: calendarDate, description: 'The day it is exchanged.' },
});

function forwardTerms<const W extends string>(type: W) {
  return {
    ...sharedAttributes(type, 'CHF/USD forward March 2027'),
    nearLeg: required(forwardLeg, {
      description: 'The leg that is exchanged first. If both are on one day, either of them.',
      example: { ccyCode: 'CHF', amount: '-880000', date: '2027-03-15' },
    }),
    farLeg: required(forwardLeg, {
      description: 'The other leg: in another currency, with the opposite sign, and not on an earlier day.',
      example: { ccyCode: 'USD', amount: '1000000', date: '2027-03-15' },
    }),
    settlementDate: {
      kind: calendarDate,
      description: 'The day the contract is settled. Default: the date of the far leg.',
      writable: 'always',
      example: '2027-03-15',
    },
    forwardRate: optional(positiveTerm, { description: 'The agreed rate.', example: '0.88' }),
  } as const;
}

const traits: InstrumentTraits = {
  termFamily: 'forward',
  isBond: false,
  canBeBenchmark: false,
  series: ['price'],
  priceUnit: pricedPerUnit,
  dayCount: null,
  checks: [forwardLegs],
};

const cashSettlementType = 'fx-forward-cash-settlement-contract';

export const cashSettledForward = declareInstrumentType({
  ...sharedDeclaration,
  type: cashSettlementType,
  plural: 'fx-forward-cash-settlement-contracts',
  description: 'An FX forward that is settled by paying the difference in cash.',
  only: { type: [cashSettlementType] },
  traits,
  attributes: forwardTerms(cashSettlementType),
});

const physicalDeliveryType = 'fx-forward-physical-delivery-contract';

export const physicallyDeliveredForward = declareInstrumentType({
  ...sharedDeclaration,
  type: physicalDeliveryType,
  plural: 'fx-forward-physical-delivery-contracts',
  description: 'An FX forward that is settled by delivering both amounts.',
  only: { type: [physicalDeliveryType] },
  traits,
  attributes: forwardTerms(physicalDeliveryType),
});
