// XTB: cash operations. The text says the units of a trade; the price in it may be in another currency than the account.

import { declareProfile, wordsFor } from './declare-profile.ts';

const trades = ['OPEN BUY', 'CLOSE BUY'].flatMap((words) => [
  { column: 'Comment', pattern: `${words} {quantity}/{*} @ {*}` },
  { column: 'Comment', pattern: `${words} {quantity} @ {*}` },
]);

export const xtb = [
  declareProfile(0xb5, {
    name: 'XTB, cash operations',
    content: 'transactions',
    dateOrder: 'day-month-year',
    recognisedBy: ['ID', 'Type', 'Time', 'Symbol', 'Comment', 'Amount'],
    columns: {
      date: ['Time'],
      reference: ['ID'],
      type: ['Type'],
      ticker: ['Symbol'],
      amount: ['Amount'],
      comment: ['Comment'],
    },
    texts: trades,
    types: wordsFor({
      buy: ['Stocks/ETF purchase', 'Stock purchase', 'Ações/ETF compra'],
      sell: ['Stocks/ETF sale', 'Stock sale', 'Stock sell', 'Ações/ETF vende'],
      dividend: ['Dividend', 'DIVIDENT'],
      interest: ['Free funds interests', 'Free-funds Interest', 'Free funds interest'],
      fee: [
        'Withholding tax',
        'Free funds interests tax',
        'Free-funds Interest Tax',
        'SEC fee',
        'Commission',
        'Sec Fee',
      ],
      deposit: ['Deposit', 'IKE Deposit', 'Blik(Payu) deposit'],
      withdrawal: ['Withdrawal'],
    }),
    ignoredLines: ['Total*'],
  }),
];
