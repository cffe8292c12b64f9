// The names of declared members and the words of declared lists, typed as such.

/** The keys of a declaration. Only for objects that have no other keys than their type says. */
export function keysOf<T extends object>(object: T): (keyof T & string)[] {
  return Object.keys(object) as (keyof T & string)[];
}

/** Whether a value is one of the declared words. */
export function isOneOf<W extends string>(words: readonly W[], value: unknown): value is W {
  return words.some((word) => word === value);
}
