// Tests that one table is the same on the page, as CSV (exact to the last digit) and as XLSX (to the digits that a spreadsheet keeps).

import { parse } from 'csv-parse/sync';
import fc from 'fast-check';
import { expect, onTestFinished, test, vi } from 'vitest';
import { unzip } from '../../../../tests/setup/web/read-sheet.ts';
import { unguardCell } from '../../../kit/csv-line.ts';
import { html } from '../../../kit/html.ts';
import type { Reader } from '../language/reader.ts';
import { pagerHtml, tableHtml } from './table-html.ts';
import { FileSink } from './file-sink.ts';
import { writeTableCsv, writeTableXlsx } from './table-files.ts';
import type { Table } from './table.ts';

async function tableCsv(table: Table): Promise<string> {
  const sink = new FileSink();
  await writeTableCsv(table, sink);
  return Buffer.concat(sink.pieces).toString();
}

async function tableXlsx(table: Table): Promise<Buffer> {
  const sink = new FileSink();
  await writeTableXlsx(table, sink);
  return Buffer.concat(sink.pieces);
}

const reader: Reader = { language: 'en', locale: 'en-GB' };

const holdings: Table = {
  id: 'holdings',
  caption: 'Holdings: 30/10',
  columns: [
    { key: 'name', title: 'Name', kind: 'text', sortKey: 'name' },
    { key: 'value', title: 'Value', kind: 'money', currency: 'CHF', sortKey: 'value' },
    { key: 'return', title: 'Return', kind: 'percent' },
    { key: 'units', title: 'Units', kind: 'quantity' },
    { key: 'day', title: 'Day', kind: 'date' },
  ],
  rows: [
    { cells: [{ value: 'Shares' }, { value: '1234.505', explain: '/explain/1' }, { value: '0.1' }] },
    {
      level: 1,
      cells: [
        { value: '=1+1 <b>', href: 'javascript:alert(1)' },
        { value: '12345678901234.567', note: 'stated', marks: [{ kind: 'estimated', text: 'Estimated' }] },
        { value: '-0.0213' },
        { value: '0.000000000000000001' },
        { value: '2026-10-30' },
      ],
    },
    { isSum: true, cells: [{ value: 'All' }, { value: null }, { value: '0.00001' }] },
  ],
};

function pageOf(table: Table, current?: string): string {
  return tableHtml(table, { reader, sort: { address: '/holdings?date=2026-10-30&cursor=x', current } }).text;
}

test('figures lead to their explanation, have sign and colour together, and are rounded as the reader expects', () => {
  const page = pageOf(holdings);
  expect(page).toMatch(/<td class="n"><a class="figure-link" href="\/explain\/1">1,234\.50<\/a\s*><\/td>/);
  expect(page).toContain('<td class="n up">+10.00%</td>');
  expect(page).toContain('<td class="n down">−2.13%</td>');
  expect(page).toContain('<td class="n">0.00%</td>');
  expect(page).toContain('<td class="n">0.000000000000000001</td>');
  expect(page).toContain('<small class="soft">stated</small>');
  expect(page).toContain('<small><span class="mark estimated">Estimated</span></small>');
  expect(page).toContain('<td>30 Oct 2026</td>');
});

test('a value can neither inject markup nor an address that a browser runs', () => {
  const page = pageOf(holdings);
  expect(page).toMatch(/<th scope="row"\s+class="in1 name">\s*=1\+1 &lt;b&gt;\s*<\/th>/);
  expect(page).not.toContain('javascript:');
});

test('the addresses of a column of links lead there, unless a browser would run them or there is none', () => {
  const cells = ['https://a.example/b', '/console', 'javascript:alert(1)', null].map((value) => ({ value }));
  const columns = [
    { key: 'name', title: 'Name', kind: 'text' },
    { key: 'link', title: 'Link', kind: 'link' },
  ] as const;
  const rows = [...cells, { value: '/shown', href: '/elsewhere' }].map((cell) => ({ cells: [{ value: 'Any' }, cell] }));
  const body = /<tbody>(.*)<\/tbody>/s.exec(pageOf({ ...holdings, columns, rows }))![1]!;
  const shown = [...body.matchAll(/<td[^>]*>(.*?)<\/td>/gs)].map(([, cell = '']) => [
    cell.replaceAll(/<[^>]*>/g, '').trim(),
    /href="([^"]*)"/.exec(cell)?.[1],
  ]);
  expect(shown).toEqual([
    ['https://a.example/b', 'https://a.example/b'],
    ['/console', '/console'],
    ['javascript:alert(1)', undefined],
    ['–', undefined],
    ['/shown', '/elsewhere'],
  ]);
});

/** The headings of a table: title, how it is sorted, and where its link leads. */
function headingsOf(page: string): (string | undefined)[][] {
  const head = /<thead>(.*)<\/thead>/s.exec(page)![1]!;
  return [...head.matchAll(/<th scope="col"([^>]*)>(.*?)<\/th>/gs)].map(([, attributes = '', content = '']) => [
    content.replaceAll(/<[^>]*>/g, '').trim(),
    /aria-sort="(\w+)"/.exec(attributes)?.[1],
    /href="([^"]*)"/.exec(content)?.[1]?.replaceAll('&amp;', '&'),
  ]);
}

test.each<[string | undefined, (string | undefined)[][]]>([
  [
    undefined,
    [
      ['Name', undefined, 'name'],
      ['Value', undefined, 'value'],
    ],
  ],
  [
    'value',
    [
      ['Name', undefined, 'name'],
      ['Value', 'ascending', '-value'],
    ],
  ],
  [
    '-value',
    [
      ['Name', undefined, 'name'],
      ['Value', 'descending', 'value'],
    ],
  ],
  [
    '-name',
    [
      ['Name', 'descending', 'name'],
      ['Value', undefined, 'value'],
    ],
  ],
  [
    'units',
    [
      ['Name', undefined, 'name'],
      ['Value', undefined, 'value'],
    ],
  ],
])('headings sort by link and begin again at the first page; sorted by %s they say so once', (current, sortable) => {
  const linked = sortable.map(([title, order, key]) => [title, order, `/holdings?date=2026-10-30&sort=${key}`]);
  const plain = ['Return', 'Units', 'Day'].map((title) => [title, undefined, undefined]);
  expect(headingsOf(pageOf(holdings, current))).toEqual([...linked, ...plain]);
  const unsorted = holdings.columns.map(({ title }) => [title, undefined, undefined]);
  expect(headingsOf(tableHtml(holdings, { reader }).text)).toEqual(unsorted);
});

test('a list on one page has no pager; others lead to the first and the next page', () => {
  expect(pagerHtml({ reader, address: '/a', nextCursor: null }).text).toBe('');
  const pager = pagerHtml({ reader, address: '/a?q=x', cursor: 'c1', nextCursor: 'c2' }).text;
  expect(pager).toContain('href="/a?q=x"');
  expect(pager).toContain('href="/a?q=x&amp;cursor=c2"');
});

test('any texts come back from CSV as they were', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(fc.tuple(fc.string(), fc.string()), { minLength: 1, maxLength: 5 }), async (values) => {
      const table: Table = {
        ...holdings,
        columns: holdings.columns.slice(0, 2),
        rows: values.map((pair) => ({ cells: pair.map((value) => ({ value })) })),
      };
      const [titles, ...lines] = parse(await tableCsv(table), { recordDelimiter: '\r\n' }) as string[][];
      expect(titles).toEqual(['Name', 'Value']);
      expect(lines.map((line) => line.map(unguardCell))).toEqual(values);
    }),
    { numRuns: 100 },
  );
});

test('CSV has exact values, and what a spreadsheet would run is harmless', async () => {
  expect((await tableCsv(holdings)).split('\r\n')[2]).toBe(
    `'=1+1 <b>,12345678901234.567,-0.0213,0.000000000000000001,2026-10-30`,
  );
});

test('XLSX has figures as numbers, so that sums of them miss none', async () => {
  const files = unzip(await tableXlsx(holdings));
  const sheet = files.get('xl/worksheets/sheet1.xml')!;
  const texts = [...sheet.matchAll(/<t [^>]*>([^<]*)<\/t>/g)].map(([, text]) => text);
  expect(sheet).toMatch(/<c r="B2"[^>]*><v>1234\.505<\/v>/);
  expect(sheet).toMatch(/<c r="C3"[^>]*><v>-0\.0213<\/v>/);
  expect(sheet).toMatch(/<c r="B3"[^>]*><v>12345678901234\.6<\/v>/);
  expect(sheet).toMatch(/<c r="D3"[^>]*><v>0\.000000000000000001<\/v>/);
  expect(texts).toContain('=1+1 &lt;b&gt;');
  expect(sheet).not.toContain('<f>');
  expect(files.get('xl/workbook.xml')).toContain('name="Holdings  30 10"');
});

test.each([
  ['110039836.890716686430636694', '110039836.890717'],
  ['-0.000000012345678901234565', '-0.0000000123456789012346'],
  ['1.000000000000005', '1'],
  ['1.000000000000015', '1.00000000000002'],
  ['999999999999999.5', '1000000000000000'],
  ['123456789012345', '123456789012345'],
])('XLSX rounds %s to 15 digits, half to even: %s', async (value, kept) => {
  const sheet = unzip(await tableXlsx({ ...holdings, rows: [{ cells: [{ value: 'Any' }, { value }] }] }));
  const [, written] = /<c r="B2"[^>]*><v>([^<]*)<\/v>/.exec(sheet.get('xl/worksheets/sheet1.xml')!)!;
  expect(Number(written)).toBe(Number(kept));
});

test.each(['1234567890123456.5', 'unknown', '1e5', '.5', '-'])(
  'XLSX keeps %s as text: it has more than 15 digits before the point, or is no number',
  async (value) => {
    const rows = [{ cells: [{ value: 'Any' }, { value }] }];
    const sheet = unzip(await tableXlsx({ ...holdings, rows })).get('xl/worksheets/sheet1.xml')!;
    const [, written] = /<c r="B2"[^>]*t="inlineStr"[^>]*><is><t [^>]*>([^<]*)<\/t>/.exec(sheet) ?? [];
    expect(written).toBe(value);
  },
);

test.each([
  ["Lot by lot: 'B' [30/10]", "Lot by lot  'B'  30 10"],
  ["' Own '", 'Own'],
  ['A caption of more than thirty-one letters', 'A caption of more than thirty-o'],
  ['[]:*?/\\', 'Table'],
  ["''", 'Table'],
  ['', 'Table'],
])('the sheet of "%s" has a name that Excel accepts: "%s"', async (caption, name) => {
  const workbook = unzip(await tableXlsx({ ...holdings, caption })).get('xl/workbook.xml')!;
  expect(/<sheet name="([^"]*)"/.exec(workbook)?.[1]?.replaceAll('&apos;', "'").replaceAll('&#39;', "'")).toBe(name);
});

test('XLSX keeps any text: what XML has no word for is left out, and nothing is read as a code', async () => {
  const cells = ['a\u0001b\uD800c', '_x0041_', ' <&">\n', '1899-12-31', 'x'.repeat(40_000)].map((value) => ({ value }));
  const table: Table = {
    ...holdings,
    columns: [...holdings.columns.slice(0, 1), ...holdings.columns.slice(4)],
    rows: [],
  };
  const rows = cells.map((cell) => ({ cells: [cell, cell] }));
  const sheet = unzip(await tableXlsx({ ...table, rows })).get('xl/worksheets/sheet1.xml')!;
  const texts = [...sheet.matchAll(/<c r="A\d"[^>]*><is><t [^>]*>([^<]*)<\/t>/g)].map(([, text]) => text);
  const written = ['ab\uFFFDc', '_x005F_x0041_', ' &lt;&amp;&quot;&gt;\n', '1899-12-31', 'x'.repeat(32_767)];
  expect(texts).toEqual(['Name', ...written]);
  expect(sheet).toMatch(/<c r="B5"[^>]*t="inlineStr"/);
});

test('the parts of an XLSX find each other: types, relations, styles and the view', async () => {
  const files = unzip(await tableXlsx(holdings));
  const part = (name: string): string => files.get(name) ?? '';
  const matches = (name: string, pattern: RegExp): (string | undefined)[] =>
    [...part(name).matchAll(pattern)].map(([, found]) => found);
  const typed = matches('[Content_Types].xml', /PartName="\/([^"]+)"/g);
  const related = [
    ...matches('_rels/.rels', /Target="([^"]+)"/g),
    ...matches('xl/_rels/workbook.xml.rels', /Target="([^"]+)"/g).map((target) => `xl/${target}`),
  ];
  const parts = [...files.keys()].filter((name) => !/rels$|^\[/.test(name)).toSorted();
  expect([typed.toSorted(), related.toSorted()]).toEqual([parts, parts]);
  const styles = (list: string): number =>
    [...(new RegExp(`<${list} count="\\d+">(.*?)</${list}>`).exec(part('xl/styles.xml'))?.[1] ?? '').matchAll(/<xf /g)]
      .length;
  const used = new Set(matches('xl/worksheets/sheet1.xml', /<c [^>]*s="(\d+)"/g).map(Number));
  expect(Math.max(...used)).toBeLessThan(styles('cellXfs'));
  expect(styles('cellStyleXfs')).toBe(1);
  expect(part('xl/styles.xml')).toContain('<cellStyle name="Normal" xfId="0" builtinId="0"/>');
  expect(part('xl/workbook.xml')).toMatch(/<bookViews><workbookView\/><\/bookViews><sheets>/);
});

test('the same table is the same XLSX at another time', async () => {
  const first = await tableXlsx(holdings);
  vi.useFakeTimers({ toFake: ['Date'], now: Date.UTC(2031, 4, 5, 6, 7, 8) });
  onTestFinished(() => void vi.useRealTimers());
  expect((await tableXlsx(holdings)).equals(first)).toBe(true);
});

test('what a page shows of a table is not made for a file', async () => {
  let drawn = 0;
  const text = (): string => `row ${++drawn}`;
  const rows = Array.from({ length: 3 }, (_, index) => ({ cells: [{ value: String(index), text }] }));
  const long: Table = { id: 'log', caption: 'Log', columns: [{ key: 'at', title: 'When', kind: 'text' }], rows };
  const page = html`<main>${[tableHtml(long, { reader })]}</main>`;
  await Promise.all([tableCsv(long), tableXlsx(long)]);
  expect(drawn).toBe(0);
  expect([page.text.includes('row 3'), page.text.includes('row 4'), drawn]).toEqual([true, false, 3]);
});
