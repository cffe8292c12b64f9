// How paths with parameters are told to the router, and which values a parameter can have at all.

/** `/v1/clients/{id}` as the router writes it. */
export function routerPattern(path: string): string {
  return path.replaceAll(/\{(\w+)\}/g, ':$1');
}

/** The router takes a trailing slash for an id without characters, and U+0000 can be stored nowhere. */
export function isPossibleId(parameter: string): boolean {
  return parameter !== '' && !parameter.includes('\0');
}
