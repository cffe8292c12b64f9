// Fidelity: the history of an account, or of all accounts.

import { declareProfile, wordsFor } from './declare-profile.ts';

const fidelityTypes = [
  ...wordsFor({
    buy: ['YOU BOUGHT*', 'REINVESTMENT*', 'PURCHASE INTO CORE ACCOUNT*'],
    sell: ['YOU SOLD*', 'REDEMPTION FROM CORE ACCOUNT*'],
    dividend: ['DIVIDEND RECEIVED*', 'LONG-TERM CAP GAIN*', 'SHORT-TERM CAP GAIN*'],
    interest: ['INTEREST EARNED*', 'MARGIN INTEREST*'],
    coupon: ['INTEREST *', 'MUNI EXEMPT INT*'],
    fee: ['FEE CHARGED*', 'ADVISORY FEE*', 'FOREIGN TAX PAID*', 'ADJ FOREIGN TAX PAID*', 'NON-RESIDENT TAX*'],
    deposit: [
      'ELECTRONIC FUNDS TRANSFER RECEIVED*',
      'DIRECT DEPOSIT*',
      'WIRE TRANSFER FROM*',
      'CHECK RECEIVED*',
      'TRANSFERRED FROM*',
      'TRANSFER OF ASSETS*',
      'CASH CONTRIBUTION*',
      'PARTIC CONTR*',
    ],
    withdrawal: [
      'ELECTRONIC FUNDS TRANSFER PAID*',
      'DIRECT DEBIT*',
      'WIRE TRANSFER TO*',
      'CHECK PAID*',
      'DEBIT CARD PURCHASE*',
      'BILL PAYMENT*',
      'TRANSFERRED TO*',
    ],
    maturity: ['REDEMPTION PAYOUT*', 'BOND MATURED*'],
  }),
  { word: 'RETURN OF CAPITAL*', type: 'corporate-action', action: 'return-of-capital' },
  { word: 'DISTRIBUTION SPLIT*', type: 'corporate-action', action: 'split' },
  { word: 'REVERSE SPLIT*', type: 'corporate-action', action: 'reverse-split' },
  { word: 'SPIN-OFF*', type: 'corporate-action', action: 'spin-off' },
  { word: 'MERGER*', type: 'corporate-action', action: 'merger' },
] as const;

export const fidelity = [
  declareProfile(0x51, {
    dateOrder: 'month-day-year',
    constants: { currency: 'USD' },
    name: 'Fidelity, history',
    content: 'transactions',
    recognisedBy: ['Run Date', 'Action', 'Symbol', 'Quantity', 'Settlement Date'],
    columns: {
      date: ['Run Date'],
      settlementDate: ['Settlement Date'],
      type: ['Action'],
      account: ['Account Number'],
      ticker: ['Symbol'],
      instrumentName: ['Description', 'Security Description'],
      quantity: ['Quantity'],
      price: ['Price ($)', 'Price'],
      fees: ['Commission ($)', 'Fees ($)', 'Commission', 'Fees'],
      accruedInterest: ['Accrued Interest ($)', 'Accrued Interest'],
      amount: ['Amount ($)', 'Amount'],
      currency: ['Currency'],
      comment: ['Action'],
    },
    types: fidelityTypes,
    ignoredLines: [
      'The data and information*',
      'Brokerage services*',
      'Date downloaded*',
      'purchase or sale*',
      'recommendation*',
      'information *',
      'Fidelity.com*',
      'exported and is subject*',
      'purposes. For more*',
      'Financial Services LLC*',
      'Fidelity Insurance*',
    ],
    ignoredColumns: [
      'Account',
      'Type',
      'Security Type',
      'Exchange *',
      // Of some lines it is the word `Processing`.
      'Cash Balance*',
    ],
  }),
];
