// Entity tags: one for each state of a body, and one for each encoding of it.

import { hash } from 'node:crypto';
import type { RenderedResponse } from '../operation/rendered-response.ts';
import type { Encoding } from './content-encoding.ts';

/** A strong tag: equal for equal bytes. */
export function entityTag(text: string): string {
  return `"${hash('sha256', text, 'base64url').slice(0, 22)}"`;
}

/** The tag of an encoded body, whose bytes are others. */
export function encodedTag(tag: string, encoding: Encoding): string {
  return `${tag.slice(0, -1)}-${encoding}"`;
}

const encodedForm = /^((?:W\/)?"[\w-]{22})-(?:zstd|br|gzip)"$/;

/**
 * Finds the tag in a header of RFC 9110: `*`, or a list of tags. Weak ones match only where weak comparison is allowed, and the tag of an
 * encoded body matches because its state is the same. Returns what has matched.
 */
export function findTag(header: string, tag: string, comparison: 'weak' | 'strong'): string | undefined {
  if (header.trim() === '*') return tag;
  return header
    .split(',')
    .map((item) => item.trim())
    .find((item) => {
      const plain = item.replace(encodedForm, '$1"');
      return plain === tag || (comparison === 'weak' && plain === `W/${tag}`);
    });
}

/** Answers a caller that already has the body. Its own tag may be that of a compressed one, which the answer then stands for. */
export function notModified(known: string, headers: Readonly<Record<string, string>>): RenderedResponse {
  return { status: 304, headers: { ...headers, etag: known.replace(/^W\//, '') }, text: null };
}
