// Defines what the HTTP listener is built from, and what it keeps on Fastify's requests and routes.

import type { FastifyRequest } from 'fastify';
import type { Span } from '../../../kit/tracing/span.ts';
import type { Caller } from '../../../model/access/caller.ts';
import type { OpenOperation } from '../operation/open-operation.ts';
import type { Operation, Wire } from '../operation/operation.ts';
import type { Problem } from '../operation/problem.ts';
import type { RenderedResponse } from '../operation/rendered-response.ts';
import type { Admission } from './admission.ts';
import type { RateLimit } from './budget.ts';
import type { CrossOrigin } from './cross-origin.ts';
import type { Listener } from './listener.ts';
import type { Observer } from './observer.ts';
import type { RequestParts, RequestPerformer } from './request-performer.ts';

export interface HttpServerParts extends RequestParts {
  readonly admission: Admission;
  readonly performer: RequestPerformer;
  /** Bound already; the server takes it over. */
  readonly listener: Listener;
  readonly crossOrigin: CrossOrigin;
  /** The peers whose `X-Forwarded-For` is believed. */
  readonly trustedProxies: readonly string[];
  readonly operations: readonly Operation[];
  readonly openOperations: readonly OpenOperation[];
  /** The wire of responses to a path that is not served. */
  wireFor(path: string): Wire;
  /** The new path of something that has moved. */
  movedPath(path: string): string | undefined;
  /** Shows the problem of a path that is not served as a page; undefined where its wire renders it. */
  showProblem?(
    problem: Problem,
    request: Pick<FastifyRequest, 'url' | 'headers' | 'method'>,
  ): RenderedResponse | undefined;
  readonly observer: Observer;
}

declare module 'fastify' {
  interface FastifyRequest {
    caller: Caller | null;
    /** Null as long as no budget was asked. */
    rateLimit: RateLimit | null;
    startedAt: number;
    /** The code of the problem that it is answered with. */
    problemCode: string | null;
    /** Where requests are traced. */
    span: Span | null;
  }
  interface FastifyContextConfig {
    operation?: Operation;
    openOperation?: OpenOperation;
  }
}
