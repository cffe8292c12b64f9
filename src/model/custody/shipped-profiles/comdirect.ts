// The bank comdirect: account, card and depository. An export may hold several of these as tables below each other; the first is read, and the
// lines of the others are refused.

import { declareProfile, wordsFor } from './declare-profile.ts';
import { germanFormats } from './german-words.ts';

const ignoredLines = ['Alter Kontostand*', 'Neuer Kontostand*', 'Umsätze *', 'Keine Umsätze*', 'Zeitraum*'];

export const comdirect = [
  declareProfile(0x3a, {
    ...germanFormats,
    name: 'comdirect, account movements',
    content: 'transactions',
    recognisedBy: ['Buchungstag', 'Wertstellung (Valuta)', 'Vorgang', 'Buchungstext', 'Umsatz in EUR'],
    columns: {
      date: ['Buchungstag'],
      settlementDate: ['Wertstellung (Valuta)'],
      type: ['Vorgang'],
      status: ['Buchungstag'],
      amount: ['Umsatz in {currency}'],
      comment: ['Buchungstext'],
    },
    types: wordsFor({
      interest: ['Zins*', 'Abschluss*'],
      fee: ['Entgelt*', 'Gebühr*', 'Kontoführung*'],
      dividend: ['Dividende*', 'Ausschüttung*'],
      coupon: ['Kupon*'],
      // Money in and out by its sign. Of `Wertpapiere`, only the depository says the units.
      deposit: [
        'Lastschrift*',
        'Übertrag*',
        'Überweisung*',
        'Kartenverfügung*',
        'Kartenzahlung*',
        'Karte*',
        'Gutschrift*',
        'Auszahlung*',
        'Bareinzahlung*',
        'Bar*',
        'Visa*',
        'Dauerauftrag*',
        'Scheck*',
        'Lohn*',
      ],
    }),
    ignoredLines,
    // Not booked yet: such a line has no day.
    ignoredWords: ['offen'],
  }),
  declareProfile(0x3b, {
    ...germanFormats,
    name: 'comdirect, card movements',
    content: 'transactions',
    recognisedBy: ['Buchungstag', 'Umsatztag', 'Vorgang', 'Referenz', 'Buchungstext', 'Umsatz in EUR'],
    columns: {
      date: ['Buchungstag'],
      reference: ['Referenz'],
      type: ['Vorgang'],
      status: ['Buchungstag'],
      amount: ['Umsatz in {currency}'],
      comment: ['Buchungstext'],
    },
    types: wordsFor({ fee: ['Entgelt*', 'Gebühr*'], interest: ['Zins*'] }),
    constants: { type: 'deposit' },
    ignoredLines,
    ignoredWords: ['offen'],
    ignoredColumns: ['Umsatztag'],
  }),
  declareProfile(0x3c, {
    ...germanFormats,
    name: 'comdirect, depository movements',
    content: 'transactions',
    recognisedBy: [
      'Buchungstag',
      'Geschäftstag',
      'Stück / Nom.',
      'Bezeichnung',
      'WKN',
      'Ausführungskurs',
      'Umsatz in EUR',
    ],
    columns: {
      date: ['Geschäftstag'],
      settlementDate: ['Buchungstag'],
      quantity: ['Stück / Nom.'],
      instrumentName: ['Bezeichnung'],
      code: ['WKN'],
      price: ['Ausführungskurs [Währung]'],
      amount: ['Umsatz in {currency}'],
    },
    ignoredLines,
  }),
];
