// Realised gains, lot by lot: the published gains of the reference portfolio, and gains realised in other ways than by a sale.

import { beforeAll, describe, expect, test } from 'vitest';
import { fromFixed, toFixed } from '../../../src/kit/fixed.ts';
import type { Decimal } from '../../../src/kit/decimal.ts';
import type { Caller, Reply } from '../../setup/http/caller.ts';
import { book, bookedId } from '../../setup/ledger/ledger-household.ts';
import { ReferenceClient } from '../../setup/reference-portfolio/reference-client.ts';
import { readReferencePortfolio } from '../../setup/reference-portfolio/reference-portfolio.ts';
import { makeReportHousehold, type ReportHousehold } from '../../setup/reports/report-household.ts';
import { workspaceForThisFile } from '../../setup/node/test-service.ts';

const service = workspaceForThisFile();
let admin: Caller;
let reference: ReferenceClient;
let household: ReportHousehold;

beforeAll(async () => {
  ({ admin } = service);
  reference = await ReferenceClient.book(admin, readReferencePortfolio().facts);
  household = await makeReportHousehold(admin);
});

type Row = Record<string, any>;

function gains(query: string, entity = reference.id('all')): Promise<Reply> {
  return admin.get(`/v1/realised-gains?reporting_entity_id=${entity}${query}`);
}

const sum = (proceeds: string, cost: string, gain: string, price_part: string, currency_part: string) => ({
  proceeds,
  cost,
  gain,
  price_part,
  currency_part,
});
const nothing = sum('0', '0', '0', '0', '0');

function sumOf(rows: readonly Row[], figure: string): string {
  return fromFixed(rows.reduce((total, row) => total + toFixed(row[figure] as Decimal), 0n));
}

describe('the reference portfolio', () => {
  const whole = '&from=2025-01-01&to=2026-09-30';

  test('has the published gains of each lot, in the order of the ledger', async () => {
    const { data } = reference.withNames((await gains(whole)).body);
    expect(data[1]).toEqual({
      transaction_id: 'row 15',
      lot_id: 'upload:2024-12-31',
      account_id: 'dollar',
      depository_id: 'hudson',
      instrument_id: 'share',
      date: '2025-11-17',
      acquisition_date: '2024-12-31',
      sale_date: '2025-11-17',
      quantity: '150',
      ...sum('7906.8', '6750', '1156.8', '1306.8', '-150'),
      currency: 'EUR',
      gain_classification: 'short_term',
    });
    const names = ['transaction_id', 'lot_id', 'quantity', 'proceeds', 'cost', 'gain', 'price_part', 'currency_part'];
    const actual = data.map((one: Row) => [...names.map((name) => one[name]), one['gain_classification']]);
    expect(actual).toEqual([
      ['row 12', 'row 3', '100000', '100000', '98100', '1900', '1900', '0', 'short_term'],
      ['row 15', 'upload:2024-12-31', '150', '7906.8', '6750', '1156.8', '1306.8', '-150', 'short_term'],
      ['row 18', 'upload:2024-12-31', '50', '2635', '2250', '385', '510', '-125', 'long_term'],
      ['row 18', 'row 1', '10', '527', '459', '68', '93.5', '-25.5', 'short_term'],
      ['row 21', 'row 2', '300', '34800', '30000', '4800', '4800', '0', 'long_term'],
      ['row 21', 'row 13', '100', '11600', '11000', '600', '600', '0', 'short_term'],
      ['row 22', 'row 5', '0', '22100', '21520', '580', '1700', '-1120', 'long_term'],
    ]);
  });

  test('has the published totals by term', async () => {
    const { body } = await gains(whole);
    expect({ ...body, data: [] }).toEqual({
      data: [],
      has_more: false,
      from: '2025-01-01',
      to: '2026-09-30',
      currency: 'EUR',
      totals: {
        short_term: sum('120033.8', '116309', '3724.8', '3900.3', '-175.5'),
        long_term: sum('59535', '53770', '5765', '7010', '-1245'),
        total: sum('179568.8', '170079', '9489.8', '10910.3', '-1420.5'),
      },
      ledger_version: expect.any(String),
    });
  });

  test('has the totals of each segment of a requested axis, and they add up', async () => {
    const { body } = await gains(`${whole}&by=class`);
    const { subtotals } = reference.withNames(body);
    expect(subtotals).toHaveLength(3);
    expect(subtotals).toContainEqual({
      segment_id: 'class Fixed income',
      segment_name: 'Fixed income',
      short_term: sum('100000', '98100', '1900', '1900', '0'),
      long_term: nothing,
      total: sum('100000', '98100', '1900', '1900', '0'),
    });
    for (const term of ['short_term', 'long_term', 'total']) {
      for (const figure of Object.keys(nothing)) {
        expect(
          sumOf(
            subtotals.map((one: Row) => one[term]),
            figure,
          ),
        ).toBe(body.totals[term][figure]);
      }
    }
  });

  test.each([
    ['both ends included', '&from=2025-09-15&to=2025-11-17', ['row 12', 'row 15']],
    ['a day later and a day earlier', '&from=2025-09-16&to=2025-11-16', []],
    ['one day', '&from=2026-01-12&to=2026-01-12', ['row 18', 'row 18']],
    ['the year of the last day when no first day is sent', '&to=2025-12-31', ['row 12', 'row 15']],
    ['the current year when no day is sent', '', ['row 18', 'row 18', 'row 21', 'row 21', 'row 22']],
    ['up to today when no last day is sent', '&from=2026-05-05', ['row 22']],
    ['future days', '&from=2030-01-01', []],
  ])('takes %s', async (_what, span, rows) => {
    const { data } = reference.withNames((await gains(span)).body);
    expect(data.map((one: Row) => one['transaction_id'])).toEqual(rows);
  });

  test('names its period', async () => {
    const spanOf = async (query: string): Promise<unknown[]> => {
      const { from, to } = (await gains(query)).body;
      return [from, to];
    };
    expect(await spanOf('')).toEqual(['2026-01-01', '2026-11-15']);
    expect(await spanOf('&to=2025-06-30')).toEqual(['2025-01-01', '2025-06-30']);
    expect(await spanOf('&from=2030-01-01')).toEqual(['2030-01-01', '2030-01-01']);
  });

  test('has pages that contain each row once, and can be read as CSV', async () => {
    const all = (await gains(whole)).body;
    const walked: Row[] = [];
    for (let cursor = ''; ;) {
      const { body } = await gains(`${whole}&limit=2${cursor}`);
      walked.push(...body.data);
      expect(body.totals).toEqual(all.totals);
      if (!body.has_more) break;
      cursor = `&cursor=${body.next_cursor}`;
    }
    expect(walked).toEqual(all.data);
    const { text } = await gains(`${whole}&format=csv&round=none`);
    const lines = [Object.keys(all.data[0]), ...all.data.map(Object.values)].map((line) => `${line.join()}\r\n`);
    expect(text).toBe(lines.join(''));
  });
});

describe('a household', () => {
  test('realises gains also from short positions and returns of capital, but not in excluded accounts', async () => {
    const { account, hidden, stock } = household;
    const booked = async (fields: object): Promise<string> =>
      bookedId(await book(admin, 'v1', { account_id: account, instrument_id: stock, ...fields }));
    const excluded = { account_id: hidden, instrument_id: stock };
    await booked({ ...excluded, type: 'buy', date: '2026-03-02', quantity: '1', price: '10' });
    await booked({ ...excluded, type: 'sell', date: '2026-03-03', quantity: '1', price: '90' });
    const returned = await booked({
      type: 'corporate-action',
      action: 'return-of-capital',
      date: '2026-03-04',
      amount: '750',
    });
    const sold = await booked({ type: 'sell', date: '2026-03-05', quantity: '12', price: '5' });
    const covered = await booked({ type: 'buy', date: '2026-03-09', quantity: '2', price: '8' });
    const { body } = await gains('&from=2026-03-01&to=2026-03-31', household.all);
    const names = [
      'transaction_id',
      'lot_id',
      'date',
      'acquisition_date',
      'sale_date',
      'quantity',
      'proceeds',
      'cost',
      'gain',
    ];
    expect(body.data.map((one: Row) => names.map((name) => one[name]))).toEqual([
      [returned, household.bought, '2026-03-04', '2026-01-06', '2026-03-04', '0', '750', '700', '50'],
      [sold, household.bought, '2026-03-05', '2026-01-06', '2026-03-05', '10', '50', '0', '50'],
      [covered, sold, '2026-03-09', '2026-03-09', '2026-03-05', '2', '10', '16', '-6'],
    ]);
    expect(body.totals.total.gain).toBe('94');
  });
});

test.each([
  ['&from=2026-02-01&to=2026-01-31', 'to must not be before from.'],
  ['&from=2026-02-30', 'from must be a day that exists.'],
  ['&by=term', 'by must be one of account, depository, portfolio, instrument, class, detailed-class, currency.'],
  ['&format=csv&cursor=x', 'A CSV file has no pages.'],
])('?reporting_entity_id=…%s is refused: %s', async (query, detail) => {
  const reply = await gains(query);
  expect([reply.status, reply.body.detail]).toEqual([400, detail]);
});
