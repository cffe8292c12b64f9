// Volksbanken and Raiffeisenbanken in Germany: account movements.

import { declareProfile } from './declare-profile.ts';
import { bankTypes, germanFormats } from './german-words.ts';

export const volksbank = [
  declareProfile(0x33, {
    ...germanFormats,
    name: 'Volksbank, account movements',
    content: 'transactions',
    recognisedBy: ['IBAN Auftragskonto', 'Buchungstag', 'Valutadatum', 'Buchungstext', 'Betrag', 'Waehrung'],
    columns: {
      date: ['Buchungstag'],
      settlementDate: ['Valutadatum'],
      type: ['Buchungstext'],
      account: ['IBAN Auftragskonto'],
      currency: ['Waehrung'],
      amount: ['Betrag'],
      balance: ['Saldo nach Buchung'],
      comment: ['Name Zahlungsbeteiligter', 'Verwendungszweck'],
    },
    types: bankTypes,
    ignoredColumns: [
      'Bezeichnung Auftragskonto',
      'BIC*',
      'Bankname Auftragskonto',
      'IBAN Zahlungsbeteiligter',
      'Bemerkung',
      'Gekennzeichneter Umsatz',
      'Glaeubiger ID',
      'Mandatsreferenz',
    ],
  }),
];
