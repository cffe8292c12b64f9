// Measures how far an answer is from a published figure, and creates the index that published figures are compared with.

import type { Caller } from '../http/caller.ts';
import type { ReferenceFacts } from '../reference-portfolio/reference-portfolio.ts';
import { makeRecord } from '../structure/structure-document.ts';

/** The difference relative to the larger of the figure and 1; infinite if only one of the two is null. */
export function relativeError(published: unknown, answered: unknown): number {
  if (published === null || answered === null) return published === answered ? 0 : Infinity;
  const figure = Number(published);
  return Math.abs(Number(answered) - figure) / Math.max(1, Math.abs(figure));
}

/** Creates the index of the reference portfolio as an instrument with index factors, and returns its id. */
export async function makeIndex(caller: Caller, { index }: ReferenceFacts): Promise<string> {
  const { currency, levels } = index;
  const id = await makeRecord(caller, 'instruments', { type: 'other-instrument', name: 'World', currency });
  const data = levels.map(([date, value]) => ({ date, value }));
  await caller.post(`/v1/instruments/${id}/index-factors/bulk`, { data });
  return id;
}
