// Lists of the frozen tracks have no cursor: everything that matches in one answer, up to a cap that the answer admits to.

import { setImmediate } from 'node:timers/promises';
import type { AnyChange, AnyRecord, Resource } from '../../kit/resource.ts';
import { countThings, listThings, type Page, type Rules } from '../../actions/resource.ts';
import type { Work } from '../../actions/work.ts';

export const rowCap = 10_000;

const truncationSchema = {
  type: 'object',
  required: ['truncated', 'cap', 'total'],
  properties: { truncated: { const: true }, cap: { type: 'integer' }, total: { type: 'integer' } },
  additionalProperties: false,
  description: 'Present when there are more rows than one answer holds.',
} as const;

export function cappedListSchema(items: unknown): { readonly [keyword: string]: unknown } {
  const properties = { data: { type: 'array', items }, meta: truncationSchema };
  return { type: 'object', required: ['data'], properties, additionalProperties: false };
}

const sliceSize = 250;

/** Lets other callers have their turn between slices: a long list must not hold everybody else up. */
export async function renderInSlices(
  things: readonly AnyRecord[],
  render: (record: AnyRecord) => unknown,
): Promise<unknown[]> {
  const rendered: unknown[] = [];
  for (const [index, thing] of things.entries()) {
    if (index > 0 && index % sliceSize === 0) await setImmediate();
    rendered.push(render(thing));
  }
  return rendered;
}

/** What is listed: up to so many, and how many there are. */
export interface CappedRows {
  list(limit: number): Promise<Page<unknown>>;
  count(): Promise<number>;
}

export async function cappedRows(
  { list, count }: CappedRows,
  render: (record: AnyRecord) => unknown,
): Promise<{ data: unknown[]; meta?: object }> {
  const { things, hasMore } = await list(rowCap);
  const data = await renderInSlices(things as readonly AnyRecord[], render);
  return hasMore ? { data, meta: { truncated: true, cap: rowCap, total: await count() } } : { data };
}

export interface CappedQuery<R extends Resource> {
  readonly rules: Rules<R>;
  readonly where: AnyChange;
}

export async function cappedList<R extends Resource>(
  work: Work,
  { rules, where }: CappedQuery<R>,
  render: (record: AnyRecord) => unknown,
): Promise<{ data: unknown[]; meta?: object }> {
  const rows = {
    list: (limit: number) => listThings(work, rules, { where, limit }),
    count: () => countThings(work, rules, where),
  };
  return cappedRows(rows, render);
}
