// The clients of a tree that a scope sees: unknown until a transaction is entered, and different in each, while the statements that list
// them may be made before.

import type { Id } from '../../kit/id.ts';
import type { VisibleClients } from '../../model/access/scope.ts';

/** A parameter whose value is filled in when a transaction is entered. */
export class SeenClients {
  ids: readonly Id[] | undefined;
}

const seenByScope = new WeakMap<VisibleClients, SeenClients>();

/** The same for the same object. */
export function seenClients(visibleClients: VisibleClients): SeenClients {
  const known = seenByScope.get(visibleClients);
  if (known !== undefined) return known;
  const seen = new SeenClients();
  seenByScope.set(visibleClients, seen);
  return seen;
}
