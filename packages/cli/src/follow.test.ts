// Checks that a list is followed whole: whatever there was before, and what shows later with an earlier moment.

import { expect, test } from 'vitest';
import { follow } from './follow.ts';

interface Row {
  readonly id: string;
  readonly at: string;
}

const start = Date.parse('2026-11-18T09:00:00Z');

function rowAt(id: string, seconds: number): Row {
  return { id, at: new Date(start + seconds * 1000).toISOString() };
}

/** Lists rows as the service does: those from a moment on, the newest first. */
function listed(rows: readonly Row[]) {
  return async function* (since: string): AsyncGenerator<Row> {
    yield* rows.filter(({ at }) => at >= since).toSorted((one, other) => other.at.localeCompare(one.at));
  };
}

/** The ids of the rows that are followed until there are so many; `onCount` can add rows meanwhile. */
async function followed(rows: readonly Row[], count: number, onCount: (count: number) => void = () => {}) {
  const stopping = new AbortController();
  const ids: string[] = [];
  const since = new Date(start).toISOString();
  const options = { list: listed(rows), momentOf: (row: Row) => row.at, since, everyMs: 1, signal: stopping.signal };
  for await (const { id } of follow(options)) {
    ids.push(id);
    onCount(ids.length);
    if (ids.length >= count) stopping.abort();
  }
  return ids;
}

test('more rows than one look shows at a time come all, the oldest first', async () => {
  const rows = Array.from({ length: 7_000 }, (_, at) => rowAt(`row-${at}`, at));
  expect(await followed(rows, rows.length)).toEqual(rows.map(({ id }) => id));
});

test('a row that shows late, with the moment at which its write began, is not left out', async () => {
  const rows = [rowAt('first', 1), rowAt('second', 20)];
  const ids = await followed(rows, 4, (count) => {
    if (count === 2) rows.push(rowAt('begun before the second', 10), rowAt('third', 21));
  });
  expect(ids).toEqual(['first', 'second', 'begun before the second', 'third']);
});

test('each row comes once, also those of one moment', async () => {
  const rows = [rowAt('one', 5), rowAt('other', 5)];
  const ids = await followed(rows, 3, (count) => {
    if (count === 2) rows.push(rowAt('third', 5));
  });
  expect(ids.toSorted()).toEqual(['one', 'other', 'third']);
});
