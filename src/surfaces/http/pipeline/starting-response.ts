// Answers requests while the service is being built: alive, but not ready.

import type { IncomingHttpHeaders, RequestListener } from 'node:http';
import type { Addresses } from '../../../actions/core/context.ts';
import type { IdSource } from '../../../kit/id.ts';
import { Refusal } from '../../../kit/refusal.ts';
import { jsonResponse } from '../operation/open-operation.ts';
import type { Wire } from '../operation/operation.ts';
import type { Problem } from '../operation/problem.ts';
import type { RenderedResponse } from '../operation/rendered-response.ts';
import type { BudgetSize } from '../../../store/access/request-budget.ts';
import { fullBudget } from './budget.ts';
import { describeProblem, renderProblem } from './perform-request.ts';
import { responseHeaders } from './response-headers.ts';
import { writeResponse } from './write-response.ts';

interface StartingParts {
  readonly addresses: Addresses;
  readonly ids: IdSource;
  readonly budget: BudgetSize;
  wireFor(path: string): Wire;
  /** What a browser gets instead of the answer of the API. */
  showProblem(
    problem: Problem,
    request: { readonly url: string; readonly method: string; readonly headers: IncomingHttpHeaders },
  ): RenderedResponse | undefined;
}

/** What `Retry-After` says while the service starts. */
const retryAfterSeconds = 1;
const starting = new Refusal('starting', 'This node is starting. Send the request again in a moment.', {
  retryAfterSeconds,
});

export function startingListener({ addresses, ids, budget, wireFor, showProblem }: StartingParts): RequestListener {
  const rateLimit = fullBudget(budget);
  return ({ url = '', method = 'GET', headers: sent }, response) => {
    const requestId = ids.next();
    const refused = { operation: undefined, wire: wireFor(url), requestId, baseUrl: addresses.baseUrl };
    const rendered =
      renderHealth(url) ??
      showProblem(describeProblem(starting, refused), { url, method, headers: sent }) ??
      renderProblem(starting, refused);
    const own = { ...rendered.headers, connection: 'close' };
    const headers = responseHeaders(addresses, { requestId, rateLimit }, own);
    writeResponse(response, { ...rendered, headers });
  };
}

function renderHealth(url: string): RenderedResponse | undefined {
  const path = url.replace(/\?.*/s, '');
  if (path === '/healthz') return jsonResponse(200, { status: 'alive' });
  if (path !== '/readyz' && path !== '/readyz/write') return undefined;
  return jsonResponse(503, { status: 'starting' }, { 'retry-after': String(retryAfterSeconds) });
}
