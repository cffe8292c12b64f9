// The moment that a read of v1 may look back from: what is answered is what was known then. Knows nothing of what is read.

import { instant } from '../../kit/field.ts';
import { refusalForFaults } from '../../kit/refusal.ts';
import type { RequestContext, Parameter } from '../http/operation/operation.ts';

export const knownAtParameter = {
  known_at: {
    kind: instant,
    description:
      'As it was known at this moment, whatever was corrected, deleted or put there since. Not in the future; as it is known now, when it is not sent.',
  },
} as const satisfies Record<string, Parameter>;

export interface KnownAtOption {
  readonly knownAt?: number;
}

export function readKnownAt({ query, work }: RequestContext): KnownAtOption {
  const knownAt: number | undefined = query['known_at'];
  if (knownAt === undefined) return {};
  if (knownAt > work.now) {
    const detail = 'known_at must not be in the future.';
    throw refusalForFaults('invalid-parameter', [{ code: 'invalid-parameter', detail, parameter: 'known_at' }]);
  }
  return { knownAt };
}
