// Reads the JSON schema of a request body, as an operation declares it, as the fields of a form.

import type { JsonSchema } from '../../../../kit/field.ts';
import { snakeCaseNameOf, isToMany, type Resource } from '../../../../kit/resource.ts';
import type { Operation } from '../../../http/operation/operation.ts';
import { findRecordKind } from './record-kinds.ts';
import { fieldHint, fieldTitle } from './words.ts';

/** How a value is entered. Decimals stay texts. */
export type FieldShape =
  | { readonly kind: 'text' | 'email' | 'long-text'; readonly maxLength?: number }
  | { readonly kind: 'decimal' | 'integer' | 'date' | 'moment' | 'boolean' | 'texts' | 'json' }
  | { readonly kind: 'choice' | 'choices'; readonly values: readonly (string | number)[] }
  | { readonly kind: 'reference' | 'references'; readonly to: string };

export interface SchemaField {
  /** In the form and in a body: members of members are joined by a dot. */
  readonly name: string;
  readonly title: string;
  readonly hint: string | undefined;
  readonly isRequired: boolean;
  readonly isNullable: boolean;
  readonly shape: FieldShape;
}

type Schema = Readonly<Record<string, any>>;

const longTextLength = 500;

/** The fields of a body. Where records come in types, `variant` is the value of the field that says which. */
export function bodyFields(operation: Operation, variant?: string): readonly SchemaField[] {
  const schema = variantSchema(operation.body?.schema ?? {}, variant);
  return schemaFields(schema, { resource: operation.resource, prefix: '' });
}

/** The types that a body can have, by the field that says which: those of instruments, transactions and historical holdings. */
export function bodyVariants(
  operation: Operation,
): { readonly field: string; readonly values: readonly string[] } | undefined {
  const schema: Schema = operation.body?.schema ?? {};
  const members: readonly Schema[] = schema['oneOf'] ?? [];
  const field = Object.keys(members[0]?.['properties'] ?? {})[0];
  if (field === undefined) return undefined;
  return { field, values: members.flatMap((member) => member['properties'][field].enum) };
}

function variantSchema(schema: Schema, variant: string | undefined): Schema {
  const members: readonly Schema[] | undefined = schema['oneOf'];
  if (members === undefined) return schema;
  const hasVariant = (member: Schema): boolean =>
    Object.values<Schema>(member['properties']).some(({ enum: values }) => values?.includes(variant));
  return members.find(hasVariant) ?? members[0] ?? {};
}

interface SchemaPlace {
  readonly resource: Resource | undefined;
  readonly prefix: string;
}

export function schemaFields(schema: Schema, { resource, prefix }: SchemaPlace): readonly SchemaField[] {
  const required = new Set<string>(schema['required'] ?? []);
  return Object.entries<Schema>(schema['properties'] ?? {}).flatMap(([member, declared]) => {
    const name = `${prefix}${member}`;
    const { inner, isNullable } = withoutNull(declared);
    if (inner['type'] === 'object' && inner['properties'] !== undefined && prefix === '' && !isNullable) {
      return schemaFields(inner, { resource, prefix: `${name}.` });
    }
    const target = referenceOf(member, resource);
    const shape = shapeOf(inner, target);
    const isReference = shape.kind === 'reference' || shape.kind === 'references';
    const title = fieldTitle(member, isReference ? target : undefined);
    return [
      {
        name,
        title: prefix === '' ? title : `${fieldTitle(prefix.slice(0, -1))}: ${title.toLowerCase()}`,
        hint: fieldHint(declared['description']),
        isRequired: required.has(member) && prefix === '',
        isNullable,
        shape,
      },
    ];
  });
}

/** A schema without its null; a decimal is written as a number or a string, and stays a string. */
function withoutNull(schema: Schema): { readonly inner: Schema; readonly isNullable: boolean } {
  const members: readonly Schema[] | undefined = schema['anyOf'];
  if (members === undefined) return { inner: schema, isNullable: false };
  const others = members.filter(({ type }) => type !== 'null');
  const isNullable = others.length < members.length;
  const isDecimal = others.length === 2 && others[0]?.['type'] === 'number' && others[1]?.['type'] === 'string';
  if (isDecimal) return { inner: { type: 'number' }, isNullable };
  return { inner: others.length === 1 ? (others[0] ?? {}) : {}, isNullable };
}

interface ReferenceTarget {
  readonly to: string;
  readonly isMany: boolean;
}

/** The kind of record that a field names: as declared, or by its name. */
export function referenceOf(member: string, resource: Resource | undefined): ReferenceTarget | undefined {
  const variants = Object.values(resource?.variants?.of ?? {});
  for (const { relations } of resource === undefined ? [] : [resource, ...variants]) {
    const found = Object.entries(relations).find(([name, relation]) => snakeCaseNameOf(name, relation) === member);
    if (found !== undefined) return { to: found[1].to, isMany: isToMany(found[1]) };
  }
  const [, noun = '', plural = ''] = /^(\w+)_id(s?)$/.exec(member) ?? [];
  const to = noun.replaceAll('_', '-');
  return findRecordKind(to) === undefined ? undefined : { to, isMany: plural === 's' };
}

function shapeOf(schema: Schema, target: ReferenceTarget | undefined): FieldShape {
  const { type, format, enum: values, items, maxLength } = schema;
  if (values !== undefined) return { kind: 'choice', values };
  if (type === 'boolean') return { kind: 'boolean' };
  if (type === 'integer') return { kind: 'integer' };
  if (type === 'number') return { kind: 'decimal' };
  if (type === 'array') return listShape(items ?? {}, target);
  if (type !== 'string') return { kind: 'json' };
  if (target !== undefined) return { kind: 'reference', to: target.to };
  if (format === 'date') return { kind: 'date' };
  if (format === 'date-time') return { kind: 'moment' };
  if (format === 'email') return { kind: 'email', maxLength };
  return { kind: maxLength > longTextLength ? 'long-text' : 'text', maxLength };
}

function listShape(items: Schema, target: ReferenceTarget | undefined): FieldShape {
  if (target !== undefined) return { kind: 'references', to: target.to };
  if (items['enum'] !== undefined) return { kind: 'choices', values: items['enum'] };
  return items['type'] === 'string' ? { kind: 'texts' } : { kind: 'json' };
}

/** The declared schema of a query parameter, as a field of a filter. */
export function parameterField(operation: Operation, name: string): SchemaField | undefined {
  const parameter = operation.query[name];
  if (parameter === undefined) return undefined;
  const schema: JsonSchema = parameter.kind.schema(operation.wire.style);
  const [field] = schemaFields({ properties: { [name]: schema } }, { resource: operation.resource, prefix: '' });
  return field;
}
