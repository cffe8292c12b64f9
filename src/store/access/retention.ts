// What every deletion of rows that were kept long enough has in common: it says before which id, and deletes some rows at a time.

import { firstIdAt } from '../../kit/id.ts';
import type { Run } from '../postgres/statement-runner.ts';

/** How many rows one transaction deletes. */
export const dropBatchMax = 1_000;

export interface DropResult {
  readonly count: number;
  readonly hasMore: boolean;
}

/** The setting without which row-level security lets nothing be deleted. */
const droppedBefore = 'holdfast.dropped_before';

/** Lets the transaction delete rows whose ids were made before a moment. Enqueued. Returns the first id that stays. */
export function allowDrops(run: Run, before: number): string {
  const firstKeptId = firstIdAt(before);
  run.set(droppedBefore, firstKeptId);
  return firstKeptId;
}
