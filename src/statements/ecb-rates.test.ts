import { expect, test } from 'vitest';
import { readStatement } from '../../tests/setup/statements/read-statement.ts';

const envelope = (cubes: string) => `<?xml version="1.0" encoding="UTF-8"?>
<gesmes:Envelope xmlns:gesmes="http://www.gesmes.org/xml/2002-08-01" xmlns="http://www.ecb.int/vocabulary/2002-08-01/eurofxref">
<gesmes:subject>Reference rates</gesmes:subject>
<gesmes:Sender><gesmes:name>European Central Bank</gesmes:name></gesmes:Sender>
<Cube>
${cubes}
</Cube></gesmes:Envelope>`;

test('each rate is what one euro is worth on its day, stated on the latest day of the file', () => {
  const items = readStatement(
    envelope(`<Cube time='2024-03-28'><Cube currency='USD' rate='1.0811'/><Cube currency='CHF' rate='0.9766'/></Cube>
<Cube time="2024-03-27"><Cube currency="USD" rate="1.0816"/></Cube>`),
  );
  const rate = { item: 'fx-rate', base: 'EUR', statedAt: '2024-03-28' };
  expect(items).toEqual([
    { ...rate, place: { line: 6, field: 'Cube' }, quote: 'USD', date: '2024-03-28', rate: '1.0811' },
    { ...rate, place: { line: 6, field: 'Cube' }, quote: 'CHF', date: '2024-03-28', rate: '0.9766' },
    { ...rate, place: { line: 7, field: 'Cube' }, quote: 'USD', date: '2024-03-27', rate: '1.0816' },
  ]);
});

test.each(['N/A', '', '-'])('a rate of %o is not available, which is no fault', (word) => {
  expect(
    readStatement(
      `<Envelope><Cube><Cube time='2024-03-28'><Cube currency='USD' rate='${word}'/></Cube></Cube></Envelope>`,
    ),
  ).toEqual([
    {
      item: 'problem',
      place: { line: 1, field: 'Cube' },
      detail: 'The rate EUR/USD of 2024-03-28 is not available.',
      isNotAvailable: true,
    },
  ]);
});

test.each([
  [
    "<Cube time='2024-03-28'><Cube currency='USD' rate='0'/></Cube>",
    'Cube/rate',
    'The rate is not a positive decimal number.',
  ],
  [
    "<Cube time='2024-03-28'><Cube currency='Dollar' rate='1'/></Cube>",
    'Cube/currency',
    'The currency is not a code of three letters.',
  ],
  ["<Cube time='2024-03-28'><Cube rate='1'/></Cube>", 'Cube/currency', 'The currency is not a code of three letters.'],
  [
    "<Cube time='2024-02-30'><Cube currency='USD' rate='1'/></Cube>",
    'Cube/time',
    'The day of the rate is missing or does not exist.',
  ],
])('%s is a problem', (cubes, field, detail) => {
  expect(readStatement(envelope(cubes))).toEqual([{ item: 'problem', place: { line: 6, field }, detail }]);
});

test('a file without a day is refused', () => {
  expect(() => readStatement(envelope(''))).toThrow('The file has no day with rates (Cube with time).');
});
