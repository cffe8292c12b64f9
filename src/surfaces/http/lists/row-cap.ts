// Lists of the frozen tracks have no cursor: everything that matches in one answer, up to a cap that the answer admits to.

import { setImmediate } from 'node:timers/promises';
import type { AnyChange, AnyRecord, Resource } from '../../../kit/resource.ts';
import type { ReadActions } from '../../../actions/core/record-actions.ts';
import type { ResultPage } from '../../../actions/core/resource.ts';
import type { Work } from '../../../actions/core/work.ts';

export const rowCap = 10_000;

const truncationMembers = { truncated: { const: true }, cap: { type: 'integer' }, total: { type: 'integer' } } as const;

export const truncationSchema = {
  type: 'object',
  required: ['truncated', 'cap', 'total'],
  properties: truncationMembers,
  additionalProperties: false,
  description: 'Present when there are more rows than one answer holds.',
} as const;

/** The same beside what `meta` holds in any case. */
export function metaSchema(baseMembers: Readonly<Record<string, unknown>>): { readonly [keyword: string]: unknown } {
  const properties = { ...baseMembers, ...truncationMembers };
  const description = '`truncated`, `cap` and `total` are there when there are more rows than one answer holds.';
  return { type: 'object', required: Object.keys(baseMembers), properties, additionalProperties: false, description };
}

export function cappedListSchema(items: unknown): { readonly [keyword: string]: unknown } {
  const properties = { data: { type: 'array', items }, meta: truncationSchema };
  return { type: 'object', required: ['data'], properties, additionalProperties: false };
}

export interface TruncatedRows<T> {
  readonly rows: readonly T[];
  /** Empty where nothing was cut off. */
  readonly truncation: { readonly truncated?: true; readonly cap?: number; readonly total?: number };
}

/** As many of the rows as one answer holds. */
export function truncateRows<T>(rows: readonly T[]): TruncatedRows<T> {
  if (rows.length <= rowCap) return { rows, truncation: {} };
  return { rows: rows.slice(0, rowCap), truncation: { truncated: true, cap: rowCap, total: rows.length } };
}

const sliceSize = 250;

/** Lets other callers have their turn between slices: a long list must not hold everybody else up. */
export async function renderInSlices(
  records: readonly AnyRecord[],
  render: (record: AnyRecord) => unknown,
): Promise<unknown[]> {
  const rendered: unknown[] = [];
  for (const [index, row] of records.entries()) {
    if (index > 0 && index % sliceSize === 0) await setImmediate();
    rendered.push(render(row));
  }
  return rendered;
}

/** What is listed: up to so many, and how many there are. */
export interface CappedRows {
  list(limit: number): Promise<ResultPage<unknown>>;
  count(): Promise<number>;
}

export async function cappedRows(
  { list, count }: CappedRows,
  render: (record: AnyRecord) => unknown,
): Promise<{ data: unknown[]; meta?: object }> {
  const { records, hasMore } = await list(rowCap);
  const data = await renderInSlices(records as readonly AnyRecord[], render);
  return hasMore ? { data, meta: { truncated: true, cap: rowCap, total: await count() } } : { data };
}

export interface CappedQuery<R extends Resource> {
  readonly actions: ReadActions<R>;
  readonly where: AnyChange;
}

export async function cappedList<R extends Resource>(
  work: Work,
  { actions, where }: CappedQuery<R>,
  render: (record: AnyRecord) => unknown,
): Promise<{ data: unknown[]; meta?: object }> {
  const rows = {
    list: (limit: number) => actions.list(work, { where, limit }),
    count: () => actions.count(work, where),
  };
  return cappedRows(rows, render);
}
