// The pension foundation finpension: the transactions of a portfolio. All amounts are in francs.

import { declareProfile, wordsFor } from './declare-profile.ts';

export const finpension = [
  declareProfile(0xb4, {
    name: 'finpension, transactions',
    content: 'transactions',
    recognisedBy: [
      'Date',
      'Category',
      'Asset Name',
      'ISIN',
      'Number of Shares',
      'Asset Price in CHF',
      'Cash Flow',
      'Balance',
    ],
    columns: {
      date: ['Date'],
      type: ['Category'],
      instrumentName: ['Asset Name'],
      isin: ['ISIN'],
      quantity: ['Number of Shares'],
      price: ['Asset Price in CHF'],
      amount: ['Cash Flow'],
      balance: ['Balance'],
      comment: ['Category'],
    },
    types: wordsFor({
      buy: ['Buy'],
      sell: ['Sell'],
      dividend: ['Dividend*', 'Distribution*'],
      interest: ['Interest*'],
      fee: ['Flat-rate*', '*fee', 'Fee*', 'Implementation fee*'],
      deposit: ['Deposit*', 'Transfer*', 'Payment*'],
      withdrawal: ['Withdrawal*'],
    }),
    constants: { currency: 'CHF' },
    ignoredColumns: ['Asset Currency', 'Currency Rate'],
  }),
];
