// Work that many ask for one by one and that costs little more for all of them together: while some of it is under way, whatever is
// asked for meanwhile gathers and goes with the next. Nobody waits who is alone. Knows not what is done.

interface QueuedItem<In, Out> {
  readonly item: In;
  resolve(results: Out): void;
  reject(error: unknown): void;
}

export interface BatcherOptions<In, Out> {
  /** What goes together, and one after the other. */
  keyOf(item: In): string;
  /** What comes of each, in their order. */
  run(batch: readonly [In, ...In[]]): Promise<readonly Out[]>;
}

export class Batcher<In, Out> {
  readonly #options: BatcherOptions<In, Out>;
  /** Those that wait for their turn, of each key that has something under way. */
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
      // Whatever else is asked for in this turn of the loop goes along.
      setImmediate(() => void this.#drainQueue(key));
    });
  }

  async #drainQueue(key: string): Promise<void> {
    for (;;) {
      const batch = this.#queues.get(key)!;
      if (batch.length === 0) break;
      this.#queues.set(key, []);
      await this.#runBatch(batch);
    }
    this.#queues.delete(key);
  }

  /** Where it fails for some together, each is tried by itself: nobody fails because of another. */
  async #runBatch(batch: readonly QueuedItem<In, Out>[]): Promise<void> {
    try {
      const results = await this.#options.run(batch.map(({ item }) => item) as [In, ...In[]]);
      for (const [index, { resolve }] of batch.entries()) resolve(results[index]!);
    } catch (error) {
      if (batch.length === 1) batch[0]!.reject(error);
      else await Promise.all(batch.map((queued) => this.#runBatch([queued])));
    }
  }
}
