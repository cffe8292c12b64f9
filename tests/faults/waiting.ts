// Waits for conditions and pauses, so that scenarios never guess how long something takes.

import { setTimeout as delay } from 'node:timers/promises';

export function pause(milliseconds: number): Promise<void> {
  return delay(milliseconds);
}

/** Returns whether the condition came true before the time was over. An error counts as not yet. */
export async function comesTrue(
  condition: () => boolean | Promise<boolean>,
  { withinMs, everyMs = 50 }: { readonly withinMs: number; readonly everyMs?: number },
): Promise<boolean> {
  const end = performance.now() + withinMs;
  for (;;) {
    if (await Promise.try(condition).catch(() => false)) return true;
    if (performance.now() > end) return false;
    await delay(everyMs);
  }
}
