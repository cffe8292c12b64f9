// Vanguard: transactions of brokerage accounts in the United States, whose list of holdings above them has no day, and the cash of accounts
// in the United Kingdom, whose text says the units of a trade.

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
  declareProfile(0x57, {
    name: 'Vanguard (United Kingdom), cash transactions',
    content: 'transactions',
    dateOrder: 'detect',
    recognisedBy: ['Date', 'Details', 'Amount', 'Balance'],
    columns: { date: ['Date'], type: ['Details'], amount: ['Amount'], balance: ['Balance'], comment: ['Details'] },
    // A dividend that is taken back may be paid again on the same day: each of the three lines counts.
    types: wordsFor({
      buy: ['Bought *'],
      sell: ['Sold *'],
      dividend: ['DIV: *', 'Reversal of DIV: *'],
      interest: ['Cash Account Interest*'],
      fee: ['Account Fee*'],
    }),
    texts: [
      { column: 'Details', pattern: 'Bought {quantity} {instrument_name} ({ticker})' },
      { column: 'Details', pattern: 'Bought {quantity} {instrument_name}' },
      { column: 'Details', pattern: 'Sold {quantity} {instrument_name} ({ticker})' },
      { column: 'Details', pattern: 'Sold {quantity} {instrument_name}' },
      { column: 'Details', pattern: 'DIV: {ticker}.{*} @ {*} {*}' },
      { column: 'Details', pattern: 'Reversal of DIV: {ticker}.{*} @ {*} {*}' },
    ],
    // Other banks have these four columns too: what is none of the words above is money in or out.
    constants: { type: 'deposit' },
    ignoredLines: ['Balance'],
  }),
];
