// JSON:API documents: renders a record as a resource object, and reads a document into the fields of a write.

import { defined } from '../../kit/assert.ts';
import { camelCaseNumbers, FieldFault, id as idKind } from '../../kit/field.ts';
import type { Id } from '../../kit/id.ts';
import { isJsonObject, type Json } from '../../kit/json.ts';
import { Refusal } from '../../kit/refusal.ts';
import { findVariants } from '../../model/resources.ts';
import {
  type ChangeOf,
  changeOf,
  creatableVariants,
  anyRecord,
  isToMany,
  relatedTypeField,
  findVariant,
  variantOf,
  type AnyChange,
  type Attribute,
  type Relation,
  type Resource,
} from '../../kit/resource.ts';
import {
  Faults,
  isAccepted,
  isRequiredOnCreate,
  pointerToken,
  readAttribute,
  readIds,
  type WritePurpose,
} from '../http/operation/declared-fields.ts';
import { jsonApiFields } from './shown-fields.ts';

type Members = { [member: string]: Json };

export function renderResource<R extends { readonly id: Id }>(declared: Resource, shown: R): unknown {
  const record = anyRecord(shown);
  const resource = variantOf(declared, record);
  const attributes: Record<string, unknown> = {};
  for (const [name, { kind }] of attributesOf(resource)) {
    attributes[name] = record[name] === null ? null : kind.write(record[name], camelCaseNumbers);
  }
  const relationships: Record<string, unknown> = {};
  for (const [name, relation] of relationsOf(resource))
    relationships[name] = { data: renderLinkage(relation, record[name], record[relatedTypeField(name)]) };
  return { type: resource.type, id: record.id, attributes, relationships };
}

export function attributesOf(resource: Resource): readonly (readonly [name: string, Attribute])[] {
  return jsonApiFields.of(resource).attributes;
}

export function relationsOf(resource: Resource): readonly (readonly [name: string, Relation])[] {
  return jsonApiFields.of(resource).relations;
}

/** `type` is the type of the related record, where it may be one of several. */
export function renderLinkage(relation: Relation, value: unknown, type: unknown = relation.to): unknown {
  if (isToMany(relation)) return (value as Id[]).map((id) => ({ type: relation.to, id }));
  return value === null ? null : { type, id: value };
}

export interface DocumentPurpose {
  readonly purpose: WritePurpose;
  /** The id in the path, when the document changes a record. */
  readonly id?: string;
  /** The relation that the path gives, when the document creates a record below another. */
  readonly parent?: { readonly relation: string; readonly id: string };
}

/** The fields that a document sets, under their declared names. */
export function readDocument<R extends Resource>(
  declared: R,
  body: Json | undefined,
  expected: DocumentPurpose,
): ChangeOf<R> {
  const { purpose, parent } = expected;
  const faults = new Faults();
  const read = readData(declared, body, faults);
  faults.throwIfAny();
  const data = defined(read, 'a document without faults has data');
  checkIdentity(declared, data, expected);
  const resource = findVariant(declared, data['type']) ?? declared;
  const input: Record<string, unknown> = declared.variants ? { [declared.variants.by]: resource.type } : {};
  readPart(attributePart(resource, purpose), data, faults, input);
  readPart(relationshipPart(resource, purpose), data, faults, input);
  if (parent) applyParent(parent, input, faults);
  if (purpose === 'create') requireAll(resource, input, faults);
  faults.throwIfAny();
  return changeOf(declared, input);
}

/** Leaves out members that begin with @: JSON:API has them ignored. */
function namesOf(members: Members): string[] {
  return Object.keys(members).filter((name) => !name.startsWith('@'));
}

const documentMembers = ['data', 'jsonapi', 'meta', 'links'];
const resourceMembers = ['type', 'id', 'lid', 'attributes', 'relationships', 'meta', 'links'];

function readData(resource: Resource, body: Json | undefined, faults: Faults): Members | undefined {
  if (!isJsonObject(body) || !isJsonObject(body['data'])) {
    faults.add('missing-attribute', '/data', 'A document has a member data with one resource object.');
    return undefined;
  }
  const { data } = body;
  for (const member of namesOf(body)) {
    if (!documentMembers.includes(member)) {
      faults.add(
        'unknown-attribute',
        `/${pointerToken(member)}`,
        `A document has no member ${JSON.stringify(member)}.`,
      );
    }
  }
  for (const member of namesOf(data)) {
    if (!resourceMembers.includes(member)) {
      faults.add(
        'unknown-attribute',
        `/data/${pointerToken(member)}`,
        `A resource object has no member ${JSON.stringify(member)}.`,
      );
    }
  }
  if (typeof data['type'] !== 'string')
    faults.add('missing-attribute', '/data/type', `type is required and must be ${typesOf(resource).join(', ')}.`);
  for (const member of ['attributes', 'relationships']) {
    if (member in data && !isJsonObject(data[member]))
      faults.add('invalid-attribute', `/data/${member}`, `${member} must be an object.`);
  }
  return data;
}

/** The types that a document of a resource may name. */
function typesOf(resource: Resource): readonly string[] {
  return resource.variants === undefined ? [resource.type] : creatableVariants(resource).map(({ type }) => type);
}

function checkIdentity(resource: Resource, data: Members, { purpose, id }: DocumentPurpose): void {
  const types = typesOf(resource);
  if (!types.includes(data['type'] as string)) {
    const expected = types.length === 1 ? types[0] : `one of ${types.join(', ')}`;
    throw refusalAtPointer(
      'type-mismatch',
      '/data/type',
      `The document is of type ${JSON.stringify(data['type'])}; ${expected} belongs here.`,
    );
  }
  if (purpose === 'create' && 'id' in data)
    throw refusalAtPointer('client-generated-id', '/data/id', 'The id is made by the service.');
  if (purpose === 'create') return;
  if (typeof data['id'] !== 'string')
    throw refusalAtPointer('invalid-document', '/data/id', 'id is required.', 'missing-attribute');
  if (data['id'] !== id)
    throw refusalAtPointer('id-mismatch', '/data/id', 'The id of the document is not the one in the path.');
}

function refusalAtPointer(code: string, pointer: string, detail: string, faultCode = code): Refusal {
  return new Refusal(code, detail, { faults: [{ code: faultCode, pointer, detail }] });
}

/** One of the two members of a resource object that hold fields. */
interface Part<F> {
  readonly member: 'attributes' | 'relationships';
  readonly word: string;
  readonly fields: readonly (readonly [name: string, F])[];
  isAccepted(field: F): boolean;
  read(field: F, value: Json): unknown;
}

function attributePart(resource: Resource, purpose: WritePurpose): Part<Attribute> {
  const fields = attributesOf(resource);
  return {
    member: 'attributes',
    word: 'attribute',
    fields,
    isAccepted: (field) => isAccepted(field, purpose),
    read: (field, value) => readAttribute(field, value, 'camel'),
  };
}

function relationshipPart(resource: Resource, purpose: WritePurpose): Part<Relation> {
  const fields = relationsOf(resource);
  return {
    member: 'relationships',
    word: 'relationship',
    fields,
    isAccepted: (field) => isAccepted(field, purpose),
    read: readLinkage,
  };
}

/** Takes a relation from the path; the document may repeat it. */
function applyParent(parent: { relation: string; id: string }, input: Record<string, unknown>, faults: Faults): void {
  const given = input[parent.relation];
  if (given !== undefined && given !== parent.id) {
    const pointer = `/data/relationships/${parent.relation}`;
    faults.add('invalid-attribute', pointer, `${parent.relation} must be the one in the path.`);
  }
  input[parent.relation] = parent.id;
}

function readPart<F>(part: Part<F>, data: Members, faults: Faults, input: Record<string, unknown>): void {
  const knownFields = new Map(part.fields);
  const members = (data[part.member] ?? {}) as Members;
  for (const name of namesOf(members)) {
    const pointer = `/data/${part.member}/${pointerToken(name)}`;
    const field = knownFields.get(name);
    if (field !== undefined && part.isAccepted(field)) {
      input[name] = faults.tryRead(pointer, name, () => part.read(field, members[name]!));
    } else {
      faults.add(
        'unknown-attribute',
        pointer,
        `There is no ${part.word} ${JSON.stringify(name)} that can be set here.`,
      );
    }
  }
}

function readLinkage(relation: Relation, value: Json): unknown {
  if (!isJsonObject(value) || !('data' in value)) throw new FieldFault('must be an object with a member data');
  const { data } = value;
  if (!isToMany(relation)) {
    if (data === null && relation.required) throw new FieldFault('must not be null');
    return data === null ? null : readIdentifier(relation, data);
  }
  if (!Array.isArray(data)) throw new FieldFault('must be an array of resource identifiers');
  return readIds(data, (item) => readIdentifier(relation, item));
}

function readIdentifier(relation: Relation, value: Json | undefined): Id {
  if (!isJsonObject(value)) throw new FieldFault(`must be a resource identifier with type ${relation.to} and an id`);
  // A record of several types may be named by its own type or by the common one.
  const types = [relation.to, ...Object.keys(findVariants(relation.to)?.of ?? {})];
  if (!types.includes(value['type'] as string)) throw new FieldFault(`must be of type ${relation.to}`);
  return idKind.read(value['id'] ?? null);
}

/** A field that was sent with a fault is in `input` without a value, so that it is not reported twice. */
function requireAll(resource: Resource, input: AnyChange, faults: Faults): void {
  const parts = [
    ['attributes', attributesOf(resource)],
    ['relationships', relationsOf(resource)],
  ] as const;
  for (const [member, fields] of parts) {
    for (const [name, field] of fields) {
      if (isRequiredOnCreate(field) && !Object.hasOwn(input, name)) {
        faults.add('missing-attribute', `/data/${member}/${name}`, `${name} is required.`);
      }
    }
  }
}
