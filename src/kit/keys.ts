// The names of declared members, typed as such.

/** The keys of a declaration. Only for objects that have no other keys than their type says. */
export function keysOf<T extends object>(object: T): (keyof T & string)[] {
  return Object.keys(object) as (keyof T & string)[];
}
