// Follows a list that grows at its newest end: asks again and again, and yields each new row once, oldest first.

import { setTimeout as wait } from 'node:timers/promises';

interface Row {
  readonly id: string;
}

interface FollowOptions<T extends Row> {
  /** Lists rows from a moment on, newest first. */
  list(since: string): AsyncIterable<T>;
  momentOf(row: T): string;
  /** Rows from this moment on. */
  readonly since: string;
  readonly everyMs: number;
  readonly signal: AbortSignal;
}

/** As many rows as one look takes at most; the rest comes with the next ones. */
const rowsMax = 5_000;

export async function* follow<T extends Row>({
  list,
  momentOf,
  since,
  everyMs,
  signal,
}: FollowOptions<T>): AsyncGenerator<T> {
  let from = since;
  // Rows of the last moment are listed again.
  let seen = new Set<string>();
  while (!signal.aborted) {
    const rows: T[] = [];
    for await (const row of list(from)) {
      if (rows.length >= rowsMax) break;
      rows.push(row);
    }
    const fresh = rows.filter(({ id }) => !seen.has(id)).toReversed();
    yield* fresh;
    const newest = rows[0];
    if (newest !== undefined) {
      from = momentOf(newest);
      seen = new Set(rows.filter((row) => momentOf(row) === from).map(({ id }) => id));
    }
    await wait(everyMs, undefined, { signal }).catch(() => undefined);
  }
}

/** Ends with the command: by Ctrl+C, or after so many rows. */
export function interruption(): AbortController {
  const controller = new AbortController();
  for (const name of ['SIGINT', 'SIGTERM'] as const) process.once(name, () => controller.abort());
  return controller;
}
