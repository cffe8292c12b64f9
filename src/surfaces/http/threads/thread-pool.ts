// Threads that do heavy work, so that the event loop is free for the others. Requests about the same thing go to the same thread,
// which remembers what it has read of it. A thread that has died is started anew when it is needed. Knows no
// operation.

import { hash } from 'node:crypto';
import { once } from 'node:events';
import { Worker } from 'node:worker_threads';
import type { Observer } from '../pipeline/observer.ts';
import type { FromThread, ThreadJob, ThreadTask, ToThread, Trouble } from './thread-messages.ts';
import type { Rendered } from '../operation/wire.ts';

export interface ThreadsOptions {
  readonly count: number;
  /** Started as `new Worker` starts it. */
  readonly entry: URL;
  /** What a thread is told at its start. */
  workerData(): unknown;
  readonly observer: Observer;
}

/** A job that waits to hear what came of a piece of it. */
interface WaitingJob {
  tell(value: unknown): void;
  resolve(value: any): void;
  reject(error: unknown): void;
}

interface Waiting {
  readonly requestId: string;
  resolve(rendered: Rendered): void;
  reject(error: unknown): void;
}

export class Threads {
  readonly #options: ThreadsOptions;
  readonly #threads: (WorkThread | undefined)[];
  readonly #begun = Promise.withResolvers<unknown>();

  constructor(options: ThreadsOptions) {
    this.#options = options;
    this.#threads = Array.from({ length: options.count }, () => undefined);
  }

  get count(): number {
    return this.#threads.length;
  }

  /** `about` names what the request is about. */
  perform(task: ThreadTask, about: string): Promise<Rendered> {
    return this.#threadFor(about).perform(task);
  }

  /** A piece of a job; `tell` hears how far it has come. */
  work<T>(job: ThreadJob, about: string, tell: (value: any) => void): Promise<T> {
    return this.#threadFor(about).work(job, tell);
  }

  /** Before they are needed: the first report need not wait for its thread. */
  start(): void {
    const threads = Array.from(this.#threads.keys(), (place) => this.#threadAt(place));
    this.#begun.resolve(Promise.all(threads.map(({ begun }) => begun)));
  }

  /** Until all that were started take tasks, or have died. */
  async untilBegun(): Promise<void> {
    await this.#begun.promise;
  }

  #threadFor(about: string): WorkThread {
    return this.#threadAt(hash('md5', about, 'buffer').readUInt32LE() % this.#threads.length);
  }

  #threadAt(place: number): WorkThread {
    let thread = this.#threads[place];
    if (thread === undefined || thread.isDead) this.#threads[place] = thread = new WorkThread(this.#options);
    return thread;
  }

  async stop(): Promise<void> {
    await Promise.all(this.#threads.map((thread) => thread?.stop()));
  }
}

const stopMsMax = 1_000;

class WorkThread {
  readonly #worker: Worker;
  readonly #observer: Observer;
  readonly #waiting = new Map<number, Waiting>();
  readonly #jobs = new Map<number, WaitingJob>();
  readonly #pieces = new Map<number, Pieces>();
  readonly #begun = Promise.withResolvers<void>();
  #number = 0;
  isDead = false;

  constructor({ entry, workerData, observer }: ThreadsOptions) {
    this.#observer = observer;
    this.#worker = new Worker(entry, { workerData: workerData() });
    this.#worker.unref();
    this.#worker.on('message', (message: FromThread) => this.#receive(message));
    this.#worker.on('error', (error) => this.#die(error));
    this.#worker.on('exit', () => this.#die(new Error('A thread ended in the midst of its work.')));
  }

  get begun(): Promise<void> {
    return this.#begun.promise;
  }

  perform(task: ThreadTask): Promise<Rendered> {
    const number = this.#number++;
    return new Promise((resolve, reject) => {
      this.#waiting.set(number, { requestId: task.requestId, resolve, reject });
      this.#send({ kind: 'task', number, task });
    });
  }

  work(job: ThreadJob, tell: (value: unknown) => void): Promise<any> {
    const number = this.#number++;
    return new Promise((resolve, reject) => {
      this.#jobs.set(number, { tell, resolve, reject });
      this.#send({ kind: 'job', number, job });
    });
  }

  /** One that computes does not hear it, and is ended. */
  async stop(): Promise<void> {
    if (this.isDead) return;
    const ended = once(this.#worker, 'exit');
    this.#send({ kind: 'stop' });
    const late = setTimeout(() => void this.#worker.terminate(), stopMsMax);
    await ended;
    clearTimeout(late);
  }

  #send(message: ToThread): void {
    this.#worker.postMessage(message, []);
  }

  #receive(message: FromThread): void {
    if (message.kind === 'begun') return this.#begun.resolve();
    const { number } = message;
    const pieces = this.#pieces.get(number);
    switch (message.kind) {
      case 'answer':
        return this.#answer(message);
      case 'piece':
        return pieces?.put(message.bytes);
      case 'end':
        this.#pieces.delete(number);
        return pieces?.end();
      case 'broken':
        this.#pieces.delete(number);
        return pieces?.break(message.error);
      default:
        return this.#hear(message);
    }
  }

  #hear({ kind, number, value }: FromThread & { kind: 'told' | 'done' | 'failed' }): void {
    const waiting = this.#jobs.get(number)!;
    if (kind === 'told') return waiting.tell(value);
    this.#jobs.delete(number);
    if (kind === 'done') waiting.resolve(value);
    else waiting.reject(value);
  }

  #answer({ number, rendered, hasPieces, trouble }: FromThread & { kind: 'answer' }): void {
    const waiting = this.#waiting.get(number)!;
    this.#waiting.delete(number);
    if (trouble !== undefined) this.#tell(trouble, waiting.requestId);
    if (!hasPieces) return waiting.resolve(rendered);
    const pieces = new Pieces({
      more: () => this.#send({ kind: 'more', number }),
      gone: () => {
        this.#pieces.delete(number);
        this.#send({ kind: 'gone', number });
      },
    });
    this.#pieces.set(number, pieces);
    waiting.resolve({ ...rendered, pieces });
  }

  #tell({ kind, error }: Trouble, requestId: string): void {
    this.#observer[kind](error, requestId);
  }

  #die(error: unknown): void {
    this.isDead = true;
    this.#begun.resolve();
    for (const waiting of [...this.#waiting.values(), ...this.#jobs.values()]) waiting.reject(error);
    for (const pieces of this.#pieces.values()) pieces.break(error);
    this.#waiting.clear();
    this.#jobs.clear();
    this.#pieces.clear();
  }
}

interface PieceSource {
  more(): void;
  gone(): void;
}

/** Pieces as they arrive. */
class Pieces implements AsyncIterable<Uint8Array> {
  readonly #source: PieceSource;
  readonly #arrived: Uint8Array[] = [];
  #end: { readonly error: unknown } | 'whole' | undefined;
  #wake: () => void = () => {};

  constructor(source: PieceSource) {
    this.#source = source;
  }

  put(bytes: Uint8Array): void {
    this.#arrived.push(bytes);
    this.#wake();
  }

  end(): void {
    this.#end = 'whole';
    this.#wake();
  }

  break(error: unknown): void {
    this.#end = { error };
    this.#wake();
  }

  async *[Symbol.asyncIterator](): AsyncGenerator<Uint8Array> {
    try {
      for (;;) {
        const piece = this.#arrived.shift();
        if (piece !== undefined) {
          this.#source.more();
          yield piece;
        } else if (this.#end === undefined) await new Promise<void>((resolve) => (this.#wake = resolve));
        else if (this.#end === 'whole') return;
        else throw this.#end.error;
      }
    } finally {
      if (this.#end === undefined) this.#source.gone();
    }
  }
}
