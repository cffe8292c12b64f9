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

/** A long write shows its rows when it ends, with the moment at which it began: so each look goes back this far. */
const overlapMs = 30_000;
/** Going back ends after so many rows that were there before: a busy list is not read again and again. */
const knownMax = 1_000;

export async function* follow<T extends Row>({
  list,
  momentOf,
  since,
  everyMs,
  signal,
}: FollowOptions<T>): AsyncGenerator<T> {
  let from = since;
  const seen = new Map<string, string>();
  while (!signal.aborted) {
    const fresh: T[] = [];
    let known = 0;
    for await (const row of list(from)) {
      known = seen.has(row.id) ? known + 1 : 0;
      if (known > knownMax) break;
      if (known === 0) fresh.push(row);
    }
    for (const row of fresh) seen.set(row.id, momentOf(row));
    const [newest] = fresh;
    if (newest !== undefined) from = later(from, before(momentOf(newest)));
    for (const [id, moment] of seen) if (Date.parse(moment) < Date.parse(from)) seen.delete(id);
    yield* fresh.toReversed();
    await wait(everyMs, undefined, { signal }).catch(() => undefined);
  }
}

function before(moment: string): string {
  return new Date(Date.parse(moment) - overlapMs).toISOString();
}

/** A moment that cannot be read is refused by the service, with what it takes. */
function later(one: string, other: string): string {
  return Date.parse(other) > Date.parse(one) ? other : one;
}

/** Ends with the command: by Ctrl+C, or after so many rows. */
export function interruption(): AbortController {
  const controller = new AbortController();
  for (const name of ['SIGINT', 'SIGTERM'] as const) process.once(name, () => controller.abort());
  return controller;
}
