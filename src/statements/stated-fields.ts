// Builds items from fields of which a file states only some.

/** The optional members may be undefined. */
export type MaybeStated<T> = { [K in keyof T]: object extends Pick<T, K> ? T[K] | undefined : T[K] };

/** The same without the members that are undefined. */
export function stated<T extends object>(fields: MaybeStated<T>): T {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined)) as T;
}
