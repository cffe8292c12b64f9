// Wise: the statement of a balance in one currency. The history of all transfers has two amounts a line and is not read.

import { declareProfile, wordsFor } from './declare-profile.ts';

export const wise = [
  declareProfile(0x92, {
    name: 'Wise, balance statement',
    content: 'transactions',
    dateOrder: 'day-month-year',
    recognisedBy: ['TransferWise ID|Wise ID', 'Date', 'Amount', 'Currency', 'Description', 'Running Balance'],
    columns: {
      date: ['Date'],
      // A fee has the id of what it is charged for.
      reference: ['TransferWise ID', 'Wise ID'],
      type: ['Description'],
      currency: ['Currency'],
      amount: ['Amount'],
      balance: ['Running Balance'],
      comment: ['Description', 'Payment Reference'],
    },
    types: wordsFor({
      fee: ['Wise Charges for*', 'TransferWise Charges for*', 'Service fee*'],
      interest: ['Interest*', 'Balance interest*'],
    }),
    constants: { type: 'deposit' },
    ignoredColumns: [
      'Date Time',
      'Exchange *',
      'Payer Name',
      'Payee Name',
      'Payee Account Number',
      'Merchant',
      'Card *',
      'Attachment',
      'Note',
      // Stated beside lines whose fee is in the amount, or a line of its own.
      'Total fees',
      'Transaction *',
    ],
  }),
];
