// German brokers that share common columns.

import { declareProfile, wordsFor } from './declare-profile.ts';
import { germanFormats } from './german-words.ts';

export const germanBroker = [
  declareProfile(0x39, {
    ...germanFormats,
    name: 'German broker, transactions',
    content: 'transactions',
    recognisedBy: ['Datum', 'ISIN', 'Stück', 'Kurs', 'Betrag'],
    columns: {
      date: ['Handelsdatum', 'Datum'],
      settlementDate: ['Valuta', 'Valutadatum', 'Wertstellung'],
      reference: ['Referenz', 'Auftragsnummer', 'Ordernummer'],
      type: ['Typ', 'Art', 'Transaktion', 'Vorgang'],
      depository: ['Depot', 'Depotnummer'],
      account: ['Konto', 'IBAN'],
      isin: ['ISIN'],
      code: ['WKN'],
      instrumentName: ['Bezeichnung', 'Name', 'Wertpapier'],
      quantity: ['Stück'],
      price: ['Kurs'],
      fees: ['Gebühren', 'Provision', 'Spesen'],
      taxes: ['Steuern', 'Steuer'],
      amount: ['Betrag'],
      currency: ['Währung'],
    },
    types: wordsFor({
      buy: ['Kauf*', 'Wertpapierkauf*', 'Sparplan*'],
      sell: ['Verkauf*', 'Wertpapierverkauf*'],
      dividend: ['Dividende*', 'Ertrag*', 'Ausschüttung*', 'Dividendengutschrift*'],
      coupon: ['Kupon*', 'Coupon*', 'Zinszahlung*'],
      interest: ['Zins*'],
      fee: ['Gebühr*', 'Entgelt*'],
      maturity: ['Rückzahlung*', 'Einlösung*', 'Tilgung*'],
      deposit: ['Einzahlung*', 'Gutschrift*'],
      withdrawal: ['Auszahlung*', 'Lastschrift*'],
    }),
    signs: 'by-type',
    constants: { currency: 'EUR' },
    ignoredLines: ['Summe*', 'Gesamt*'],
  }),
];
