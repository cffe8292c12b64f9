// Sharesight: the reports of all trades and of taxable income. In the first, `Value` is in the currency of the portfolio, which only newer files say; prices and brokerage are
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
  // Two tables: local income in the currency of the portfolio, and foreign income with its own.
  declareProfile(0xb7, {
    name: 'Sharesight, taxable income',
    content: 'transactions',
    dateOrder: 'detect',
    decimalMark: 'detect',
    recognisedBy: ['Code', 'Name', 'Date Paid', 'Net Dividend|Net Amount', 'Gross Dividend|Gross Amount', 'Comments'],
    columns: {
      date: ['Date Paid'],
      instrumentName: ['Name'],
      currency: ['Currency'],
      amount: ['Net Dividend', 'Net Amount'],
      taxes: ['Tax Deducted', 'Foreign Tax Deducted'],
      comment: ['Code', 'Comments'],
    },
    texts: [{ column: 'Code', pattern: '{ticker}.{*}' }],
    constants: { type: 'dividend' },
    ignoredLines: [
      'Total*',
      '*Income',
      'Dividend Payments',
      'Trust*',
      'Interest Payments',
      'Local*',
      'Foreign*',
      'Non Taxable*',
    ],
    ignoredColumns: ['Tax Credit', 'Gross Dividend', 'Gross Amount', 'Exchange Rate', '#9'],
  }),
];
