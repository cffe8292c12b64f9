// Tests what the columns of an unknown file are proposed to mean.

import { expect, test } from 'vitest';
import { proposedFields } from './proposed-fields.ts';

const proposed = (...names: readonly string[]): readonly (string | undefined)[] =>
  proposedFields(names.map((name) => ({ name, values: [] })));

test.each([
  [
    ['Datum', 'Typ av transaktion', 'Antal', 'Kurs', 'Belopp', 'Courtage (SEK)', 'ISIN'],
    ['date', 'type', 'quantity', 'price', 'amount', 'fees', 'isin'],
  ],
  [
    ["Date d'opération", 'Opération', 'Libellé', 'Quantité', 'Cours', 'Montant net (EUR)'],
    ['date', 'type', 'comment', 'quantity', 'price', 'amount'],
  ],
  [
    ['Data operazione', 'Tipo operazione', 'Quantità', 'Importo euro', 'Divisa'],
    ['date', 'type', 'quantity', 'amount', 'currency'],
  ],
])('the names of %j are known', (names, fields) => {
  expect(proposed(...names)).toEqual(fields);
});

test('a column of which nothing is known is proposed nothing', () => {
  expect(proposed('Zzz', '', 'Datum')).toEqual([undefined, undefined, 'date']);
});

test('a field is proposed once, but for those that add up', () => {
  expect(proposed('Datum', 'Date', 'Fee', 'Commission')).toEqual(['date', undefined, 'fees', 'fees']);
});

test('a value date alone is the date', () => {
  expect(proposed('Likviddag', 'Belopp')).toEqual(['date', 'amount']);
});

test('what stands in a column counts where its name says nothing', () => {
  const columns = [
    { name: 'A', values: ['CH0038863350', 'US0378331005'] },
    { name: 'B', values: ['CHF', 'EUR'] },
    { name: 'C', values: ['CHF', 'XYZ1'] },
  ];
  expect(proposedFields(columns)).toEqual(['isin', 'currency', undefined]);
});
