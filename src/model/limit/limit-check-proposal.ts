// What somebody thinks of doing, to see what would become of the limits: trades, and cash that comes or goes. Nothing of it is ever
// kept.

import { oneOf } from '../../kit/field.ts';
import { declareResource, exampleIdOfType, type Attribute, type ChangeOf, type ToOne } from '../../kit/resource.ts';
import { currencyCode } from '../currency.ts';
import { nonZeroDecimal, nonNegativeDecimal, positiveDecimal, signedDecimal } from '../ledger/transaction-value.ts';

const inputField = { writable: 'at-creation' } as const;

const account = {
  ...inputField,
  to: 'account',
  description: 'The account that is charged or credited.',
  required: true,
  example: exampleIdOfType('account'),
} as const satisfies ToOne;

/** Read like things that are made, and kept in no table. */
const unstoredDeclaration = { table: 'transaction', owner: 'workspace' } as const;

function optionalField<const K extends Attribute<any>['kind']>(kind: K, description: string) {
  return { ...inputField, kind, description, nullable: true } as const;
}

export const proposedTrade = declareResource({
  ...unstoredDeclaration,
  type: 'proposed-trade',
  plural: 'proposed-trades',
  description: 'A trade that somebody thinks of.',
  attributes: {
    side: {
      ...inputField,
      kind: oneOf(['buy', 'sell']),
      description: 'Which way it goes.',
      required: true,
      example: 'buy',
    },
    quantity: {
      ...inputField,
      kind: positiveDecimal,
      description: 'How many units; of bonds the nominal.',
      required: true,
      example: '100',
    },
    price: {
      ...optionalField(
        nonNegativeDecimal,
        "In the instrument's price unit; of bonds clean. The day's when it is not sent.",
      ),
      example: '95.40',
    },
    fees: optionalField(nonNegativeDecimal, "Fees and taxes, in the instrument's currency. None when it is not sent."),
    accruedInterest: optionalField(
      signedDecimal,
      "Of bonds: the interest that is bought or sold with it, in the bond's currency. Worked out when it is not sent.",
    ),
    exchangeRate: optionalField(
      positiveDecimal,
      "1 of the instrument's currency in the account's. The day's when it is not sent.",
    ),
  },
  relations: {
    account,
    depository: { ...inputField, to: 'depository', description: 'Where the units lie, or are to.' },
    instrument: {
      ...inputField,
      to: 'instrument',
      description: 'What is traded.',
      required: true,
      example: exampleIdOfType('instrument'),
    },
  },
});

export const proposedCashMove = declareResource({
  ...unstoredDeclaration,
  type: 'proposed-cash-move',
  plural: 'proposed-cash-moves',
  description: 'Cash that comes from outside or goes there. Between two accounts it is two moves.',
  attributes: {
    amount: {
      ...inputField,
      kind: nonZeroDecimal,
      description: 'Positive into the account, negative out of it.',
      required: true,
      example: '-5000',
    },
    currency: optionalField(currencyCode, "What it is in; the account's when it is not sent."),
  },
  relations: { account },
});

export type ProposedTrade = ChangeOf<typeof proposedTrade>;
export type ProposedCashMove = ChangeOf<typeof proposedCashMove>;
