// Keeps the heap small while very much passes through it. Without this, the heap grows with what has passed: hundreds of megabytes that
// nobody uses, until the collector thinks it worthwhile to look.

import { setFlagsFromString } from 'node:v8';

/** How much the heap may grow over what is in use before it is collected, in percent. Zero: as the runtime thinks best. */
const tightPercent = 30;

let taskCount = 0;

function setGrowth(percent: number): void {
  setFlagsFromString(`--heap-growing-percent=${percent}`);
}

/** How many tasks keep it small at present. */
export function tightHeapTasks(): number {
  return taskCount;
}

/** Runs a task of any length that keeps little and drops much. Tasks may run at the same time. */
export async function withTightHeap<T>(task: () => Promise<T>): Promise<T> {
  if (taskCount++ === 0) setGrowth(tightPercent);
  try {
    return await task();
  } finally {
    if (--taskCount === 0) setGrowth(0);
  }
}
