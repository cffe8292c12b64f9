// The spreadsheet of holdings and performance, as the program writes it: numbers to compute with, and every digit as text.

import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { beforeAll, afterAll, expect, test } from 'vitest';
import type { Holdfast } from '../../../packages/sdk/src/index.ts';
import { serviceForThisFile } from '../../setup/node/test-service.ts';
import { runExample } from '../../setup/sdk/example-program.ts';
import { makeSdkHousehold, sdkClient, type SdkHousehold } from '../../setup/sdk/sdk-household.ts';
import { readSheet } from '../../setup/web/read-sheet.ts';

const service = serviceForThisFile();
const folder = mkdtempSync(join(tmpdir(), 'holdfast-export-'));
const program = 'spreadsheet-export/spreadsheet-export.ts';
let holdfast: Holdfast;
let household: SdkHousehold;

afterAll(() => rmSync(folder, { recursive: true }));

beforeAll(async () => {
  holdfast = sdkClient(service);
  household = await makeSdkHousehold(holdfast);
  const { accountId: account_id } = household;
  const stock = await holdfast.instruments.create({ type: 'stock-instrument', name: '=1+1', currency: 'EUR' });
  await holdfast.transactions.create({ type: 'deposit', date: '2026-01-05', account_id, amount: '1000' });
  const bought = { quantity: '10', price: '60', instrument_id: stock.id };
  await holdfast.transactions.create({ type: 'buy', date: '2026-01-06', account_id, ...bought });
  await holdfast.prices.create(stock.id, { date: '2026-02-27', value: '72.0000000000000001' });
});

test('has each figure as a number and with all its digits, and no formula', async () => {
  const file = join(folder, 'amsel.xlsx');
  const args = [household.reportingEntityId, file, '2026-02-27'];
  const { code, out, err } = await runExample(service, program, { args });
  expect([code, err]).toEqual([0, '']);
  expect(out).toBe(`${file}: 2 holdings of Amsel, all, 3 periods\n`);
  const bytes = readFileSync(file);
  const [titles, ...rows] = readSheet(bytes, 1);
  expect(titles!.slice(0, 5)).toEqual([
    'Holding',
    'Quantity',
    'Quantity, exact',
    'Market value',
    'Market value, exact',
  ]);
  // 10 × 72.0000000000000001, bought for 600; 400 in cash; 1,120.000000000000001 in all.
  const stock = rows.find(([name]) => name === '=1+1')!;
  expect(stock.slice(1, 9)).toEqual([10, '10', 720, '720.000000000000001', 600, '600', 120, '120.000000000000001']);
  const totals = [1120, '1120.000000000000001', 1000, '1000', 120, '120.000000000000001'];
  expect(rows.at(-1)).toEqual(['Amsel, all, EUR, 2026-02-27T23:59:59.999Z', null, null, ...totals]);
  // The first month begins with the first booking.
  const [, january, february, whole] = readSheet(bytes, 2);
  expect(january!.slice(0, 2)).toEqual(['2026-01-05', '2026-01-31']);
  expect(january!.slice(4, 10)).toEqual([1000, '1000', 0, '0', 1000, '1000']);
  const [gain, value] = [
    [120, '120.000000000000001'],
    [1120, '1120.000000000000001'],
  ];
  // Returns are computed with doubles: 0.120000000000000001 has none of its own.
  const twr = [0.12, '0.12'];
  expect(february!.slice(6)).toEqual([...gain!, ...value!, ...twr]);
  expect(whole!.slice(10)).toEqual(twr);
});

test('without a reporting entity that exists ends with an error, and without a file', async () => {
  const args = ['0123456789abcdef01234567', join(folder, 'nothing.xlsx')];
  const { code, err } = await runExample(service, program, { args });
  expect(code).toBe(1);
  expect(err).toContain('NotFound');
  expect(() => readFileSync(args[1]!)).toThrow('ENOENT');
});

test('what is missing is said in a line', async () => {
  const { code, err } = await runExample(service, program);
  expect([code, err]).toEqual([1, 'Error: Name the reporting entity and a file that ends in .xlsx.\n']);
});
