// Sums by key until somebody takes them. Beyond a number of keys, further ones are summed together.

export class KeyedSums {
  readonly #keysMax: number;
  readonly #restKey: string;
  #sums = new Map<string, number>();

  constructor({ keysMax, restKey }: { readonly keysMax: number; readonly restKey: string }) {
    this.#keysMax = keysMax;
    this.#restKey = restKey;
  }

  add(key: string, value: number): void {
    const known = this.#sums.get(key);
    const own = known === undefined && this.#sums.size >= this.#keysMax ? this.#restKey : key;
    this.#sums.set(own, (this.#sums.get(own) ?? 0) + value);
  }

  take(): [key: string, sum: number][] {
    const taken = [...this.#sums];
    this.#sums = new Map();
    return taken;
  }
}
