// What waits for its turn: groups are served in turn, one of each at a time, so that one with very many keeps no other waiting. Knows
// not what is waited for.

interface WaitingGroup<G, T> {
  readonly owner: G;
  /** By their names: whoever waits already keeps its place. */
  readonly waiting: Map<string, T>;
}

export class FairQueue<G, T> {
  readonly #keyOf: (owner: G) => string;
  /** In the order of their turns. */
  readonly #groups = new Map<string, WaitingGroup<G, T>>();

  constructor(keyOf: (owner: G) => string) {
    this.#keyOf = keyOf;
  }

  put(owner: G, name: string, item: T): void {
    const key = this.#keyOf(owner);
    const group = this.#groups.get(key);
    if (group === undefined) this.#groups.set(key, { owner, waiting: new Map([[name, item]]) });
    else if (!group.waiting.has(name)) group.waiting.set(name, item);
  }

  /** The next of the first group that may be served. */
  take(canServe: (owner: G) => boolean = () => true): { readonly owner: G; readonly item: T } | undefined {
    for (const [key, group] of this.#groups) {
      if (!canServe(group.owner)) continue;
      const [[name, item]] = group.waiting as unknown as [[string, T]];
      group.waiting.delete(name);
      this.#groups.delete(key);
      if (group.waiting.size > 0) this.#groups.set(key, group);
      return { owner: group.owner, item };
    }
    return undefined;
  }

  clear(): void {
    this.#groups.clear();
  }
}
