// The moment that a read of v1 may look back from: what is answered is what was known then. Knows nothing of what is read.

import { instant } from '../../kit/field.ts';
import { refuseFaults } from '../../kit/refusal.ts';
import type { Ask, Parameter } from '../http/operation/operation.ts';

export const knownAtParameter = {
  known_at: {
    kind: instant,
    description:
      'As it was known at this moment, whatever was corrected, deleted or put there since. Not in the future; as it is known now, when it is not sent.',
  },
} as const satisfies Record<string, Parameter>;

export interface KnownAt {
  readonly knownAt?: number;
}

export function readKnownAt({ query, work }: Ask): KnownAt {
  const knownAt: number | undefined = query['known_at'];
  if (knownAt === undefined) return {};
  if (knownAt > work.now) {
    const detail = 'known_at must not be in the future.';
    throw refuseFaults('invalid-parameter', [{ code: 'invalid-parameter', detail, parameter: 'known_at' }]);
  }
  return { knownAt };
}
