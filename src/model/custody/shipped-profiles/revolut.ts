// Revolut: statements of accounts, in English, German and French, and of trading accounts.

import { declareProfile, wordsFor } from './declare-profile.ts';

export const revolut = [
  declareProfile(0x90, {
    name: 'Revolut, account statement',
    content: 'transactions',
    recognisedBy: [
      'Type|Typ|Art',
      'Product|Produkt|Produit',
      'Completed Date|Datum des Abschlusses|Date de fin',
      'Description|Beschreibung',
      'Amount|Betrag|Montant',
      'Fee|Gebühr|Frais',
      'Currency|Währung|Devise',
      'State|Status|État',
    ],
    columns: {
      date: [
        'Completed Date',
        'Datum des Abschlusses',
        'Date de fin',
        'Started Date',
        'Startdatum',
        'Datum des Beginns',
        'Date de début',
      ],
      type: ['Type', 'Typ', 'Art'],
      status: ['State', 'Status', 'État'],
      part: ['Product', 'Produkt', 'Produit'],
      currency: ['Currency', 'Währung', 'Devise'],
      // The balance falls by the amount and the fee.
      grossAmount: ['Amount', 'Betrag', 'Montant'],
      fees: ['Fee', 'Gebühr', 'Frais'],
      balance: ['Balance', 'Guthaben', 'Kontostand', 'Solde'],
      comment: ['Description', 'Beschreibung'],
    },
    types: wordsFor({ fee: ['Fee*', 'Charge*', 'Gebühr*', 'Frais*'], interest: ['Interest*', 'Zins*', 'Intérêt*'] }),
    pendingWords: ['PENDING', 'AUSSTEHEND', 'EN ATTENTE'],
    ignoredWords: ['REVERTED', 'DECLINED', 'FAILED', 'RÜCKGÄNGIG*', 'ZURÜCKGESETZT', 'ABGELEHNT', 'ANNULÉ', 'REFUSÉ'],
    constants: { type: 'deposit' },
  }),
  declareProfile(0x91, {
    name: 'Revolut, trading account statement',
    content: 'transactions',
    recognisedBy: ['Date', 'Ticker', 'Type', 'Quantity', 'Price per share', 'Total Amount', 'Currency'],
    columns: {
      date: ['Date'],
      type: ['Type'],
      ticker: ['Ticker'],
      quantity: ['Quantity'],
      price: ['Price per share'],
      amount: ['Total Amount'],
      currency: ['Currency'],
      comment: ['Type'],
    },
    types: [
      ...wordsFor({
        buy: ['BUY*'],
        sell: ['SELL*'],
        dividend: ['DIVIDEND'],
        deposit: ['CASH TOP-UP', 'REWARD'],
        withdrawal: ['CASH WITHDRAWAL'],
      }),
      { word: 'DIVIDEND TAX (CORRECTION)', type: 'fee', direction: 'as-stated' },
      { word: 'CUSTODY FEE REVERSAL', type: 'fee', direction: 'in' },
      { word: 'CUSTODY FEE', type: 'fee', direction: 'out' },
      { word: 'CUSTODY_FEE', type: 'fee', direction: 'out' },
      { word: 'BOND COUPON', type: 'coupon' },
      { word: 'STOCK SPLIT', type: 'corporate-action', action: 'split', moves: 'units' },
      { word: 'MERGER - STOCK', type: 'corporate-action', action: 'merger', moves: 'units' },
      { word: 'RETURN OF CAPITAL', type: 'corporate-action', action: 'return-of-capital' },
    ],
    signs: 'by-type',
    // Between companies of Revolut: the customer keeps what they had.
    ignoredWords: ['TRANSFER FROM REVOLUT*'],
    ignoredColumns: ['FX Rate'],
  }),
];
