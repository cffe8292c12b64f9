// The JSON Schemas of JSON:API documents, for the reference.

import type { JsonSchema } from '../../kit/field.ts';
import { isToMany, type Relation, type Resource } from '../../kit/resource.ts';
import { mayBeSet, type Purpose } from '../http/fields.ts';
import { attributesOf, relationsOf } from './document.ts';

/** Stands for the id in the path. */
const exampleId = '01a1dfac6b336a58835f1c63';

function linkageSchema(relation: Relation): JsonSchema {
  const one = {
    type: 'object',
    required: ['type', 'id'],
    properties: { type: { const: relation.to }, id: { type: 'string' } },
    additionalProperties: false,
  };
  const data = isToMany(relation)
    ? { type: 'array', items: one }
    : relation.required
      ? one
      : { oneOf: [one, { type: 'null' }] };
  const description = relation.description;
  return { type: 'object', required: ['data'], properties: { data }, additionalProperties: false, description };
}

/** The schema of a resource object in an answer. */
export function resourceSchema(resource: Resource): JsonSchema {
  const attributes = attributesOf(resource).map(([name, { kind, nullable, description }]) => {
    const schema = kind.schema('number');
    return [name, { ...(nullable ? { anyOf: [schema, { type: 'null' }] } : schema), description }] as const;
  });
  const relations = relationsOf(resource).map(([name, relation]) => [name, linkageSchema(relation)] as const);
  return {
    type: 'object',
    required: ['type', 'id', 'attributes', 'relationships'],
    properties: {
      type: { const: resource.type },
      id: { type: 'string', description: 'Opaque.' },
      attributes: {
        type: 'object',
        properties: Object.fromEntries(attributes),
        required: attributes.map(([name]) => name),
        additionalProperties: false,
      },
      relationships: {
        type: 'object',
        properties: Object.fromEntries(relations),
        required: relations.map(([name]) => name),
        additionalProperties: false,
      },
    },
    additionalProperties: false,
    description: resource.description,
  };
}

/** The schema of a document that creates or changes a thing. */
export function documentSchema(resource: Resource, purpose: Purpose): JsonSchema {
  const attributes = attributesOf(resource).filter(([, attribute]) => mayBeSet(attribute, purpose));
  const relations = relationsOf(resource).filter(([, relation]) => !isToMany(relation) && mayBeSet(relation, purpose));
  const required =
    purpose === 'create' ? attributes.filter(([, { required: must }]) => must).map(([name]) => name) : [];
  return {
    type: 'object',
    required: ['data'],
    properties: {
      data: {
        type: 'object',
        required: purpose === 'create' ? ['type', ...(required.length > 0 ? ['attributes'] : [])] : ['type', 'id'],
        properties: {
          type: { const: resource.type },
          ...(purpose === 'create' ? {} : { id: { type: 'string' } }),
          attributes: {
            type: 'object',
            properties: Object.fromEntries(
              attributes.map(([name, { kind, description }]) => [name, { ...kind.schema('number'), description }]),
            ),
            required,
          },
          relationships: {
            type: 'object',
            properties: Object.fromEntries(relations.map(([name, relation]) => [name, linkageSchema(relation)])),
          },
        },
      },
    },
  };
}

/** A document that creates or changes a thing, out of the examples of its attributes. */
export function documentExample(resource: Resource, purpose: Purpose): unknown {
  const given = attributesOf(resource).filter(([, field]) => field.example !== undefined && mayBeSet(field, purpose));
  const attributes = Object.fromEntries(given.map(([name, { example }]) => [name, example]));
  return { data: { type: resource.type, ...(purpose === 'change' ? { id: exampleId } : {}), attributes } };
}
