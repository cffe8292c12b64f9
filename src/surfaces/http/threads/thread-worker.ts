// Runs inside a worker thread: receives requests and jobs, performs them, and sends back responses and results.

import type { MessagePort } from 'node:worker_threads';
import type { AppContext } from '../../../actions/core/context.ts';
import { defined } from '../../../kit/assert.ts';
import { CallerLeft } from '../../../kit/concurrency/caller-left.ts';
import { parseJson } from '../../../kit/json.ts';
import { completeSpan } from '../../../kit/tracing/span.ts';
import type { Operation, ParsedRequest } from '../operation/operation.ts';
import { perform, renderProblem } from '../pipeline/perform-request.ts';
import { isDefect, isOutage } from '../operation/problem.ts';
import {
  chunksAheadMax,
  type MessageFromThread,
  type ThreadJob,
  type ThreadTask,
  type MessageToThread,
  type FailureReport,
} from './thread-messages.ts';
import type { RenderedResponse } from '../operation/rendered-response.ts';

/** Performs a part of a job, and may report progress. */
type ThreadJobHandler = (app: AppContext, input: any, report: (value: unknown) => void) => Promise<unknown>;

interface ThreadWorkerParts {
  readonly port: Pick<MessagePort, 'on' | 'postMessage'>;
  readonly app: AppContext;
  readonly operations: readonly Operation[];
  /** By name. */
  readonly jobs: Readonly<Record<string, ThreadJobHandler>>;
  /** Called when the main thread asks to stop. */
  stop(): Promise<void>;
}

/** A task that is under way. Of a streamed response, `credit` chunks may be sent before one is consumed. */
interface RunningTask {
  /** Aborted when nobody waits for the response, or for the rest of it. */
  readonly controller: AbortController;
  credit: number;
  wake(): void;
}

export function serveTasks({ port, app, operations, jobs, stop }: ThreadWorkerParts): void {
  const byId = new Map(operations.map((operation) => [operation.id, operation]));
  const running = new Map<number, RunningTask>();
  const send = (message: MessageFromThread, transferred: ArrayBuffer[] = []): void =>
    port.postMessage(message, transferred);

  const respondToTask = async (number: number, task: ThreadTask): Promise<void> => {
    const operation = defined(byId.get(task.operationId), 'a thread serves the operations of its service');
    const own: RunningTask = { controller: new AbortController(), credit: chunksAheadMax, wake: () => {} };
    running.set(number, own);
    const perform = (): Promise<TaskOutcome> => performTask(app, operation, task, own.controller.signal);
    const { rendered, failure } = await inThreadSpan(app, { name: task.operationId, ...task }, perform);
    const { chunks, ...withoutChunks } = rendered;
    send({ kind: 'response', number, rendered: withoutChunks, hasChunks: chunks !== undefined, failure });
    if (chunks !== undefined) await sendChunks(chunks, { number, task: own, send });
    running.delete(number);
  };

  const runJob = async (number: number, job: ThreadJob): Promise<void> => {
    const { name, input, now } = job;
    try {
      const report = (progress: unknown): void => send({ kind: 'progress', number, value: progress });
      const handle = defined(jobs[name], 'a thread has the jobs of its service');
      const value = await inThreadSpan(app, job, () => handle(appAt(app, now), input, report));
      send({ kind: 'done', number, value });
    } catch (error) {
      send({ kind: 'failed', number, value: error });
    }
  };

  port.on('message', (message: MessageToThread) => {
    if (message.kind === 'stop') return void stop();
    if (message.kind === 'task') return void respondToTask(message.number, message.task);
    if (message.kind === 'job') return void runJob(message.number, message.job);
    const task = running.get(message.number);
    if (task === undefined) return;
    if (message.kind === 'more') task.credit++;
    else task.controller.abort(new CallerLeft());
    task.wake();
  });
}

/** Continues the trace of whoever gave the work to this thread. */
function inThreadSpan<T>(
  { tracer }: AppContext,
  { name, traceparent }: Pick<ThreadJob, 'name' | 'traceparent'>,
  task: () => Promise<T>,
): Promise<T> {
  if (tracer === undefined || traceparent === undefined) return task();
  return completeSpan(tracer.resume(traceparent, `thread ${name}`), task);
}

interface ChunkSending {
  readonly number: number;
  readonly task: RunningTask;
  send(message: MessageFromThread, transferred?: ArrayBuffer[]): void;
}

/** Sends a streamed response, at most as fast as its chunks are consumed. */
async function sendChunks(
  chunks: NonNullable<RenderedResponse['chunks']>,
  { number, task, send }: ChunkSending,
): Promise<void> {
  const { signal } = task.controller;
  try {
    for await (const chunk of chunks) {
      const bytes = (typeof chunk === 'string' ? new TextEncoder().encode(chunk) : chunk) as Uint8Array<ArrayBuffer>;
      send({ kind: 'chunk', number, bytes }, [bytes.buffer]);
      task.credit--;
      while (task.credit <= 0 && !signal.aborted) await new Promise<void>((resolve) => (task.wake = resolve));
      if (signal.aborted) return;
    }
    send({ kind: 'end', number });
  } catch (error) {
    send({ kind: 'broken', number, error });
  }
}

/** Gives the work the time that the main thread sent. */
function appAt(app: AppContext, now: number): AppContext {
  return { ...app, clock: { now: () => now } };
}

interface TaskOutcome {
  readonly rendered: RenderedResponse;
  readonly failure: FailureReport | undefined;
}

async function performTask(
  app: AppContext,
  operation: Operation,
  task: ThreadTask,
  signal: AbortSignal,
): Promise<TaskOutcome> {
  const { caller, requestId, now } = task;
  const body = task.body === undefined ? undefined : parseJson(task.body);
  const parsed: ParsedRequest = { ...task.parsed, body, digest: noDigest };
  try {
    const input = operation.read(parsed);
    return {
      rendered: await perform(appAt(app, now), { operation, caller, requestId, parsed, input, signal }),
      failure: undefined,
    };
  } catch (error) {
    const context = { operation, wire: operation.wire, requestId, baseUrl: app.addresses.baseUrl };
    return { rendered: renderProblem(error, context), failure: failureReport(error) };
  }
}

function noDigest(): never {
  throw new Error('Operations that run in a thread only read, so no digest of their request is needed.');
}

function failureReport(error: unknown): FailureReport | undefined {
  if (isDefect(error)) return { kind: 'defect', error };
  if (isOutage(error)) return { kind: 'outage', error: error.cause };
  return undefined;
}
