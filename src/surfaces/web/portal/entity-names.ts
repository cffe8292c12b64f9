// The names of what a reporting entity holds and where, by id: for reports that name records by ids alone.

import { allInOrder } from '../../../kit/concurrency/all-in-order.ts';
import { append } from '../../../kit/memory/long-list.ts';
import type { EntityView } from './entity-view.ts';

/** The name of a record; null for one that the entity does not hold. */
export type Names = (id: string | null) => string | null;

/** Enough for the largest families; beyond it a name is missing, not a figure. */
const namesMax = 2_000;

export async function readNames(
  view: EntityView,
  axes: readonly ('instrument' | 'account' | 'depository' | 'portfolio' | 'detailed-class')[],
): Promise<Names> {
  const lists = await allInOrder(axes.map((by) => readAxis(view, by)));
  const names = new Map<string, string>(lists.flat());
  return (id) => (id === null ? null : (names.get(id) ?? null));
}

/** A report that is refused, because a rate is missing, has no names. */
async function readAxis({ page, dayQuery }: EntityView, by: string): Promise<readonly (readonly [string, string])[]> {
  const query = { ...dayQuery, by, limit: '100' };
  const names: (readonly [string, string])[] = [];
  let cursor: string | undefined;
  do {
    const report = await page.api.find('/v1/holdings', { ...query, cursor });
    append(
      names,
      (report?.data ?? []).map((row: any) => [row.segment_id, row.segment_name] as const),
    );
    cursor = report?.next_cursor;
  } while (cursor !== undefined && names.length < namesMax);
  return names;
}
