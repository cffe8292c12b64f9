// Freetrade: activity. Amounts have no signs, and dividends state their tax in the currency of the share.

import { declareProfile, wordsFor } from './declare-profile.ts';

export const freetrade = [
  declareProfile(0x86, {
    name: 'Freetrade, activity',
    content: 'transactions',
    recognisedBy: ['Title', 'Type', 'Timestamp', 'Account Currency', 'Total Amount', 'Buy / Sell', 'ISIN', 'Quantity'],
    columns: {
      date: ['Timestamp'],
      reference: ['Order ID'],
      // `ORDER` says no side: the second column does.
      type: ['Type', 'Buy / Sell'],
      currency: ['Account Currency'],
      amount: ['Total Amount'],
      isin: ['ISIN'],
      ticker: ['Ticker'],
      instrumentName: ['Title'],
      quantity: ['Quantity'],
      price: ['Price per Share in Account Currency'],
      fees: ['FX Fee Amount'],
      taxes: ['Stamp Duty', 'Dividend Withheld Tax Amount [Instrument Currency]'],
      comment: ['Title'],
    },
    types: [
      ...wordsFor({
        buy: ['BUY'],
        sell: ['SELL'],
        dividend: ['DIVIDEND', 'SPECIAL_DIVIDEND', 'PROPERTY'],
        interest: ['INTEREST_FROM_CASH'],
        deposit: ['TOP_UP'],
        withdrawal: ['WITHDRAWAL'],
      }),
      { word: 'FREESHARE_ORDER', type: 'deposit', moves: 'units', direction: 'in' },
    ],
    signs: 'by-type',
    ignoredWords: ['MONTHLY_STATEMENT', 'TAX_CERTIFICATE'],
    ignoredColumns: [
      'Venue',
      'Order Type',
      'Total Shares Amount',
      'Price per Share',
      'FX Rate',
      'Base FX Rate',
      'FX Fee (BPS)',
      'Dividend *',
      'Stock Split *',
    ],
  }),
];
