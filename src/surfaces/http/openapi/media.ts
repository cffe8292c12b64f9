// Describes one body in the OpenAPI document: its schema and an example. Request examples are declared; answer examples were recorded by a test.

import type { JsonSchema } from '../../../kit/field.ts';
import answers from './examples.json' with { type: 'json' };

const responseExamples: Readonly<Record<string, Readonly<Record<string, unknown>>>> = answers;

/** The recorded answer of an operation with this status. */
export function responseExample(operationId: string, status: string): unknown {
  return responseExamples[operationId]?.[status];
}

export function mediaContent(schema: JsonSchema | undefined, example: unknown): JsonSchema {
  return { ...(schema === undefined ? {} : { schema }), ...(example === undefined ? {} : { example }) };
}
