// Lines of CSV: quoted as RFC 4180 says, and harmless in a spreadsheet.

import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { csvLine, guardCell, unguardCell } from './csv-line.ts';
import { CsvReader } from './csv-reader.ts';

describe('a cell', () => {
  test.each(['=1+1', '+49 30 1', '-1+1', '@SUM(A1)', '\tx', '\rx', '\nx', '＝1', '-', '+', '=', '-1,5', '--1'])(
    '%j that a spreadsheet would run gets an apostrophe',
    (value) => {
      expect(guardCell(value)).toBe(`'${value}`);
      expect(csvLine([value]).replaceAll('"', '')).toBe(`'${value}\r\n`);
    },
  );

  test.each([
    '',
    '0',
    '-1',
    '-1.5',
    '1e-7',
    '-2.5e+30',
    '2026-11-16',
    'a=b',
    'name',
    "'quoted'",
    '1-1',
    'mail@x.example',
  ])('%j is written as it is', (value) => {
    expect(csvLine([value])).toBe(`${value}\r\n`);
  });

  test('that was guarded or looks so is read again as it was', () => {
    const texts = fc.array(fc.constantFrom("'", '=', '-', '+', '@', '1', '.', 'a', ',', '"', '\n'), { maxLength: 6 });
    const law = fc.property(texts, (characters) => {
      const value = characters.join('');
      const [record] = new CsvReader(1_000).push(csvLine([value, 'end']));
      return unguardCell(record!.fields[0]!) === value;
    });
    expect(fc.check(law, { numRuns: 2_000 }).failed).toBe(false);
  });
});
