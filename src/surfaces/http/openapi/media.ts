// One body in the document: its schema and an example. That of a request is declared, that of an answer a test was given.

import type { JsonSchema } from '../../../kit/field.ts';
import answers from './examples.json' with { type: 'json' };

const answersOf: Readonly<Record<string, Readonly<Record<string, unknown>>>> = answers;

/** What the operation answered with this status when the test of examples asked it. */
export function answerExample(operationId: string, status: string): unknown {
  return answersOf[operationId]?.[status];
}

export function mediaOf(schema: JsonSchema | undefined, example: unknown): JsonSchema {
  return { ...(schema === undefined ? {} : { schema }), ...(example === undefined ? {} : { example }) };
}
