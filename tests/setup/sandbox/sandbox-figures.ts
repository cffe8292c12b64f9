// What reports say of a client of the sandbox, to be compared.

import { expect } from 'vitest';
import { toFixed } from '../../../src/kit/fixed.ts';
import type { Caller, Reply } from '../http/caller.ts';
import { madeId } from './sandbox-clients.ts';

export async function getBody(from: Caller, path: string): Promise<any> {
  const { status, body, text } = await from.get(path);
  expect([status, status === 200 ? '' : text]).toEqual([200, '']);
  return body;
}

export function sumOf(values: readonly string[]): bigint {
  return values.reduce((sum, value) => sum + toFixed(value as never), 0n);
}

export interface Figures {
  readonly holdings: readonly any[];
  readonly total: any;
  readonly findings: readonly string[];
}

/** What reports say of the reporting entity that covers everything. */
export async function readFigures(from: Caller, made: any, asOf: string = made.end_date): Promise<Figures> {
  const entity = madeId(made, 'reporting-entity');
  const { data: holdings } = await getBody(from, `/v1/holdings?reporting_entity_id=${entity}&as_of=${asOf}&limit=100`);
  const window = `start=${made.start_date}&end=${asOf}&detail=summary`;
  const performance = await getBody(from, `/v1/performance?reporting_entity_id=${entity}&${window}`);
  const quality = await getBody(from, `/v1/data-quality?reporting_entity_id=${entity}&as_of=${asOf}&limit=100`);
  const codes: string[] = quality.data.map(({ code }: any) => code);
  return { holdings, total: performance.data[0], findings: [...new Set(codes)].toSorted() };
}

/** Whatever is held adds up to the value of the whole, and earned something or other. */
export function expectWhole({ holdings, total }: Figures): void {
  expect(sumOf(holdings.map((one) => one.market_value))).toBe(toFixed(total.end_market_value));
  expect(Number(total.twr)).not.toBe(0);
  expect(holdings.filter(({ valuation }) => valuation.estimated || valuation.stale)).toEqual([]);
}

/** Figures without ids, which differ. */
export function comparable({ holdings, total }: Figures): unknown {
  const texts = holdings.map(({ segment_id: _own, ...one }) => one);
  return [texts, { ...total, warnings: null }];
}

export function advance(from: Caller, id: string, body: object): Promise<Reply> {
  return from.post(`/v1/sandbox/clients/${id}/advance`, body);
}

/** A quarter, long over: for comparing. */
export const quarterLife = { persona: 'hedge-fund', start_date: '2025-01-02', end_date: '2025-03-31' } as const;
