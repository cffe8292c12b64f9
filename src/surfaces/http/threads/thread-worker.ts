// The side of a thread that works for the listener and the jobs: takes tasks, does them, hands back what came of it. Knows not what
// it was started with.

import type { MessagePort } from 'node:worker_threads';
import type { House } from '../../../actions/core/context.ts';
import { parseJson } from '../../../kit/json.ts';
import { Refusal } from '../../../kit/refusal.ts';
import type { Operation, Sent } from '../operation/operation.ts';
import { perform, renderProblem } from '../pipeline/perform-request.ts';
import { isDefect } from '../operation/problem.ts';
import {
  piecesAhead,
  type FromThread,
  type ThreadJob,
  type ThreadTask,
  type ToThread,
  type Trouble,
} from './thread-messages.ts';
import type { Rendered } from '../operation/wire.ts';

/** Does a piece of a job, and may tell how far it has come. */
export type ThreadJobRun = (house: House, input: any, tell: (value: unknown) => void) => Promise<unknown>;

export interface ThreadSide {
  readonly port: Pick<MessagePort, 'on' | 'postMessage'>;
  readonly house: House;
  readonly operations: readonly Operation[];
  /** By their names. */
  readonly jobs: Readonly<Record<string, ThreadJobRun>>;
  /** After the last task. */
  stop(): Promise<void>;
}

/** A text on its way, piece by piece: how many may still be sent before one is taken. */
interface Flow {
  room: number;
  isGone: boolean;
  wake(): void;
}

export function serveTasks({ port, house, operations, jobs, stop }: ThreadSide): void {
  const byId = new Map(operations.map((operation) => [operation.id, operation]));
  const flows = new Map<number, Flow>();
  const send = (message: FromThread, transferred: ArrayBuffer[] = []): void => port.postMessage(message, transferred);

  const answer = async (number: number, task: ThreadTask): Promise<void> => {
    const { rendered, trouble } = await performTask(house, byId.get(task.operationId)!, task);
    const { pieces, ...whole } = rendered;
    send({ kind: 'answer', number, rendered: whole, hasPieces: pieces !== undefined, trouble });
    if (pieces === undefined) return;
    const flow: Flow = { room: piecesAhead, isGone: false, wake: () => {} };
    flows.set(number, flow);
    try {
      for await (const piece of pieces) {
        const bytes = typeof piece === 'string' ? new TextEncoder().encode(piece) : piece;
        send({ kind: 'piece', number, bytes }, [bytes.buffer as ArrayBuffer]);
        flow.room--;
        while (flow.room <= 0 && !flow.isGone) await new Promise<void>((resolve) => (flow.wake = resolve));
        if (flow.isGone) return;
      }
      send({ kind: 'end', number });
    } catch (error) {
      send({ kind: 'broken', number, error });
    } finally {
      flows.delete(number);
    }
  };

  const work = async (number: number, { name, input, now }: ThreadJob): Promise<void> => {
    try {
      const value = await jobs[name]!(houseAt(house, now), input, (told) =>
        send({ kind: 'told', number, value: told }),
      );
      send({ kind: 'done', number, value });
    } catch (error) {
      send({ kind: 'failed', number, value: error });
    }
  };

  port.on('message', (message: ToThread) => {
    if (message.kind === 'stop') return void stop();
    if (message.kind === 'task') return void answer(message.number, message.task);
    if (message.kind === 'job') return void work(message.number, message.job);
    const flow = flows.get(message.number);
    if (flow === undefined) return;
    if (message.kind === 'more') flow.room++;
    else flow.isGone = true;
    flow.wake();
  });
}

/** Clocks are not handed over, moments are. */
function houseAt(house: House, now: number): House {
  return { ...house, clock: { now: () => now } };
}

interface Performed {
  readonly rendered: Rendered;
  readonly trouble: Trouble | undefined;
}

async function performTask(house: House, operation: Operation, task: ThreadTask): Promise<Performed> {
  const { caller, requestId, now } = task;
  const body = task.body === undefined ? undefined : parseJson(task.body);
  const sent: Sent = { ...task.sent, body, digest: noDigest };
  try {
    const input = operation.read(sent);
    return {
      rendered: await perform(houseAt(house, now), { operation, caller, requestId, sent, input }),
      trouble: undefined,
    };
  } catch (error) {
    const context = { operation, wire: operation.wire, requestId, baseUrl: house.addresses.baseUrl };
    return { rendered: renderProblem(error, context), trouble: troubleOf(error) };
  }
}

function noDigest(): never {
  throw new Error('What is done in a thread writes nothing, and no answer of it is kept.');
}

function troubleOf(error: unknown): Trouble | undefined {
  if (isDefect(error)) return { kind: 'defect', error };
  if (error instanceof Refusal && error.code === 'database-away') return { kind: 'outage', error: error.cause };
  return undefined;
}
