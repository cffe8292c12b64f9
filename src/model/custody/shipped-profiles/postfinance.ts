// PostFinance: account movements.

import { declareProfile, wordsFor } from './declare-profile.ts';

export const postFinance = [
  declareProfile(0x11, {
    name: 'PostFinance, account movements',
    content: 'transactions',
    dateOrder: 'day-month-year',
    recognisedBy: ['Datum', 'Bewegungstyp', 'Avisierungstext'],
    columns: {
      date: ['Datum'],
      type: ['Bewegungstyp'],
      account: ['Konto', 'IBAN'],
      currency: ['Währung'],
      credit: ['Gutschrift in CHF', 'Gutschrift in EUR', 'Gutschrift in USD', 'Gutschrift'],
      debit: ['Lastschrift in CHF', 'Lastschrift in EUR', 'Lastschrift in USD', 'Lastschrift'],
      comment: ['Avisierungstext'],
    },
    types: wordsFor({ interest: ['Zins*'], fee: ['Preis*', 'Gebühr*'] }),
    constants: { currency: 'CHF' },
    ignoredLines: ['Disclaimer*', 'Der Dokumentinhalt*', 'Total*'],
  }),
];
