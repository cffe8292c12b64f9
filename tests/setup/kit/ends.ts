// Runs what must not take for ever: what does not end is interrupted, so that its test fails instead of hanging.

import { runInNewContext } from 'node:vm';

/** Far more than it takes on the slowest machine; a text that is read in more than linear time takes hours. */
const hangMs = 120_000;

export function thatEnds<T>(run: () => T): T {
  return runInNewContext('run()', { run }, { timeout: hangMs });
}
