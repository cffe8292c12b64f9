// Work that many ask for one by one and that costs little more for all of them together: while some of it is under way, whatever is
// asked for meanwhile gathers and goes with the next. Nobody waits who is alone. Knows not what is done.

interface Asked<In, Out> {
  readonly one: In;
  resolve(done: Out): void;
  reject(error: unknown): void;
}

export interface GatheringOptions<In, Out> {
  /** What goes together, and one after the other. */
  keyOf(one: In): string;
  /** What comes of each, in their order. */
  run(some: readonly [In, ...In[]]): Promise<readonly Out[]>;
}

export class Gathering<In, Out> {
  readonly #options: GatheringOptions<In, Out>;
  /** Those that wait for their turn, of each key that has something under way. */
  readonly #waiting = new Map<string, Asked<In, Out>[]>();

  constructor(options: GatheringOptions<In, Out>) {
    this.#options = options;
  }

  ask(one: In): Promise<Out> {
    const key = this.#options.keyOf(one);
    return new Promise((resolve, reject) => {
      const asked = { one, resolve, reject };
      const waiting = this.#waiting.get(key);
      if (waiting !== undefined) return void waiting.push(asked);
      this.#waiting.set(key, [asked]);
      // Whatever else is asked for in this turn of the loop goes along.
      setImmediate(() => void this.#runAll(key));
    });
  }

  async #runAll(key: string): Promise<void> {
    for (;;) {
      const some = this.#waiting.get(key)!;
      if (some.length === 0) break;
      this.#waiting.set(key, []);
      await this.#runSome(some);
    }
    this.#waiting.delete(key);
  }

  /** Where it fails for some together, each is tried by itself: nobody fails because of another. */
  async #runSome(some: readonly Asked<In, Out>[]): Promise<void> {
    try {
      const done = await this.#options.run(some.map(({ one }) => one) as [In, ...In[]]);
      for (const [index, { resolve }] of some.entries()) resolve(done[index]!);
    } catch (error) {
      if (some.length === 1) some[0]!.reject(error);
      else await Promise.all(some.map((asked) => this.#runSome([asked])));
    }
  }
}
