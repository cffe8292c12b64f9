// Lets a limited number in at the same time under each key; the others wait in order.

/** Thrown when a wait took longer than allowed. */
export class WaitedTooLong extends Error {
  override readonly name = 'WaitedTooLong';
}

interface KeyQueue {
  running: number;
  readonly waiting: Set<() => void>;
}

export class KeyedLimit {
  readonly #running: number;
  readonly #queues = new Map<string, KeyQueue>();

  /** `running`: how many may be in at the same time under one key. */
  constructor(running: number) {
    this.#running = running;
  }

  /** How many wait under this key. */
  waitingCount(key: string): number {
    return this.#queues.get(key)?.waiting.size ?? 0;
  }

  isFull(key: string): boolean {
    return (this.#queues.get(key)?.running ?? 0) >= this.#running;
  }

  /**
   * Enters at once if there is room, else when an earlier one leaves. Must be followed by `leave`, unless it waits longer than `waitMsMax`
   * and is rejected with `WaitedTooLong`.
   */
  enter(key: string, waitMsMax?: number): Promise<void> | undefined {
    let queue = this.#queues.get(key);
    if (queue === undefined) this.#queues.set(key, (queue = { running: 0, waiting: new Set() }));
    if (queue.running >= this.#running) return this.#wait(queue, waitMsMax);
    queue.running++;
    return undefined;
  }

  #wait({ waiting }: KeyQueue, waitMsMax: number | undefined): Promise<void> {
    return new Promise((resolve, reject) => {
      const giveUp = (): void => {
        waiting.delete(proceed);
        reject(new WaitedTooLong(`Waited for more than ${waitMsMax} ms.`));
      };
      const timer = waitMsMax === undefined ? undefined : setTimeout(giveUp, waitMsMax);
      const proceed = (): void => {
        clearTimeout(timer);
        resolve();
      };
      waiting.add(proceed);
    });
  }

  leave(key: string): void {
    const queue = this.#queues.get(key);
    if (queue === undefined) return;
    const [next] = queue.waiting;
    if (next !== undefined) {
      queue.waiting.delete(next);
      return next();
    }
    queue.running--;
    if (queue.running === 0) this.#queues.delete(key);
  }
}
