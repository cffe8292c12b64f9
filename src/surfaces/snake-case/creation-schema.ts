// The schema of a flat body that creates a record below another: the relation in the path need not be repeated.

import { defined } from '../../kit/assert.ts';
import type { JsonSchema } from '../../kit/field.ts';
import { snakeCaseNameOf, type Resource } from '../../kit/resource.ts';
import { objectSchema } from '../http/operation/object-schema.ts';
import { snakeCaseBodySchema, type SnakeCaseWire } from './snake-case-object.ts';

/** The schema of a body that creates a record, without the relation that the path gives. */
export function snakeCaseCreationSchema(resource: Resource, wire: SnakeCaseWire, relation?: string): JsonSchema {
  const body = snakeCaseBodySchema(resource, wire, 'create');
  if (relation === undefined) return body;
  const schema = objectSchema(body);
  const name = snakeCaseNameOf(relation, defined(resource.relations[relation], 'the path names a declared relation'));
  const { [name]: _given, ...properties } = schema.properties;
  return { ...schema, properties, required: schema.required.filter((member) => member !== name) };
}
