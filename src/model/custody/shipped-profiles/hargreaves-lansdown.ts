// Hargreaves Lansdown: transactions of an account. Instruments have names only, behind which trades write their units and price.

import { declareProfile, wordsFor } from './declare-profile.ts';

export const hargreavesLansdown = [
  declareProfile(0x85, {
    name: 'Hargreaves Lansdown, transactions',
    content: 'transactions',
    dateOrder: 'day-month-year',
    recognisedBy: [
      'Trade date',
      'Settle date',
      'Reference',
      'Description',
      'Unit cost (p)|Unit cost (£)',
      'Quantity|Qty',
      'Value (£)',
    ],
    columns: {
      date: ['Trade date'],
      settlementDate: ['Settle date'],
      // The reference of a trade begins with its side; other lines have a word there.
      type: ['Reference'],
      quantity: ['Quantity', 'Qty'],
      price: ['Unit cost (p) [GBX]', 'Unit cost (£)'],
      amount: ['Value (£)'],
      comment: ['Reference', 'Description'],
    },
    types: wordsFor({
      buy: ['B#*'],
      sell: ['S#*'],
      dividend: ['ST DIV*', 'OVR CR*', 'UTC CR*', 'DIV*'],
      interest: ['INTEREST*'],
      fee: ['MANAGE FEE*', 'MANAGEMENT FEE*'],
      deposit: ['FPC', 'Card Web', 'Transfer', 'TRANSFER*', 'CHQ*', 'DD*'],
      withdrawal: ['FPD'],
    }),
    texts: [
      { column: 'Description', pattern: '{instrument_name} {*} @ {*}' },
      { column: 'Description', pattern: '{instrument_name} Overseas Dividend Payment' },
      { column: 'Description', pattern: '{instrument_name} Dividend Payment' },
      { column: 'Description', pattern: '{instrument_name}' },
    ],
    constants: { currency: 'GBP' },
  }),
];
