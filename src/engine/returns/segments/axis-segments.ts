// Numbers the segments of an axis and lists the positions in each.

export class AxisSegments {
  /** In order of first appearance. */
  readonly keys: readonly string[];
  /** By position, the numbers of its segments. */
  readonly #numbers: readonly (readonly number[])[];
  /** By position, its first segment: in a partition the only one. */
  readonly #firsts: Int32Array;
  /** Whether each position is in exactly one segment. */
  readonly isPartition: boolean;

  /** Takes the segment keys of each position. */
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

  /** Two positions share a segment if they share one on both axes. */
  intersectWith(other: AxisSegments): AxisSegments {
    return new AxisSegments(
      Array.from(this.#firsts, (ownSegments, position) => [`${ownSegments} ${other.#firsts[position]}`]),
    );
  }

  /** By segment, the segment of the other axis that contains it; undefined if one lies in several. */
  findParents(other: AxisSegments): Int32Array | undefined {
    if (!this.isPartition || !other.isPartition) return undefined;
    const parents = new Int32Array(this.keys.length).fill(-1);
    return fillParents(parents, this.#firsts, other.#firsts) ? parents : undefined;
  }
}

/** Takes each position's segment on both axes. Returns false if one contradicts another. */
function fillParents(parents: Int32Array, ownSegments: Int32Array, other: Int32Array): boolean {
  for (let position = 0; position < ownSegments.length; position++) {
    const segment = ownSegments[position]!;
    if (parents[segment] === -1) parents[segment] = other[position]!;
    else if (parents[segment] !== other[position]) return false;
  }
  return true;
}
