// The JSON Schemas and examples of JSON:API documents, for the API reference.

import { camelCaseNumbers, orNull, requestStyle, type JsonSchema, type SchemaStyle } from '../../kit/field.ts';
import { parseJson, writeJson } from '../../kit/json.ts';
import { findVariants } from '../../model/resources.ts';
import {
  creatableVariants,
  exampleIdOfResource,
  exampleVariant,
  isToMany,
  type Attribute,
  type Relation,
  type Resource,
} from '../../kit/resource.ts';
import { isSettable, isRequiredOnCreate, type WritePurpose } from '../http/operation/declared-fields.ts';
import { objectSchema } from '../http/operation/object-schema.ts';
import { attributesOf, relationsOf, renderLinkage } from './document.ts';

function linkageSchema(relation: Relation): JsonSchema {
  const types = Object.keys(findVariants(relation.to)?.of ?? {});
  const one = {
    type: 'object',
    required: ['type', 'id'],
    properties: {
      type: types.length === 0 ? { const: relation.to } : { enum: [...types, relation.to] },
      id: { type: 'string' },
    },
    additionalProperties: false,
  };
  const data = isToMany(relation)
    ? { type: 'array', items: one, uniqueItems: true }
    : relation.required
      ? one
      : { anyOf: [one, { type: 'null' }] };
  const description = relation.description;
  return { type: 'object', required: ['data'], properties: { data }, additionalProperties: false, description };
}

/**
 * A resource object of one of several types. Types of transactions differ in an attribute and share the `type` of the resource, so that no
 * discriminator can name it.
 */
function choiceOf(schemas: readonly JsonSchema[]): JsonSchema {
  const types = new Set(schemas.map((schema) => objectSchema(schema).properties['type']?.['const']));
  return types.size === schemas.length
    ? { oneOf: schemas, discriminator: { propertyName: 'type' } }
    : { anyOf: schemas };
}

/** The schema of a resource object in an answer. */
export function resourceSchema(resource: Resource): JsonSchema {
  if (resource.variants) return choiceOf(Object.values(resource.variants.of).map(resourceSchema));
  const attributes = attributesOf(resource).map(
    ([name, attribute]) => [name, attributeSchema(attribute, camelCaseNumbers)] as const,
  );
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

/** The schema of a document in an answer. */
export function responseDocumentSchema(resource: Resource): JsonSchema {
  return {
    type: 'object',
    required: ['data'],
    properties: { data: resourceSchema(resource) },
    additionalProperties: false,
  };
}

/** What a document can set: every field except the relation that the path gives. */
interface Settable {
  readonly purpose: WritePurpose;
  /** The type of the example, of several types. */
  readonly exampleType?: string | undefined;
  readonly parent: string | undefined;
}

function settableRelations(resource: Resource, { purpose, parent }: Settable): [string, Relation][] {
  return relationsOf(resource)
    .filter(([name, relation]) => name !== parent && isSettable(relation, purpose))
    .map(([name, relation]) => [name, relation]);
}

function attributeSchema({ kind, nullable, description }: Attribute, style: SchemaStyle): JsonSchema {
  const schema = kind.schema(style);
  return { ...(nullable ? orNull(schema) : schema), description };
}

/** The schema of `attributes` or `relationships` as a document may send it. */
function partSchema<F extends Attribute | Relation>(
  fields: readonly (readonly [name: string, F])[],
  schemaOf: (field: F) => JsonSchema,
  purpose: WritePurpose,
): JsonSchema & { readonly required: readonly string[] } {
  const required =
    purpose === 'create' ? fields.filter(([, field]) => isRequiredOnCreate(field)).map(([name]) => name) : [];
  const properties = Object.fromEntries(fields.map(([name, field]) => [name, schemaOf(field)]));
  return { type: 'object', properties, required };
}

/** The schema of a document that creates or changes a record. */
export function documentSchema(resource: Resource, settable: Settable): JsonSchema {
  const types = creatableVariants(resource);
  const data =
    types.length > 0 ? choiceOf(types.map((type) => dataSchema(type, settable))) : dataSchema(resource, settable);
  return { type: 'object', required: ['data'], properties: { data } };
}

function dataSchema(resource: Resource, settable: Settable): JsonSchema {
  const { purpose } = settable;
  const settableAttributes = attributesOf(resource).filter(([, attribute]) => isSettable(attribute, purpose));
  const attributes = partSchema(
    settableAttributes,
    (attribute) => attributeSchema(attribute, requestStyle(camelCaseNumbers)),
    purpose,
  );
  const relationships = partSchema(settableRelations(resource, settable), linkageSchema, purpose);
  const parts = { attributes, relationships };
  const neededParts = Object.entries(parts).filter(([, { required }]) => required.length > 0);
  return {
    type: 'object',
    required: ['type', ...(purpose === 'create' ? [] : ['id']), ...neededParts.map(([member]) => member)],
    properties: {
      type: { const: resource.type },
      ...(purpose === 'create' ? {} : { id: { type: 'string' } }),
      ...parts,
    },
  };
}

/** Decimals are numbers in JSON:API. */
function exampleValue({ kind, example }: Attribute): unknown {
  return JSON.parse(writeJson(kind.write(kind.read(parseJson(writeJson(example))), camelCaseNumbers)));
}

/** A document that creates or changes a record, made from the examples of its fields. */
export function documentExample(declared: Resource, settable: Settable): unknown {
  const resource = exampleVariant(declared, settable.exampleType);
  const { purpose } = settable;
  const withExamples = attributesOf(resource).filter(
    ([, field]) => field.example !== undefined && isSettable(field, purpose),
  );
  const linked = settableRelations(resource, settable).filter(([, { example }]) => example !== undefined);
  const relationships = linked.map(([name, relation]) => [name, { data: renderLinkage(relation, relation.example) }]);
  return {
    data: {
      type: resource.type,
      ...(purpose === 'change' ? { id: exampleIdOfResource(resource) } : {}),
      attributes: Object.fromEntries(withExamples.map(([name, attribute]) => [name, exampleValue(attribute)])),
      ...(linked.length > 0 ? { relationships: Object.fromEntries(relationships) } : {}),
    },
  };
}
