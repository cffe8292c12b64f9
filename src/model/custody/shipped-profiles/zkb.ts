// Zürcher Kantonalbank: account movements.

import { declareProfile } from './declare-profile.ts';

export const zkb = [
  declareProfile(0x13, {
    name: 'Zürcher Kantonalbank, account movements',
    content: 'transactions',
    dateOrder: 'day-month-year',
    recognisedBy: ['Datum', 'Buchungstext', 'ZKB-Referenz', 'Belastung {currency}', 'Gutschrift {currency}'],
    columns: {
      date: ['Datum'],
      settlementDate: ['Valuta'],
      reference: ['ZKB-Referenz'],
      account: ['Konto', 'IBAN'],
      debit: ['Belastung {currency}'],
      credit: ['Gutschrift {currency}'],
      balance: ['Saldo {currency}'],
      comment: ['Buchungstext', 'Zahlungszweck', 'Details'],
    },
    constants: { currency: 'CHF' },
  }),
];
