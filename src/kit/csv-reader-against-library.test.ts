// Compares our CSV reader with csv-parse, which was too slow for bulk bodies: see docs/decisions/0030-libraries.md.

import { CsvError, parse } from 'csv-parse/sync';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { CsvFault, CsvReader } from './csv-reader.ts';

type Outcome = readonly (readonly string[])[] | 'refused';

function readWithOurs(text: string): Outcome {
  const reader = new CsvReader(1_000);
  try {
    return [...reader.push(text), ...reader.end()].map(({ fields }) => fields);
  } catch (error) {
    if (error instanceof CsvFault) return 'refused';
    throw error;
  }
}

function readWithLibrary(text: string): Outcome {
  try {
    const records = parse(text, { bom: true, relax_column_count: true, record_delimiter: ['\r\n', '\n'] });
    // Our reader skips empty lines and lines with only a pair of quotes.
    return records.filter((fields) => fields.length > 1 || fields[0] !== '');
  } catch (error) {
    if (error instanceof CsvError) return 'refused';
    throw error;
  }
}

test('our reader accepts and refuses the same texts as csv-parse', () => {
  const part = fc.constantFrom('a', 'ä', ' ', ',', '"', '""', '"b"', '\n', '\r\n');
  const text = fc.tuple(fc.constantFrom('', '\ufeff'), fc.array(part)).map(([mark, parts]) => mark + parts.join(''));
  fc.assert(
    fc.property(text, (one) => {
      expect(readWithOurs(one)).toEqual(readWithLibrary(one));
    }),
    { numRuns: 2_000 },
  );
});
