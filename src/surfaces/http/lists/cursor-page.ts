// Pages with a signed cursor that goes on exactly where the page before ended. Knows neither what is listed nor in which order.

import { dayMs } from '../../../kit/clock.ts';
import { text, type JsonSchema } from '../../../kit/field.ts';
import { boundClientId } from '../../../model/access/scope.ts';
import type { ResultPage } from '../../../actions/core/resource.ts';
import { cursorSizeMax, readCursor, signCursor } from '../../../signing/cursor.ts';
import type { RequestContext, Parameter } from '../operation/operation.ts';

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
  readonly queryKey: readonly unknown[];
  /** A page from the beginning, or after a position. */
  list(after: string | undefined): Promise<ResultPage<T>>;
  positionOf(last: T): string;
}

export async function listFromCursor<T>(
  { work, query }: RequestContext,
  { queryKey, list, positionOf }: CursorList<T>,
): Promise<CursorPage<T>> {
  const { keyring } = work.context;
  const { workspaceId, environment, visibleClients } = work.store.scope;
  // A person's sight may change while they turn pages: what they see no more is not on the next one.
  const viewer = visibleClients.kind === 'some' ? work.subject : boundClientId(visibleClients);
  const listKey = JSON.stringify([workspaceId, environment, viewer, ...queryKey]);
  const cursorCheck = { listKey, now: work.now, lifetimeMs: cursorLifetimeMs };
  const after = query['cursor'] === undefined ? undefined : readCursor(keyring, query['cursor'], cursorCheck);
  const { records, hasMore } = await list(after);
  const last = records.at(-1);
  if (!hasMore || last === undefined) return { data: records, has_more: false };
  const next_cursor = signCursor(keyring, { listKey, position: positionOf(last), issuedAt: work.now });
  return { data: records, has_more: true, next_cursor };
}
