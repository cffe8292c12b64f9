// The refusals that say that nothing can be changed at present, although reading goes on: what a request needs to write beside its answer is
// then kept in memory or left out.

import { Refusal } from '../../kit/refusal.ts';
import type { RefusalCode } from './refusals.ts';

const codes: ReadonlySet<string> = new Set<RefusalCode>([
  'database-read-only',
  'database-full',
  'read-only-mode',
  'maintenance',
]);

/** Whether a change was refused because nothing can be changed now. The change is undone, and reading works. */
export function isUnwritable(error: unknown): error is Refusal {
  return error instanceof Refusal && codes.has(error.code);
}
