// Time series and exchange rates as each wire writes them, and short ways to create instruments for them.

import type { Caller } from '../http/caller.ts';
import { makeRecord } from '../structure/structure-document.ts';

export const allSeriesKinds = ['price', 'net-asset-value', 'interest-rate', 'index-factor'] as const;
export type PointType = (typeof allSeriesKinds)[number];

/** Creates an instrument that accepts every kind of series, in the catalogue or private to a reporting entity. */
export function makeSeriesInstrument(caller: Caller, reportingEntity?: string): Promise<string> {
  const owner = reportingEntity === undefined ? {} : { reporting_entity_id: reportingEntity };
  return makeRecord(caller, 'instruments', { type: 'other-instrument', name: 'Bearer of series', ...owner });
}

/** A point on JSON:API. */
export function pointObject(type: PointType, id: string, { date, value }: { date: string; value: number }): object {
  return { type, id, attributes: { date, value }, relationships: {} };
}

export function newPointDocument(type: PointType, attributes: object): object {
  return { data: { type, attributes } };
}

/** Consecutive days, each with a different value, as rows of a bulk body. */
export function dailyRows(first: string, count: number): { date: string; value: string }[] {
  const start = Date.parse(`${first}T00:00:00Z`);
  return Array.from({ length: count }, (_, index) => ({
    date: new Date(start + index * 86_400_000).toISOString().slice(0, 10),
    value: `${100 + (index % 50)}.${String(index % 1_000).padStart(3, '0')}1`,
  }));
}

export function toCsv(rows: readonly object[]): string {
  const columns = Object.keys(rows[0]!);
  return [columns, ...rows.map((row) => Object.values(row))].map((line) => `${line.join(',')}\r\n`).join('');
}

export function toJsonLines(rows: readonly unknown[]): string {
  return rows.map((row) => `${JSON.stringify(row)}\n`).join('');
}
