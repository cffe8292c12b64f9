// Sharesight: the report of all trades. `Value` is in the currency of the portfolio, which only newer files say; prices and brokerage are
// in that of the instrument.

import { declareProfile, wordsFor } from './declare-profile.ts';

export const sharesight = [
  declareProfile(0x94, {
    name: 'Sharesight, all trades',
    content: 'transactions',
    dateOrder: 'detect',
    decimalMark: 'detect',
    recognisedBy: [
      'Market',
      'Code',
      'Name',
      'Type',
      'Date',
      'Quantity',
      'Price|Price *',
      'Brokerage|Brokerage *',
      'Value',
    ],
    columns: {
      date: ['Date'],
      type: ['Type'],
      ticker: ['Code'],
      instrumentName: ['Name'],
      quantity: ['Quantity'],
      price: ['Price [Instrument Currency]', 'Price * [Currency]'],
      fees: ['Brokerage [Brokerage Currency]', 'Brokerage * [Currency]'],
      currency: ['Cost base per share ({currency})'],
      amount: ['Value'],
      comment: ['Market', 'Comments'],
    },
    types: [
      ...wordsFor({ buy: ['Buy'], sell: ['Sell'] }),
      { word: 'Opening Balance', type: 'deposit', moves: 'units', direction: 'in' },
      { word: 'Split', type: 'corporate-action', action: 'split', moves: 'units' },
      { word: 'Consolidation', type: 'corporate-action', action: 'reverse-split', moves: 'units' },
    ],
    signs: 'by-type',
    ignoredLines: ['* Prices and brokerage*', 'Total*'],
    ignoredColumns: ['Exchange Rate', '#14', 'Source'],
  }),
];
