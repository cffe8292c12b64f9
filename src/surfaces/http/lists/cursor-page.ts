// Pages of rows with a signed cursor, which continues exactly where the previous page ended.

import { dayMs, hourMs } from '../../../kit/clock.ts';
import { anyText, boolean, rendered, snakeCaseStrings, text, type JsonSchema, type Kind } from '../../../kit/field.ts';
import { listOf, member, objectOf, omissible } from '../../../kit/structured-field.ts';
import { boundClientId } from '../../../model/access/scope.ts';
import type { ResultPage } from '../../../actions/core/resource.ts';
import { cursorSizeMax, readCursor, signCursor } from '../../../signing/cursor.ts';
import type { RequestContext, Parameter } from '../operation/operation.ts';

/** How long a list can be continued with a cursor. */
const cursorLifetimeMs = dayMs;
/** Cursors that are issued within the same hour are equal, so that a page that has not changed keeps its entity tag. */
const issueIntervalMs = hourMs;

export const cursorParameter: Parameter<string> = {
  kind: text({ lengthMax: cursorSizeMax }),
  description: 'Continues a list: `next_cursor` of the previous page. Valid for 24 hours.',
};

/** The members of a page of rows; reports add their own. */
export function pageMembers<T>(row: Kind<T>) {
  return {
    data: member(listOf(row), 'The rows of this page.'),
    hasMore: member(boolean, 'Whether there are more rows after this page.'),
    nextCursor: omissible(anyText, 'Send it as `cursor` to get the next page. Absent on the last page.'),
  } as const;
}

export function pageSchema(row: JsonSchema): JsonSchema {
  return objectOf(pageMembers(rendered(row))).schema(snakeCaseStrings);
}

export interface CursorPage<T> {
  readonly data: readonly T[];
  readonly has_more: boolean;
  readonly next_cursor?: string;
}

interface CursorList<T> {
  /** Identifies the list and its parameters: a cursor is valid only for the same query. */
  readonly queryKey: readonly unknown[];
  /** Lists the first page, or the page after a position. */
  list(after: string | undefined): Promise<ResultPage<T>>;
  positionOf(last: T): string;
  /** A cursor that never expires and names no moment: the same page always has the same cursor. */
  readonly hasLastingCursor?: boolean;
}

export async function listFromCursor<T>(
  { work, query }: RequestContext,
  { queryKey, list, positionOf, hasLastingCursor = false }: CursorList<T>,
): Promise<CursorPage<T>> {
  const { keyring } = work.context;
  const { workspaceId, environment, visibleClients } = work.store.scope;
  // The clients that a person sees may change between pages; the next page shows only what is visible then.
  const viewer = visibleClients.kind === 'some' ? work.subject : boundClientId(visibleClients);
  const listKey = JSON.stringify([workspaceId, environment, viewer, ...queryKey]);
  const cursorCheck = { listKey, now: work.now, lifetimeMs: hasLastingCursor ? Infinity : cursorLifetimeMs };
  const after = query['cursor'] === undefined ? undefined : readCursor(keyring, query['cursor'], cursorCheck);
  const { records, hasMore } = await list(after);
  const last = records.at(-1);
  if (!hasMore || last === undefined) return { data: records, has_more: false };
  // Rounded up: each is valid for its whole lifetime.
  const issuedAt = hasLastingCursor ? 'never' : Math.ceil(work.now / issueIntervalMs) * issueIntervalMs;
  const next_cursor = signCursor(keyring, { listKey, position: positionOf(last), issuedAt });
  return { data: records, has_more: true, next_cursor };
}

/** The values of `pageMembers`. */
export function pageValues<T>({ data, has_more: hasMore, next_cursor: nextCursor }: CursorPage<T>) {
  return { data, hasMore, nextCursor };
}
