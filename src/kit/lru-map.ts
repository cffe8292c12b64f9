// A map that keeps the most recently used entries and drops the rest. Does not know what it keeps, nor for how long.

interface LruNode<V> {
  readonly key: string;
  value: V;
  newer: LruNode<V> | undefined;
  older: LruNode<V> | undefined;
}

/**
 * Order is kept by links, not by setting a Map's key again: V8 walks past every deleted twin of a key before it sets it,
 * so that one busy key among ten thousand would cost 50 µs a find.
 */
export class LruMap<V> {
  readonly #sizeMax: number;
  readonly #nodes = new Map<string, LruNode<V>>();
  #newest: LruNode<V> | undefined;
  #oldest: LruNode<V> | undefined;

  constructor({ sizeMax }: { readonly sizeMax: number }) {
    this.#sizeMax = sizeMax;
  }

  get size(): number {
    return this.#nodes.size;
  }

  find(key: string): V | undefined {
    const node = this.#nodes.get(key);
    if (node === undefined) return undefined;
    this.#moveToFront(node);
    return node.value;
  }

  put(key: string, value: V): void {
    const existing = this.#nodes.get(key);
    if (existing) {
      existing.value = value;
      this.#moveToFront(existing);
      return;
    }
    const node: LruNode<V> = { key, value, newer: undefined, older: undefined };
    this.#nodes.set(key, node);
    this.#linkFirst(node);
    if (this.#nodes.size > this.#sizeMax && this.#oldest) this.delete(this.#oldest.key);
  }

  delete(key: string): void {
    const node = this.#nodes.get(key);
    if (node === undefined) return;
    this.#nodes.delete(key);
    this.#unlink(node);
  }

  /** The least recently used entry. */
  findOldest(): readonly [key: string, value: V] | undefined {
    return this.#oldest && [this.#oldest.key, this.#oldest.value];
  }

  /** From the most to the least recently used; the entry just listed may be deleted. */
  *entries(): Generator<readonly [key: string, value: V]> {
    let node = this.#newest;
    while (node) {
      const { older } = node;
      yield [node.key, node.value];
      node = older;
    }
  }

  #moveToFront(node: LruNode<V>): void {
    if (node === this.#newest) return;
    this.#unlink(node);
    this.#linkFirst(node);
  }

  #linkFirst(node: LruNode<V>): void {
    node.older = this.#newest;
    if (this.#newest) this.#newest.newer = node;
    this.#newest = node;
    this.#oldest ??= node;
  }

  #unlink(node: LruNode<V>): void {
    if (node.newer) node.newer.older = node.older;
    else this.#newest = node.older;
    if (node.older) node.older.newer = node.newer;
    else this.#oldest = node.newer;
    node.newer = undefined;
    node.older = undefined;
  }
}
