// Files that cost much more than their length if they are read carelessly.

import { expect, test, vi } from 'vitest';
import { thatEnds } from '../../tests/setup/kit/ends.ts';
import { readCsv, recognisingCsv, testProfile } from '../../tests/setup/statements/read-csv.ts';
import { CsvReader } from '../kit/csv-reader.ts';
import { computeAtOnce } from '../kit/turns/pieces.ts';
import { hasReturnsOnly } from './decode.ts';
import { documentTypeLine } from './xml-formats.ts';

test('a document type is found behind instructions and comments, however many there are', () => {
  const lines = '<?xml version="1.0"?>\n<!-- a > b --><!---->\n';
  expect(documentTypeLine(`  ${lines}<!doctype html>`)).toBe(3);
  expect(documentTypeLine(`${lines}<Document><!DOCTYPE a>`)).toBeUndefined();
  expect(documentTypeLine('<!-- <!DOCTYPE a>')).toBeUndefined();
  const comments = '<!---->'.repeat(10_000);
  expect(thatEnds(() => [documentTypeLine(comments), documentTypeLine(`${comments}<!DOCTYPE a>`)])).toEqual([
    undefined,
    1,
  ]);
});

test('lines that end with CR are told from others, however many there are', () => {
  const many = 'a\r'.repeat(1_000_000);
  expect(['a', 'a\n', 'a\r\nb', 'a\rb'].map(hasReturnsOnly)).toEqual([false, false, false, true]);
  expect(thatEnds(() => [hasReturnsOnly(many), hasReturnsOnly(`${many}\n`)])).toEqual([true, false]);
});

test('asterisks are no part of a code, and very many are read at once', () => {
  const profile = testProfile({ content: 'prices', columns: { date: ['Day'], ticker: ['Code'], price: ['Price'] } });
  const readCodes = (...codes: string[]): unknown =>
    readCsv(`Day,Code,Price\n${codes.map((code) => `2024-01-31,${code},1\n`).join('')}`, profile).map(
      (item) => item.item === 'price' && item.instrument.ticker?.length,
    );
  expect(readCodes('SPAXX**', 'A*B')).toEqual([5, 3]);
  const many = '*'.repeat(65_000);
  const lines = Array.from({ length: 100 }, () => `${many}x`);
  expect(thatEnds(() => readCodes(...lines))).toEqual(lines.map(({ length }) => length));
});

test('the beginning of a file is cut into lines once for all profiles, and they are compared in pieces', () => {
  const own = Array.from({ length: 200 }, (_, index) =>
    testProfile({ name: `P${index}`, columns: { date: [`D${index}`], amount: ['A'] } }),
  );
  const push = vi.spyOn(CsvReader.prototype, 'push');
  const pieces = recognisingCsv('A,B;C\n1,2;3\n', own);
  let count = 0;
  while (!pieces.next().done) count++;
  expect(push).toHaveBeenCalledTimes(8);
  expect(count).toBeGreaterThan(own.length);
  push.mockRestore();
  expect(computeAtOnce(recognisingCsv('A,D7\n', own))?.profile?.name).toBe('P7');
});
