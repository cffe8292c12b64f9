// Assertions: state what the code relies on, in words that a stack trace can show.

export class BrokenInvariant extends Error {
  constructor(invariant: string) {
    super(`Broken invariant: ${invariant}.`);
    this.name = 'BrokenInvariant';
  }
}

/** Throws unless the condition holds. `invariant` says what must be true: "a taken round has a lease". */
export function assert(condition: boolean, invariant: string): asserts condition {
  if (!condition) throw new BrokenInvariant(invariant);
}

/** Returns the value, which must be there. `invariant` says why: "every account has an owner". */
export function defined<T>(value: T | null | undefined, invariant: string): T {
  if (value === undefined || value === null) throw new BrokenInvariant(invariant);
  return value;
}

/** Marks the end of a switch over a closed set: a member that is added does not compile until it has a case. */
export function unreachable(value: never, what: string): never {
  throw new BrokenInvariant(`${what} is one of the declared ones, not ${String(value)}`);
}
