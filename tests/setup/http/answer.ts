// Reads the media type and the error code of an answer.

import type { Reply } from './caller.ts';

export const jsonApiMediaType = 'application/vnd.api+json';
export const jsonMediaType = 'application/json';
export const problemMediaType = 'application/problem+json';

export function contentTypeOf({ headers }: Reply): string | null {
  return headers.get('content-type');
}

/** The code of a refusal on any wire; the first if there are several. */
export function errorCodeOf({ body }: Reply): string {
  return body.code ?? body.errors[0].code;
}
