// Does work to see what it would do, and undoes it: nothing of it is kept, no event is sent, no audit line is written.

import type { Work } from './work.ts';

/** Ends work that is to be undone, with its result. */
class DryRunEnd<T> extends Error {
  readonly result: T;

  constructor(result: T) {
    super('This work is undone on purpose.');
    this.result = result;
  }
}

/** Runs `task` and returns its result, but keeps nothing that it has written. It must be the first writing of its unit of work. */
export async function runDry<T>(work: Work, task: () => Promise<T>): Promise<T> {
  const result = await work.store.attempt(
    async (): Promise<T> => {
      throw new DryRunEnd(await task());
    },
    (error) => {
      if (error instanceof DryRunEnd) return error.result;
      throw error;
    },
  );
  work.outbox.clear();
  return result;
}
