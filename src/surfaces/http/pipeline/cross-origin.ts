// Lets pages of the origins that the operator has named call the API (CORS). Never with cookies: such pages send a token.

import type { IncomingMessage } from 'node:http';
import type { RenderedResponse } from '../operation/rendered-response.ts';

const exposedHeaders = [
  'X-Request-Id',
  'RateLimit',
  'RateLimit-Policy',
  'Retry-After',
  'ETag',
  'Location',
  'Idempotent-Replayed',
  'WWW-Authenticate',
  'Known-At',
  'Rounding',
].join(', ');

const requestHeaders = [
  'Authorization',
  'Content-Type',
  'Idempotency-Key',
  'If-Match',
  'If-None-Match',
  'X-Request-Id',
].join(', ');

/** How long a browser may remember what a preflight has said; more than two hours is cut by some. */
const preflightSeconds = 7_200;

export class CrossOrigin {
  readonly #origins: ReadonlySet<string>;

  constructor(origins: readonly string[]) {
    this.#origins = new Set(origins);
  }

  /** The headers of any answer. They vary with the origin even where none is named. */
  headersFor({ headers: { origin } }: IncomingMessage): Readonly<Record<string, string>> {
    if (this.#origins.size === 0) return {};
    if (origin === undefined || !this.#origins.has(origin)) return { vary: 'Origin' };
    return {
      vary: 'Origin',
      'access-control-allow-origin': origin,
      'access-control-expose-headers': exposedHeaders,
    };
  }

  /** Answers what a browser asks before it sends the request itself, which has no token yet; undefined for any other request. */
  preflight({ method, headers }: IncomingMessage, allowedMethods: () => string): RenderedResponse | undefined {
    if (method !== 'OPTIONS' || headers['access-control-request-method'] === undefined) return undefined;
    if (headers.origin === undefined || !this.#origins.has(headers.origin)) return undefined;
    const allowed = allowedMethods();
    if (allowed === '') return undefined;
    const own = {
      'access-control-allow-methods': allowed,
      'access-control-allow-headers': requestHeaders,
      'access-control-max-age': String(preflightSeconds),
    };
    return { status: 204, headers: own, text: null };
  }
}
