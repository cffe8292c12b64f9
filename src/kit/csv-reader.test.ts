import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { CsvFault, CsvReader } from './csv-reader.ts';
import { greatestOf } from './memory/long-list.ts';

/** Reads every record of a text that arrives in pieces. */
function read(chunks: readonly string[], lengthMax = 1_000): [line: number, ...fields: string[]][] {
  const reader = new CsvReader(lengthMax);
  const records = [...chunks.flatMap((chunk) => reader.push(chunk)), ...reader.end()];
  return records.map(({ line, fields }) => [line, ...fields]);
}

const faultOf = (...chunks: string[]): string => {
  try {
    return JSON.stringify(read(chunks, 20));
  } catch (error) {
    if (!(error instanceof CsvFault)) throw error;
    return error.message;
  }
};

test.each([
  [
    'a line feed',
    'a,b\n1,2\n',
    [
      [1, 'a', 'b'],
      [2, '1', '2'],
    ],
  ],
  [
    'carriage return and line feed',
    'a,b\r\n1,2\r\n',
    [
      [1, 'a', 'b'],
      [2, '1', '2'],
    ],
  ],
  [
    'no line break at the end',
    'a,b\n1,2',
    [
      [1, 'a', 'b'],
      [2, '1', '2'],
    ],
  ],
  ['a byte order mark', '\ufeffa,b\n', [[1, 'a', 'b']]],
  [
    'empty fields',
    ',\n,,',
    [
      [1, '', ''],
      [2, '', '', ''],
    ],
  ],
  [
    'empty lines',
    '\na\n\r\n\nb\n\n',
    [
      [2, 'a'],
      [5, 'b'],
    ],
  ],
  ['white space, which is kept', ' a , b\t\n', [[1, ' a ', ' b\t']]],
  [
    'quotes',
    '"a","b"\n"1",2\n',
    [
      [1, 'a', 'b'],
      [2, '1', '2'],
    ],
  ],
  [
    'a comma, a line break and a quote in quotes',
    '"a,b","c\r\nd"\n"say ""no""",x',
    [
      [1, 'a,b', 'c\r\nd'],
      [3, 'say "no"', 'x'],
    ],
  ],
  ['quotes around nothing', '"",""\r\n', [[1, '', '']]],
  ['characters beyond the first plane', '💣,"💣"\n', [[1, '💣', '💣']]],
])('%s', (_what, text, records) => {
  expect(read([text])).toEqual(records);
  expect(read([...text])).toEqual(records);
});

test('a byte order mark is left out at the beginning of the text alone', () => {
  expect(read(['', '\ufeffa,', '\ufeffb\n', '\ufeffc,d\n'])).toEqual([
    [1, 'a', '\ufeffb'],
    [2, '\ufeffc', 'd'],
  ]);
});

test('a text that begins with an empty line is read as it arrives', () => {
  const reader = new CsvReader(10);
  expect(reader.push('\n')).toEqual([]);
  expect(reader.push('1,2\n3,4\n5,6\n7,8\n')).toHaveLength(4);
  expect(reader.end()).toEqual([]);
});

describe('invalid CSV is refused with its line', () => {
  test.each([
    ['a\nb"c,d\n', 'Line 2: A quote inside a field: put the whole field in quotes, and double the quotes in it.'],
    ['"a"b,c\n', 'Line 1: Only a comma or a line break may follow the closing quote of a field.'],
    ['"a" ,c\n', 'Line 1: Only a comma or a line break may follow the closing quote of a field.'],
    ['a\n"b\nc', 'Line 2: The text ends inside a quoted field.'],
    ['"', 'Line 1: The text ends inside a quoted field.'],
    ['a\n' + 'x'.repeat(21), 'Line 2: A row may have at most 20 characters.'],
    ['a\n' + 'x'.repeat(21) + '\n', 'Line 2: A row may have at most 20 characters.'],
    ['"' + 'x\n'.repeat(11) + '"\n', 'Line 1: A row may have at most 20 characters.'],
  ])('%j', (text, message) => {
    expect(faultOf(text)).toBe(message);
    expect(faultOf(...text)).toBe(message);
  });
});

test('written records are read back unchanged if none is longer than allowed, however the text is split', () => {
  const field = fc.string({ unit: fc.constantFrom('a', ',', '"', '\n', '\r', ' ', 'ä', '💣'), maxLength: 6 });
  const record = fc.array(field, { minLength: 2, maxLength: 4 });
  fc.assert(
    fc.property(
      fc.array(record, { minLength: 1 }),
      fc.array(fc.nat({ max: 80 })),
      fc.constantFrom('\n', '\r\n'),
      fc.boolean(),
      (records, cuts, end, isEnded) => {
        const quoted = (text: string): string => (/[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text);
        const rows = records.map((fields) => fields.map(quoted).join(','));
        const text = rows.join(end) + (isEnded ? end : '');
        const places = [0, ...cuts.toSorted((a, b) => a - b), text.length];
        const chunks = places.slice(1).map((place, index) => text.slice(places[index], place));
        const longest = greatestOf(rows.map(({ length }) => length));
        for (const pieces of [[text], chunks, text.split('')]) {
          expect(read(pieces, longest).map(([, ...fields]) => fields)).toEqual(records);
          expect(() => read(pieces, longest - 1)).toThrow('A row may have at most');
        }
      },
    ),
  );
});
