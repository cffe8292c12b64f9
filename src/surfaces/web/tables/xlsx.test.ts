import { expect, test } from 'vitest';
import { unzip } from '../../../../tests/setup/web/read-sheet.ts';
import { FileSink } from './file-sink.ts';
import { sheetFile, type SheetCell } from './xlsx.ts';

const text = (value: string): SheetCell => ({ value, kind: 'text' });

async function sheetOf(rows: readonly (readonly (SheetCell | null)[])[]): Promise<string> {
  const sink = new FileSink();
  await sheetFile({ name: 'One & two', widths: [10, 20], rows }, sink);
  const files = unzip(Buffer.concat(sink.pieces));
  expect(files.get('xl/workbook.xml')).toContain('name="One &amp; two"');
  return files.get('xl/worksheets/sheet1.xml')!;
}

/** Of each cell its place and what is in it. */
function cellsOf(sheet: string): (string | undefined)[][] {
  return [...sheet.matchAll(/<c r="(\w+)"[^>]*>(?:<v>|<is><t[^>]*>)([^<]*)</g)].map(([, place, value]) => [
    place,
    value,
  ]);
}

test('columns are named A to Z, AA to ZZ, AAA', async () => {
  const sheet = await sheetOf([Array.from({ length: 703 }, (_, index) => text(String(index)))]);
  const byValue = new Map(cellsOf(sheet).map(([place, value]) => [value, place]));
  expect([0, 25, 26, 51, 52, 701, 702].map((index) => byValue.get(String(index)))).toEqual([
    'A1',
    'Z1',
    'AA1',
    'AZ1',
    'BA1',
    'ZZ1',
    'AAA1',
  ]);
});

test('every row is there, whatever their number, and an empty cell keeps its place', async () => {
  for (const count of [199, 200, 201, 401]) {
    const sheet = await sheetOf(Array.from({ length: count }, (_, index) => [null, text(`row ${index + 1}`)]));
    expect(cellsOf(sheet).map(([place, value]) => `${place} ${value}`)).toEqual(
      Array.from({ length: count }, (_, index) => `B${index + 1} row ${index + 1}`),
    );
    expect(sheet.match(/<row r="\d+">/g)).toHaveLength(count);
  }
});

test('days are counted as spreadsheets count them; earlier ones, which they do not know, are texts', async () => {
  const day = (value: string): SheetCell => ({ value, kind: 'date' });
  const sheet = await sheetOf([[day('1900-02-28'), day('1900-03-01'), day('2024-01-31')]]);
  expect(cellsOf(sheet)).toEqual([
    ['A1', '1900-02-28'],
    ['B1', '61'],
    ['C1', '45322'],
  ]);
});

test('a text has as many characters as a spreadsheet takes, and what XML cannot say is left out', async () => {
  const sheet = await sheetOf([[text('x'.repeat(32_767)), text('y'.repeat(32_768)), text('a\u0001<b>\u{1f600}"')]]);
  const [first, second, third] = cellsOf(sheet).map(([, value]) => value!);
  expect([first!.length, second!.length, third]).toEqual([32_767, 32_767, 'a&lt;b&gt;\u{1f600}&quot;']);
});

test('columns have their widths', async () => {
  expect(await sheetOf([])).toContain(
    '<cols><col min="1" max="1" width="10" customWidth="1"/><col min="2" max="2" width="20" customWidth="1"/></cols>',
  );
});
