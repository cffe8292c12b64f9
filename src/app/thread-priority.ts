// Lets a thread run only when no other thread of the machine needs the processor.

import { readlinkSync } from 'node:fs';
import { constants, setPriority } from 'node:os';

/** Linux has a priority for each thread. Elsewhere the thread keeps that of the process: what it does takes no longer, others wait for it more. */
export function yieldToOtherThreads(): void {
  if (process.platform !== 'linux') return;
  try {
    const threadId = Number(readlinkSync('/proc/thread-self').split('/').at(-1));
    setPriority(threadId, constants.priority.PRIORITY_BELOW_NORMAL);
  } catch {
    // A machine may forbid it.
  }
}
