// Keeps the sandbox away from real clients.

import { Refusal } from '../../kit/refusal.ts';
import type { Scope } from '../../model/access/scope.ts';

/** Nothing of the sandbox is ever made where real clients are. */
export function requireSandbox({ environment }: Pick<Scope, 'environment'>): void {
  if (environment === 'sandbox') return;
  throw new Refusal(
    'sandbox-only',
    'This exists in the sandbox environment only. Use the token of an application whose environment is sandbox.',
  );
}
