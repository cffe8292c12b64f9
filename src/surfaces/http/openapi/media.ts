// One body in the document: its schema, and an example where one is declared.

import type { JsonSchema } from '../../../kit/field.ts';

export function mediaOf(schema: JsonSchema | undefined, example: unknown): JsonSchema {
  return { ...(schema === undefined ? {} : { schema }), ...(example === undefined ? {} : { example }) };
}
