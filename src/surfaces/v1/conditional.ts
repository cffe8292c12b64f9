// Conditional requests: an entity tag on every read, 304 for an unchanged record, 412 for a write to a changed one.

import { Refusal } from '../../kit/refusal.ts';
import { entityTag, findTag, notModified } from '../http/negotiation/entity-tag.ts';
import type { OperationCall } from '../http/operation/operation.ts';
import type { RenderedResponse } from '../http/operation/rendered-response.ts';

export async function respondConditionally({ request, proceed }: OperationCall): Promise<RenderedResponse> {
  const rendered = await proceed();
  if (rendered.text === null || rendered.status !== 200) return rendered;
  const etag = entityTag(rendered.text);
  const headers = { ...rendered.headers, etag, 'cache-control': 'private, no-cache' };
  const ifNoneMatch = request.headers['if-none-match'];
  const known = ifNoneMatch === undefined ? undefined : findTag(ifNoneMatch, etag, 'weak');
  if (known === undefined) return { ...rendered, headers };
  return notModified(known, { 'cache-control': headers['cache-control'] });
}

/** Refuses to change a record that has changed since the caller read it. `current` is the text that a read would answer now. */
export function checkIfMatch(ifMatch: string | undefined, current: () => string): void {
  if (ifMatch === undefined || findTag(ifMatch, entityTag(current()), 'strong') !== undefined) return;
  const detail =
    'The record has changed since it was read. Read it again and repeat the change with its new entity tag.';
  throw new Refusal('precondition-failed', detail, {
    faults: [{ code: 'precondition-failed', detail, header: 'If-Match' }],
  });
}
