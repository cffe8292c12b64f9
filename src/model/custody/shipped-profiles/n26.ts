// N26: account movements since 2024 and before, in English and in German.

import { declareProfile, wordsFor } from './declare-profile.ts';

export const n26 = [
  declareProfile(0x3e, {
    name: 'N26, account movements',
    content: 'transactions',
    recognisedBy: [
      'Booking Date|Date|Datum',
      'Partner Name|Payee|Empfänger',
      'Type|Transaction type|Transaktionstyp',
      'Payment Reference|Verwendungszweck',
      'Amount ({currency})|Betrag ({currency})',
      'Exchange Rate|Wechselkurs',
    ],
    columns: {
      date: ['Booking Date', 'Date', 'Datum'],
      settlementDate: ['Value Date'],
      type: ['Type', 'Transaction type', 'Transaktionstyp'],
      part: ['Account Name'],
      amount: ['Amount ({currency})', 'Betrag ({currency})'],
      comment: ['Partner Name', 'Payee', 'Empfänger', 'Payment Reference', 'Verwendungszweck'],
    },
    types: wordsFor({ interest: ['Interest*', 'Zins*'], fee: ['Fee*', 'Gebühr*'] }),
    constants: { type: 'deposit' },
    ignoredColumns: [
      'Partner Iban',
      'Account number',
      'Kontonummer',
      'Category',
      'Kategorie',
      'Original *',
      'Type Foreign Currency',
      'Amount (Foreign Currency)',
      'Betrag (Fremdwährung)',
      'Fremdwährung',
      'Exchange Rate',
      'Wechselkurs',
    ],
  }),
];
