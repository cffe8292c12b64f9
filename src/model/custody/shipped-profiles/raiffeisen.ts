// Raiffeisen in Switzerland: account movements.

import { declareProfile } from './declare-profile.ts';

export const raiffeisen = [
  declareProfile(0x14, {
    name: 'Raiffeisen (Switzerland), account movements',
    content: 'transactions',
    recognisedBy: ['IBAN', 'Booked At', 'Text', 'Credit/Debit Amount'],
    columns: {
      date: ['Booked At'],
      settlementDate: ['Valuta Date'],
      account: ['IBAN'],
      currency: ['Currency', 'Währung'],
      amount: ['Credit/Debit Amount'],
      balance: ['Balance'],
      comment: ['Text'],
    },
    constants: { currency: 'CHF' },
  }),
];
