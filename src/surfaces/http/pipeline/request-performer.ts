// Performs an admitted request for its caller: waits its turn, parses, and works within the limits of its workspace. Serves requests of the
// network and those that pages make inside the process.

import { IncomingMessage } from 'node:http';
import { storageQuotaReached } from '../../../actions/access/storage-quota.ts';
import type { AppContext } from '../../../actions/core/context.ts';
import { openReadWork } from '../../../actions/core/work.ts';
import { defined } from '../../../kit/assert.ts';
import { Refusal } from '../../../kit/refusal.ts';
import type { LeaveSignal } from '../../../kit/concurrency/caller-left.ts';
import type { Caller } from '../../../model/access/caller.ts';
import type { SpoolRoom } from '../bulk/spool-room.ts';
import type { Spool } from '../bulk/spool.ts';
import { isAdding, isIdempotent, isStreamed, type Operation } from '../operation/operation.ts';
import type { RenderedResponse } from '../operation/rendered-response.ts';
import { HeldPlaces, inFlightUntilLast } from './held-places.ts';
import { InFlight } from './in-flight.ts';
import {
  digestUnread,
  parseInput,
  spoolBody,
  withSpool,
  type ParsedInput,
  type ServedRequest,
} from './parse-request.ts';
import { authorOf, performUnread, type RequestTask } from './perform-request.ts';
import type { AdmissionParts } from './admission.ts';
import { RequestTurns } from './request-turns.ts';

/** What requests are admitted and performed with, whoever makes them. */
export interface RequestParts extends AdmissionParts {
  readonly context: AppContext;
  readonly inFlight: InFlight;
  readonly heavy: InFlight;
  /** Limits heavy work that runs in threads and does not block the event loop. */
  readonly threaded: InFlight;
  /** The room for large bodies, on the disk and in memory. */
  readonly spoolRoom: SpoolRoom;
  /** Performs a request, here or in another thread. */
  perform(task: RequestTask): Promise<RenderedResponse>;
}

type PerformerParts = Pick<
  RequestParts,
  'context' | 'budget' | 'inFlight' | 'heavy' | 'threaded' | 'spoolRoom' | 'perform'
>;

/** A request that was parsed, or why it cannot be; and its body, where that is streamed. */
interface ReceivedRequest {
  readonly read: ParsedInput | { readonly fault: unknown };
  readonly spool: Spool | undefined;
}

/** Whether it may take so long that its caller leaves meanwhile. */
function isLong({ heavy, threadKey }: Operation): boolean {
  return heavy === true || threadKey !== undefined;
}

/** How many bodies with one credential arrive or are worked on at the same time; each may take as much room on the disk as a body has. */
const uploadsMax = 8;
/** How many more wait unread. */
const uploadsWaitingMax = 32;
const uploadsDetail =
  'Too many bodies with this credential are arriving or waiting. Try again in a second, with fewer at a time.';
/** How many answers of a workspace wait for slow readers without a place. */
const parkedMax = 16;

export class RequestPerformer {
  readonly #parts: PerformerParts;
  readonly #turns = new RequestTurns(1_000);
  readonly #uploads = new InFlight({ running: uploadsMax, waiting: uploadsWaitingMax }, uploadsDetail);
  readonly #parked = new InFlight({ running: parkedMax, waiting: 0 });

  constructor(parts: PerformerParts) {
    this.#parts = parts;
  }

  /**
   * Requests with the same Idempotency-Key wait for each other before they take up anything of their workspace. A request that only reads
   * ends when its caller leaves; one that writes is performed for whoever has sent it and closed the connection.
   */
  perform(operation: Operation, request: ServedRequest, callerLeft?: LeaveSignal): Promise<RenderedResponse> {
    const key = isIdempotent(operation) ? request.headers['idempotency-key'] : undefined;
    if (key === undefined) return this.#performAlone(operation, request, callerLeft);
    const { workspaceId, environment } = callerOf(request).scope;
    return this.#turns.take(workspaceId, `${environment}/${String(key)}`, () =>
      this.#performAlone(operation, request, callerLeft),
    );
  }

  async #performAlone(
    operation: Operation,
    request: ServedRequest,
    callerLeft: LeaveSignal | undefined,
  ): Promise<RenderedResponse> {
    const places = new HeldPlaces(callerOf(request).scope.workspaceId, this.#parked);
    const ends: (() => void)[] = [() => places.leave()];
    const endAll = (): void => ends.splice(0).forEach((end) => end());
    try {
      const noRoom = await this.#findNoRoom(operation, request);
      if (noRoom !== undefined) throw noRoom;
      const received = isStreamed(operation)
        ? await this.#receive(operation, request, { ends, callerLeft })
        : undefined;
      const rendered = await this.#performReceived(operation, request, {
        received,
        places,
        callerLeft: operation.mode === 'read' ? callerLeft : undefined,
      });
      if (rendered.chunks !== undefined)
        return { ...rendered, chunks: inFlightUntilLast(rendered.chunks, places, endAll) };
      endAll();
      return rendered;
    } catch (error) {
      endAll();
      throw error;
    }
  }

  /**
   * The refusal of a request that would add to what has no room, unless its answer is known already. The storage is as it was measured and set
   * when the budget of the caller was last asked for.
   */
  async #findNoRoom(operation: Operation, request: ServedRequest): Promise<Refusal | undefined> {
    const { budget, context } = this.#parts;
    if (!isAdding(operation)) return undefined;
    const level = budget.storageOf(callerOf(request));
    const isFull = level !== undefined && level.used >= level.max;
    if (!isFull && operation.upload?.requireRoom === undefined) return undefined;
    const work = openReadWork(context, authorOf({ operation, caller: callerOf(request), requestId: request.id }));
    const refusal = isFull ? storageQuotaReached(level) : await refusalOf(operation.upload?.requireRoom?.(work));
    const isKnown = refusal !== undefined && (await operation.wire.knowsAnswer?.(work, request.headers)) === true;
    return isKnown ? undefined : refusal;
  }

  /**
   * Receives a streamed body before its request takes a place of the workspace: others need that place while the body arrives. The query is
   * parsed first: only a request with an Idempotency-Key is received in spite of a fault, since its answer may be known.
   */
  async #receive(
    operation: Operation,
    request: ServedRequest,
    { ends, callerLeft }: { readonly ends: (() => void)[]; readonly callerLeft: LeaveSignal | undefined },
  ): Promise<ReceivedRequest> {
    let read: ReceivedRequest['read'];
    try {
      read = await parseInput(operation, request);
    } catch (fault) {
      const mayBeKnown = isIdempotent(operation) && request.headers['idempotency-key'] !== undefined;
      if (!mayBeKnown) throw fault;
      read = { fault };
      if (request.body === undefined) return { read, spool: undefined };
    }
    // A body that a page sends inside the process has arrived already.
    if (request.body instanceof IncomingMessage) {
      const { scope, subject } = callerOf(request);
      const key = `${scope.workspaceId}/${scope.credentialId}/${subject}`;
      await this.#uploads.enter(key, callerLeft);
      ends.push(() => this.#uploads.leave(key));
    }
    const spool = await spoolBody(operation, request, this.#parts.spoolRoom);
    ends.push(() => void spool.discard());
    return { read, spool };
  }

  /** Performs a request of a tenant that has room for it. A body that is not streamed is parsed then: parsing is work for the tenant too. */
  async #performReceived(
    operation: Operation,
    request: ServedRequest,
    {
      received,
      places,
      callerLeft,
    }: {
      readonly received: ReceivedRequest | undefined;
      readonly places: HeldPlaces;
      readonly callerLeft: LeaveSignal | undefined;
    },
  ): Promise<RenderedResponse> {
    await places.enter(this.#parts.inFlight, callerLeft);
    const task = { operation, caller: callerOf(request), requestId: request.id };
    const spool = received?.spool;
    const read = received?.read ?? (await parseInput(operation, request).catch((fault: unknown) => ({ fault })));
    if ('fault' in read) {
      const digest = (): Buffer => digestUnread(request, spool);
      const { headers, url: address } = request;
      return performUnread(this.#parts.context, { ...task, headers, address, error: read.fault, digest });
    }
    const heavyLimit = this.#heavyLimitFor(operation);
    if (heavyLimit !== undefined) await places.enter(heavyLimit, callerLeft);
    const signal = isLong(operation) ? callerLeft?.() : undefined;
    return this.#parts.perform({ ...task, parsed: withSpool(read.parsed, request, spool), input: read.input, signal });
  }

  #heavyLimitFor({ heavy, threadKey }: Operation): InFlight | undefined {
    if (!heavy) return undefined;
    return threadKey === undefined ? this.#parts.heavy : this.#parts.threaded;
  }
}

async function refusalOf(checked: Promise<void> | undefined): Promise<Refusal | undefined> {
  try {
    await checked;
    return undefined;
  } catch (error) {
    if (error instanceof Refusal) return error;
    throw error;
  }
}

function callerOf({ caller }: ServedRequest): Caller {
  return defined(caller, 'an admitted request has a caller');
}
