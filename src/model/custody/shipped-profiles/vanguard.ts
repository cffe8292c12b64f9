// Vanguard in the United States: transactions of brokerage accounts. The list of holdings above them has no day.

import { declareProfile, wordsFor } from './declare-profile.ts';

export const vanguard = [
  declareProfile(0x52, {
    dateOrder: 'month-day-year',
    constants: { currency: 'USD' },
    name: 'Vanguard (United States), transactions',
    content: 'transactions',
    recognisedBy: [
      'Account Number',
      'Trade Date',
      'Settlement Date',
      'Transaction Type',
      'Investment Name',
      'Shares',
      'Net Amount',
    ],
    columns: {
      date: ['Trade Date'],
      settlementDate: ['Settlement Date'],
      account: ['Account Number'],
      type: ['Transaction Type'],
      instrumentName: ['Investment Name'],
      ticker: ['Symbol'],
      quantity: ['Shares'],
      price: ['Share Price'],
      fees: ['Commission Fees', 'Commissions and Fees'],
      accruedInterest: ['Accrued Interest'],
      amount: ['Net Amount'],
      comment: ['Transaction Description'],
    },
    types: [
      ...wordsFor({
        buy: ['Buy*', 'Reinvestment*', 'Sweep in'],
        sell: ['Sell*', 'Sweep out'],
        dividend: ['Dividend*', 'Capital gain*'],
        interest: ['Interest*'],
        fee: ['Fee*', 'Advisory fee*'],
        deposit: ['Funds Received', 'Contribution*', 'Transfer (incoming)', 'Rollover*'],
        withdrawal: ['Withdrawal*', 'Distribution*', 'Transfer (outgoing)'],
        maturity: ['Redemption*', 'Maturity*'],
      }),
      { word: 'Stock split*', type: 'corporate-action', action: 'split' },
    ],
    ignoredColumns: ['Principal Amount', 'Account Type'],
  }),
];
