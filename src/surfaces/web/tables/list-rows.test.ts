// Tests that a file has every row of a list, makes each when it is written and not before, and is refused where there are more than it may have.

import { expect, test } from 'vitest';
import { formatsOf } from '../language/formats.ts';
import type { Page } from '../signed-in-page.ts';
import { FileSink } from './file-sink.ts';
import { listRows, readWholeList } from './list-rows.ts';
import { writeTableCsv, writeTableXlsx } from './table-files.ts';
import type { Row, Table } from './table.ts';

interface ReadList {
  readonly page: Page;
  /** What was read, and how many rows there were after each answer. */
  readonly reads: unknown[];
  readonly noted: number[];
}

function listOf(count: number): ReadList {
  const [reads, noted]: [unknown[], number[]] = [[], []];
  const get = async (path: string, query: Readonly<Record<string, string | null>>): Promise<unknown> => {
    reads.push([path, query]);
    const from = Number(query['cursor'] ?? 0);
    const to = Math.min(from + Number(query['limit']), count);
    const data = Array.from({ length: to - from }, (_, index) => from + index);
    return to < count ? { data, has_more: true, next_cursor: String(to) } : { data, has_more: false };
  };
  const reader = { language: 'en', locale: 'en-GB' } as const;
  const page = { reader, formats: formatsOf('en-GB'), api: { get }, noteRows: (rows: number) => noted.push(rows) };
  return { page: page as unknown as Page, reads, noted };
}

const rowOf = (record: number): Row => ({ cells: [{ value: String(record) }] });

function tableOf(rows: Pick<Table, 'rows' | 'fileRows'>): Table {
  return { id: 'numbers', caption: 'Numbers', columns: [{ key: 'number', title: 'Number', kind: 'text' }], ...rows };
}

async function csvOf(rows: Pick<Table, 'rows' | 'fileRows'>): Promise<string> {
  const sink = new FileSink();
  await writeTableCsv(tableOf(rows), sink);
  return Buffer.concat(sink.pieces).toString();
}

test('a page shows the records that it has read; a file has those of all pages in their order, and says how many so far', async () => {
  const { page, reads, noted } = listOf(5);
  const list = { path: '/v1/activity', query: { q: 'a' }, rowsPerRead: 2 };
  const table = listRows(page, { list, shown: [3, 4], rowsOf: rowOf });
  expect(table.rows).toEqual([rowOf(3), rowOf(4)]);
  expect(reads).toEqual([]);
  expect(await csvOf(table)).toBe('Number\r\n0\r\n1\r\n2\r\n3\r\n4\r\n');
  expect(reads).toEqual([null, '2', '4'].map((cursor) => ['/v1/activity', { q: 'a', limit: '2', cursor }]));
  expect(noted).toEqual([2, 4, 5]);
});

test('a record may have several rows or none, and each part of a list is prepared before its rows are made', async () => {
  const prepared: number[][] = [];
  const table = listRows<number>(listOf(3).page, {
    list: { path: '/v1/audit-log', rowsPerRead: 2 },
    shown: [],
    prepare: async (records) => void prepared.push([...records]),
    rowsOf: (record) => Array.from({ length: record }, () => rowOf(prepared.length * 10 + record)),
  });
  expect(await csvOf(table)).toBe('Number\r\n11\r\n22\r\n22\r\n');
  expect(prepared).toEqual([[0, 1], [2]]);
});

test.each([
  ['CSV', writeTableCsv, 100],
  // A sheet says the width of its columns first: a thousand rows are read for it.
  ['XLSX', writeTableXlsx, 1_000],
])(
  'of a long list, %s is written while it is read: no more than some rows are there at a time',
  async (_, write, most) => {
    const { page } = listOf(3_000);
    let [made, longest] = [0, 0];
    const sink = new FileSink((bytes) => {
      if (bytes > 0) longest = Math.max(longest, made);
      made = 0;
    });
    const rowsOf = (record: number): Row => {
      made++;
      // Digits that hardly compress: a file does not keep them back for long.
      const digits = Array.from({ length: 40 }, (_digits, index) => Math.sin(record * 40 + index));
      return { cells: [{ value: digits.join(' ') }] };
    };
    await write(tableOf(listRows(page, { list: { path: '/v1/requests' }, shown: [], rowsOf })), sink);
    expect(longest).toBeGreaterThan(0);
    expect(longest).toBeLessThanOrEqual(most + 200);
  },
);

test('a list of as many rows as may be read is given; one of more is refused with the call that reads it', async () => {
  const list = { path: '/v1/activity', rowsPerRead: 2 };
  expect(await readWholeList(listOf(4).page, list, 4)).toEqual([0, 1, 2, 3]);
  const { page, noted } = listOf(5);
  await expect(readWholeList(page, list, 4)).rejects.toMatchObject({
    code: 'report-too-large',
    message:
      'A file has at most 4 rows, and there are more. Choose less, such as a shorter period, or read them all by API: GET /v1/activity.',
  });
  expect(noted).toEqual([2, 4]);
});

test('a file of too many bytes is refused while it is written', async () => {
  const table = tableOf(listRows(listOf(500).page, { list: { path: '/v1/activity' }, shown: [], rowsOf: rowOf }));
  await expect(writeTableCsv(table, new FileSink(undefined, 1_024))).rejects.toMatchObject({
    code: 'report-too-large',
  });
  await expect(writeTableXlsx(table, new FileSink(undefined, 1_024))).rejects.toMatchObject({
    code: 'report-too-large',
  });
});
