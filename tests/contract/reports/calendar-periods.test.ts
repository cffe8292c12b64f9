// The calendar periods of performance and of private markets, and where a number of an explanation was recorded.

import { beforeAll, describe, expect, test } from 'vitest';
import { ReferenceClient } from '../../setup/reference-portfolio/reference-client.ts';
import { readReferencePortfolio } from '../../setup/reference-portfolio/reference-portfolio.ts';
import { workspaceForThisFile } from '../../setup/node/test-service.ts';

const service = workspaceForThisFile();
const { facts } = readReferencePortfolio();
let client: ReferenceClient;

beforeAll(async () => {
  client = await ReferenceClient.book(service.admin, facts);
});

async function report(path: string, query: string): Promise<any> {
  const { status, body, text } = await service.admin.get(
    `/v1/${path}?reporting_entity_id=${client.id('all')}&${query}`,
  );
  if (status !== 200) throw new Error(`${path} ${query}: ${status} ${text}`);
  return body;
}

describe('the periods of performance', () => {
  const names = ['begin_market_value', 'end_market_value', 'net_cash_flow', 'gain', 'income', 'fees', 'twr'] as const;

  test('each has the figures of a report over its days alone, for the whole and every class', async () => {
    const { data } = await report(
      'performance',
      'start=2025-06-15&end=2025-09-30&by=class&detail=summary&every=month,quarter',
    );
    const [whole] = data;
    expect(whole.periods.map(({ every, start, end }: any) => `${every} ${start} ${end}`)).toEqual([
      'month 2025-06-15 2025-06-30',
      'month 2025-07-01 2025-07-31',
      'month 2025-08-01 2025-08-31',
      'month 2025-09-01 2025-09-30',
      'quarter 2025-06-15 2025-06-30',
      'quarter 2025-07-01 2025-09-30',
    ]);
    for (const [index, { start, end }] of whole.periods.entries()) {
      const alone = await report('performance', `start=${start}&end=${end}&by=class&detail=summary`);
      for (const segment of alone.data) {
        const same = data.find((one: any) => one.segment_id === segment.segment_id && one.axis === segment.axis);
        const found = names.map((name) => same.periods[index][name]);
        expect([segment.segment_name, start, ...found]).toEqual([
          segment.segment_name,
          start,
          ...names.map((name) => segment[name]),
        ]);
      }
    }
  });

  test('they are not there unless asked for, and refused in a file of lines', async () => {
    const { data } = await report('performance', 'start=2025-06-15&end=2025-06-30&detail=summary');
    expect(data[0]).not.toHaveProperty('periods');
    const file = `/v1/performance?reporting_entity_id=${client.id('all')}&every=year&format=csv`;
    expect((await service.admin.get(file)).body).toMatchObject({
      status: 400,
      detail: expect.stringContaining('every is available with JSON only'),
    });
  });
});

test('the periods of private markets are the reports of their last days, from the first call on', async () => {
  const { data } = await report('performance/private-markets', 'as_of=2026-09-30&every=quarter');
  const [total] = data;
  expect(total).toMatchObject({ instrument_name: null });
  expect(data.slice(1).every((fund: any) => typeof fund.instrument_name === 'string')).toBe(true);
  expect(total.periods.at(-1).date).toBe('2026-09-30');
  for (const [index, { date }] of total.periods.entries()) {
    const alone = await report('performance/private-markets', `as_of=${date}`);
    for (const [fund, { cashflow, nav }] of alone.data.entries()) {
      const period = data[fund].periods[index];
      expect(period).toMatchObject({ ...cashflow, nav, date });
      expect(Number(period.net_cash_flow)).toBe(Number(cashflow.distributions) - Number(cashflow.drawdowns));
    }
  }
  const before = await report('performance/private-markets', `as_of=${total.periods[0].date.slice(0, 4)}-01-01`);
  expect(before.data[0].cashflow.drawdowns).toBe('0');
});

describe('where a number of an explanation was recorded', () => {
  function findPath(figure: any, kind: string, path: readonly number[] = []): readonly number[] | undefined {
    if (figure.source?.kind === kind) return path;
    for (const [index, part] of (figure.of ?? []).entries()) {
      const found = findPath(part, kind, [...path, index]);
      if (found !== undefined) return found;
    }
    return undefined;
  }

  async function originOf(question: string, kind: string): Promise<any> {
    const { explanation } = await report('explain', question);
    const path = findPath(explanation, kind);
    expect(path).toBeDefined();
    const answer = await report('explain', `${question}&origin_at=${['root', ...path!].join('.')}`);
    const figure = path!.reduce((one: any, index) => one.of[index], answer.explanation);
    const { origin: _origin, ...source } = figure.source;
    expect({ ...figure, source }).toEqual(path!.reduce((one: any, index) => one.of[index], explanation));
    return figure.source.origin;
  }

  test('a booking names who booked it, and no import where none did', async () => {
    const origin = await originOf('figure=income&start=2025-01-01&end=2025-12-31', 'transaction');
    const { body: me } = await service.admin.get('/v1/me');
    const { body: application } = await service.admin.get(`/v1/applications/${me.credential_id}`);
    expect(origin).toMatchObject({ recorded_by: application.name, import: null });
    expect(origin.recorded_at).toMatch(/Z$/);
  });

  test.each(['point', 'fx-rate'])('a %s names its source and since when it is known', async (kind) => {
    const origin = await originOf('figure=market_value&as_of=2025-12-31', kind);
    expect(origin).toMatchObject({ recorded_by: null, import: null, external_reference: null });
    expect(origin.source).toEqual(expect.any(String));
  });

  test.each(['2.0', 'root.x', 'root..1', `root${'.1'.repeat(300)}`])('refuses the path %s', async (path) => {
    const url = `/v1/explain?reporting_entity_id=${client.id('all')}&figure=market_value&origin_at=${path}`;
    expect((await service.admin.get(url)).status).toBe(400);
  });

  test('a path that leads nowhere adds nothing', async () => {
    const { explanation } = await report('explain', 'figure=market_value&as_of=2025-12-31&origin_at=root.9999');
    expect(explanation).toEqual((await report('explain', 'figure=market_value&as_of=2025-12-31')).explanation);
  });
});
