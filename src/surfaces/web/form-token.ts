// Protects forms against forgery: the token must match the cookie, and the browser must not report another origin.

import { randomBytes, timingSafeEqual } from 'node:crypto';
import type { IncomingHttpHeaders } from 'node:http';
import { acceptedFormTokens } from '../../actions/access/session.ts';
import type { AppContext } from '../../actions/core/context.ts';
import { defined } from '../../kit/assert.ts';

/**
 * Checks the origin that the browser reports. Our pages send no referrer, so browsers report the origin of a form as `null`; then
 * `Sec-Fetch-Site` decides, which all current browsers send.
 */
export function isSameOrigin({ origin, 'sec-fetch-site': site }: IncomingHttpHeaders, baseUrl: string): boolean {
  if (origin !== undefined && origin !== 'null' && origin !== baseUrl) return false;
  return site === undefined || site === 'same-origin';
}

/**
 * Masks a token with bytes of its own for every page: the page is compressed beside text that others may choose, and the length of what is
 * always the same could tell it.
 */
export function maskFormToken(token: string): string {
  const bytes = Buffer.from(token, 'base64url');
  const mask = randomBytes(bytes.length);
  return Buffer.concat([mask, combine(bytes, mask)]).toString('base64url');
}

function combine(one: Buffer, other: Buffer): Buffer {
  return Buffer.from(one.map((byte, index) => byte ^ defined(other[index], 'a mask has a byte for each of the token')));
}

/** The token itself, whether it was masked or not: a header is sent by scripts, and no page shows it. */
function unmask(token: string, length: number): Buffer {
  const bytes = Buffer.from(token, 'base64url');
  if (bytes.length !== 2 * length) return bytes;
  return combine(bytes.subarray(0, length), bytes.subarray(length));
}

/** Whether the token was derived from the secret. */
export function isFormTokenFor(context: AppContext, { token, secret }: { token: string; secret: string }): boolean {
  return acceptedFormTokens(context, secret).some((derived) => {
    const sent = unmask(token, derived.length);
    return sent.length === derived.length && timingSafeEqual(sent, derived);
  });
}
