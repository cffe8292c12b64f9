// Scalable Capital: the transactions of the broker. Fees and taxes are not in the amount yet.

import { declareProfile, wordsFor } from './declare-profile.ts';

export const scalableCapital = [
  declareProfile(0xb0, {
    name: 'Scalable Capital, transactions',
    content: 'transactions',
    decimalMark: 'detect',
    recognisedBy: [
      'date',
      'time',
      'status',
      'reference',
      'description',
      'assetType',
      'type',
      'isin',
      'shares',
      'price',
      'amount',
      'fee',
      'tax',
      'currency',
    ],
    columns: {
      date: ['date'],
      status: ['status'],
      reference: ['reference'],
      type: ['type'],
      isin: ['isin'],
      instrumentName: ['description'],
      quantity: ['shares'],
      price: ['price'],
      grossAmount: ['amount'],
      fees: ['fee'],
      taxes: ['tax'],
      currency: ['currency'],
      comment: ['description'],
    },
    types: [
      ...wordsFor({
        buy: ['Buy', 'Savings plan'],
        sell: ['Sell'],
        dividend: ['Distribution', 'Dividend'],
        interest: ['Interest'],
        fee: ['Fee', 'Taxes', 'Tax'],
        deposit: ['Deposit'],
        withdrawal: ['Withdrawal'],
      }),
      { word: 'Security transfer', type: 'deposit', moves: 'units' },
    ],
    pendingWords: ['Pending'],
    ignoredWords: ['Cancelled', 'Canceled', 'Expired', 'Rejected'],
    ignoredColumns: ['time', 'assetType'],
  }),
];
