// Batches requests that cost little more together than alone: while as many batches of a key run as may, new requests for it collect into
// the next. A request that is alone starts at once.

import { assert } from './assert.ts';

interface QueuedItem<In, Out> {
  readonly item: In;
  resolve(results: Out): void;
  reject(error: unknown): void;
}

interface BatcherOptions<In, Out> {
  /** Requests with the same key share a batch. */
  keyOf(item: In): string;
  /** How many batches of a key run at the same time; one after the other unless said otherwise. */
  readonly runningMax?: number;
  /** How many requests share a batch; any number unless said otherwise. */
  readonly batchMax?: number;
  /** Returns one result for each request, in order. */
  run(batch: readonly [In, ...In[]]): Promise<readonly Out[]>;
}

interface KeyQueue<In, Out> {
  readonly waiting: QueuedItem<In, Out>[];
  /** How many take batches from it. */
  drainCount: number;
}

export class Batcher<In, Out> {
  readonly #options: BatcherOptions<In, Out>;
  /** Of each key that has a batch running. */
  readonly #queues = new Map<string, KeyQueue<In, Out>>();

  constructor(options: BatcherOptions<In, Out>) {
    this.#options = options;
  }

  submit(item: In): Promise<Out> {
    const key = this.#options.keyOf(item);
    return new Promise((resolve, reject) => {
      const queue = this.#queueOf(key);
      queue.waiting.push({ item, resolve, reject });
      // The first that waits begins a batch, which requests made in the same turn of the event loop join.
      if (queue.waiting.length > 1 || queue.drainCount === (this.#options.runningMax ?? 1)) return;
      queue.drainCount++;
      setImmediate(() => void this.#drainQueue(key, queue));
    });
  }

  #queueOf(key: string): KeyQueue<In, Out> {
    const known = this.#queues.get(key);
    if (known !== undefined) return known;
    const queue: KeyQueue<In, Out> = { waiting: [], drainCount: 0 };
    this.#queues.set(key, queue);
    return queue;
  }

  async #drainQueue(key: string, queue: KeyQueue<In, Out>): Promise<void> {
    while (queue.waiting.length > 0) {
      const batch = queue.waiting.splice(0, this.#options.batchMax ?? queue.waiting.length);
      await this.#runBatch(batch);
    }
    queue.drainCount--;
    if (queue.drainCount === 0) this.#queues.delete(key);
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
