// Keeps the heap small while very much passes through it. Without this, the heap grows with what has passed: hundreds of megabytes that
// nobody uses, until the collector thinks it worthwhile to look.

import { constants, PerformanceObserver, type PerformanceEntry } from 'node:perf_hooks';
import { setFlagsFromString } from 'node:v8';

/** How much the heap may grow over what is in use before it is collected, in percent. Zero: as the runtime thinks best. */
const growthPercent = { usual: 30, small: 20 };

/** A task that takes longer is one through which much passes. */
const longTaskMs = 200;

/** A small heap costs an import up to a third of its speed, so only nodes that are to stay small have one. */
let size: keyof typeof growthPercent = 'usual';
let taskCount = 0;
let timer: NodeJS.Timeout | undefined;

function setGrowth(percent: number): void {
  setFlagsFromString(`--heap-growing-percent=${percent}`);
}

/** How much of what is left to the limit is used when a collection begins, in percent. Zero: as the runtime thinks best. */
function setTrigger(percent: number): void {
  setFlagsFromString(`--incremental-marking-hard-trigger=${percent}`);
}

function isWholeCollection(entry: PerformanceEntry & { readonly detail?: { readonly kind?: number } }): boolean {
  return entry.detail?.kind === constants.NODE_PERFORMANCE_GC_MAJOR;
}

/** Sees the end of a collection of the whole heap. */
const observer = new PerformanceObserver((list) => {
  for (const entry of list.getEntries()) if (isWholeCollection(entry)) endFirstCollection();
});

/**
 * Begins a collection soon, in the small steps in which the runtime does it anyway. The limit that the heap has at the moment is from
 * before, and may be far away: the growth that was set counts from the next collection on.
 */
function beginFirstCollection(): void {
  observer.observe({ entryTypes: ['gc'] });
  setTrigger(1);
}

function endFirstCollection(): void {
  clearTimeout(timer);
  setTrigger(0);
  observer.disconnect();
}

/** For a node that is to stay small: tasks grow the heap less, and a long one begins with a collection. */
export function chooseSmallHeap(): void {
  size = 'small';
}

/** How many tasks keep it small at present. */
export function tightHeapTasks(): number {
  return taskCount;
}

/** Runs a task of any length that keeps little and drops much. Tasks may run at the same time. */
export async function withTightHeap<T>(task: () => Promise<T>): Promise<T> {
  if (taskCount++ === 0) {
    setGrowth(growthPercent[size]);
    if (size === 'small') timer = setTimeout(beginFirstCollection, longTaskMs).unref();
  }
  try {
    return await task();
  } finally {
    if (--taskCount === 0) {
      endFirstCollection();
      setGrowth(0);
    }
  }
}
