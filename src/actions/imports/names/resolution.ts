// What the words of a file for an account, a depository or an instrument turn out to mean.

import type { Id } from '../../../kit/id.ts';

/** Whose records the words may mean. */
export interface NameScope {
  /** Only records of this client and what all clients share count. Null: all that the caller sees, what is shared first. */
  readonly client: Id | null;
  /** Whose words they are: what is kept for this custodian goes before what is kept for any. */
  readonly custodian: Id | null;
}

export type Resolution =
  | {
      readonly outcome: 'found';
      readonly id: Id;
      /** Found by a ticker or a name, which may come to mean several: what it means now is kept. */
      readonly isByWord?: true;
    }
  | { readonly outcome: 'missing' }
  /** Several records may be meant, or one that the words do not name for certain: a person has to choose. */
  | { readonly outcome: 'ambiguous'; readonly candidates: readonly Id[] };

export const missing: Resolution = { outcome: 'missing' };

/** Of the records that words may mean. */
export function resolutionOf(candidates: readonly { readonly id: Id }[]): Resolution {
  const [first, ...others] = candidates.map(({ id }) => id);
  if (first === undefined) return missing;
  return others.length === 0
    ? { outcome: 'found', id: first }
    : { outcome: 'ambiguous', candidates: [first, ...others] };
}
