// Defines what the HTTP listener is built from, and what it keeps on Fastify's requests and routes.

import type { AppContext } from '../../../actions/core/context.ts';
import type { Caller } from '../../../model/access/caller.ts';
import type { OpenOperation } from '../operation/open-operation.ts';
import type { Operation, Wire } from '../operation/operation.ts';
import type { RenderedResponse } from '../operation/rendered-response.ts';
import type { AdmissionParts } from './admission.ts';
import type { CrossOrigin } from './cross-origin.ts';
import type { InFlight } from './in-flight.ts';
import type { Listener } from './listener.ts';
import type { Observer } from './observer.ts';
import type { RequestTask } from './perform-request.ts';

export interface HttpServerParts extends AdmissionParts {
  readonly context: AppContext;
  /** Bound already; the server takes it over. */
  readonly listener: Listener;
  readonly inFlight: InFlight;
  readonly heavy: InFlight;
  /** Limits heavy work that runs in threads and does not block the event loop. */
  readonly threaded: InFlight;
  readonly crossOrigin: CrossOrigin;
  readonly operations: readonly Operation[];
  readonly openOperations: readonly OpenOperation[];
  /** The wire of responses to a path that is not served. */
  wireFor(path: string): Wire;
  /** The new path of something that has moved. */
  movedPath(path: string): string | undefined;
  /** Performs a request, here or in another thread. */
  perform(task: RequestTask): Promise<RenderedResponse>;
  readonly observer: Observer;
}

declare module 'fastify' {
  interface FastifyRequest {
    caller: Caller | null;
    rateLimit: string;
    startedAt: number;
  }
  interface FastifyContextConfig {
    operation?: Operation;
    openOperation?: OpenOperation;
  }
}
