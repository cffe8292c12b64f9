// The tree of instrument classes that a new environment starts with. The workspace may change it from then on.

import type { InstrumentType } from './instrument.ts';
import type { ClassDetails } from './instrument-class.ts';
import { transactionTypes, type TransactionType } from '../ledger/transaction-kind.ts';

/** A class with the details in which it differs from its parent, the types it is the default class of, and its children. */
export interface ClassTemplate {
  readonly name: string;
  readonly details?: Partial<ClassDetails>;
  readonly defaultFor?: readonly InstrumentType[];
  readonly children?: readonly ClassTemplate[];
}

const tradeTypes: readonly TransactionType[] = ['buy', 'sell', 'deposit', 'withdrawal', 'fee', 'corporate-action'];

/** The details of a root class that states none. */
export const defaultClassDetails: ClassDetails = {
  assetClass: 'other',
  liquidity: 'daily',
  allowedTransactionTypes: transactionTypes,
  valuationBasis: 'price',
  performanceMeasure: 'twr',
  stalenessDays: 10,
};

const leafClasses = (...names: readonly string[]): ClassTemplate[] => names.map((name) => ({ name }));

const illiquid = { liquidity: 'illiquid', valuationBasis: 'net-asset-value', stalenessDays: 120 } as const;

export const defaultTaxonomy: readonly ClassTemplate[] = [
  {
    name: 'Cash',
    defaultFor: ['cash-instrument', 'fees-owed-instrument'],
    details: {
      assetClass: 'cash',
      valuationBasis: 'balance',
      allowedTransactionTypes: ['deposit', 'withdrawal', 'interest', 'fee', 'fx-trade'],
    },
    children: leafClasses('Current accounts', 'Time deposits'),
  },
  {
    name: 'Equities',
    defaultFor: ['stock-instrument'],
    details: { assetClass: 'equity', allowedTransactionTypes: [...tradeTypes, 'dividend', 'maturity'] },
    children: leafClasses('Developed markets', 'Emerging markets', 'Small companies'),
  },
  {
    name: 'Fixed income',
    defaultFor: ['bond-instrument', 'zero-coupon-bond-instrument'],
    details: { assetClass: 'fixed-income', allowedTransactionTypes: [...tradeTypes, 'coupon', 'interest', 'maturity'] },
    children: [
      ...leafClasses('Government', 'Corporate'),
      { name: 'Inflation-linked', defaultFor: ['index-linked-bond-instrument'] },
      ...leafClasses('High yield', 'Money market'),
      {
        name: 'Loans',
        defaultFor: ['loan-instrument'],
        details: {
          ...illiquid,
          valuationBasis: 'accrual',
          allowedTransactionTypes: [...tradeTypes, 'coupon', 'interest', 'maturity'],
        },
      },
    ],
  },
  {
    name: 'Funds',
    defaultFor: ['mutual-fund-instrument'],
    details: {
      assetClass: 'fund',
      valuationBasis: 'net-asset-value',
      stalenessDays: 45,
      allowedTransactionTypes: [...tradeTypes, 'dividend', 'interest', 'maturity'],
    },
    children: [
      ...leafClasses('Equity funds', 'Bond funds', 'Multi-asset funds', 'Money market funds'),
      { name: 'Hedge funds', details: { liquidity: 'monthly' } },
    ],
  },
  {
    name: 'Private markets',
    defaultFor: ['private-market-fund'],
    details: {
      ...illiquid,
      assetClass: 'private-market',
      performanceMeasure: 'irr',
      allowedTransactionTypes: [...tradeTypes, 'dividend', 'drawing', 'private-equity-cashflow'],
    },
    children: leafClasses('Private equity', 'Venture capital', 'Private debt', 'Infrastructure', 'Real estate funds'),
  },
  {
    name: 'Real assets',
    details: {
      ...illiquid,
      assetClass: 'real-asset',
      valuationBasis: 'price',
      allowedTransactionTypes: [...tradeTypes, 'dividend', 'interest'],
    },
    children: [
      ...leafClasses('Real estate'),
      { name: 'Precious metals', details: { liquidity: 'daily', stalenessDays: 10 } },
      ...leafClasses('Art and collectibles'),
    ],
  },
  {
    name: 'Derivatives',
    details: { assetClass: 'derivative', allowedTransactionTypes: [...tradeTypes, 'fx-trade', 'maturity'] },
    children: [
      {
        name: 'FX forwards',
        defaultFor: ['fx-forward-cash-settlement-contract', 'fx-forward-physical-delivery-contract'],
      },
      ...leafClasses('Options', 'Futures', 'Structured products'),
    ],
  },
  {
    name: 'Other',
    defaultFor: ['other-instrument'],
    children: [{ name: 'Fees', details: { valuationBasis: 'accrual' }, defaultFor: ['fee-instrument'] }],
  },
];
