// Shows the problem of an address that is not served as a page to a browser; programs get the answer of the API.

import type { IncomingHttpHeaders } from 'node:http';
import type { Problem } from '../http/operation/problem.ts';
import type { RenderedResponse } from '../http/operation/rendered-response.ts';
import { isBrowser, showProblem } from './web-path.ts';

const apiPath = /^\/(?:api|v\d+|oauth)(?:[/?]|$)/;

interface UnservedRequest {
  readonly url: string;
  readonly method: string;
  readonly headers: IncomingHttpHeaders;
}

export function showProblemToBrowser(
  problem: Problem,
  { url, headers }: UnservedRequest,
): RenderedResponse | undefined {
  return isBrowser(headers) && !apiPath.test(url) ? showProblem(problem) : undefined;
}
