// Decides what becomes of prices and rates of an import: of two statements about one day, the one that was made later counts,
// whichever comes first.

import type { Id } from '../../kit/id.ts';
import type { RowTarget } from '../../model/custody/import-row.ts';
import type { RowResult } from '../../store/imports/import-rows.ts';
import { done } from './row-result.ts';

export interface PresentPoint {
  readonly id: Id;
  readonly value: string;
}

/** A value of a file; its key is its day, of a rate with the currencies. */
export interface StatedPoint<T> {
  readonly item: T;
  readonly key: string;
  readonly value: string;
  /** When its statement was made, in milliseconds; null if the file does not say. */
  readonly statedAt: number | null;
}

type PointOutcome = 'booked' | 'amended' | 'unchanged' | 'superseded';

const superseded = { code: 'superseded', detail: 'A statement that was made later says otherwise.' };

/** Of two of one statement, or where one does not say when it was made, the last that comes counts. */
export function decidePoints<T>(
  points: readonly StatedPoint<T>[],
  before: ReadonlyMap<string, PresentPoint>,
  statedAtOf: ReadonlyMap<Id, number>,
): ReadonlyMap<T, PointOutcome> {
  const standing = new Map(
    [...before].map(([key, { id, value }]) => [key, { value, statedAt: statedAtOf.get(id) ?? null }]),
  );
  return new Map(
    points.map(({ item, key, value, statedAt }): [T, PointOutcome] => {
      const known = standing.get(key);
      const same = known?.value === value ? known : undefined;
      const isOlder = known?.statedAt != null && statedAt !== null && statedAt < known.statedAt;
      if (isOlder) return [item, same ? 'unchanged' : 'superseded'];
      standing.set(key, { value, statedAt: statedAt ?? same?.statedAt ?? null });
      return [item, known === undefined ? 'booked' : same ? 'unchanged' : 'amended'];
    }),
  );
}

interface WrittenPoints {
  readonly type: RowTarget;
  readonly before: ReadonlyMap<string, PresentPoint>;
  readonly after: ReadonlyMap<string, PresentPoint>;
}

export function pointResult(
  { key }: Pick<StatedPoint<unknown>, 'key'>,
  outcome: PointOutcome,
  { type, before, after }: WrittenPoints,
): RowResult {
  const target = { type, id: after.get(key)?.id ?? null };
  if (outcome === 'superseded') return done('unchanged', target, superseded);
  return { ...done(outcome, target), before: JSON.stringify(before.get(key) ?? null) };
}
