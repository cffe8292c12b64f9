// Work that a form starts and that may take longer than a browser should wait: the form answers after a moment, the work goes on, and
// the page shows that it does, or why it failed. What it has done is in the database; a node knows only of the work that it does itself.

import { setTimeout as delay } from 'node:timers/promises';
import type { ApiProblem, Sent } from '../page-api.ts';

/** How long a form waits for its work. */
const waitMs = 2_000;
const problemsMax = 1_000;

const running = new Map<string, number>();
const problems = new Map<string, ApiProblem>();

/** When the work under this key began, if it has not ended. */
export function runningSince(key: string): number | undefined {
  return running.get(key);
}

/** Why work failed that nobody waited for any more; it is told once. */
export function takeProblem(key: string): ApiProblem | undefined {
  const problem = problems.get(key);
  problems.delete(key);
  return problem;
}

/** The result, or undefined if it is not there yet. */
export async function longWork(key: string, work: Promise<Sent>, now: number): Promise<Sent | undefined> {
  running.set(key, now);
  let isAwaited = true;
  const ended = work.finally(() => running.delete(key));
  // An error was logged where it happened.
  ended.then((sent) => keepProblem(key, sent, isAwaited)).catch(() => {});
  const abort = new AbortController();
  try {
    return await Promise.race([ended, delay(waitMs, undefined, { signal: abort.signal, ref: false })]);
  } finally {
    isAwaited = false;
    abort.abort();
  }
}

function keepProblem(key: string, sent: Sent, isAwaited: boolean): void {
  if (sent.ok || isAwaited) return;
  problems.set(key, sent.problem);
  for (const oldest of problems.keys()) {
    if (problems.size <= problemsMax) return;
    problems.delete(oldest);
  }
}
