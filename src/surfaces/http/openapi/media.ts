// One body in the document: its schema and an example. That of a request is declared, that of an answer a test was given.

import type { JsonSchema } from '../../../kit/field.ts';
import answers from './examples.json' with { type: 'json' };

const responseExamples: Readonly<Record<string, Readonly<Record<string, unknown>>>> = answers;

/** What the operation answered with this status when the test of examples asked it. */
export function responseExample(operationId: string, status: string): unknown {
  return responseExamples[operationId]?.[status];
}

export function mediaContent(schema: JsonSchema | undefined, example: unknown): JsonSchema {
  return { ...(schema === undefined ? {} : { schema }), ...(example === undefined ? {} : { example }) };
}
