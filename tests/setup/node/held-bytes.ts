// Measures what a value holds in memory, by collecting garbage before and after it is made.

import { execFile } from 'node:child_process';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { promisify } from 'node:util';

setFlagsFromString('--expose-gc');
/** Collects all garbage of this thread. */
export const collectGarbage = runInNewContext('gc') as () => void;

/** What was dropped goes with the first collection, or with what its finalizers drop with the next. */
const program = `
  const own = await import(process.argv[1]);
  function usedBytes() {
    for (let round = 0; round < 3; round++) gc();
    const { heapUsed, external } = process.memoryUsage();
    return heapUsed + external;
  }
  const before = usedBytes();
  const made = await (MAKE)(own);
  const held = usedBytes() - before;
  // Used after the count, so that it cannot be collected before.
  console.log(made === undefined ? NaN : held);`;

/**
 * How many bytes are held because of what `make` returns, which gets the module and knows nothing else. It runs in a program of its own:
 * its heap is small and nothing of other tests is in it.
 */
export async function heldBytes<Module>(module: URL, make: (own: Module) => unknown): Promise<number> {
  const code = program.replace('MAKE', () => make.toString());
  const { stdout } = await promisify(execFile)(process.execPath, [
    '--expose-gc',
    '--input-type=module',
    '--eval',
    code,
    module.href,
  ]);
  return Number(stdout);
}
