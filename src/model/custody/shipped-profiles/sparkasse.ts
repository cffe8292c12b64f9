// Sparkassen: account movements.

import { declareProfile } from './declare-profile.ts';
import { bankTypes, germanFormats, pendingWords } from './german-words.ts';

export const sparkasse = [
  declareProfile(0x30, {
    ...germanFormats,
    name: 'Sparkasse, account movements',
    content: 'transactions',
    recognisedBy: ['Auftragskonto', 'Buchungstag', 'Valutadatum', 'Buchungstext', 'Betrag', 'Waehrung', 'Info'],
    columns: {
      date: ['Buchungstag'],
      settlementDate: ['Valutadatum'],
      type: ['Buchungstext'],
      status: ['Info'],
      account: ['Auftragskonto'],
      currency: ['Waehrung'],
      amount: ['Betrag'],
      comment: ['Beguenstigter/Zahlungspflichtiger', 'Verwendungszweck'],
    },
    types: bankTypes,
    pendingWords,
    ignoredColumns: [
      'Glaeubiger ID',
      'Mandatsreferenz',
      'Kundenreferenz*',
      'Sammlerreferenz',
      'Lastschrift Ursprungsbetrag',
      'Auslagenersatz*',
      'Kontonummer/IBAN',
      'Kontonummer',
      'BLZ',
      'BIC*',
    ],
  }),
];
