// JSON schemas of objects: reads their members and adds further ones.

import { assert } from '../../../kit/assert.ts';
import type { JsonSchema } from '../../../kit/field.ts';

/** A schema that lists the members of an object. */
interface ObjectSchema extends JsonSchema {
  readonly properties: Readonly<Record<string, JsonSchema>>;
  readonly required: readonly string[];
}

function isObjectSchema(schema: JsonSchema): schema is ObjectSchema {
  return typeof schema['properties'] === 'object' && Array.isArray(schema['required']);
}

/** The schema, which must be one of an object and not a choice of several. */
export function objectSchema(schema: JsonSchema): ObjectSchema {
  assert(isObjectSchema(schema), 'the schema lists the members of an object');
  return schema;
}

/** The schema with further members, all of which are required. */
export function withRequiredMembers(schema: JsonSchema, members: Readonly<Record<string, JsonSchema>>): ObjectSchema {
  const { properties, required } = objectSchema(schema);
  return {
    ...schema,
    required: [...required, ...Object.keys(members)],
    properties: { ...properties, ...members },
  };
}
