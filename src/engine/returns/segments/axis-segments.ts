// The segments of an axis, numbered, with the positions in each. Knows no amounts.

export class AxisSegments {
  /** In the order in which they first appeared. */
  readonly keys: readonly string[];
  /** Of each position. */
  readonly #numbers: readonly (readonly number[])[];
  /** The first of them, which in a partition is the only one. */
  readonly #firsts: Int32Array;
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
    this.#firsts = Int32Array.from(this.#numbers, ([first = -1]) => first);
    this.keys = [...numbers.keys()];
    this.isPartition = positions.every(({ length }) => length === 1);
  }

  segmentsOf(position: number): readonly number[] {
    return this.#numbers[position]!;
  }

  /** Two positions are in one segment where they are so on both axes. */
  intersectWith(other: AxisSegments): AxisSegments {
    return new AxisSegments(
      Array.from(this.#firsts, (ownSegments, position) => [`${ownSegments} ${other.#firsts[position]}`]),
    );
  }

  /** For each segment the one of the other axis that it lies in; none where one lies in several. */
  findParents(other: AxisSegments): Int32Array | undefined {
    if (!this.isPartition || !other.isPartition) return undefined;
    const parents = new Int32Array(this.keys.length).fill(-1);
    return fillParents(parents, this.#firsts, other.#firsts) ? parents : undefined;
  }
}

/** Of each position its segment on both axes. False where it contradicts one before. */
function fillParents(parents: Int32Array, ownSegments: Int32Array, other: Int32Array): boolean {
  for (let position = 0; position < ownSegments.length; position++) {
    const segment = ownSegments[position]!;
    if (parents[segment] === -1) parents[segment] = other[position]!;
    else if (parents[segment] !== other[position]) return false;
  }
  return true;
}
