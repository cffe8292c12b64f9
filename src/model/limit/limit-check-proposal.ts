// What somebody thinks of doing, to see what would become of the limits: trades, and cash that comes or goes. Nothing of it is ever
// kept.

import { oneOf } from '../../kit/field.ts';
import { declareResource, exampleIdOf, type Attribute, type ChangeOf, type ToOne } from '../../kit/resource.ts';
import { currencyCode } from '../currency.ts';
import { movedDecimal, notNegativeDecimal, positiveDecimal, signedDecimal } from '../ledger/transaction-value.ts';

const sent = { on: ['v1'], writable: 'at-creation' } as const;

const account = {
  ...sent,
  to: 'account',
  description: 'The account that is charged or credited.',
  required: true,
  example: exampleIdOf('account'),
} as const satisfies ToOne;

/** Read like things that are made, and kept in no table. */
const frame = { table: 'transaction', owner: 'workspace' } as const;

function optional<const K extends Attribute<any>['kind']>(kind: K, description: string) {
  return { ...sent, kind, description, nullable: true } as const;
}

export const proposedTrade = declareResource({
  ...frame,
  type: 'proposed-trade',
  plural: 'proposed-trades',
  description: 'A trade that somebody thinks of.',
  attributes: {
    side: { ...sent, kind: oneOf(['buy', 'sell']), description: 'Which way it goes.', required: true, example: 'buy' },
    quantity: {
      ...sent,
      kind: positiveDecimal,
      description: 'How many units; of bonds the nominal.',
      required: true,
      example: '100',
    },
    price: {
      ...optional(notNegativeDecimal, "In the instrument's price unit; of bonds clean. The day's when it is not sent."),
      example: '95.40',
    },
    fees: optional(notNegativeDecimal, "Fees and taxes, in the instrument's currency. None when it is not sent."),
    accruedInterest: optional(
      signedDecimal,
      "Of bonds: the interest that is bought or sold with it, in the bond's currency. Worked out when it is not sent.",
    ),
    exchangeRate: optional(
      positiveDecimal,
      "1 of the instrument's currency in the account's. The day's when it is not sent.",
    ),
  },
  relations: {
    account,
    depository: { ...sent, to: 'depository', description: 'Where the units lie, or are to.' },
    instrument: {
      ...sent,
      to: 'instrument',
      description: 'What is traded.',
      required: true,
      example: exampleIdOf('instrument'),
    },
  },
});

export const proposedCashMove = declareResource({
  ...frame,
  type: 'proposed-cash-move',
  plural: 'proposed-cash-moves',
  description: 'Cash that comes from outside or goes there. Between two accounts it is two moves.',
  attributes: {
    amount: {
      ...sent,
      kind: movedDecimal,
      description: 'Positive into the account, negative out of it.',
      required: true,
      example: '-5000',
    },
    currency: optional(currencyCode, "What it is in; the account's when it is not sent."),
  },
  relations: { account },
});

export type ProposedTrade = ChangeOf<typeof proposedTrade>;
export type ProposedCashMove = ChangeOf<typeof proposedCashMove>;
