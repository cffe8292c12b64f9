// What waits for its turn: groups are served in turn, one of each at a time, so that one with very many keeps no other waiting. Knows
// not what is waited for.

interface Group<G, T> {
  readonly of: G;
  /** By their names: whoever waits already keeps its place. */
  readonly waiting: Map<string, T>;
}

export class TurnQueue<G, T> {
  readonly #nameOf: (of: G) => string;
  /** In the order of their turns. */
  readonly #groups = new Map<string, Group<G, T>>();

  constructor(nameOf: (of: G) => string) {
    this.#nameOf = nameOf;
  }

  put(of: G, name: string, one: T): void {
    const key = this.#nameOf(of);
    const group = this.#groups.get(key);
    if (group === undefined) this.#groups.set(key, { of, waiting: new Map([[name, one]]) });
    else if (!group.waiting.has(name)) group.waiting.set(name, one);
  }

  /** The next of the first group that may be served. */
  take(mayServe: (of: G) => boolean = () => true): { readonly of: G; readonly one: T } | undefined {
    for (const [key, group] of this.#groups) {
      if (!mayServe(group.of)) continue;
      const [[name, one]] = group.waiting as unknown as [[string, T]];
      group.waiting.delete(name);
      this.#groups.delete(key);
      if (group.waiting.size > 0) this.#groups.set(key, group);
      return { of: group.of, one };
    }
    return undefined;
  }

  clear(): void {
    this.#groups.clear();
  }
}
