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
      credit: ['Gutschrift in {currency}', 'Gutschrift'],
      debit: ['Lastschrift in {currency}', 'Lastschrift'],
      comment: ['Avisierungstext'],
    },
    types: wordsFor({ interest: ['Zins*'], fee: ['Preis*', 'Gebühr*'] }),
    constants: { currency: 'CHF' },
    ignoredColumns: ['Label', 'Kategorie', 'Valuta', 'Saldo*'],
    ignoredLines: ['Disclaimer*', 'Der Dokumentinhalt*', 'Total*'],
  }),
];
