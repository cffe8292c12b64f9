// Bank of America: activity of a bank account.

import { declareProfile } from './declare-profile.ts';

export const bankOfAmerica = [
  declareProfile(0x55, {
    dateOrder: 'month-day-year',
    constants: { currency: 'USD' },
    name: 'Bank of America, account activity',
    content: 'transactions',
    recognisedBy: ['Date', 'Description', 'Amount', 'Running Bal.'],
    columns: {
      date: ['Date'],
      amount: ['Amount'],
      balance: ['Running Bal.'],
      comment: ['Description'],
    },
    ignoredLines: ['Beginning balance*', 'Ending balance*', 'Total credits*', 'Total debits*'],
  }),
];
