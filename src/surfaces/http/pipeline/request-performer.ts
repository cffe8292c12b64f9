// Performs an admitted request for its caller: waits its turn, parses, and works within the limits of its workspace. Serves requests of the
// network and those that pages make inside the process.

import type { AppContext } from '../../../actions/core/context.ts';
import { defined } from '../../../kit/assert.ts';
import type { LeaveSignal } from '../../../kit/concurrency/caller-left.ts';
import { isIdempotent, isStreamed, type Operation } from '../operation/operation.ts';
import type { RenderedResponse } from '../operation/rendered-response.ts';
import { inFlightUntilLast, type InFlight } from './in-flight.ts';
import {
  digestUnread,
  parseInput,
  spoolBody,
  withSpool,
  type ParsedInput,
  type ServedRequest,
} from './parse-request.ts';
import { performUnread, type RequestTask } from './perform-request.ts';
import type { AdmissionParts } from './admission.ts';
import { RequestTurns } from './request-turns.ts';

/** What requests are admitted and performed with, whoever makes them. */
export interface RequestParts extends AdmissionParts {
  readonly context: AppContext;
  readonly inFlight: InFlight;
  readonly heavy: InFlight;
  /** Limits heavy work that runs in threads and does not block the event loop. */
  readonly threaded: InFlight;
  /** Performs a request, here or in another thread. */
  perform(task: RequestTask): Promise<RenderedResponse>;
}

type PerformerParts = Pick<RequestParts, 'context' | 'inFlight' | 'heavy' | 'threaded' | 'perform'>;

interface EnteredRequest {
  readonly workspaceId: string;
  /** To be called when it is answered. */
  readonly releases: (() => void)[];
  readonly callerLeft: LeaveSignal | undefined;
}

/** Whether it may take so long that its caller leaves meanwhile. */
function isLong({ heavy, threadKey }: Operation): boolean {
  return heavy === true || threadKey !== undefined;
}

export class RequestPerformer {
  readonly #parts: PerformerParts;
  readonly #turns = new RequestTurns(1_000);

  constructor(parts: PerformerParts) {
    this.#parts = parts;
  }

  /**
   * Requests with the same Idempotency-Key wait for each other before they take up anything of their workspace. A request that only reads
   * ends when its caller leaves; one that writes is performed for whoever has sent it and closed the connection.
   */
  perform(operation: Operation, request: ServedRequest, callerLeft?: LeaveSignal): Promise<RenderedResponse> {
    const key = isIdempotent(operation) ? request.headers['idempotency-key'] : undefined;
    if (key === undefined)
      return this.#performAlone(operation, request, operation.mode === 'read' ? callerLeft : undefined);
    const { workspaceId, environment } = defined(request.caller, 'an admitted request has a caller').scope;
    return this.#turns.take(workspaceId, `${environment}/${String(key)}`, () => this.#performAlone(operation, request));
  }

  async #performAlone(
    operation: Operation,
    request: ServedRequest,
    callerLeft?: LeaveSignal,
  ): Promise<RenderedResponse> {
    const { workspaceId } = defined(request.caller, 'an admitted request has a caller').scope;
    const { inFlight } = this.#parts;
    await inFlight.enter(workspaceId, callerLeft);
    const releases: (() => void)[] = [() => inFlight.leave(workspaceId)];
    const releaseAll = (): void => releases.splice(0).forEach((one) => one());
    try {
      const rendered = await this.#performEntered(operation, request, { workspaceId, releases, callerLeft });
      if (rendered.chunks !== undefined) return { ...rendered, chunks: inFlightUntilLast(rendered.chunks, releaseAll) };
      releaseAll();
      return rendered;
    } catch (error) {
      releaseAll();
      throw error;
    }
  }

  /** Parses and performs a request of a tenant that has room for it: parsing is work for the tenant too. */
  async #performEntered(
    operation: Operation,
    request: ServedRequest,
    { workspaceId, releases, callerLeft }: EnteredRequest,
  ): Promise<RenderedResponse> {
    const caller = defined(request.caller, 'an admitted request has a caller');
    const task = { operation, caller, requestId: request.id };
    let read: ParsedInput;
    try {
      read = await parseInput(operation, request);
    } catch (error) {
      const digest = (): Promise<Buffer> => digestUnread(operation, request);
      return performUnread(this.#parts.context, { ...task, headers: request.headers, digest }, error);
    }
    // The body is received before a slot for heavy work is taken, so that a slow sender blocks nobody else.
    const spool = isStreamed(operation) ? await spoolBody(operation, request) : undefined;
    if (spool) releases.push(() => void spool.discard());
    const heavyLimit = this.#heavyLimitFor(operation);
    await heavyLimit?.enter(workspaceId, callerLeft);
    releases.push(() => heavyLimit?.leave(workspaceId));
    const signal = isLong(operation) ? callerLeft?.() : undefined;
    return this.#parts.perform({ ...task, parsed: withSpool(read.parsed, request, spool), input: read.input, signal });
  }

  #heavyLimitFor({ heavy, threadKey }: Operation): InFlight | undefined {
    if (!heavy) return undefined;
    return threadKey === undefined ? this.#parts.heavy : this.#parts.threaded;
  }
}
