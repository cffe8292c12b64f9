// Serves requests that pages make inside the process: the same operations, checks, limits and answers as over the network, for a caller
// who is already known.

import { defined } from '../../../kit/assert.ts';
import type { LeaveSignal } from '../../../kit/concurrency/caller-left.ts';
import { writeJson } from '../../../kit/json.ts';
import type { Caller } from '../../../model/access/caller.ts';
import type { Method, Operation } from '../operation/operation.ts';
import { isDefect, isOutage } from '../operation/problem.ts';
import type { RenderedResponse } from '../operation/rendered-response.ts';
import { pathNotFound, type Admission } from './admission.ts';
import { isPossibleId } from '../negotiation/route-pattern.ts';
import type { Observer } from './observer.ts';
import type { ServedRequest } from './parse-request.ts';
import { renderProblem } from './perform-request.ts';
import type { RequestPerformer } from './request-performer.ts';

export interface LocalRequest {
  readonly requestId: string;
  readonly caller: Caller;
  readonly method: Method;
  /** The path with its parameters filled in, and the query. */
  readonly url: string;
  /** A value to send as JSON, or the stream of an upload. */
  readonly body?: unknown;
  readonly headers?: Readonly<Record<string, string>>;
  /** Of whoever waits for the answer. */
  readonly callerLeft?: LeaveSignal | undefined;
}

interface LocalApiParts {
  readonly operations: readonly Operation[];
  readonly admission: Admission;
  readonly performer: RequestPerformer;
  readonly observer: Observer;
  readonly baseUrl: string;
}

interface Route {
  readonly operation: Operation;
  readonly segments: readonly string[];
}

export class LocalApi {
  readonly #parts: LocalApiParts;
  readonly #routes: ReadonlyMap<string, readonly Route[]>;

  constructor(parts: LocalApiParts) {
    this.#parts = parts;
    const routes = parts.operations.map((operation) => ({ operation, segments: operation.path.split('/') }));
    this.#routes = Map.groupBy(routes, ({ operation, segments }) => routeKey(operation.method, segments));
  }

  /** Answers refusals as the API does: by status and problem. */
  async call(local: LocalRequest): Promise<RenderedResponse> {
    const { requestId, method, url, caller, callerLeft } = local;
    const { operation, params } = this.#find(method, url.replace(/\?.*/s, ''));
    const request: ServedRequest = { ...toServed(local, operation), id: requestId, method, url, params };
    try {
      await this.#parts.admission.admitCaller(operation, request, caller);
      return await this.#parts.performer.perform(operation, request, callerLeft);
    } catch (error) {
      const { observer, baseUrl } = this.#parts;
      if (isDefect(error)) observer.defect(error, requestId);
      if (isOutage(error)) observer.outage(error.cause, requestId);
      return renderProblem(error, { operation, wire: operation.wire, requestId, baseUrl });
    }
  }

  /** A literal path hides a pattern. */
  #find(method: Method, path: string): { operation: Operation; params: Record<string, string> } {
    const segments = path.split('/');
    const routes = this.#routes.get(routeKey(method, segments)) ?? [];
    const matching = routes.filter((route) => matches(route.segments, segments));
    const found = matching.find((route) => !route.operation.path.includes('{')) ?? matching[0];
    if (found === undefined) throw pathNotFound();
    const params = Object.fromEntries(
      found.segments.flatMap((part, index) =>
        part.startsWith('{') ? [[part.slice(1, -1), decodeSegment(defined(segments[index], 'as many'))]] : [],
      ),
    );
    if (!Object.values(params).every(isPossibleId)) throw pathNotFound();
    return { operation: found.operation, params };
  }
}

function routeKey(method: Method, segments: readonly string[]): string {
  return `${method} ${segments.length} ${segments[2]}`;
}

function matches(pattern: readonly string[], segments: readonly string[]): boolean {
  return pattern.every((part, index) => part.startsWith('{') || part === segments[index]);
}

/** The router of the network refuses what is not UTF-8 in the same way. */
function decodeSegment(segment: string): string {
  try {
    return decodeURIComponent(segment);
  } catch {
    throw pathNotFound();
  }
}

function toServed(
  { body, headers = {} }: LocalRequest,
  operation: Operation,
): Pick<ServedRequest, 'headers' | 'body' | 'caller' | 'rateLimit'> {
  const isJson = operation.body !== undefined && body !== undefined;
  const own = isJson ? { 'content-type': operation.wire.mediaType } : {};
  return {
    headers: { ...own, ...headers },
    body: isJson ? Buffer.from(writeJson(body)) : body,
    caller: null,
    rateLimit: null,
  };
}
