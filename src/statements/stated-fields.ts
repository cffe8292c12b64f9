// Builds items from fields of which a file states only some.

/** The optional members may be undefined. */
export type MaybeStated<T> = { [K in keyof T]: object extends Pick<T, K> ? T[K] | undefined : T[K] };

/** The same without the members that are undefined. A loop, since this runs for every record. */
export function stated<T extends object>(fields: MaybeStated<T>): T {
  const kept: Partial<MaybeStated<T>> = {};
  for (const name in fields) if (fields[name] !== undefined) kept[name] = fields[name];
  return kept as T;
}
