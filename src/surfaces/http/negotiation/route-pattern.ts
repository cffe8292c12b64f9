// Translates paths with parameters for the router, and checks the values of path parameters.

/** Turns `/v1/clients/{id}` into the router's `/v1/clients/:id`. */
export function routerPattern(path: string): string {
  return path.replaceAll(/\{(\w+)\}/g, ':$1');
}

/** The router reads a trailing slash as an empty id, and PostgreSQL cannot store U+0000. */
export function isPossibleId(parameter: string): boolean {
  return parameter !== '' && !parameter.includes('\0');
}
