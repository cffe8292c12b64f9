// DKB: account movements since 2023, and as they were before.

import { declareProfile } from './declare-profile.ts';
import { bankTypes, germanFormats, pendingWords } from './german-words.ts';

export const dkb = [
  declareProfile(0x31, {
    ...germanFormats,
    name: 'DKB, account movements',
    content: 'transactions',
    recognisedBy: ['Buchungsdatum', 'Wertstellung', 'Status', 'Verwendungszweck', 'Umsatztyp', 'Betrag (€)'],
    columns: {
      date: ['Buchungsdatum'],
      settlementDate: ['Wertstellung'],
      status: ['Status'],
      account: ['Girokonto', 'Tagesgeld', 'Tagesgeldkonto', 'Konto'],
      amount: ['Betrag (€)'],
      comment: ['Zahlungspflichtige*r', 'Zahlungsempfänger*in', 'Verwendungszweck'],
    },
    pendingWords,
    constants: { currency: 'EUR' },
    ignoredColumns: ['Umsatztyp', 'IBAN', 'Gläubiger-ID', 'Mandatsreferenz', 'Kundenreferenz'],
  }),
  declareProfile(0x32, {
    ...germanFormats,
    name: 'DKB, account movements (before 2023)',
    content: 'transactions',
    recognisedBy: ['Buchungstag', 'Wertstellung', 'Buchungstext', 'Auftraggeber / Begünstigter', 'Betrag (EUR)'],
    columns: {
      date: ['Buchungstag'],
      settlementDate: ['Wertstellung'],
      type: ['Buchungstext'],
      // Below the header, the number is that of the other party.
      account: ['Kontonummer:'],
      amount: ['Betrag (EUR)'],
      comment: ['Auftraggeber / Begünstigter', 'Verwendungszweck'],
    },
    types: bankTypes,
    constants: { currency: 'EUR' },
    ignoredColumns: ['Kontonummer', 'BLZ', 'Gläubiger-ID', 'Mandatsreferenz', 'Kundenreferenz'],
  }),
];
