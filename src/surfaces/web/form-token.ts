// Protects forms against forgery: the token must match the cookie, and the browser must not report another origin.

import { timingSafeEqual } from 'node:crypto';
import type { IncomingHttpHeaders } from 'node:http';
import { deriveFormToken } from '../../actions/access/session.ts';
import type { AppContext } from '../../actions/core/context.ts';

/**
 * Checks the origin that the browser reports. Our pages send no referrer, so browsers report the origin of a form as `null`; then
 * `Sec-Fetch-Site` decides, which all current browsers send.
 */
export function isSameOrigin({ origin, 'sec-fetch-site': site }: IncomingHttpHeaders, baseUrl: string): boolean {
  if (origin !== undefined && origin !== 'null' && origin !== baseUrl) return false;
  return site === undefined || site === 'same-origin';
}

/** Whether the token was derived from the secret. */
export function isFormTokenFor(context: AppContext, { token, secret }: { token: string; secret: string }): boolean {
  const [one, other] = [Buffer.from(token), Buffer.from(deriveFormToken(context, secret))];
  return one.length === other.length && timingSafeEqual(one, other);
}
