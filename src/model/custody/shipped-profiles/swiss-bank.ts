// Swiss banks that share common columns.

import { declareProfile } from './declare-profile.ts';

export const swissBank = [
  declareProfile(0x10, {
    name: 'Swiss bank, account movements with debit and credit columns',
    content: 'transactions',
    dateOrder: 'day-month-year',
    recognisedBy: [
      'Buchungsdatum|Datum',
      'Avisierungstext|Buchungstext|Beschreibung|Text',
      'Gutschrift',
      'Lastschrift|Belastung',
      'Valuta|Valutadatum',
    ],
    columns: {
      date: ['Buchungsdatum', 'Datum'],
      settlementDate: ['Valuta', 'Valutadatum'],
      account: ['Konto', 'IBAN', 'Kontonummer'],
      currency: ['Währung', 'Whg', 'Bewertet in'],
      credit: ['Gutschrift'],
      debit: ['Lastschrift', 'Belastung'],
      balance: ['Saldo'],
      comment: ['Avisierungstext', 'Buchungstext', 'Beschreibung', 'Text'],
      reference: ['Referenz', 'Referenznummer'],
    },
    ignoredLines: ['Disclaimer*', 'Der Dokumentinhalt*', 'Total*', 'Saldo*'],
  }),
  declareProfile(0x15, {
    name: 'Swiss bank, account movements with a signed amount',
    content: 'transactions',
    dateOrder: 'day-month-year',
    recognisedBy: ['Datum', 'Buchungstext', 'Betrag', 'Saldo'],
    columns: {
      date: ['Datum'],
      settlementDate: ['Valuta', 'Valutadatum'],
      reference: ['Referenz', 'Referenznummer'],
      account: ['Konto', 'IBAN', 'Kontonummer'],
      currency: ['Währung', 'Whg'],
      amount: ['Betrag'],
      balance: ['Saldo'],
      comment: ['Buchungstext'],
    },
    ignoredLines: ['Total*', 'Saldo*'],
  }),
];
