// The historical holding: what a caller states was held at the end of a day that no feed supplies. Each of its three kinds has a
// natural key; a second statement for the same key replaces the first.

import { calendarDate, decimal, decimalWithin, oneOf } from '../../kit/field.ts';
import {
  declareResource,
  exampleIdOfType,
  type Attribute,
  type RecordOf,
  type Resource,
  type ToOne,
} from '../../kit/resource.ts';
import { currencyCode } from '../currency.ts';
import { knownFrom } from '../instrument/dated-value-fields.ts';
import { inheritedClient } from '../shared-fields.ts';

export const historicalHoldingKinds = ['account', 'fee', 'instrument'] as const;
export type HistoricalHoldingKind = (typeof historicalHoldingKinds)[number];

const table = 'historical_holding';

const date = {
  kind: calendarDate,
  description: 'The day at whose end it was held. It cannot change.',
  writable: 'at-creation',
  required: true,
  example: '2019-12-31',
} as const satisfies Attribute;

const alwaysWritable = { writable: 'always' } as const;

const units = {
  ...alwaysWritable,
  kind: decimal,
  description:
    'How many units were held; of a bond, its nominal value. 0 states that none were held, less than 0 that the position was short.',
  required: true,
  example: '1500',
} as const satisfies Attribute;

const unitsValue = {
  ...alwaysWritable,
  kind: decimal,
  description: "What the units were worth without accrued interest, in the instrument's currency. 0 without units.",
  required: true,
  example: '156525.5',
} as const satisfies Attribute;

const accruedInterest = {
  ...alwaysWritable,
  kind: decimal,
  description: "Interest that had accrued, in the instrument's currency. 0 when it is not sent.",
  example: '412.75',
} as const satisfies Attribute;

const currencyExchangeRate = {
  ...alwaysWritable,
  kind: decimalWithin({ above: '0' }, 'must be greater than 0'),
  description:
    "1 of the instrument's currency in the reporting currency, as of the day. Send it together with that currency; without both, the rate of the day is used.",
  nullable: true,
  example: '1.0854',
} as const satisfies Attribute;

const reportingCurrencyCode = {
  ...alwaysWritable,
  kind: currencyCode,
  description: 'ISO 4217 code of the currency that the exchange rate leads to.',
  nullable: true,
  example: 'CHF',
} as const satisfies Attribute;

const cashBalance = {
  ...alwaysWritable,
  kind: decimal,
  description: "The balance of cash, in the account's currency; less than 0 when it was overdrawn.",
  required: true,
  example: '25310.4',
} as const satisfies Attribute;

const feesOwed = {
  ...alwaysWritable,
  kind: decimalWithin({ min: '0' }, 'must not be less than 0: what is owed is positive'),
  description: "Fees that had accrued and were not paid, in the account's currency. What is owed is positive.",
  required: true,
  example: '187.5',
} as const satisfies Attribute;

function kindField<const K extends HistoricalHoldingKind>(kind: K) {
  return {
    kind: oneOf([kind]),
    description:
      'What it is about: the cash of an `account`, a `fee` that an account owes, or an `instrument` in a depository.',
    writable: 'at-creation',
    required: true,
    filter: true,
    example: kind,
  } as const satisfies Attribute;
}

function requiredReference<const T extends 'account' | 'depository' | 'instrument'>(to: T, description: string) {
  return {
    to,
    description,
    writable: 'at-creation',
    required: true,
    filter: true,
    example: exampleIdOfType(to),
  } as const satisfies ToOne;
}

const account = requiredReference('account', 'The account. It cannot change.');
const depository = requiredReference('depository', 'The depository that the units were in. It cannot change.');
const instrument = requiredReference('instrument', 'The instrument that was held. It cannot change.');

export const historicalAccountHolding = declareResource({
  type: 'historical-account-holding',
  plural: 'historical-account-holdings',
  description: 'The balance of cash that an account had at the end of a day.',
  usage: {
    purpose: 'It lets reports begin before the first booking.',
    create: 'State the cash that an account had at the end of a day that no feed supplies.',
    delete: 'Take back statements of the cash that an account had at the end of a day that no feed supplies.',
  },
  table,
  only: { kind: ['account'] },
  owner: { relation: 'client', from: 'account' },
  versions: { key: ['account', 'date'] },
  attributes: { kind: kindField('account'), date, marketValue: cashBalance, knownFrom },
  relations: { account, client: inheritedClient },
});

export const historicalFeeHolding = declareResource({
  type: 'historical-fee-holding',
  plural: 'historical-fee-holdings',
  description: 'The fees that an account owed at the end of a day.',
  usage: {
    purpose: 'It lets reports begin before the first booking.',
    create: 'State the fees that an account owed at the end of a day that no feed supplies.',
    delete: 'Take back statements of the fees that an account owed at the end of a day that no feed supplies.',
  },
  table,
  only: { kind: ['fee'] },
  owner: { relation: 'client', from: 'account' },
  versions: { key: ['account', 'date'] },
  attributes: { kind: kindField('fee'), date, marketValue: feesOwed, knownFrom },
  relations: { account, client: inheritedClient },
});

export const historicalInstrumentHolding = declareResource({
  type: 'historical-instrument-holding',
  plural: 'historical-instrument-holdings',
  description: 'The units of an instrument that a depository held at the end of a day, and what they were worth.',
  usage: {
    purpose: 'It lets reports begin before the first booking.',
    create:
      'State the units that a depository held at the end of a day that no feed supplies, and what they were worth.',
    delete:
      'Take back statements of the units that a depository held at the end of a day that no feed supplies, and what they were worth.',
  },
  table,
  only: { kind: ['instrument'] },
  owner: { relation: 'client', from: 'depository' },
  versions: { key: ['depository', 'instrument', 'date'] },
  attributes: {
    kind: kindField('instrument'),
    date,
    units,
    marketValue: unitsValue,
    accruedInterest,
    currencyExchangeRate,
    reportingCurrencyCode,
    knownFrom,
  },
  relations: { depository, instrument, client: inheritedClient },
});

export const historicalHoldingsByKind = {
  account: historicalAccountHolding,
  fee: historicalFeeHolding,
  instrument: historicalInstrumentHolding,
} as const satisfies Record<HistoricalHoldingKind, Resource>;

export type HistoricalHoldingResource = (typeof historicalHoldingsByKind)[HistoricalHoldingKind];

const { required: _unitsRequired, ...optionalUnits } = units;
const { required: _accountRequired, ...optionalAccount } = account;
const { required: _depositoryRequired, ...optionalDepository } = depository;
const { required: _instrumentRequired, ...optionalInstrument } = instrument;

/** A historical holding of any kind: fields that its kind does not have are null, and each kind declares which are required. */
export const historicalHolding = declareResource({
  type: 'historical-holding',
  plural: 'historical-holdings',
  description:
    'A historical holding: what was held at the end of a day that no feed supplies, as stated by a caller. Its kind decides which fields it has.',
  usage: {
    purpose: 'It lets reports begin before the first booking, for a client whose history nobody can deliver.',
    list: 'See which days of the past were stated, and for which accounts and depositories.',
    read: 'Look up what was stated for one day and place.',
    change: 'Correct what was stated. The day, the place and the kind stay: state another one for those.',
    delete: 'Take back one statement of the past.',
  },
  table,
  owner: { relation: 'client' },
  versions: { key: ['kind', 'account', 'depository', 'instrument', 'date'] },
  attributes: {
    kind: { ...kindField('instrument'), kind: oneOf(historicalHoldingKinds) },
    date,
    units: { ...optionalUnits, nullable: true },
    marketValue: { ...unitsValue, description: 'What it was worth; of fees, what was owed.' },
    accruedInterest: { ...accruedInterest, nullable: true },
    currencyExchangeRate,
    reportingCurrencyCode,
    knownFrom,
  },
  relations: {
    account: optionalAccount,
    depository: optionalDepository,
    instrument: optionalInstrument,
    client: inheritedClient,
  },
  variants: { by: 'kind', of: historicalHoldingsByKind },
});

export type HistoricalHolding = RecordOf<typeof historicalHolding>;
