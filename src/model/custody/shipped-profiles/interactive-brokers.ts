// Interactive Brokers: the transaction history of the client portal. All amounts are in the base currency, which stands above the header;
// only prices are in that of the instrument.

import { declareProfile, wordsFor } from './declare-profile.ts';

export const interactiveBrokers = [
  declareProfile(0xb6, {
    name: 'Interactive Brokers, transaction history',
    content: 'transactions',
    recognisedBy: [
      'Transaction History',
      'Date',
      'Account',
      'Description',
      'Transaction Type',
      'Symbol',
      'Quantity',
      'Price',
      'Commission',
      'Net Amount',
    ],
    columns: {
      date: ['Date'],
      account: ['Account'],
      type: ['Transaction Type'],
      ticker: ['Symbol'],
      instrumentName: ['Description'],
      quantity: ['Quantity'],
      price: ['Price [Price Currency]'],
      fees: ['Commission'],
      amount: ['Net Amount'],
      currency: ['Base Currency:'],
      comment: ['Description'],
    },
    texts: [{ column: 'Description', pattern: '{*}({isin}) *' }],
    types: [
      ...wordsFor({
        buy: ['Buy'],
        sell: ['Sell'],
        dividend: ['Dividend', 'Payment in Lieu'],
        coupon: ['Investment Interest Received', 'Investment Interest Paid'],
        interest: ['Credit Interest', 'Debit Interest', 'Broker Interest*'],
        fee: [
          'Foreign Tax Withholding',
          'Withholding Tax',
          'Other Fee',
          'Sales Tax',
          'Commission Adjustment',
          'Transaction Fee',
        ],
        deposit: ['Deposit'],
        withdrawal: ['Withdrawal'],
      }),
    ],
    ignoredColumns: ['Transaction History', 'Header', 'Gross Amount', 'Exchange Rate', 'Currency'],
  }),
];
