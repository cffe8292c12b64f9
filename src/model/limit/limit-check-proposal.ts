// Declares proposed trades, cash moves and bounds, for checking what they would do to limits. They are never stored.

import { oneOf } from '../../kit/field.ts';
import { declareResource, exampleIdOfType, type Attribute, type ChangeOf, type ToOne } from '../../kit/resource.ts';
import { currencyCode } from '../currency.ts';
import { limit as limitResource } from './limit.ts';
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
      ...optionalField(positiveDecimal, 'The number of units; for bonds the nominal. Either this or `amount`.'),
      example: '100',
    },
    amount: optionalField(
      positiveDecimal,
      "How much to buy or sell for, in the instrument's currency, without fees and accrued interest: as many units as the price gives for it, fractions included.",
    ),
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

const { minPct, maxPct, minAmount, maxAmount } = limitResource.attributes;

function proposedBound<const K extends Attribute<any>['kind']>({
  kind,
  description,
}: {
  kind: K;
  description: string;
}) {
  return optionalField(kind, `${description} If it is not sent, the bound stays; null: no such bound.`);
}

export const proposedBounds = declareResource({
  ...unstoredDeclaration,
  type: 'proposed-bounds',
  plural: 'proposed-bounds',
  description: 'Other bounds of a limit, to see what would keep or break them. The limit itself does not change.',
  attributes: {
    minPct: proposedBound(minPct),
    maxPct: proposedBound(maxPct),
    minAmount: proposedBound(minAmount),
    maxAmount: { ...proposedBound(maxAmount), example: '200000' },
  },
  relations: {
    limit: {
      ...inputField,
      to: 'limit',
      description: 'The limit.',
      required: true,
      example: exampleIdOfType('limit'),
    },
  },
});

type TradeFields = ChangeOf<typeof proposedTrade>;
type CashMoveFields = ChangeOf<typeof proposedCashMove>;

export type ProposedTrade = TradeFields & Required<Pick<TradeFields, 'side' | 'account' | 'instrument'>>;
export type ProposedCashMove = CashMoveFields & Required<Pick<CashMoveFields, 'amount' | 'account'>>;

type BoundsFields = ChangeOf<typeof proposedBounds>;
export type ProposedBounds = BoundsFields & Required<Pick<BoundsFields, 'limit'>>;
