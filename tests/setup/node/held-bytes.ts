// Measures what a value holds in memory, by collecting garbage before and after it is made.

import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

setFlagsFromString('--expose-gc');
/** Collects all garbage of this thread. */
export const collectGarbage = runInNewContext('gc') as () => void;

/** What was dropped by others goes with the first collection, or with what its finalizers drop with the next. */
function usedBytes(): number {
  for (let round = 0; round < 3; round++) collectGarbage();
  const { heapUsed, external } = process.memoryUsage();
  return heapUsed + external;
}

/** How many bytes are held because of what `make` returns. */
export function heldBytes(make: () => unknown): number {
  const before = usedBytes();
  const made = make();
  const held = usedBytes() - before;
  // Used after the count, so that it cannot be collected before.
  return made === undefined ? Number.NaN : held;
}
