// Shares the event loop between requests: work that takes long runs in slices of time, and other events are handled in between.

/** How long such work may run before other events are handled. */
const sliceMs = 5;

/** When the present slice ends; undefined while no such work runs. */
let sliceEndsAt: number | undefined;
const waiting: (() => void)[] = [];

function beginSlice(now: number): void {
  sliceEndsAt = now + sliceMs;
  setImmediate(endSlice);
}

/** Continues one that waits, the longest waiting first, so that every turn of the event loop has one slice at most. */
function endSlice(): void {
  sliceEndsAt = undefined;
  const next = waiting.shift();
  if (next === undefined) return;
  beginSlice(performance.now());
  next();
}

/** Returns what to wait for where the slice of this turn of the event loop is used up, by the caller or by others; else undefined. */
export function yieldWhenBusy(): Promise<void> | undefined {
  const now = performance.now();
  if (sliceEndsAt === undefined) beginSlice(now);
  else if (now >= sliceEndsAt) return new Promise((resolve) => waiting.push(resolve));
  return undefined;
}

/** Maps very many items in order, in slices. A single item never waits. */
export async function mapInSlices<T, U>(items: readonly T[], map: (item: T) => U): Promise<U[]> {
  const results: U[] = [];
  for (const item of items) {
    const turn = results.length === 0 ? undefined : yieldWhenBusy();
    if (turn !== undefined) await turn;
    results.push(map(item));
  }
  return results;
}
