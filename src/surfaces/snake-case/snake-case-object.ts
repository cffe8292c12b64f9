// What the two snake_case wires share: a thing as one flat object, and such an object read into what is asked for.

import { FieldFault, id as idKind, type DecimalStyle, type JsonSchema } from '../../kit/field.ts';
import { parseJson, writeJson, type Json } from '../../kit/json.ts';
import { Refusal } from '../../kit/refusal.ts';
import {
  flatNameOf,
  exampleVariantOf,
  isToMany,
  snakeCase,
  variantOf,
  type AnyChange,
  type AnyRecord,
  type Attribute,
  type Relation,
  type Resource,
  type WireName,
} from '../../kit/resource.ts';
import {
  Faults,
  isObject,
  isTaken,
  mayBeSet,
  mustBeSent,
  pointerToken,
  readAttribute,
  readIds,
  type Purpose,
} from '../http/operation/declared-fields.ts';

export interface FlatWire {
  readonly name: WireName;
  readonly decimals: DecimalStyle;
}

type Field = { readonly name: string; readonly flat: string; readonly field: Attribute | Relation };

const known = new Map<string, readonly Field[]>();

/** The fields of a resource on one wire, in the order of their declaration: relations stand after the attributes. */
function flatFields(resource: Resource, wire: WireName): readonly Field[] {
  const key = `${wire} ${resource.type}`;
  let fields = known.get(key);
  if (fields === undefined) {
    fields = Object.entries<Attribute | Relation>({ ...resource.attributes, ...resource.relations })
      .filter(([, { on }]) => on.includes(wire))
      .map(([name, field]) => ({ name, flat: flatNameOf(name, field), field }));
    known.set(key, fields);
  }
  return fields;
}

function isAttribute(field: Attribute | Relation): field is Attribute {
  return 'kind' in field;
}

export function renderFlat(
  declared: Resource,
  record: AnyRecord,
  { name: wire, decimals }: FlatWire,
): Record<string, unknown> {
  const resource = variantOf(declared, record);
  const object: Record<string, unknown> = { id: record.id };
  for (const { name, flat, field } of flatFields(resource, wire)) {
    const value = record[name];
    object[flat] = value == null ? null : isAttribute(field) ? field.kind.write(value, decimals, 'snake') : value;
  }
  return object;
}

/** The pointer of a declared field in a flat body. */
export function flatPointer(resource: Resource | undefined, field: string, item?: number | string): string {
  const declared = resource?.attributes[field] ?? resource?.relations[field];
  const at = `/${declared === undefined ? field : flatNameOf(field, declared)}`;
  return item === undefined ? at : `${at}/${typeof item === 'string' ? snakeCase(item) : item}`;
}

export interface FlatReading {
  readonly wire: WireName;
  readonly purpose: Purpose;
  /** The id in the path, when the object is to change a thing. */
  readonly id?: string;
  /** Members that are not fields of the resource and are read elsewhere. */
  readonly besides?: readonly string[];
  /** The relation that the path itself gives, when a thing is created below another. */
  readonly above?: { readonly relation: string; readonly id: string };
  /** The pointer of the object itself, where it is not the whole body. */
  readonly at?: string;
}

/** What a flat object asks to be set, under declared names. */
export function readFlat(
  resource: Resource,
  body: Json | undefined,
  { wire, purpose, id, besides = [], above, at = '' }: FlatReading,
): AnyChange {
  const faults = new Faults();
  if (!isObject(body)) faults.add('invalid-attribute', at, `The ${at === '' ? 'body' : 'row'} must be an object.`);
  faults.refuseIfAny();
  const members = body as { [member: string]: Json };
  if (purpose === 'change' && 'id' in members && members['id'] !== id) throw idMismatch();
  // Where no type is known, what is wrong beside that is told of as far as it can be.
  const fields = flatFields(purpose === 'create' ? variantOf(resource, members) : resource, wire);
  const asked: Record<string, unknown> = {};
  for (const [member, value] of Object.entries(members)) {
    if (besides.includes(member) || (member === 'id' && purpose === 'change')) continue;
    const found = fields.find(({ flat }) => flat === member);
    const pointer = `${at}/${pointerToken(member)}`;
    if (!found || !isTaken(found.field, purpose))
      faults.add('unknown-attribute', pointer, `There is no field ${JSON.stringify(member)} to be set here.`);
    else asked[found.name] = faults.reading(pointer, member, () => readField(found.field, value));
  }
  if (above) {
    const { flat } = fields.find(({ name }) => name === above.relation)!;
    readAbove(above, asked, () =>
      faults.add('invalid-attribute', `${at}/${flat}`, `${flat} must be the one in the path.`),
    );
  }
  if (purpose === 'create') {
    for (const { name, flat, field } of fields) {
      if (mustBeSent(field) && !Object.hasOwn(members, flat) && asked[name] === undefined)
        faults.add('missing-attribute', `${at}/${flat}`, `${flat} is required.`);
    }
  }
  faults.refuseIfAny();
  return asked;
}

/** What a thing is created below stands in the path; it may be said again in the object. */
function readAbove(above: { relation: string; id: string }, asked: Record<string, unknown>, refuse: () => void): void {
  const said = asked[above.relation];
  if (said !== undefined && said !== above.id) refuse();
  asked[above.relation] = above.id;
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

function fieldSchema(field: Attribute | Relation, decimals: DecimalStyle): JsonSchema {
  if (!isAttribute(field) && isToMany(field)) {
    return { type: 'array', items: idKind.schema(decimals), uniqueItems: true, description: field.description };
  }
  const isNullable = isAttribute(field) ? field.nullable : !field.required;
  const schema = isAttribute(field) ? field.kind.schema(decimals, 'snake') : idKind.schema(decimals);
  return { ...(isNullable ? { anyOf: [schema, { type: 'null' }] } : schema), description: field.description };
}

/** The schema of a thing in an answer. */
export function flatSchema(resource: Resource, flatWire: FlatWire): JsonSchema {
  if (resource.variants) return { oneOf: Object.values(resource.variants.of).map((one) => flatSchema(one, flatWire)) };
  const { name: wire, decimals } = flatWire;
  const fields = flatFields(resource, wire);
  const properties = fields.map(({ flat, field }) => [flat, fieldSchema(field, decimals)]);
  return {
    type: 'object',
    required: ['id', ...fields.map(({ flat }) => flat)],
    properties: { id: { type: 'string', description: 'Opaque.' }, ...Object.fromEntries(properties) },
    additionalProperties: false,
    description: resource.description,
  };
}

/** A body that creates or changes a thing, out of the examples of its fields. */
export function flatExample(resource: Resource, wire: WireName, purpose: Purpose): Record<string, unknown> {
  const example: Record<string, unknown> = {};
  for (const { flat, field } of flatFields(exampleVariantOf(resource), wire)) {
    if (field.example !== undefined && mayBeSet(field, purpose)) example[flat] = flatExampleOf(field);
  }
  return example;
}

/** Examples of structured values are declared in the words of the declaration. */
function flatExampleOf(field: Attribute | Relation): unknown {
  if (!isAttribute(field) || !field.kind.isStructured) return field.example;
  return field.kind.write(field.kind.read(parseJson(writeJson(field.example))), 'string', 'snake');
}

/** The schema of a body that creates or changes a thing. */
export function flatBodySchema(resource: Resource, flatWire: FlatWire, purpose: Purpose): JsonSchema {
  const { name: wire, decimals } = flatWire;
  if (resource.variants && purpose === 'create') {
    return { oneOf: Object.values(resource.variants.of).map((one) => flatBodySchema(one, flatWire, purpose)) };
  }
  const fields = flatFields(resource, wire).filter(({ field }) => mayBeSet(field, purpose));
  const required = purpose === 'create' ? fields.filter(({ field }) => mustBeSent(field)).map(({ flat }) => flat) : [];
  const properties = Object.fromEntries(fields.map(({ flat, field }) => [flat, fieldSchema(field, decimals)]));
  return { type: 'object', required, properties, additionalProperties: false };
}
