// Conditional requests: an entity tag on every read, 304 for an unchanged record, 412 for a write to a changed one.

import { hash } from 'node:crypto';
import { Refusal } from '../../kit/refusal.ts';
import type { OperationCall } from '../http/operation/operation.ts';
import type { RenderedResponse } from '../http/operation/rendered-response.ts';

/** A strong tag: equal for equal bytes. */
export function entityTag(text: string): string {
  return `"${hash('sha256', text, 'base64url').slice(0, 22)}"`;
}

/** RFC 9110: `*`, or a list of tags. Weak ones match only where weak comparison is allowed. */
function tagMatches(header: string, tag: string, comparison: 'weak' | 'strong'): boolean {
  if (header.trim() === '*') return true;
  return header.split(',').some((item) => {
    const one = item.trim();
    return one === tag || (comparison === 'weak' && one === `W/${tag}`);
  });
}

export async function respondConditionally({ request, proceed }: OperationCall): Promise<RenderedResponse> {
  const rendered = await proceed();
  if (rendered.text === null || rendered.status !== 200) return rendered;
  const etag = entityTag(rendered.text);
  const headers = { ...rendered.headers, etag, 'cache-control': 'private, no-cache' };
  const ifNoneMatch = request.headers['if-none-match'];
  if (ifNoneMatch === undefined || !tagMatches(ifNoneMatch, etag, 'weak')) return { ...rendered, headers };
  return { status: 304, headers: { etag, 'cache-control': headers['cache-control'] }, text: null };
}

/** Refuses to change a record that has changed since the caller read it. `current` is the text that a read would answer now. */
export function checkIfMatch(ifMatch: string | undefined, current: () => string): void {
  if (ifMatch === undefined || tagMatches(ifMatch, entityTag(current()), 'strong')) return;
  const detail =
    'The record has changed since it was read. Read it again and repeat the change with its new entity tag.';
  throw new Refusal('precondition-failed', detail, {
    faults: [{ code: 'precondition-failed', detail, header: 'If-Match' }],
  });
}
