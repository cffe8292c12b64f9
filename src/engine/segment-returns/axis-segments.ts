// The segments of an axis, numbered, with the positions in each. Knows no amounts.

export class AxisSegments {
  /** In the order in which they first appeared. */
  readonly keys: readonly string[];
  /** Of each position. */
  readonly #numbers: readonly (readonly number[])[];
  /** Whether each position is in exactly one. */
  readonly isPartition: boolean;

  /** Of each position its keys. */
  constructor(positions: readonly (readonly string[])[]) {
    const numbers = new Map<string, number>();
    this.#numbers = positions.map((keys) =>
      keys.map((key) => {
        const number = numbers.get(key) ?? numbers.size;
        numbers.set(key, number);
        return number;
      }),
    );
    this.keys = [...numbers.keys()];
    this.isPartition = positions.every(({ length }) => length === 1);
  }

  of(position: number): readonly number[] {
    return this.#numbers[position]!;
  }

  /** Two positions are in one segment where they are so on both axes. */
  joinedWith(other: AxisSegments): AxisSegments {
    return new AxisSegments(this.#numbers.map(([own], position) => [`${own} ${other.of(position)[0]}`]));
  }

  /** For each segment the one of the other axis that it lies in; none where one lies in several. */
  findParents(other: AxisSegments): Int32Array | undefined {
    if (!this.isPartition || !other.isPartition) return undefined;
    const parents = new Int32Array(this.keys.length).fill(-1);
    for (const [position, [own]] of this.#numbers.entries()) {
      const [parent] = other.of(position);
      if (parents[own!] === -1) parents[own!] = parent!;
      else if (parents[own!] !== parent) return undefined;
    }
    return parents;
  }
}
