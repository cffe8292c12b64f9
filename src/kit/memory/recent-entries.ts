// A map that remembers the entries that were set last, up to a number: for what a file of any size may repeat.

export class RecentEntries<Value> {
  readonly #entries = new Map<string, Value>();
  readonly #sizeMax: number;

  constructor(sizeMax: number) {
    this.#sizeMax = sizeMax;
  }

  get size(): number {
    return this.#entries.size;
  }

  get(key: string): Value | undefined {
    return this.#entries.get(key);
  }

  /** Returns the oldest entry if it has to go. */
  set(key: string, value: Value): Value | undefined {
    this.#entries.delete(key);
    this.#entries.set(key, value);
    if (this.#entries.size <= this.#sizeMax) return undefined;
    for (const [oldest, forgotten] of this.#entries) {
      this.#entries.delete(oldest);
      return forgotten;
    }
    return undefined;
  }

  delete(key: string): void {
    this.#entries.delete(key);
  }

  values(): Iterable<Value> {
    return this.#entries.values();
  }
}
