// Lists of the frozen APIs (JSON:API and Plain) have no cursor: one answer contains all rows up to a cap, and says if there are more.

import { setImmediate } from 'node:timers/promises';
import { anyInteger, rendered, snakeCaseStrings, type JsonSchema, type Kind } from '../../../kit/field.ts';
import { listOf, member, objectOf, omissible } from '../../../kit/structured-field.ts';
import type { AnyChange, AnyRecord, Resource } from '../../../kit/resource.ts';
import type { ReadActions } from '../../../actions/core/record-actions.ts';
import type { ResultPage } from '../../../actions/core/resource.ts';
import type { Work } from '../../../actions/core/work.ts';

export const rowCap = 10_000;

const truncated = rendered({ const: true });

const truncationKind = objectOf({
  truncated: member(truncated, 'Always true.'),
  cap: member(anyInteger, 'How many rows one answer contains.'),
  total: member(anyInteger, 'How many rows there are.'),
});

/** The members of `meta`, where it has others that are always present. */
export const truncationMembers = {
  truncated: omissible(truncated, 'Present when there are more rows than one answer contains.'),
  cap: omissible(anyInteger, 'Present with `truncated`: how many rows one answer contains.'),
  total: omissible(anyInteger, 'Present with `truncated`: how many rows there are.'),
} as const;

/** The members of a list without pages. */
export function cappedListMembers<T>(row: Kind<T>) {
  return {
    data: member(listOf(row), 'The rows.'),
    meta: omissible(truncationKind, 'Present when there are more rows than one answer contains.'),
  } as const;
}

export function cappedListSchema(row: JsonSchema): JsonSchema {
  return objectOf(cappedListMembers(rendered(row))).schema(snakeCaseStrings);
}

interface TruncatedRows<T> {
  readonly rows: readonly T[];
  /** Absent where all rows fit. */
  readonly truncation?: { readonly truncated: true; readonly cap: number; readonly total: number };
}

/** Limits rows to what one answer contains. */
export function truncateRows<T>(rows: readonly T[]): TruncatedRows<T> {
  if (rows.length <= rowCap) return { rows };
  return { rows: rows.slice(0, rowCap), truncation: { truncated: true, cap: rowCap, total: rows.length } };
}

const sliceSize = 250;

/** Renders in slices and yields between them, so that a long list does not delay other requests. */
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

/** Lists rows up to a limit, and counts all of them. */
interface CappedRows {
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

interface CappedQuery<R extends Resource> {
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
