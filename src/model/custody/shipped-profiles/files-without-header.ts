// Banks whose files have no header: their columns are told by their places. Where no column tells the bank, a request has to name the
// profile.

import { declareProfile } from './declare-profile.ts';

const movements = {
  header: 'none',
  content: 'transactions',
  recognisedBy: [],
  constants: { type: 'deposit' },
} as const;

export const filesWithoutHeader = [
  declareProfile(0xa0, {
    ...movements,
    name: 'Wells Fargo, account activity (no header)',
    delimiter: 'comma',
    dateOrder: 'month-day-year',
    recognisedBy: ['#1=##/##/####', '#3=*'],
    columns: { date: ['#1'], amount: ['#2'], comment: ['#5', '#4'] },
    constants: { type: 'deposit', currency: 'USD' },
    ignoredColumns: ['#3'],
  }),
  declareProfile(0xa1, {
    ...movements,
    name: 'ABN AMRO, account movements (no header)',
    delimiter: 'tab',
    decimalMark: 'comma',
    recognisedBy: ['#2=EUR', '#3=20######', '#6=20######'],
    columns: {
      account: ['#1'],
      currency: ['#2'],
      date: ['#3'],
      balance: ['#5'],
      settlementDate: ['#6'],
      amount: ['#7'],
      comment: ['#8'],
    },
    ignoredColumns: ['#4'],
  }),
  declareProfile(0xa2, {
    ...movements,
    name: 'CIBC, account activity (no header)',
    delimiter: 'comma',
    columns: { date: ['#1'], debit: ['#3'], credit: ['#4'], comment: ['#2'] },
    constants: { type: 'deposit', currency: 'CAD' },
    ignoredColumns: ['#5'],
  }),
  declareProfile(0xa3, {
    ...movements,
    name: 'TD Canada Trust, account activity (no header)',
    delimiter: 'comma',
    dateOrder: 'month-day-year',
    columns: { date: ['#1'], debit: ['#3'], credit: ['#4'], balance: ['#5'], comment: ['#2'] },
    constants: { type: 'deposit', currency: 'CAD' },
  }),
  declareProfile(0xa4, {
    ...movements,
    name: 'Commonwealth Bank of Australia, transactions (no header)',
    delimiter: 'comma',
    dateOrder: 'day-month-year',
    columns: { date: ['#1'], amount: ['#2'], balance: ['#4'], comment: ['#3'] },
    constants: { type: 'deposit', currency: 'AUD' },
  }),
  declareProfile(0xa5, {
    ...movements,
    name: 'ANZ (Australia), transactions (no header)',
    delimiter: 'comma',
    dateOrder: 'day-month-year',
    columns: { date: ['#1'], amount: ['#2'], comment: ['#3'] },
    constants: { type: 'deposit', currency: 'AUD' },
  }),
  declareProfile(0xa6, {
    ...movements,
    name: 'Targobank, account movements (no header)',
    delimiter: 'semicolon',
    decimalMark: 'comma',
    dateOrder: 'day-month-year',
    columns: { date: ['#1'], amount: ['#3'], comment: ['#2'] },
    constants: { type: 'deposit', currency: 'EUR' },
    ignoredColumns: ['#4', '#5', '#6', '#7', '#8'],
  }),
];
