// Allocation of wealth along one axis or two: cells add up to margins, margins add up to the total.

import { beforeAll, describe, expect, test } from 'vitest';
import { fromFixed, toFixed } from '../../../src/kit/fixed.ts';
import type { Decimal } from '../../../src/kit/decimal.ts';
import { axes } from '../../../src/actions/reports/segments/axis.ts';
import type { Caller, Reply } from '../../setup/http/caller.ts';
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

function allocation(entity: string, query: string): Promise<Reply> {
  return admin.get(`/v1/allocation?reporting_entity_id=${entity}${query}`);
}

function sumOf(rows: readonly Row[]): string {
  return fromFixed(rows.reduce((sum, { market_value }) => sum + toFixed(market_value as Decimal), 0n));
}

const segment = (segment_id: string | null, segment_name: string | null) => ({ segment_id, segment_name });
const equities = segment('class Equities', 'Equities');
const cash = segment('class Cash', 'Cash');
const privateMarkets = segment('class Private markets', 'Private markets');
const [euro, dollar] = [segment('EUR', 'EUR'), segment('USD', 'USD')];

describe('the reference portfolio on 2025-12-31', () => {
  test('by class and currency', async () => {
    const { body } = await allocation(reference.id('all'), '&as_of=2025-12-31&by=class,currency');
    const actual = reference.withNames(body);
    const byName = (one: Row, other: Row): number => (JSON.stringify(one) < JSON.stringify(other) ? -1 : 1);
    const row = (market_value: string, share: string) => ({ market_value, share });
    expect({ ...actual, cells: actual.cells.toSorted(byName) }).toEqual({
      by: ['class', 'currency'],
      currency: 'EUR',
      as_of: '2025-12-31T23:59:59.999Z',
      market_value: '214648.65',
      cells: [
        { segments: [cash, euro], ...row('75575', '0.3520870035753777') },
        { segments: [cash, dollar], ...row('19710.65', '0.09182750508796585') },
        { segments: [equities, euro], ...row('86400', '0.4025182548317914') },
        { segments: [equities, dollar], ...row('10013', '0.04664832506517046') },
        { segments: [privateMarkets, dollar], ...row('22950', '0.10691891143969459') },
      ],
      margins: [
        {
          axis: 'class',
          segments: expect.arrayContaining([
            { ...cash, ...row('95285.65', '0.4439145086633436') },
            { ...equities, ...row('96413', '0.44916657989696185') },
            { ...privateMarkets, ...row('22950', '0.10691891143969459') },
          ]),
        },
        {
          axis: 'currency',
          segments: [
            { ...euro, ...row('161975', '0.7546052584071691') },
            { ...dollar, ...row('52673.65', '0.2453947415928309') },
          ],
        },
      ],
      ledger_version: expect.any(String),
    });
  });

  test('the axes come in the requested order', async () => {
    const { body } = await allocation(reference.id('all'), '&as_of=2025-12-31&by=currency,class');
    expect(body.margins.map(({ axis }: Row) => axis)).toEqual(['currency', 'class']);
    expect(reference.withNames(body).cells[0].segments[0]).toEqual(euro);
  });

  test('a single axis has its segments as cells', async () => {
    const { body } = await allocation(reference.id('all'), '&as_of=2025-12-31&by=portfolio');
    const cells = reference.withNames(body).cells.map(({ segments, market_value }: Row) => [segments, market_value]);
    expect(cells).toEqual([
      [[segment('reserve', 'Portfolio reserve')], '167245'],
      [[segment('growth', 'Portfolio growth')], '47403.65'],
    ]);
  });

  const disjoint = axes.filter((axis) => axis !== 'portfolio');

  test.each(disjoint.flatMap((one) => disjoint.filter((other) => other > one).map((other) => [one, other] as const)))(
    'cells of %s and %s add up to the margins, and these to the total',
    async (one, other) => {
      const { body } = await allocation(reference.id('all'), `&as_of=2025-12-31&by=${one},${other}`);
      for (const [index, { segments }] of (body.margins as Row[]).entries()) {
        for (const { segment_id, market_value } of segments) {
          const cells = body.cells.filter((cell: Row) => cell['segments'][index].segment_id === segment_id);
          expect(sumOf(cells)).toBe(market_value);
        }
        expect(sumOf(segments)).toBe(body.market_value);
      }
    },
  );
});

describe('a household', () => {
  test('counts positions shared by two portfolios in a cell of each', async () => {
    const { body } = await allocation(household.all, '&as_of=2026-02-05&by=portfolio,depository');
    expect(
      body.cells.map(({ segments, market_value }: Row) => [
        ...segments.map((one: Row) => one['segment_id']),
        market_value,
      ]),
    ).toEqual([
      [household.cash, household.depository, '821.23456789012345678'],
      [household.cash, null, '187.5'],
      [household.units, household.depository, '821.23456789012345678'],
    ]);
    expect(body.market_value).toBe('1008.73456789012345678');
  });

  test('is empty without holdings', async () => {
    const { body } = await allocation(household.empty, '&by=class');
    expect(body).toMatchObject({ market_value: '0', cells: [], margins: [{ axis: 'class', segments: [] }] });
  });
});

test.each([
  ['', 'by is required.'],
  ['&by=', `by must be one of ${axes.join(', ')}.`],
  ['&by=class,colour', `by must be one of ${axes.join(', ')}.`],
  ['&by=class,class', 'by must not repeat an axis.'],
  ['&by=class,account,currency', 'by must name at most 2 axes.'],
  ['&by=class&limit=5', 'The parameter "limit" does not exist here.'],
])('?reporting_entity_id=…%s is refused: %s', async (query, detail) => {
  const reply = await allocation(household.all, query);
  expect([reply.status, reply.body.detail]).toEqual([400, detail]);
});
