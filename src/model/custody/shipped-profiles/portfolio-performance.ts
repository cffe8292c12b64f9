// Portfolio Performance: all transactions, in German.

import { declareProfile, wordsFor } from './declare-profile.ts';
import { germanFormats } from './german-words.ts';

export const portfolioPerformance = [
  declareProfile(0x38, {
    ...germanFormats,
    name: 'Portfolio Performance, all transactions (German)',
    content: 'transactions',
    dateOrder: 'year-month-day',
    recognisedBy: ['Datum', 'Typ', 'Wert', 'Buchungswährung', 'Gebühren', 'Steuern', 'Stück', 'ISIN', 'WKN'],
    columns: {
      date: ['Datum'],
      type: ['Typ'],
      amount: ['Wert'],
      currency: ['Buchungswährung'],
      fees: ['Gebühren'],
      taxes: ['Steuern'],
      exchangeRate: ['Wechselkurs'],
      quantity: ['Stück'],
      isin: ['ISIN'],
      code: ['WKN'],
      ticker: ['Ticker-Symbol'],
      instrumentName: ['Wertpapiername'],
      comment: ['Notiz'],
    },
    types: [
      ...wordsFor({
        buy: ['Kauf'],
        sell: ['Verkauf'],
        dividend: ['Dividende'],
        interest: ['Zinsen'],
        fee: ['Gebühren', 'Steuern'],
        deposit: ['Einlage', 'Umbuchung (Eingang)', 'Einlieferung'],
        withdrawal: ['Entnahme', 'Umbuchung (Ausgang)', 'Auslieferung'],
      }),
      { word: 'Zinsbelastung', type: 'interest', direction: 'out' },
      { word: 'Gebührenerstattung', type: 'fee', direction: 'in' },
      { word: 'Steuerrückerstattung', type: 'fee', direction: 'in' },
    ],
    signs: 'by-type',
    ignoredColumns: ['Bruttobetrag', 'Währung Bruttobetrag'],
  }),
];
