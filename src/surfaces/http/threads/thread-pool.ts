// Runs heavy work in threads to keep the event loop free. Requests with the same key go to the same thread, which caches what it has
// loaded for them. A thread that died is replaced when it is next needed.

import { hash } from 'node:crypto';
import { once } from 'node:events';
import { Worker } from 'node:worker_threads';
import { defined } from '../../../kit/assert.ts';
import type { Observer } from '../pipeline/observer.ts';
import type { MessageFromThread, ThreadJob, ThreadTask, MessageToThread, FailureReport } from './thread-messages.ts';
import type { RenderedResponse } from '../operation/rendered-response.ts';

interface ThreadPoolOptions {
  readonly count: number;
  /** The file that each thread runs. */
  readonly entry: URL;
  /** The `workerData` of a new thread, which takes the place of an earlier one with the same index. */
  workerData(index: number): unknown;
  readonly observer: Observer;
  /** Called with how long a workspace has held connections of a thread. */
  readonly onDatabaseUse?: (workspaceId: string, ms: number) => void;
}

/** A job that waits for its result. */
interface PendingJob {
  reportProgress(value: unknown): void;
  resolve(value: any): void;
  reject(error: unknown): void;
}

interface PendingRequest {
  readonly requestId: string;
  readonly signal: AbortSignal | undefined;
  resolve(rendered: RenderedResponse): void;
  reject(error: unknown): void;
}

export class ThreadPool {
  readonly #options: ThreadPoolOptions;
  readonly #threads: (PooledThread | undefined)[];
  readonly #ready = Promise.withResolvers<unknown>();

  constructor(options: ThreadPoolOptions) {
    this.#options = options;
    this.#threads = Array.from({ length: options.count }, () => undefined);
  }

  get count(): number {
    return this.#threads.length;
  }

  /** `key` names what the request is about, such as a client. Aborting the signal ends its computation. */
  perform(task: ThreadTask, key: string, signal?: AbortSignal): Promise<RenderedResponse> {
    return this.#threadFor(key).perform(task, signal);
  }

  /** Runs a part of a job in a thread; `reportProgress` is called with what it reports on the way. */
  runJobAt<T>(index: number, job: ThreadJob, reportProgress: (value: any) => void): Promise<T> {
    return this.#threadAt(index).runJob(job, reportProgress);
  }

  /** The thread that work with this key always goes to. */
  indexFor(key: string): number {
    return hash('md5', key, 'buffer').readUInt32LE() % this.#threads.length;
  }

  /** Starts all threads, so that the first report does not wait for one. */
  start(): void {
    const threads = Array.from(this.#threads.keys(), (index) => this.#threadAt(index));
    this.#ready.resolve(Promise.all(threads.map(({ ready }) => ready)));
  }

  /** Resolves once every thread takes tasks or has died. */
  async untilReady(): Promise<void> {
    await this.#ready.promise;
  }

  #threadFor(key: string): PooledThread {
    return this.#threadAt(this.indexFor(key));
  }

  #threadAt(index: number): PooledThread {
    let thread = this.#threads[index];
    if (thread === undefined || thread.isDead) this.#threads[index] = thread = new PooledThread(this.#options, index);
    return thread;
  }

  /** How many threads have something to do, and how many tasks share one of them with an earlier one. */
  load(): { readonly busy: number; readonly waiting: number } {
    const counts = this.#threads.map((thread) => thread?.taskCount ?? 0).filter((count) => count > 0);
    return { busy: counts.length, waiting: counts.reduce((sum, count) => sum + count - 1, 0) };
  }

  async stop(): Promise<void> {
    await Promise.all(this.#threads.map((thread) => thread?.stop()));
  }
}

/** How long a thread may take to stop by itself. */
const stopMsMax = 1_000;

class PooledThread {
  readonly #worker: Worker;
  readonly #observer: Observer;
  readonly #onDatabaseUse: ThreadPoolOptions['onDatabaseUse'];
  readonly #pendingRequests = new Map<number, PendingRequest>();
  readonly #pendingJobs = new Map<number, PendingJob>();
  readonly #chunkStreams = new Map<number, ChunkStream>();
  readonly #ready = Promise.withResolvers<void>();
  #number = 0;
  isDead = false;

  constructor({ entry, workerData, observer, onDatabaseUse }: ThreadPoolOptions, index: number) {
    this.#observer = observer;
    this.#onDatabaseUse = onDatabaseUse;
    this.#worker = new Worker(entry, { workerData: workerData(index) });
    this.#worker.unref();
    this.#worker.on('message', (message: MessageFromThread) => this.#receive(message));
    this.#worker.on('error', (error) => this.#fail(error));
    this.#worker.on('exit', () => this.#fail(new Error('A worker thread ended before its work was done.')));
  }

  get taskCount(): number {
    return this.#pendingRequests.size + this.#pendingJobs.size + this.#chunkStreams.size;
  }

  get ready(): Promise<void> {
    return this.#ready.promise;
  }

  perform(task: ThreadTask, signal: AbortSignal | undefined): Promise<RenderedResponse> {
    if (signal?.aborted === true) return Promise.reject(signal.reason);
    const number = this.#number++;
    signal?.addEventListener('abort', () => this.#cancel(number, signal.reason));
    return new Promise((resolve, reject) => {
      this.#pendingRequests.set(number, { requestId: task.requestId, signal, resolve, reject });
      this.#send({ kind: 'task', number, task });
    });
  }

  /** A request is pending until the thread has ended it: only then is there room for the next. */
  #cancel(number: number, reason: unknown): void {
    const chunks = this.#chunkStreams.get(number);
    if (chunks === undefined && !this.#pendingRequests.has(number)) return;
    this.#chunkStreams.delete(number);
    chunks?.fail(reason);
    this.#send({ kind: 'cancel', number });
  }

  runJob(job: ThreadJob, reportProgress: (value: unknown) => void): Promise<any> {
    const number = this.#number++;
    return new Promise((resolve, reject) => {
      this.#pendingJobs.set(number, { reportProgress, resolve, reject });
      this.#send({ kind: 'job', number, job });
    });
  }

  /** Terminates a thread that is too busy to read the message. */
  async stop(): Promise<void> {
    if (this.isDead) return;
    const ended = once(this.#worker, 'exit');
    this.#send({ kind: 'stop' });
    const killTimer = setTimeout(() => void this.#worker.terminate(), stopMsMax);
    await ended;
    clearTimeout(killTimer);
  }

  #send(message: MessageToThread): void {
    this.#worker.postMessage(message, []);
  }

  #receive(message: MessageFromThread): void {
    if (message.kind === 'ready') return this.#ready.resolve();
    if (message.kind === 'database-use') {
      for (const [workspaceId, ms] of message.uses) this.#onDatabaseUse?.(workspaceId, ms);
      return undefined;
    }
    const { number } = message;
    const chunks = this.#chunkStreams.get(number);
    switch (message.kind) {
      case 'response':
        return this.#resolveRequest(message);
      case 'chunk':
        return chunks?.put(message.bytes);
      case 'end':
        this.#chunkStreams.delete(number);
        return chunks?.end();
      case 'broken':
        this.#chunkStreams.delete(number);
        return chunks?.fail(message.error);
      default:
        return this.#resolveJob(message);
    }
  }

  #resolveJob({ kind, number, value }: MessageFromThread & { kind: 'progress' | 'done' | 'failed' }): void {
    const pending = defined(this.#pendingJobs.get(number), 'a thread reports on jobs that it was given');
    if (kind === 'progress') return pending.reportProgress(value);
    this.#pendingJobs.delete(number);
    if (kind === 'done') pending.resolve(value);
    else pending.reject(value);
  }

  #resolveRequest({ number, rendered, hasChunks, failure }: MessageFromThread & { kind: 'response' }): void {
    const pending = defined(this.#pendingRequests.get(number), 'a thread responds to requests that it was given');
    this.#pendingRequests.delete(number);
    if (failure !== undefined) this.#reportFailure(failure, pending.requestId);
    // The thread was told, and sends no more of it.
    if (pending.signal?.aborted === true) return pending.reject(pending.signal.reason);
    if (!hasChunks) return pending.resolve(rendered);
    const chunks = new ChunkStream({
      requestMore: () => this.#send({ kind: 'more', number }),
      cancel: () => {
        this.#chunkStreams.delete(number);
        this.#send({ kind: 'cancel', number });
      },
    });
    this.#chunkStreams.set(number, chunks);
    pending.resolve({ ...rendered, chunks });
  }

  #reportFailure({ kind, error }: FailureReport, requestId: string): void {
    this.#observer[kind](error, requestId);
  }

  #fail(error: unknown): void {
    this.isDead = true;
    this.#ready.resolve();
    for (const pending of [...this.#pendingRequests.values(), ...this.#pendingJobs.values()]) pending.reject(error);
    for (const chunks of this.#chunkStreams.values()) chunks.fail(error);
    this.#pendingRequests.clear();
    this.#pendingJobs.clear();
    this.#chunkStreams.clear();
  }
}

interface ChunkSource {
  requestMore(): void;
  cancel(): void;
}

const noMoreChunks = { done: true, value: undefined } as const;

/** The chunks of a response as they arrive from the thread. The bytes of each are gone once the next is taken. */
class ChunkStream implements AsyncIterable<Uint8Array> {
  readonly #source: ChunkSource;
  readonly #received: Uint8Array<ArrayBuffer>[] = [];
  #taken: Uint8Array<ArrayBuffer> | undefined;
  #end: { readonly error: unknown } | 'whole' | undefined;
  #wake: () => void = () => {};

  constructor(source: ChunkSource) {
    this.#source = source;
  }

  put(bytes: Uint8Array<ArrayBuffer>): void {
    this.#received.push(bytes);
    this.#wake();
  }

  end(): void {
    this.#end = 'whole';
    this.#wake();
  }

  fail(error: unknown): void {
    this.#end = { error };
    this.#wake();
  }

  /** Not a generator: one that is never started would not run its `finally`, and the thread would wait for ever. */
  [Symbol.asyncIterator](): AsyncIterator<Uint8Array> {
    return { next: () => this.#next(), return: () => this.#cancel() };
  }

  async #next(): Promise<IteratorResult<Uint8Array>> {
    // Frees the memory at once. Left to the garbage collector, long responses would have it stop this thread again and again.
    this.#taken?.buffer.transfer(0);
    this.#taken = undefined;
    for (;;) {
      const chunk = this.#received.shift();
      if (chunk !== undefined) {
        this.#taken = chunk;
        this.#source.requestMore();
        return { done: false, value: chunk };
      }
      if (this.#end === 'whole') return noMoreChunks;
      if (this.#end !== undefined) throw this.#end.error;
      await new Promise<void>((resolve) => (this.#wake = resolve));
    }
  }

  async #cancel(): Promise<IteratorResult<Uint8Array>> {
    if (this.#end === undefined) this.#source.cancel();
    this.end();
    return noMoreChunks;
  }
}
