// Conditional requests: an entity tag on every read, 304 where nothing has changed, 412 where something has.

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

/** Refuses a change of something that is no longer what the caller has read. `current` is its text as a read would give it. */
export function checkIfMatch(ifMatch: string | undefined, current: () => string): void {
  if (ifMatch === undefined || tagMatches(ifMatch, entityTag(current()), 'strong')) return;
  const detail = 'It has changed since it was read; its entity tag is another one now.';
  throw new Refusal('precondition-failed', detail, {
    faults: [{ code: 'precondition-failed', detail, header: 'If-Match' }],
  });
}
