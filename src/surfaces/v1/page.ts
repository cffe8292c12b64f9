// Pages of v1 lists: their size, and the page of any declared resource.

import { integer } from '../../kit/field.ts';
import type { AnyChange, RecordOf, Resource } from '../../kit/resource.ts';
import type { ReadActions } from '../../actions/core/record-actions.ts';
import type { WordQuery } from '../../store/resources/search-words.ts';
import { cursorParameter, listFromCursor, type CursorPage } from '../http/lists/cursor-page.ts';
import type { RequestContext } from '../http/operation/operation.ts';

/** The largest page of a list. */
const pageSizeMax = 100;
const pageSizeDefault = 50;

export const pageParameters = {
  cursor: cursorParameter,
  limit: {
    kind: integer({ min: 1, max: pageSizeMax }),
    description: `How many at most: 1 to ${pageSizeMax}, ${pageSizeDefault} when it is not sent.`,
  },
} as const;

interface PageQuery<R extends Resource> {
  readonly operation: string;
  readonly actions: ReadActions<R>;
  readonly where: AnyChange;
  readonly words?: WordQuery;
  readonly order: 'oldest-first' | 'newest-first';
}

export async function listPage<R extends Resource>(
  request: RequestContext,
  { operation, actions, where, words, order }: PageQuery<R>,
): Promise<CursorPage<RecordOf<R>>> {
  const limit = pageSizeOf(request);
  return listFromCursor(request, {
    queryKey: [operation, where, words],
    list: (after) =>
      actions.list(request.work, {
        where,
        ...(words ? { words } : {}),
        order,
        limit,
        ...(after === undefined ? {} : { after }),
      }),
    positionOf: actions.positionOf,
  });
}

export function pageSizeOf({ query }: RequestContext): number {
  return query['limit'] ?? pageSizeDefault;
}
