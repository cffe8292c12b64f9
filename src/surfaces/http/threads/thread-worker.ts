// The side of a thread that works for the listener and the jobs: takes tasks, does them, hands back what came of it. Knows not what
// it was started with.

import type { MessagePort } from 'node:worker_threads';
import type { AppContext } from '../../../actions/core/context.ts';
import { parseJson } from '../../../kit/json.ts';
import { Refusal } from '../../../kit/refusal.ts';
import type { Operation, ParsedRequest } from '../operation/operation.ts';
import { perform, renderProblem } from '../pipeline/perform-request.ts';
import { isDefect } from '../operation/problem.ts';
import {
  chunksAheadMax,
  type MessageFromThread,
  type ThreadJob,
  type ThreadTask,
  type MessageToThread,
  type FailureReport,
} from './thread-messages.ts';
import type { RenderedResponse } from '../operation/rendered-response.ts';

/** Does a piece of a job, and may tell how far it has come. */
export type ThreadJobHandler = (app: AppContext, input: any, report: (value: unknown) => void) => Promise<unknown>;

export interface ThreadWorkerParts {
  readonly port: Pick<MessagePort, 'on' | 'postMessage'>;
  readonly app: AppContext;
  readonly operations: readonly Operation[];
  /** By their names. */
  readonly jobs: Readonly<Record<string, ThreadJobHandler>>;
  /** After the last task. */
  stop(): Promise<void>;
}

/** A text on its way, piece by piece: how many may still be sent before one is taken. */
interface ChunkFlow {
  credit: number;
  isCancelled: boolean;
  wake(): void;
}

export function serveTasks({ port, app, operations, jobs, stop }: ThreadWorkerParts): void {
  const byId = new Map(operations.map((operation) => [operation.id, operation]));
  const flows = new Map<number, ChunkFlow>();
  const send = (message: MessageFromThread, transferred: ArrayBuffer[] = []): void =>
    port.postMessage(message, transferred);

  const answerTask = async (number: number, task: ThreadTask): Promise<void> => {
    const { rendered, failure } = await performTask(app, byId.get(task.operationId)!, task);
    const { chunks, ...withoutChunks } = rendered;
    send({ kind: 'answer', number, rendered: withoutChunks, hasChunks: chunks !== undefined, failure });
    if (chunks === undefined) return;
    const flow: ChunkFlow = { credit: chunksAheadMax, isCancelled: false, wake: () => {} };
    flows.set(number, flow);
    try {
      for await (const chunk of chunks) {
        const bytes = typeof chunk === 'string' ? new TextEncoder().encode(chunk) : chunk;
        send({ kind: 'piece', number, bytes }, [bytes.buffer as ArrayBuffer]);
        flow.credit--;
        while (flow.credit <= 0 && !flow.isCancelled) await new Promise<void>((resolve) => (flow.wake = resolve));
        if (flow.isCancelled) return;
      }
      send({ kind: 'end', number });
    } catch (error) {
      send({ kind: 'broken', number, error });
    } finally {
      flows.delete(number);
    }
  };

  const runJob = async (number: number, { name, input, now }: ThreadJob): Promise<void> => {
    try {
      const report = (progress: unknown): void => send({ kind: 'told', number, value: progress });
      const value = await jobs[name]!(appAt(app, now), input, report);
      send({ kind: 'done', number, value });
    } catch (error) {
      send({ kind: 'failed', number, value: error });
    }
  };

  port.on('message', (message: MessageToThread) => {
    if (message.kind === 'stop') return void stop();
    if (message.kind === 'task') return void answerTask(message.number, message.task);
    if (message.kind === 'job') return void runJob(message.number, message.job);
    const flow = flows.get(message.number);
    if (flow === undefined) return;
    if (message.kind === 'more') flow.credit++;
    else flow.isCancelled = true;
    flow.wake();
  });
}

/** Clocks are not handed over, moments are. */
function appAt(app: AppContext, now: number): AppContext {
  return { ...app, clock: { now: () => now } };
}

interface TaskOutcome {
  readonly rendered: RenderedResponse;
  readonly failure: FailureReport | undefined;
}

async function performTask(app: AppContext, operation: Operation, task: ThreadTask): Promise<TaskOutcome> {
  const { caller, requestId, now } = task;
  const body = task.body === undefined ? undefined : parseJson(task.body);
  const parsed: ParsedRequest = { ...task.parsed, body, digest: noDigest };
  try {
    const input = operation.read(parsed);
    return {
      rendered: await perform(appAt(app, now), { operation, caller, requestId, parsed, input }),
      failure: undefined,
    };
  } catch (error) {
    const context = { operation, wire: operation.wire, requestId, baseUrl: app.addresses.baseUrl };
    return { rendered: renderProblem(error, context), failure: failureReport(error) };
  }
}

function noDigest(): never {
  throw new Error('What is done in a thread writes nothing, and no answer of it is kept.');
}

function failureReport(error: unknown): FailureReport | undefined {
  if (isDefect(error)) return { kind: 'defect', error };
  if (error instanceof Refusal && error.code === 'database-away') return { kind: 'outage', error: error.cause };
  return undefined;
}
