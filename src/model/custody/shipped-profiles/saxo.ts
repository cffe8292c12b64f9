// Saxo: transactions, saved as CSV. The text of a trade has its units; amounts are in the currency of the account, which the file does
// not say.

import { declareProfile, wordsFor } from './declare-profile.ts';

/** English, Danish, German, Dutch, French. */
const buyWords = ['Buy', 'Købt', 'Kauf', 'Koop', 'Achat'];
const sellWords = ['Sell', 'Sold', 'Solgt', 'Verkauf', 'Verkoop', 'Vente'];

export const saxo = [
  declareProfile(0x88, {
    name: 'Saxo, transactions',
    content: 'transactions',
    dateOrder: 'day-month-year',
    decimalMark: 'detect',
    recognisedBy: [
      'Client ID',
      'Trade Date',
      'Value Date',
      'Type|Transaction Type',
      'Instrument',
      'Instrument ISIN',
      'Event',
      'Amount|Booked Amount',
    ],
    columns: {
      date: ['Trade Date'],
      settlementDate: ['Value Date'],
      type: ['Event'],
      account: ['Account ID'],
      isin: ['Instrument ISIN'],
      instrumentName: ['Instrument'],
      amount: ['Booked Amount', 'Amount'],
      fees: ['Total cost'],
      comment: ['Type', 'Transaction Type', 'Event'],
    },
    types: [
      ...wordsFor({
        buy: buyWords.map((word) => `${word} *`),
        sell: sellWords.map((word) => `${word} *`),
        dividend: ['Dividend', 'Cash dividend*', 'Dividend *'],
        coupon: ['Coupon*', 'Bond coupon*'],
        interest: ['Interest*', 'Client Interest*'],
        fee: [
          'Withholding tax*',
          'Custody Fee*',
          'Service Fee*',
          'Fee*',
          'Commission*',
          'Client Custody Fee*',
          'Tax*',
          'VAT*',
        ],
        deposit: ['Deposit*', 'Cash Transfer In*'],
        withdrawal: ['Withdrawal*', 'Cash Transfer Out*'],
        maturity: ['Redemption*', 'Bond Maturity*'],
      }),
      { word: 'Split*', type: 'corporate-action', action: 'split' },
    ],
    texts: [
      { column: 'Instrument Symbol', pattern: '{ticker}:{mic}' },
      ...[...buyWords, ...sellWords].map((word) => ({
        column: 'Event',
        pattern: `${word} {quantity} @ {price} {price_currency}`,
      })),
    ],
    ignoredColumns: [
      'Client ID',
      'Instrument currency',
      'Exchange Description',
      'Order ID',
      'Conversion Rate',
      'From Derivative',
      'Underlying asset type',
    ],
  }),
];
