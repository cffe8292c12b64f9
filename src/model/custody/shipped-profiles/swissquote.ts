// Swissquote: transactions of a trading account, in German and in English.

import { declareProfile, wordsFor } from './declare-profile.ts';

const brokerTypes = [
  ...wordsFor({
    buy: ['Kauf', 'Buy', 'Achat', 'Zeichnung', 'Wiederanlage'],
    sell: ['Verkauf', 'Sell', 'Vente'],
    dividend: ['Dividende', 'Dividend', 'Capital Gain', 'Kapitalgewinn', 'Ausschüttung'],
    coupon: ['Coupon', 'Zinscoupon', 'Zinsertrag'],
    interest: ['Zins*', 'Interest*', 'Intérêts*', 'Kreditzins*'],
    fee: [
      'Depotgebühren',
      'Gebühr*',
      'Spesen*',
      'Custody Fees',
      'Fees*',
      'Berichtigung Börsengeb.',
      'Spesen Steuerauszug',
    ],
    deposit: ['Einzahlung', 'Vergütung', 'Payment', 'Deposit', 'Versement'],
    withdrawal: ['Auszahlung', 'Withdrawal', 'Retrait'],
    maturity: ['Rückzahlung', 'Redemption', 'Remboursement'],
    'fx-trade': ['Forex-*', 'Fx-*', 'FX-*'],
  }),
  { word: 'Aktiensplit', type: 'corporate-action', action: 'split' },
  { word: 'Stock Split', type: 'corporate-action', action: 'split' },
  { word: 'Kapitalrückzahlung', type: 'corporate-action', action: 'return-of-capital' },
] as const;

export const swissquote = [
  declareProfile(0x18, {
    name: 'Swissquote, transactions (German)',
    content: 'transactions',
    dateOrder: 'day-month-year',
    recognisedBy: ['Datum', 'Auftrag #', 'Transaktionen', 'ISIN', 'Anzahl', 'Nettobetrag'],
    columns: {
      date: ['Datum'],
      type: ['Transaktionen'],
      ticker: ['Symbol'],
      instrumentName: ['Name'],
      isin: ['ISIN'],
      quantity: ['Anzahl'],
      price: ['Stückpreis'],
      fees: ['Kosten'],
      accruedInterest: ['Aufgelaufene Zinsen'],
      amount: ['Nettobetrag'],
      currency: ['Währung Nettobetrag', 'Währung'],
      comment: ['Auftrag #'],
    },
    types: brokerTypes,
  }),
  declareProfile(0x19, {
    name: 'Swissquote, transactions (English)',
    content: 'transactions',
    dateOrder: 'day-month-year',
    recognisedBy: ['Date', 'Order #', 'Transaction', 'ISIN', 'Unit price', 'Net Amount'],
    columns: {
      date: ['Date'],
      type: ['Transaction'],
      ticker: ['Symbol'],
      instrumentName: ['Name'],
      isin: ['ISIN'],
      quantity: ['Quantity'],
      price: ['Unit price'],
      fees: ['Costs'],
      accruedInterest: ['Accrued Interest'],
      amount: ['Net Amount'],
      currency: ['Net Amount Currency', 'Currency'],
      comment: ['Order #'],
    },
    types: brokerTypes,
  }),
];
