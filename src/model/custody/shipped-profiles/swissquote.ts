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
    maturity: ['Rückzahlung', 'Redemption', 'Remboursement'],
  }),
  // Of money, the quantity is always 1. Each leg of an exchange of currencies is a line of its own, with the sign of its amount.
  ...['Einzahlung', 'Vergütung', 'Payment', 'Deposit', 'Versement', 'Credit', 'Gutschrift', 'Forex*', 'Fx*'].map(
    (word) => ({ word, type: 'deposit', moves: 'cash' }) as const,
  ),
  ...['Auszahlung', 'Withdrawal', 'Retrait', 'Debit', 'Belastung'].map(
    (word) => ({ word, type: 'withdrawal', moves: 'cash' }) as const,
  ),
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
      price: ['Stückpreis [Währung Nettobetrag]'],
      fees: ['Kosten [Währung Nettobetrag]'],
      accruedInterest: ['Aufgelaufene Zinsen'],
      amount: ['Nettobetrag in der Währung des Kontos', 'Nettobetrag'],
      currency: ['Währung', 'Währung Nettobetrag'],
      balance: ['Saldo'],
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
      price: ['Unit price [Net Amount Currency]'],
      fees: ['Costs [Net Amount Currency]'],
      accruedInterest: ['Accrued Interest'],
      amount: ['Net Amount in the currency of the account', 'Net Amount'],
      currency: ['Currency', 'Net Amount Currency'],
      balance: ['Balance'],
      comment: ['Order #'],
    },
    types: brokerTypes,
  }),
];
