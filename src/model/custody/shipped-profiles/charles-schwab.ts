// Charles Schwab: transactions of a brokerage account, and of a bank account.

import { declareProfile, wordsFor } from './declare-profile.ts';

const schwabTypes = [
  ...wordsFor({
    buy: ['Buy', 'Reinvest Shares'],
    sell: ['Sell'],
    dividend: [
      'Cash Dividend',
      'Qualified Dividend',
      'Non-Qualified Div',
      'Qual Div Reinvest',
      'Reinvest Dividend',
      'Pr Yr Cash Div',
      'Special Dividend',
      'Long Term Cap Gain*',
      'Short Term Cap Gain*',
      'Div Adjustment',
    ],
    coupon: ['Bond Interest', 'CD Interest'],
    interest: ['Bank Interest', 'Credit Interest', 'Margin Interest'],
    fee: [
      'Service Fee',
      'ADR Mgmt Fee',
      'Misc Cash Entry',
      'Advisor Fee',
      'Foreign Tax Paid',
      'NRA Tax Adj',
      'NRA Withholding',
    ],
    deposit: ['MoneyLink Deposit', 'Wire Received', 'Funds Received', 'Security Transfer In'],
    withdrawal: ['MoneyLink Withdrawal', 'Wire Sent', 'Wire Funds', 'Funds Paid'],
    maturity: ['Full Redemption', 'Full Redemption Adj', 'Matured', 'Partial Redemption'],
  }),
  { word: 'Stock Split', type: 'corporate-action', action: 'split' },
  { word: 'Reverse Split', type: 'corporate-action', action: 'reverse-split' },
  { word: 'Spin-off', type: 'corporate-action', action: 'spin-off' },
  { word: 'Stock Merger', type: 'corporate-action', action: 'merger' },
  { word: 'Return Of Capital', type: 'corporate-action', action: 'return-of-capital' },
] as const;

export const charlesSchwab = [
  declareProfile(0x50, {
    dateOrder: 'month-day-year',
    constants: { currency: 'USD' },
    name: 'Charles Schwab, transactions',
    content: 'transactions',
    recognisedBy: ['Date', 'Action', 'Symbol', 'Description', 'Quantity', 'Price', 'Fees & Comm', 'Amount'],
    columns: {
      date: ['Date'],
      type: ['Action'],
      ticker: ['Symbol'],
      instrumentName: ['Description'],
      quantity: ['Quantity'],
      price: ['Price'],
      fees: ['Fees & Comm'],
      amount: ['Amount'],
      comment: ['Action'],
    },
    types: schwabTypes,
    ignoredLines: ['Transactions Total*', 'Total*'],
  }),
];
