// A long computation in pieces: a generator that yields between them, so that others can compute in between.

export type Pieces<T> = Generator<void, T, void>;

/** Computes without letting anyone in between. */
export function computeAtOnce<T>(pieces: Pieces<T>): T {
  for (;;) {
    const { done, value } = pieces.next();
    if (done) return value;
  }
}
