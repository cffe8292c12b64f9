// The tree of instrument classes that a new environment begins with. From then on it is the workspace's own.

import type { ClassDetails } from './instrument-class.ts';
import { transactionTypes, type TransactionType } from '../ledger/transaction-kind.ts';

/** A class, what it differs in from the one above it, and what is below it. */
export interface Branch {
  readonly name: string;
  readonly details?: Partial<ClassDetails>;
  readonly below?: readonly Branch[];
}

const trades: readonly TransactionType[] = ['buy', 'sell', 'deposit', 'withdrawal', 'fee', 'corporate-action'];

/** Of a root without anything said. */
export const plainDetails: ClassDetails = {
  assetClass: 'other',
  liquidity: 'daily',
  allowedTransactionTypes: transactionTypes,
  valuationBasis: 'price',
  performanceMeasure: 'twr',
  stalenessDays: 10,
};

const named = (...names: readonly string[]): Branch[] => names.map((name) => ({ name }));

const illiquid = { liquidity: 'illiquid', valuationBasis: 'net-asset-value', stalenessDays: 120 } as const;

export const taxonomy: readonly Branch[] = [
  {
    name: 'Cash',
    details: {
      assetClass: 'cash',
      valuationBasis: 'balance',
      allowedTransactionTypes: ['deposit', 'withdrawal', 'interest', 'fee', 'fx-trade'],
    },
    below: named('Current accounts', 'Time deposits'),
  },
  {
    name: 'Equities',
    details: { assetClass: 'equity', allowedTransactionTypes: [...trades, 'dividend'] },
    below: named('Developed markets', 'Emerging markets', 'Small companies'),
  },
  {
    name: 'Fixed income',
    details: { assetClass: 'fixed-income', allowedTransactionTypes: [...trades, 'coupon', 'maturity'] },
    below: [
      ...named('Government', 'Corporate', 'Inflation-linked', 'High yield', 'Money market'),
      {
        name: 'Loans',
        details: {
          ...illiquid,
          valuationBasis: 'accrual',
          allowedTransactionTypes: [...trades, 'coupon', 'interest', 'maturity'],
        },
      },
    ],
  },
  {
    name: 'Funds',
    details: {
      assetClass: 'fund',
      valuationBasis: 'net-asset-value',
      stalenessDays: 45,
      allowedTransactionTypes: [...trades, 'dividend'],
    },
    below: [
      ...named('Equity funds', 'Bond funds', 'Multi-asset funds', 'Money market funds'),
      { name: 'Hedge funds', details: { liquidity: 'monthly' } },
    ],
  },
  {
    name: 'Private markets',
    details: {
      ...illiquid,
      assetClass: 'private-market',
      performanceMeasure: 'irr',
      allowedTransactionTypes: [...trades, 'dividend', 'drawing', 'private-equity-cashflow'],
    },
    below: named('Private equity', 'Venture capital', 'Private debt', 'Infrastructure', 'Real estate funds'),
  },
  {
    name: 'Real assets',
    details: {
      ...illiquid,
      assetClass: 'real-asset',
      valuationBasis: 'price',
      allowedTransactionTypes: [...trades, 'dividend', 'interest'],
    },
    below: [
      ...named('Real estate'),
      { name: 'Precious metals', details: { liquidity: 'daily', stalenessDays: 10 } },
      ...named('Art and collectibles'),
    ],
  },
  {
    name: 'Derivatives',
    details: { assetClass: 'derivative', allowedTransactionTypes: [...trades, 'fx-trade', 'maturity'] },
    below: named('FX forwards', 'Options', 'Futures', 'Structured products'),
  },
  { name: 'Other', below: [{ name: 'Fees', details: { valuationBasis: 'accrual' } }] },
];
