// The broker interactive investor: transactions. The text of a line says what it is; that of a trade begins with its units and has no side.

import { declareProfile, wordsFor } from './declare-profile.ts';

export const interactiveInvestor = [
  declareProfile(0x87, {
    name: 'interactive investor, transactions',
    content: 'transactions',
    dateOrder: 'day-month-year',
    recognisedBy: [
      'Date',
      'Settlement Date',
      'Symbol',
      'Sedol',
      'Quantity',
      'Price',
      'Description',
      'Debit',
      'Credit',
      'Running Balance',
    ],
    columns: {
      date: ['Date'],
      settlementDate: ['Settlement Date'],
      type: ['Description'],
      ticker: ['Symbol'],
      sedol: ['Sedol'],
      quantity: ['Quantity'],
      price: ['Price'],
      debit: ['Debit'],
      credit: ['Credit'],
      balance: ['Running Balance'],
      comment: ['Description', 'Reference'],
    },
    types: [
      ...wordsFor({
        interest: ['GROSS INTEREST*', 'INTEREST*'],
        dividend: ['DIVIDEND*', 'DIV *'],
        fee: ['MONTHLY *', 'TOTAL MONTHLY FEE*', 'FEE *', 'SERVICE *', 'CUSTODY *', 'TRADING FEE*'],
        deposit: [
          '20##/## ISA SUBSCRIPTION*',
          'SUBSCRIPTION*',
          'DEBIT CARD PAYMENT*',
          'CASH TRANSFER*',
          'CASH IN*',
          'BANK TRANSFER*',
        ],
        withdrawal: ['CASH WITHDRAWAL*', 'WITHDRAWAL*', 'CASH OUT*'],
      }),
      { word: '#*', type: 'buy', direction: 'by-cash' },
    ],
    texts: [{ column: 'Description', pattern: '{*} {instrument_name} Del {*} S Date {*}' }],
    constants: { currency: 'GBP' },
  }),
];
