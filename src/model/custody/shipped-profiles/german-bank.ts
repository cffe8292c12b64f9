// German banks that share common columns, such as ING.

import { declareProfile } from './declare-profile.ts';
import { bankTypes, germanFormats } from './german-words.ts';

export const germanBank = [
  declareProfile(0x34, {
    ...germanFormats,
    name: 'German bank, account movements with debit and credit columns',
    content: 'transactions',
    recognisedBy: ['Buchungstag', 'Soll', 'Haben'],
    columns: {
      date: ['Buchungstag'],
      settlementDate: ['Wert', 'Valuta', 'Wertstellung'],
      type: ['Umsatzart', 'Buchungstext'],
      account: ['Konto', 'IBAN:', 'Kontonummer:'],
      currency: ['Währung', 'Waehrung'],
      debit: ['Soll'],
      credit: ['Haben'],
      comment: ['Begünstigter / Auftraggeber', 'Verwendungszweck'],
    },
    types: bankTypes,
    constants: { currency: 'EUR' },
    ignoredLines: ['Kontostand*', 'Letzter Kontostand*', 'Vorgemerkte und noch nicht gebuchte Umsätze*', 'Summe*'],
  }),
  declareProfile(0x35, {
    ...germanFormats,
    name: 'German bank, account movements with a signed amount',
    content: 'transactions',
    recognisedBy: [
      'Buchungstag|Buchung|Buchungsdatum',
      'Betrag|Umsatz in EUR|Betrag in EUR|Umsatz',
      'Verwendungszweck|Buchungstext|Auftraggeber/Empfänger',
    ],
    columns: {
      date: ['Buchungstag', 'Buchung', 'Buchungsdatum'],
      settlementDate: ['Valuta', 'Wertstellung', 'Valutadatum', 'Wertstellung (Valuta)', 'Wertstellungsdatum'],
      type: ['Umsatzart', 'Vorgang', 'Buchungstext'],
      // Below the header, an IBAN is that of the other party.
      account: ['IBAN Kontoinhaber', 'Auftragskonto', 'Konto', 'IBAN:', 'Kontonummer:'],
      currency: ['Währung', 'Waehrung'],
      amount: ['Betrag', 'Umsatz in EUR', 'Betrag in EUR', 'Umsatz'],
      balance: ['Saldo', 'Saldo nach Buchung'],
      comment: ['Auftraggeber/Empfänger', 'Empfänger', 'Buchungstext', 'Verwendungszweck'],
    },
    types: bankTypes,
    constants: { currency: 'EUR' },
    ignoredColumns: ['IBAN*', 'BIC*', 'BLZ', 'Kontonummer', 'Gläubiger*', 'Mandatsreferenz', 'Kundenreferenz'],
    ignoredLines: ['Summe*', 'Kontostand*', 'Alter Kontostand*', 'Neuer Kontostand*', 'Saldo*'],
  }),
];
