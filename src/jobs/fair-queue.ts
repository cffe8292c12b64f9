// Holds items that wait for a free place and serves their groups in turn, one item at a time, so that a group with many delays no other.

import { defined } from '../kit/assert.ts';

interface FairQueueOptions<Item> {
  /** An item that is put a second time under the same key keeps its place. */
  keyOf(item: Item): string;
  groupOf(item: Item): string;
}

export class FairQueue<Item> {
  readonly #options: FairQueueOptions<Item>;
  /** In the order of their turns; each with its items by key, in the order in which they came. Never empty. */
  readonly #groups = new Map<string, Map<string, Item>>();

  constructor(options: FairQueueOptions<Item>) {
    this.#options = options;
  }

  put(item: Item): void {
    const key = this.#options.keyOf(item);
    const group = this.#options.groupOf(item);
    const waiting = this.#groups.get(group);
    if (waiting === undefined) this.#groups.set(group, new Map([[key, item]]));
    else if (!waiting.has(key)) waiting.set(key, item);
  }

  /** Takes the next item of the first group whose turn it is and that may be served. */
  take(canServe: (item: Item) => boolean = () => true): Item | undefined {
    for (const [group, waiting] of this.#groups) {
      const [key, item] = defined(waiting.entries().next().value, 'a group that waits has an item');
      if (!canServe(item)) continue;
      waiting.delete(key);
      this.#groups.delete(group);
      if (waiting.size > 0) this.#groups.set(group, waiting);
      return item;
    }
    return undefined;
  }

  clear(): void {
    this.#groups.clear();
  }
}
