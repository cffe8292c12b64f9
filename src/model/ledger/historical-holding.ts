// The historical holding: what somebody states was held on a day that no feed supplies. It comes in three kinds, each with its
// own natural key: stated again for the same, it is overwritten.

import { calendarDate, decimal, decimalWithin, oneOf } from '../../kit/field.ts';
import {
  declareResource,
  exampleIdOf,
  type Attribute,
  type RecordOf,
  type Resource,
  type ToOne,
} from '../../kit/resource.ts';
import { currencyCode } from '../currency.ts';
import { knownFrom } from '../instrument/dated-value-fields.ts';
import { clientAbove } from '../shared-fields.ts';

export const holdingKinds = ['account', 'fee', 'instrument'] as const;
export type HoldingKind = (typeof holdingKinds)[number];

const table = 'historical_holding';

const date = {
  kind: calendarDate,
  description: 'The day at whose end it was held. It cannot change.',
  on: ['json-api', 'v1'],
  writable: 'at-creation',
  required: true,
  example: '2019-12-31',
} as const satisfies Attribute;

const always = { on: ['json-api', 'v1'], writable: 'always' } as const;

const units = {
  ...always,
  kind: decimal,
  description:
    'How many units were held: of a bond its nominal. 0 says that it was gone, less than 0 that it was short.',
  required: true,
  example: '1500',
} as const satisfies Attribute;

const valueOfUnits = {
  ...always,
  kind: decimal,
  description: "What the units were worth without accrued interest, in the instrument's currency. 0 without units.",
  required: true,
  example: '156525.5',
} as const satisfies Attribute;

const accruedInterest = {
  ...always,
  kind: decimal,
  description: "Interest that had accrued, in the instrument's currency. 0 when it is not sent.",
  example: '412.75',
} as const satisfies Attribute;

const currencyExchangeRate = {
  ...always,
  kind: decimalWithin({ above: '0' }, 'must be greater than 0'),
  description:
    "1 of the instrument's currency in the reporting currency, as of the day. Sent together with that currency; without them the day's own rate counts.",
  nullable: true,
  example: '1.0854',
} as const satisfies Attribute;

const reportingCurrencyCode = {
  ...always,
  kind: currencyCode,
  description: 'ISO 4217 code of the currency that the exchange rate leads to.',
  nullable: true,
  example: 'CHF',
} as const satisfies Attribute;

const cash = {
  ...always,
  kind: decimal,
  description: "The balance of cash, in the account's currency; less than 0 when it was overdrawn.",
  required: true,
  example: '25310.4',
} as const satisfies Attribute;

const owed = {
  ...always,
  kind: decimalWithin({ min: '0' }, 'must not be less than 0: what is owed is positive'),
  description: "Fees that had accrued and were not paid, in the account's currency. What is owed is positive.",
  required: true,
  example: '187.5',
} as const satisfies Attribute;

function kindWord<const K extends HoldingKind>(kind: K) {
  return {
    kind: oneOf([kind]),
    description:
      'What it is about: the cash of an `account`, a `fee` that an account owes, or an `instrument` in a depository.',
    on: ['v1'],
    writable: 'at-creation',
    required: true,
    filter: true,
    example: kind,
  } as const satisfies Attribute;
}

function placeOf<const T extends 'account' | 'depository' | 'instrument'>(to: T, description: string) {
  return {
    to,
    description,
    on: ['json-api', 'v1'],
    writable: 'at-creation',
    required: true,
    filter: true,
    example: exampleIdOf(to),
  } as const satisfies ToOne;
}

const account = placeOf('account', 'The account. It cannot change.');
const depository = placeOf('depository', 'The depository that the units were in. It cannot change.');
const instrument = placeOf('instrument', 'The instrument that was held. It cannot change.');

export const historicalAccountHolding = declareResource({
  type: 'historical-account-holding',
  plural: 'historical-account-holdings',
  description: 'The balance of cash that an account had at the end of a day.',
  table,
  only: { kind: ['account'] },
  owner: { relation: 'client', from: 'account' },
  versions: { key: ['account', 'date'] },
  attributes: { kind: kindWord('account'), date, marketValue: cash, knownFrom },
  relations: { account, client: clientAbove },
});

export const historicalFeeHolding = declareResource({
  type: 'historical-fee-holding',
  plural: 'historical-fee-holdings',
  description: 'The fees that an account owed at the end of a day.',
  table,
  only: { kind: ['fee'] },
  owner: { relation: 'client', from: 'account' },
  versions: { key: ['account', 'date'] },
  attributes: { kind: kindWord('fee'), date, marketValue: owed, knownFrom },
  relations: { account, client: clientAbove },
});

export const historicalInstrumentHolding = declareResource({
  type: 'historical-instrument-holding',
  plural: 'historical-instrument-holdings',
  description: 'The units of an instrument that a depository held at the end of a day, and what they were worth.',
  table,
  only: { kind: ['instrument'] },
  owner: { relation: 'client', from: 'depository' },
  versions: { key: ['depository', 'instrument', 'date'] },
  attributes: {
    kind: kindWord('instrument'),
    date,
    units,
    marketValue: valueOfUnits,
    accruedInterest,
    currencyExchangeRate,
    reportingCurrencyCode,
    knownFrom,
  },
  relations: { depository, instrument, client: clientAbove },
});

export const holdingsByKind = {
  account: historicalAccountHolding,
  fee: historicalFeeHolding,
  instrument: historicalInstrumentHolding,
} as const satisfies Record<HoldingKind, Resource>;

export type HoldingResource = (typeof holdingsByKind)[HoldingKind];

const { required: _always, ...unitsOfSome } = units;
const { required: _account, ...accountOfSome } = account;
const { required: _depository, ...depositoryOfSome } = depository;
const { required: _instrument, ...instrumentOfSome } = instrument;

/** Of any kind: what some kind lacks is null there, and which are required is the kind's to say. */
export const historicalHolding = declareResource({
  type: 'historical-holding',
  plural: 'historical-holdings',
  description:
    'A historical holding: what somebody states was held at the end of a day that no feed supplies. Its kind decides which fields it has.',
  table,
  owner: { relation: 'client' },
  versions: { key: ['kind', 'account', 'depository', 'instrument', 'date'] },
  attributes: {
    kind: { ...kindWord('instrument'), kind: oneOf(holdingKinds) },
    date,
    units: { ...unitsOfSome, nullable: true },
    marketValue: { ...valueOfUnits, description: 'What it was worth; of fees, what was owed.' },
    accruedInterest: { ...accruedInterest, nullable: true },
    currencyExchangeRate,
    reportingCurrencyCode,
    knownFrom,
  },
  relations: {
    account: accountOfSome,
    depository: depositoryOfSome,
    instrument: instrumentOfSome,
    client: clientAbove,
  },
  variants: { by: 'kind', of: holdingsByKind },
});

export type HistoricalHolding = RecordOf<typeof historicalHolding>;
