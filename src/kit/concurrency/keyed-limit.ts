// Lets a limited number in at the same time under each key; the others wait in order.

/** Thrown when a wait took longer than allowed. */
export class WaitedTooLong extends Error {
  override readonly name = 'WaitedTooLong';
}

interface WaitOptions {
  readonly waitMsMax?: number | undefined;
  /** Ends the wait with its reason. Asked for only where one has to wait. */
  readonly signal?: (() => AbortSignal) | undefined;
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
   * Enters at once if there is room, else when an earlier one leaves. Must be followed by `leave`, unless it is rejected: with
   * `WaitedTooLong` when it waits longer than `waitMsMax`, or with the reason of its signal.
   */
  enter(key: string, options: WaitOptions = {}): Promise<void> | undefined {
    let queue = this.#queues.get(key);
    if (queue === undefined) this.#queues.set(key, (queue = { running: 0, waiting: new Set() }));
    if (queue.running >= this.#running) return this.#wait(queue, options);
    queue.running++;
    return undefined;
  }

  #wait({ waiting }: KeyQueue, { waitMsMax, signal: signalOf }: WaitOptions): Promise<void> {
    const signal = signalOf?.();
    if (signal?.aborted === true) return Promise.reject(signal.reason);
    return new Promise((resolve, reject) => {
      const stop = (): void => {
        clearTimeout(timer);
        signal?.removeEventListener('abort', leave);
        waiting.delete(proceed);
      };
      const proceed = (): void => {
        stop();
        resolve();
      };
      const leave = (): void => {
        stop();
        reject(signal?.reason);
      };
      const giveUp = (): void => {
        stop();
        reject(new WaitedTooLong(`Waited for more than ${waitMsMax} ms.`));
      };
      const timer = waitMsMax === undefined ? undefined : setTimeout(giveUp, waitMsMax);
      signal?.addEventListener('abort', leave);
      waiting.add(proceed);
    });
  }

  leave(key: string): void {
    const queue = this.#queues.get(key);
    if (queue === undefined) return;
    const [next] = queue.waiting;
    if (next !== undefined) return next();
    queue.running--;
    if (queue.running === 0) this.#queues.delete(key);
  }
}
