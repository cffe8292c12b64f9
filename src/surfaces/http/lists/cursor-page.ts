// Pages with a signed cursor that goes on exactly where the page before ended. Knows neither what is listed nor in which order.

import { dayMs } from '../../../kit/clock.ts';
import { text, type JsonSchema } from '../../../kit/field.ts';
import { scopedClient } from '../../../model/access/scope.ts';
import type { Page } from '../../../actions/core/resource.ts';
import { cursorSizeMax, readCursor, signCursor } from '../../../signing/cursor.ts';
import type { Ask, Parameter } from '../operation/operation.ts';

const cursorLifetimeMs = dayMs;

export const cursorParameter: Parameter<string> = {
  kind: text({ lengthMax: cursorSizeMax }),
  description: 'Where to go on: `next_cursor` of the page before. Holds for 24 hours.',
};

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

export interface CursorPage<T> {
  readonly data: readonly T[];
  readonly has_more: boolean;
  readonly next_cursor?: string;
}

export interface CursorList<T> {
  /** Which list it is, and what it was asked for: a cursor holds for the same question only. */
  readonly question: readonly unknown[];
  /** A page from the beginning, or after a position. */
  list(after: string | undefined): Promise<Page<T>>;
  positionOf(last: T): string;
}

export async function listFromCursor<T>(
  { work, query }: Ask,
  { question, list, positionOf }: CursorList<T>,
): Promise<CursorPage<T>> {
  const { keyring } = work.house;
  const { workspaceId, environment, sight } = work.store.reach;
  // A person's sight may change while they turn pages: what they see no more is not on the next one.
  const whose = sight.kind === 'some' ? work.subject : scopedClient(sight);
  const scope = JSON.stringify([workspaceId, environment, whose, ...question]);
  const reading = { scope, now: work.now, lifetimeMs: cursorLifetimeMs };
  const after = query['cursor'] === undefined ? undefined : readCursor(keyring, query['cursor'], reading);
  const { things, hasMore } = await list(after);
  const last = things.at(-1);
  if (!hasMore || last === undefined) return { data: things, has_more: false };
  const next_cursor = signCursor(keyring, { scope, position: positionOf(last), issuedAt: work.now });
  return { data: things, has_more: true, next_cursor };
}
