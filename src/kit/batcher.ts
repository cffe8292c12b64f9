// Batches requests that cost little more together than alone: while one batch runs, new requests for the same key collect
// into the next. A request that is alone starts at once.

import { assert, defined } from './assert.ts';

interface QueuedItem<In, Out> {
  readonly item: In;
  resolve(results: Out): void;
  reject(error: unknown): void;
}

interface BatcherOptions<In, Out> {
  /** Requests with the same key share a batch, and their batches run one after the other. */
  keyOf(item: In): string;
  /** How many requests share a batch; any number unless said otherwise. */
  readonly batchMax?: number;
  /** Returns one result for each request, in order. */
  run(batch: readonly [In, ...In[]]): Promise<readonly Out[]>;
}

export class Batcher<In, Out> {
  readonly #options: BatcherOptions<In, Out>;
  /** The waiting requests of each key that has a batch running. */
  readonly #queues = new Map<string, QueuedItem<In, Out>[]>();

  constructor(options: BatcherOptions<In, Out>) {
    this.#options = options;
  }

  submit(item: In): Promise<Out> {
    const key = this.#options.keyOf(item);
    return new Promise((resolve, reject) => {
      const queued = { item, resolve, reject };
      const queue = this.#queues.get(key);
      if (queue !== undefined) return void queue.push(queued);
      this.#queues.set(key, [queued]);
      // Requests made in the same turn of the event loop join this batch.
      setImmediate(() => void this.#drainQueue(key));
    });
  }

  async #drainQueue(key: string): Promise<void> {
    for (;;) {
      const queue = defined(this.#queues.get(key), 'a key has a queue while it is drained');
      if (queue.length === 0) break;
      const batch = queue.splice(0, this.#options.batchMax ?? queue.length);
      await this.#runBatch(batch);
    }
    this.#queues.delete(key);
  }

  /** If a batch fails, runs each request alone, so that none fails because of another. */
  async #runBatch(batch: readonly QueuedItem<In, Out>[]): Promise<void> {
    try {
      const results = await this.#options.run(batch.map(({ item }) => item) as [In, ...In[]]);
      assert(results.length === batch.length, 'a batch has one result for each request');
      for (const [index, { resolve }] of batch.entries()) resolve(results[index]!);
    } catch (error) {
      const [first, ...others] = batch;
      if (first !== undefined && others.length === 0) first.reject(error);
      else await Promise.all(batch.map((queued) => this.#runBatch([queued])));
    }
  }
}
