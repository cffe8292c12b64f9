// Flat bodies that are sent to a path below another thing: what the path says need not be said again.

import type { JsonSchema } from '../../kit/field.ts';
import { flatNameOf, type Resource } from '../../kit/resource.ts';
import { flatBodySchema, type FlatWire } from './snake-case-object.ts';

interface ObjectSchema extends JsonSchema {
  readonly properties: Readonly<Record<string, JsonSchema>>;
  readonly required: readonly string[];
}

/** The schema of a body that creates a thing; without the relation that the path gives. */
export function creationSchema(resource: Resource, wire: FlatWire, relation?: string): ObjectSchema {
  const schema = flatBodySchema(resource, wire, 'create') as ObjectSchema;
  if (relation === undefined) return schema;
  const name = flatNameOf(relation, resource.relations[relation]!);
  const { [name]: _given, ...properties } = schema.properties;
  return { ...schema, properties, required: schema.required.filter((one) => one !== name) };
}
