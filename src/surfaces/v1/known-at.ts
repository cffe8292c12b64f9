// The parameter `known_at`: reads answer what was known at that moment.

import { instant } from '../../kit/field.ts';
import type { RequestContext, Parameter } from '../http/operation/operation.ts';
import { invalidParameter } from '../http/operation/query-parameters.ts';

export const knownAtParameter = {
  known_at: {
    kind: instant,
    description:
      'The answer as it was known at this moment, without later corrections, deletions and additions: for a report the same bytes that it gave then, except for names that can be erased. A moment is a whole millisecond, its end included. Not in the future; now when it is not sent.',
  },
} as const satisfies Record<string, Parameter>;

export interface KnownAtOption {
  readonly knownAt?: number;
}

export function readKnownAt({ query, work }: RequestContext): KnownAtOption {
  const knownAt: number | undefined = query['known_at'];
  if (knownAt === undefined) return {};
  if (knownAt > work.now) {
    throw invalidParameter('known_at', 'known_at must not be in the future.');
  }
  return { knownAt };
}
