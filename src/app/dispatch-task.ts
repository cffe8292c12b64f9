// Decides where a request is performed: on the main thread, or in a worker thread.

import type { AppContext } from '../actions/core/context.ts';
import { writeJson } from '../kit/json.ts';
import { activeSpan } from '../kit/tracing/span.ts';
import { perform, type RequestTask } from '../surfaces/http/pipeline/perform-request.ts';
import type { RenderedResponse } from '../surfaces/http/operation/rendered-response.ts';
import type { ThreadPool } from '../surfaces/http/threads/thread-pool.ts';

interface ContextAndThreads {
  readonly context: AppContext;
  readonly threads: ThreadPool;
}

/** Runs operations that declare a thread key in a thread, if there are any. */
export function dispatchTask({ context, threads }: ContextAndThreads, task: RequestTask): Promise<RenderedResponse> {
  const { operation, caller, requestId, parsed, signal } = task;
  if (operation.threadKey === undefined || threads.count === 0) return perform(context, task);
  const { params, query, body, headers } = parsed;
  const { workspaceId, environment } = caller.scope;
  const threadKey = `${workspaceId}/${environment}/${operation.threadKey(parsed)}`;
  const threadTask = {
    operationId: operation.id,
    caller,
    requestId,
    parsed: { params, query, headers },
    body: body === undefined ? undefined : writeJson(body),
    now: context.clock.now(),
    traceparent: activeSpan()?.traceparent,
  };
  return threads.perform(threadTask, threadKey, signal);
}
