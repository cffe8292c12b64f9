// Whether a form that was sent is one of ours: its token was made for the cookie it came with, and the browser does not say that
// it came from elsewhere. Knows not what forms ask for.

import { timingSafeEqual } from 'node:crypto';
import type { IncomingHttpHeaders } from 'node:http';
import { deriveFormToken } from '../../actions/access/session.ts';
import type { AppContext } from '../../actions/core/context.ts';

/**
 * What the browser itself tells of where a request began. Pages here send no referrer, for which browsers call the origin of a form
 * `null`: then it says nothing, and `Sec-Fetch-Site` says it, which all of them send by now.
 */
export function isSameOrigin({ origin, 'sec-fetch-site': site }: IncomingHttpHeaders, baseUrl: string): boolean {
  if (origin !== undefined && origin !== 'null' && origin !== baseUrl) return false;
  return site === undefined || site === 'same-origin';
}

/** Whether a token is the one for a secret. */
export function isFormTokenFor(context: AppContext, { token, secret }: { token: string; secret: string }): boolean {
  const [one, other] = [Buffer.from(token), Buffer.from(deriveFormToken(context, secret))];
  return one.length === other.length && timingSafeEqual(one, other);
}
