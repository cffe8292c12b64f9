// Pages of v1 lists: a signed cursor that goes on exactly where the page before ended.

import { dayMs } from '../../kit/clock.ts';
import { integer, text, type JsonSchema } from '../../kit/field.ts';
import type { AnyChange, RecordOf, Resource } from '../../kit/resource.ts';
import { scopedClient } from '../../model/reach.ts';
import { listThings, type Rules } from '../../actions/resource.ts';
import { cursorSizeMax, readCursor, signCursor } from '../../signing/cursor.ts';
import type { Ask } from '../http/operation.ts';

const pageSizeMax = 100;
const pageSizeDefault = 50;
const cursorLifetimeMs = dayMs;

export const pageParameters = {
  cursor: {
    kind: text({ lengthMax: cursorSizeMax }),
    description: 'Where to go on: `next_cursor` of the page before. Holds for 24 hours.',
  },
  limit: {
    kind: integer({ min: 1, max: pageSizeMax }),
    description: `How many at most: 1 to ${pageSizeMax}, ${pageSizeDefault} when it is not sent.`,
  },
} as const;

export function pageSchema(item: JsonSchema): JsonSchema {
  return {
    type: 'object',
    required: ['data', 'has_more'],
    properties: {
      data: { type: 'array', items: item },
      has_more: { type: 'boolean' },
      next_cursor: { type: 'string', description: 'Absent on the last page.' },
    },
    additionalProperties: false,
  };
}

export interface PageQuery<R extends Resource> {
  readonly operation: string;
  readonly rules: Rules<R>;
  readonly where: AnyChange;
  readonly order: 'oldest-first' | 'newest-first';
}

export interface V1Page<T> {
  readonly data: readonly T[];
  readonly has_more: boolean;
  readonly next_cursor?: string;
}

export async function listPage<R extends Resource>(
  ask: Ask,
  { operation, rules, where, order }: PageQuery<R>,
): Promise<V1Page<RecordOf<R>>> {
  const { work, query } = ask;
  const { keyring } = work.house;
  const { workspaceId, environment, sight } = work.store.reach;
  const scope = JSON.stringify([workspaceId, environment, scopedClient(sight), operation, where]);
  const after =
    query['cursor'] === undefined
      ? {}
      : { after: readCursor(keyring, query['cursor'], { scope, now: work.now, lifetimeMs: cursorLifetimeMs }) };
  const { things, hasMore } = await listThings(work, rules, {
    where,
    order,
    limit: query['limit'] ?? pageSizeDefault,
    ...after,
  });
  const last = things.at(-1);
  if (!hasMore || last === undefined) return { data: things, has_more: false };
  return {
    data: things,
    has_more: true,
    next_cursor: signCursor(keyring, { scope, position: last.id, issuedAt: work.now }),
  };
}
