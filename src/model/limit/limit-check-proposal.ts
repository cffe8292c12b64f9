// Declares proposed trades and cash moves, for checking what they would do to limits. They are never stored.

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

/** They are parsed like new records but have no table; the declaration needs one. */
const unstoredDeclaration = { table: 'transaction', owner: 'workspace' } as const;

function optionalField<const K extends Attribute<any>['kind']>(kind: K, description: string) {
  return { ...inputField, kind, description, nullable: true } as const;
}

export const proposedTrade = declareResource({
  ...unstoredDeclaration,
  type: 'proposed-trade',
  plural: 'proposed-trades',
  description: 'A proposed trade.',
  attributes: {
    side: {
      ...inputField,
      kind: oneOf(['buy', 'sell']),
      description: 'Whether to buy or to sell.',
      required: true,
      example: 'buy',
    },
    quantity: {
      ...inputField,
      kind: positiveDecimal,
      description: 'The number of units; for bonds the nominal.',
      required: true,
      example: '100',
    },
    price: {
      ...optionalField(
        nonNegativeDecimal,
        "The price, in the instrument's price unit; for bonds the clean price. Default: the day's price.",
      ),
      example: '95.40',
    },
    fees: optionalField(nonNegativeDecimal, "Fees and taxes, in the instrument's currency. Default: none."),
    accruedInterest: optionalField(
      signedDecimal,
      "For bonds: the accrued interest that is traded with it, in the bond's currency. Computed by default.",
    ),
    exchangeRate: optionalField(
      positiveDecimal,
      "1 of the instrument's currency in the account's currency. Default: the day's rate.",
    ),
  },
  relations: {
    account,
    depository: { ...inputField, to: 'depository', description: 'The depository that holds the units, or will.' },
    instrument: {
      ...inputField,
      to: 'instrument',
      description: 'The instrument that is traded.',
      required: true,
      example: exampleIdOfType('instrument'),
    },
  },
});

export const proposedCashMove = declareResource({
  ...unstoredDeclaration,
  type: 'proposed-cash-move',
  plural: 'proposed-cash-moves',
  description: 'Cash that is paid in or out. A transfer between two accounts is two moves.',
  attributes: {
    amount: {
      ...inputField,
      kind: nonZeroDecimal,
      description: 'Positive into the account, negative out of it.',
      required: true,
      example: '-5000',
    },
    currency: optionalField(currencyCode, "Its currency. Default: the account's."),
  },
  relations: { account },
});

type TradeFields = ChangeOf<typeof proposedTrade>;
type CashMoveFields = ChangeOf<typeof proposedCashMove>;

export type ProposedTrade = TradeFields & Required<Pick<TradeFields, 'side' | 'quantity' | 'account' | 'instrument'>>;
export type ProposedCashMove = CashMoveFields & Required<Pick<CashMoveFields, 'amount' | 'account'>>;
