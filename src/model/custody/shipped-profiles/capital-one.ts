// Capital One: activity of a card.

import { declareProfile } from './declare-profile.ts';

export const capitalOne = [
  declareProfile(0x54, {
    dateOrder: 'month-day-year',
    constants: { currency: 'USD' },
    name: 'Capital One, card activity',
    content: 'transactions',
    recognisedBy: ['Transaction Date', 'Posted Date', 'Description', 'Debit', 'Credit'],
    columns: {
      date: ['Posted Date'],
      debit: ['Debit'],
      credit: ['Credit'],
      comment: ['Description', 'Category'],
    },
    ignoredLines: ['Total*'],
    ignoredColumns: ['Transaction Date', 'Card No.'],
  }),
];
