// Named numbers in memory that threads share: one thread counts, others read, and neither waits for the other.

export class Figures<Name extends string> {
  /** To be passed to another thread. */
  readonly memory: SharedArrayBuffer;
  readonly #values: Float64Array;
  readonly #places: ReadonlyMap<Name, number>;

  /** `memory`: that of the same names in another thread, or of a thread that this one replaces. */
  constructor(names: readonly Name[], memory = new SharedArrayBuffer(names.length * Float64Array.BYTES_PER_ELEMENT)) {
    this.memory = memory;
    this.#values = new Float64Array(memory);
    this.#places = new Map(names.map((name, index) => [name, index]));
  }

  /** Only the thread that the figures belong to adds to them. */
  add(name: Name, count = 1): void {
    const place = this.#places.get(name);
    if (place !== undefined) this.#values[place]! += count;
  }

  set(name: Name, value: number): void {
    const place = this.#places.get(name);
    if (place !== undefined) this.#values[place] = value;
  }

  get(name: Name): number {
    return this.#values[this.#places.get(name)!]!;
  }
}
