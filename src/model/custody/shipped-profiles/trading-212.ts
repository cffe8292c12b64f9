// Trading 212: history. Every amount has a column beside it that says its currency; in older files it stands in the name.

import { declareProfile, wordsFor } from './declare-profile.ts';

/** A column of an amount in both ways. */
const amountNamed = (name: string): string[] => [`${name} [Currency (${name})]`, `${name} ({currency})`];
const amountsNamed = (...names: string[]): string[] => names.flatMap(amountNamed);

export const trading212 = [
  declareProfile(0x84, {
    name: 'Trading 212, history',
    content: 'transactions',
    recognisedBy: [
      'Action',
      'Time|Time (UTC)',
      'ISIN',
      'Ticker',
      'No. of shares',
      'Price / share',
      'Total|Total ({currency})',
    ],
    columns: {
      date: ['Time', 'Time (UTC)'],
      reference: ['ID'],
      type: ['Action'],
      isin: ['ISIN'],
      ticker: ['Ticker'],
      instrumentName: ['Name'],
      quantity: ['No. of shares'],
      price: ['Price / share [Currency (Price / share)]'],
      amount: amountsNamed('Total', 'Currency conversion from amount'),
      counterAmount: ['Currency conversion to amount'],
      counterCurrency: ['Currency (Currency conversion to amount)'],
      fees: amountsNamed('Currency conversion fee', 'Transaction fee', 'Finra fee', 'Ptm levy'),
      taxes: amountsNamed(
        'Withholding tax',
        'Stamp duty reserve tax',
        'Stamp duty',
        'French transaction tax',
        'Italian transaction tax',
      ),
      comment: ['Notes', 'Merchant name'],
    },
    types: [
      { word: 'Dividend (Return of capital*', type: 'corporate-action', action: 'return-of-capital', moves: 'cash' },
      ...wordsFor({
        buy: ['Market buy', 'Limit buy', 'Stop buy', 'Stop limit buy'],
        sell: ['Market sell', 'Limit sell', 'Stop sell', 'Stop limit sell'],
        dividend: ['Dividend*'],
        interest: ['Interest on cash', 'Lending interest', 'Share lending interest'],
        fee: ['New card cost'],
        deposit: ['Deposit', 'Card credit', 'Spending cashback'],
        withdrawal: ['Withdrawal', 'Card debit'],
      }),
      { word: 'Currency conversion', type: 'fx-trade', direction: 'out' },
      { word: 'Transfer in', type: 'deposit', moves: 'units', direction: 'in' },
      { word: 'Transfer out', type: 'withdrawal', moves: 'units', direction: 'out' },
      { word: 'Stock split open', type: 'corporate-action', action: 'split', moves: 'units', direction: 'in' },
      { word: 'Stock split close', type: 'corporate-action', action: 'split', moves: 'units', direction: 'out' },
    ],
    texts: [{ column: 'Notes', pattern: '{amount} {currency} -> {counter_amount} {counter_currency}' }],
    signs: 'by-type',
    ignoredColumns: [
      'Exchange rate',
      'Result*',
      'Currency (Result)',
      'Charge amount*',
      'Currency (Charge amount)',
      'Merchant category',
    ],
  }),
];
