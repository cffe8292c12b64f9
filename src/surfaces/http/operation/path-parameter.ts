// Reads a parameter of the path, which the router has matched: it is there, or the path does not declare it.

import { defined } from '../../../kit/assert.ts';

export function pathParameter(params: Readonly<Record<string, string>>, name: string): string {
  return defined(params[name], `the path declares the parameter ${name}`);
}
