// Shows the problem of an address that is not served, or not yet, as a page to a browser; programs get the answer of the API.

import type { IncomingHttpHeaders } from 'node:http';
import type { Problem } from '../http/operation/problem.ts';
import type { RenderedResponse } from '../http/operation/rendered-response.ts';
import { readerAt, type Reader } from './language/reader.ts';
import { isStyleAddress, renderStyle } from './style.ts';
import { isBrowser, showProblem } from './web-path.ts';

/** Nobody is asked who they are here: the browser says the language. */
function readerIn({ url, headers }: UnservedRequest): Reader {
  return readerAt(url, { acceptLanguage: headers['accept-language'] });
}

const apiPath = /^\/(?:api|v\d+|oauth)(?:[/?]|$)/;

interface UnservedRequest {
  readonly url: string;
  readonly method: string;
  readonly headers: IncomingHttpHeaders;
}

export function showProblemToBrowser(problem: Problem, request: UnservedRequest): RenderedResponse | undefined {
  const { url, method, headers } = request;
  const isPage = method === 'GET';
  return isBrowser(headers) && !apiPath.test(url)
    ? showProblem(problem, { reader: readerIn(request), isPage })
    : undefined;
}

/** How soon a browser looks again whether the service has started. */
const refreshSeconds = 5;

/** The only page of a service that is starting, with its style sheet; it looks again by itself. */
export function showStartingToBrowser(problem: Problem, request: UnservedRequest): RenderedResponse | undefined {
  if (isStyleAddress(request.url)) return renderStyle();
  if (request.method !== 'GET') return showProblemToBrowser(problem, request);
  const { url, headers } = request;
  return isBrowser(headers) && !apiPath.test(url)
    ? showProblem(problem, { reader: readerIn(request), isPage: true, refreshSeconds })
    : undefined;
}
