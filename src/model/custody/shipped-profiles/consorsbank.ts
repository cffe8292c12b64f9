// Consorsbank: account movements. The IBAN is that of the other party.

import { declareProfile } from './declare-profile.ts';
import { bankTypes, germanFormats } from './german-words.ts';

export const consorsbank = [
  declareProfile(0x3d, {
    ...germanFormats,
    name: 'Consorsbank, account movements',
    content: 'transactions',
    recognisedBy: [
      'Buchung',
      'Valuta',
      'Sender / Empfänger',
      'Buchungstext',
      'Verwendungszweck',
      'Betrag|Betrag in {currency}',
    ],
    columns: {
      date: ['Buchung'],
      settlementDate: ['Valuta'],
      type: ['Buchungstext'],
      currency: ['Währung'],
      amount: ['Betrag', 'Betrag in {currency}'],
      comment: ['Sender / Empfänger', 'Verwendungszweck'],
    },
    types: bankTypes,
    constants: { type: 'deposit', currency: 'EUR' },
    ignoredColumns: ['IBAN*', 'BIC*', 'Kategorie', 'Stichwörter', 'Umsatz geteilt'],
  }),
];
