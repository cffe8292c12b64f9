// UBS: account movements.

import { declareProfile } from './declare-profile.ts';

export const ubs = [
  declareProfile(0x12, {
    name: 'UBS, account movements',
    content: 'transactions',
    dateOrder: 'day-month-year',
    recognisedBy: ['Abschlussdatum', 'Buchungsdatum', 'Valutadatum', 'Belastung', 'Gutschrift', 'Transaktions-Nr.'],
    columns: {
      date: ['Buchungsdatum'],
      settlementDate: ['Valutadatum'],
      reference: ['Transaktions-Nr.'],
      account: ['IBAN', 'Kontonummer'],
      currency: ['Währung', 'Bewertet in'],
      debit: ['Belastung'],
      credit: ['Gutschrift'],
      balance: ['Saldo'],
      comment: ['Beschreibung1', 'Beschreibung2', 'Beschreibung3', 'Fussnoten'],
    },
    ignoredColumns: ['Abschlussdatum', 'Abschlusszeit', 'Einzelbetrag'],
  }),
];
