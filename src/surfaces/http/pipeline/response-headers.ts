// The headers of every response, no matter which part writes it: the pipeline, a page, or the refusal of bytes that are not HTTP.

import type { Addresses } from '../../../actions/core/context.ts';
import { isHttps } from '../negotiation/hosts.ts';
import type { RateLimit } from './budget.ts';

type Headers = Readonly<Record<string, string>>;

/** What a response says about its request. */
export interface RequestHeaders {
  readonly requestId: string;
  readonly rateLimit: RateLimit;
}

/** `own` headers replace the common ones. What has no entity tag is not stored; what has one is asked for again each time. */
export function responseHeaders(
  addresses: Pick<Addresses, 'baseUrl'>,
  { requestId, rateLimit }: RequestHeaders,
  own: Headers,
): Record<string, string> {
  return {
    'x-request-id': requestId,
    ratelimit: rateLimit.left,
    'ratelimit-policy': rateLimit.policy,
    'x-content-type-options': 'nosniff',
    'cache-control': own['etag'] === undefined ? 'no-store' : 'private, no-cache',
    ...(isHttps(addresses) ? transportSecurity : {}),
    ...own,
  };
}

const transportSecurity = { 'strict-transport-security': 'max-age=31536000' };
