// The words in which tests ask after an answer: its media type, its code.

import type { Reply } from './caller.ts';

export const jsonApi = 'application/vnd.api+json';
export const json = 'application/json';
export const problem = 'application/problem+json';

export function typeOf({ headers }: Reply): string | null {
  return headers.get('content-type');
}

/** The code of a refusal, on any wire; the first where there are several. */
export function codeOf({ body }: Reply): string {
  return body.code ?? body.errors[0].code;
}
