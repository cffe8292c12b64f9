// Flat objects of the two snake_case wires: renders a record as one, and reads one into the fields of a write.

import { assert, defined } from '../../kit/assert.ts';
import {
  FieldFault,
  id as idKind,
  orNull,
  requestStyle,
  snakeCaseStrings,
  type JsonSchema,
  type SchemaStyle,
} from '../../kit/field.ts';
import type { Id } from '../../kit/id.ts';
import { isJsonObject, parseJson, writeJson, type Json } from '../../kit/json.ts';
import { Refusal, type FaultItem } from '../../kit/refusal.ts';
import {
  anyRecord,
  changeOf,
  snakeCaseNameOf,
  creatableVariants,
  exampleVariant,
  isToMany,
  snakeCase,
  variantOf,
  type ChangeOf,
  type Attribute,
  type Relation,
  type Resource,
} from '../../kit/resource.ts';
import {
  Faults,
  isAccepted,
  isSettable,
  isRequiredOnCreate,
  pointerToken,
  readAttribute,
  readIds,
  type FaultDetail,
  type WritePurpose,
} from '../http/operation/declared-fields.ts';
import type { Wire } from '../http/operation/operation.ts';
import type { ShownFields } from '../http/operation/shown-fields.ts';

/** What differs between the snake_case wires. */
export type SnakeCaseWire = Pick<Wire, 'shownFields' | 'style'>;

type SnakeCaseField = { readonly name: string; readonly snakeName: string; readonly field: Attribute | Relation };

/** The fields that are shown of a resource, in the order of their declaration, attributes first. */
interface SnakeCaseFields {
  readonly all: readonly SnakeCaseField[];
  readonly byMember: ReadonlyMap<string, SnakeCaseField>;
  readonly requiredOnCreate: readonly SnakeCaseField[];
}

const fieldsCache = new WeakMap<ShownFields, WeakMap<Resource, SnakeCaseFields>>();

/** Finds the fields once for each resource. */
function snakeCaseFields(resource: Resource, shownFields: ShownFields): SnakeCaseFields {
  let byResource = fieldsCache.get(shownFields);
  if (byResource === undefined) fieldsCache.set(shownFields, (byResource = new WeakMap()));
  let fields = byResource.get(resource);
  if (fields === undefined) {
    const { attributes, relations } = shownFields.of(resource);
    const all = [...attributes, ...relations].map(([name, field]) => ({
      name,
      snakeName: snakeCaseNameOf(name, field),
      field,
    }));
    fields = {
      all,
      byMember: new Map(all.map((one) => [one.snakeName, one])),
      requiredOnCreate: all.filter(({ field }) => isRequiredOnCreate(field)),
    };
    byResource.set(resource, fields);
  }
  return fields;
}

function isAttribute(field: Attribute | Relation): field is Attribute {
  return 'kind' in field;
}

export function renderSnakeCase<R extends { readonly id: Id }>(
  declared: Resource,
  shown: R,
  { shownFields, style }: SnakeCaseWire,
): Record<string, unknown> {
  const record = anyRecord(shown);
  const resource = variantOf(declared, record);
  const object: Record<string, unknown> = { id: record.id };
  for (const { name, snakeName, field } of snakeCaseFields(resource, shownFields).all) {
    const value = record[name];
    object[snakeName] = value == null ? null : isAttribute(field) ? field.kind.write(value, style) : value;
  }
  return object;
}

/** The pointer of a declared field in a flat body. */
export function snakeCasePointer(resource: Resource | undefined, field: string, item: FaultItem = []): string {
  const declared = resource?.attributes[field] ?? resource?.relations[field];
  const at = `/${declared === undefined ? snakeCase(field) : snakeCaseNameOf(field, declared)}`;
  return (
    at +
    [item]
      .flat()
      .map((step) => `/${typeof step === 'string' ? snakeCase(step) : step}`)
      .join('')
  );
}

interface SnakeCaseReadOptions {
  readonly wire: SnakeCaseWire;
  readonly purpose: WritePurpose;
  /** The id in the path, when the object changes a record. */
  readonly id?: string;
  /** Members that are not fields of the resource and are read elsewhere. */
  readonly otherMembers?: readonly string[] | undefined;
  /** Required fields that other members say. */
  readonly givenElsewhere?: readonly string[] | undefined;
  /** The relation that the path gives, when the object creates a record below another. */
  readonly parent?: { readonly relation: string; readonly id: string };
  /** The pointer of the object itself, where it is not the whole body. */
  readonly at?: string;
  readonly faultDetail?: FaultDetail;
}

/** The fields that a flat object sets, under their declared names. */
export function readSnakeCase<R extends Resource>(
  resource: R,
  body: Json | undefined,
  { wire, purpose, id, otherMembers = [], givenElsewhere = [], parent, at = '', faultDetail }: SnakeCaseReadOptions,
): ChangeOf<R> {
  const faults = new Faults(faultDetail);
  if (!isJsonObject(body)) faults.add('invalid-attribute', at, `The ${at === '' ? 'body' : 'row'} must be an object.`);
  faults.throwIfAny();
  assert(isJsonObject(body), 'a body without faults is an object');
  const members = body;
  if (purpose === 'change' && 'id' in members && members['id'] !== id) throw idMismatch();
  // Without a known type, the other faults are still reported as far as possible.
  const fields = snakeCaseFields(purpose === 'create' ? variantOf(resource, members) : resource, wire.shownFields);
  const input: Record<string, unknown> = {};
  for (const member of Object.keys(members)) {
    const found = fields.byMember.get(member);
    if (found === undefined && otherMembers.includes(member)) continue;
    if (member === 'id' && purpose === 'change') continue;
    if (!found || !isAccepted(found.field, purpose)) {
      const detail = `There is no field ${JSON.stringify(member)} that can be set here.`;
      faults.add('unknown-attribute', `${at}/${pointerToken(member)}`, detail);
      continue;
    }
    try {
      input[found.name] = readField(found.field, members[member]!);
    } catch (error) {
      faults.addFieldFault(`${at}/${pointerToken(member)}`, member, error);
    }
  }
  if (parent) {
    const { snakeName } = defined(
      fields.all.find(({ name }) => name === parent.relation),
      'the relation in the path is shown',
    );
    applyParent(parent, input, () =>
      faults.add('invalid-attribute', `${at}/${snakeName}`, `${snakeName} must be the one in the path.`),
    );
  }
  if (purpose === 'create') {
    for (const { name, snakeName } of fields.requiredOnCreate) {
      if (input[name] !== undefined || Object.hasOwn(members, snakeName)) continue;
      if (!givenElsewhere.includes(name))
        faults.add('missing-attribute', `${at}/${snakeName}`, `${snakeName} is required.`);
    }
  }
  faults.throwIfAny();
  return changeOf(resource, input);
}

/** Takes a relation from the path; the object may repeat it. */
function applyParent(
  parent: { relation: string; id: string },
  input: Record<string, unknown>,
  refuse: () => void,
): void {
  const given = input[parent.relation];
  if (given !== undefined && given !== parent.id) refuse();
  input[parent.relation] = parent.id;
}

function idMismatch(): Refusal {
  const detail = 'The id in the body is not the one in the path.';
  return new Refusal('id-mismatch', detail, { faults: [{ code: 'id-mismatch', detail, pointer: '/id' }] });
}

function readField(field: Attribute | Relation, value: Json): unknown {
  if (isAttribute(field)) return readAttribute(field, value, 'snake');
  if (isToMany(field)) {
    if (!Array.isArray(value)) throw new FieldFault('must be an array of ids');
    return readIds(value, (item) => idKind.read(item));
  }
  if (value !== null) return idKind.read(value);
  if (field.required) throw new FieldFault('must not be null');
  return null;
}

function fieldSchema(field: Attribute | Relation, style: SchemaStyle): JsonSchema {
  if (!isAttribute(field) && isToMany(field)) {
    return { type: 'array', items: idKind.schema(style), uniqueItems: true, description: field.description };
  }
  const isNullable = isAttribute(field) ? field.nullable : !field.required;
  const schema = isAttribute(field) ? field.kind.schema(style) : idKind.schema(style);
  return { ...(isNullable ? orNull(schema) : schema), description: field.description };
}

/** Names the member that says of which type a record is. */
export function variantDiscriminator({ variants, attributes }: Resource): JsonSchema {
  const { by } = defined(variants, 'the resource has types');
  return { propertyName: snakeCaseNameOf(by, defined(attributes[by], 'the type is a declared attribute')) };
}

/** The schema of a record in an answer. */
export function snakeCaseSchema(resource: Resource, wire: SnakeCaseWire): JsonSchema {
  if (resource.variants) {
    const oneOf = Object.values(resource.variants.of).map((one) => snakeCaseSchema(one, wire));
    return { oneOf, discriminator: variantDiscriminator(resource) };
  }
  const fields = snakeCaseFields(resource, wire.shownFields).all;
  const properties = fields.map(({ snakeName, field }) => [snakeName, fieldSchema(field, wire.style)]);
  return {
    type: 'object',
    required: ['id', ...fields.map(({ snakeName }) => snakeName)],
    properties: { id: { type: 'string', description: 'Opaque.' }, ...Object.fromEntries(properties) },
    additionalProperties: false,
    description: resource.description,
  };
}

/** A body that creates or changes a record, made from the examples of its fields. */
export function snakeCaseExample(
  resource: Resource,
  wire: SnakeCaseWire,
  purpose: WritePurpose,
): Record<string, unknown> {
  const example: Record<string, unknown> = {};
  for (const { snakeName, field } of snakeCaseFields(exampleVariant(resource), wire.shownFields).all) {
    if (field.example !== undefined && isSettable(field, purpose)) example[snakeName] = exampleValue(field);
  }
  return example;
}

/** Examples of structured values are declared with declared names, and written in snake_case here. */
function exampleValue(field: Attribute | Relation): unknown {
  if (!isAttribute(field) || !field.kind.isStructured) return field.example;
  return field.kind.write(field.kind.read(parseJson(writeJson(field.example))), snakeCaseStrings);
}

/** The schema of a body that creates or changes a record. */
export function snakeCaseBodySchema(resource: Resource, wire: SnakeCaseWire, purpose: WritePurpose): JsonSchema {
  if (resource.variants && purpose === 'create') {
    return {
      oneOf: creatableVariants(resource).map((one) => snakeCaseBodySchema(one, wire, purpose)),
      discriminator: variantDiscriminator(resource),
    };
  }
  const fields = snakeCaseFields(resource, wire.shownFields).all.filter(({ field }) => isSettable(field, purpose));
  const required =
    purpose === 'create'
      ? fields.filter(({ field }) => isRequiredOnCreate(field)).map(({ snakeName }) => snakeName)
      : [];
  const properties = Object.fromEntries(
    fields.map(({ snakeName, field }) => [snakeName, fieldSchema(field, requestStyle(wire.style))]),
  );
  return { type: 'object', required, properties, additionalProperties: false };
}
