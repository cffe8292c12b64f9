// The transaction as it is stored: a dated event that moves wealth, in one row whatever its type. transaction-variants.ts declares
// which fields each type has.

import { calendarDate, decimal, instant, oneOf, text } from '../../kit/field.ts';
import { declareResource, type Attribute, type RecordOf, type ToOne } from '../../kit/resource.ts';
import { currencyCode } from '../currency.ts';
import { corporateActions, transactionKinds, transactionSources, transactionTypes } from './transaction-kind.ts';
import { acquiredLots, specifiedLots, unitRatio } from './transaction-value.ts';

function nullableDecimal(description: string) {
  return { kind: decimal, description, writable: 'always', nullable: true } as const satisfies Attribute<any>;
}

function nullable<K extends Attribute<any>['kind']>(kind: K, description: string) {
  return { kind, description, writable: 'always', nullable: true } as const satisfies Attribute<any>;
}

function toOneRelation<const T extends string>(to: T, description: string) {
  return { to, description, writable: 'always' } as const satisfies ToOne;
}

const amounts = {
  amount: nullableDecimal('The cash leg: positive into the account, negative out of it.'),
  currency: nullable(currencyCode, "ISO 4217 code of what the amount is in. The account's own where it is not sent."),
  quantity: nullableDecimal('Units; of a bond, its nominal value.'),
  price: nullableDecimal("As traded, in the instrument's currency and price unit; of a bond the clean price of 100."),
  fees: nullableDecimal('Fees of the trade, in the currency of the price.'),
  taxes: nullableDecimal(
    'Taxes: of a trade in the currency of the price; of income what was withheld, in that of the amount and with its sign.',
  ),
  accruedInterest: nullableDecimal('Interest bought with a bond or sold with it, in the currency of the price.'),
  exchangeRate: nullableDecimal("1 of the instrument's currency in the currency of the amount."),
  value: { kind: decimal, description: 'The value that reports use.', writable: 'never' },
  unexplained: {
    kind: decimal,
    description: 'The part of the amount that no other field explains.',
    writable: 'never',
  },
  counterAmount: nullableDecimal('The other cash leg: positive into its account, negative out of it.'),
  counterCcyCode: {
    ...nullable(currencyCode, 'ISO 4217 code of what the other leg is in.'),
    snakeCaseName: 'counter_currency',
  },
  rate: nullableDecimal(
    'The rate of the exchange, quoted in either direction; of interest a decimal fraction for a year.',
  ),
  effectOnUnfunded: nullableDecimal(
    'By how much it lowers the unfunded commitment, where that is not the amount itself. A returned call raises the commitment by it.',
  ),
  recallableAmount: nullableDecimal(
    'The part that may be called again. Of a distribution that was paid back, the part that no longer may.',
  ),
  costShare: nullableDecimal('Of a spin-off: the fraction of the cost that goes with the new units.'),
  cashInLieuQuantity: nullableDecimal(
    'Of a merger: units of the target that were paid out in cash instead of delivered; the exchange rate is then of the currency of the target. Without them, the amount is paid beside the new units and lowers their cost, like a return of capital.',
  ),
} as const;

export const transaction = declareResource({
  type: 'transaction',
  plural: 'transactions',
  description: 'A transaction: a dated event that moves wealth. Its type decides which fields it has.',
  usage: {
    purpose: 'All figures come from transactions: quantities, lots, cash, income and returns.',
  },
  table: 'transaction',
  owner: { relation: 'client', shared: true },
  versions: { key: ['id'] },
  attributes: {
    kind: { kind: oneOf(transactionKinds), description: 'The kind of event.', writable: 'never' },
    type: { kind: oneOf(transactionTypes), description: 'The type that callers name it by.', writable: 'always' },
    date: {
      kind: calendarDate,
      description: 'The economic date: of a trade the trade date, of a dividend the ex-date.',
      writable: 'always',
    },
    settlementDate: nullable(calendarDate, 'When it is settled or paid; not before the date.'),
    executedAt: nullable(instant, 'When it was executed. Orders the transactions of a day.'),
    ...amounts,
    periodStart: nullable(calendarDate, 'The first day that interest is paid for.'),
    periodEnd: nullable(
      calendarDate,
      'The last day that interest is paid for; not before the first. A coupon that states it pays the coupon date nearest to it, whenever it is booked; any other pays the one nearest to its payment.',
    ),
    action: nullable(oneOf(corporateActions), 'Which corporate action it is.'),
    ratio: nullable(
      unitRatio,
      'Units after to units before, as `2:1`; of a spin-off or merger, units of the target to units held.',
    ),
    lots: nullable(
      specifiedLots,
      'The lots that are sold or transferred out, with quantities that add up to the whole. Under SPECIFIC_ID, lots sent by hand must be of this position, opened by then, with as many units left; those of another `source` are replaced by the oldest where they are not.',
    ),
    acquired: nullable(
      acquiredLots,
      'When units that are transferred in were acquired and what they cost, with quantities that add up to the whole.',
    ),
    category: nullable(text({ lengthMax: 100 }), 'What a fee is for, such as `advisory`, `custody` or `performance`.'),
    comment: nullable(text({ lengthMax: 2_000, lines: 'many' }), 'Free text.'),
    source: {
      kind: oneOf(transactionSources),
      description: 'Where it comes from: `custodian`, `manual`, or `calculated` by the service.',
      writable: 'always',
    },
    externalReference: nullable(
      text({ lengthMax: 200 }),
      'The reference that its source has for it. A transaction with the same reference, account and source is not booked twice: with other values, it amends the first.',
    ),
    createdAt: { kind: instant, description: 'When it was first booked.', writable: 'never' },
  },
  relations: {
    client: {
      to: 'client',
      description: 'The client it belongs to; null for what was booked once for all holders of a shared instrument.',
      writable: 'never',
    },
    account: toOneRelation('account', 'The account whose cash or units it moves.'),
    depository: toOneRelation('depository', 'Where the units are kept.'),
    instrument: toOneRelation('instrument', 'What is traded, earns, is charged or is called.'),
    counterAccount: toOneRelation(
      'account',
      'The other own account that it moves. A transfer between two own accounts is not a flow of the whole.',
    ),
    counterDepository: toOneRelation('depository', 'Where units that are moved go to or come from.'),
    targetInstrument: toOneRelation('instrument', 'What a spin-off, a merger or a change of symbol leads to.'),
    trade: toOneRelation('transaction', 'The trade that the coupon comes from.'),
    reversesTransaction: toOneRelation(
      'transaction',
      'The earlier transaction that this one reverses: of the same account and kind, with the opposite sign. No figure depends on it. It stays when that transaction is deleted.',
    ),
  },
});

export type Transaction = RecordOf<typeof transaction>;
