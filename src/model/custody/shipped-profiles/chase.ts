// Chase: activity of a bank account.

import { declareProfile, wordsFor } from './declare-profile.ts';

export const chase = [
  declareProfile(0x53, {
    dateOrder: 'month-day-year',
    constants: { currency: 'USD' },
    name: 'Chase, account activity',
    content: 'transactions',
    recognisedBy: ['Details', 'Posting Date', 'Description', 'Amount', 'Type', 'Balance'],
    columns: {
      date: ['Posting Date'],
      type: ['Type'],
      amount: ['Amount'],
      balance: ['Balance'],
      comment: ['Description'],
    },
    ignoredColumns: ['Details', 'Check or Slip #'],
    types: wordsFor({ fee: ['FEE_TRANSACTION', 'FEE*'], interest: ['INTEREST*'] }),
  }),
];
