// Writes JSON schemas as TypeScript types.

export interface Schema {
  readonly $ref?: string;
  readonly type?: string | readonly string[];
  readonly const?: unknown;
  readonly enum?: readonly unknown[];
  readonly anyOf?: readonly Schema[];
  readonly oneOf?: readonly Schema[];
  readonly allOf?: readonly Schema[];
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly required?: readonly string[];
  readonly items?: Schema;
  readonly additionalProperties?: boolean | Schema;
  readonly description?: string;
}

/** `#/components/schemas/V1Client` → `Client`: the whole package is about v1. */
export function typeName(ref: string): string {
  return ref.slice(ref.lastIndexOf('/') + 1).replace(/^V1(?=[A-Z])/, '');
}

/** Called with the reference of every schema that a type names. */
export type ReferenceListener = (ref: string) => void;

export interface TypeOptions {
  readonly onReference: ReferenceListener;
  /** The name of an object that is written once, because many schemas have it. */
  readonly sharedName?: (schema: Schema) => string | undefined;
  /** Before references, where they are written in another file. */
  readonly prefix?: string;
}

const simpleTypes: Readonly<Record<string, string>> = {
  string: 'string',
  integer: 'number',
  boolean: 'boolean',
  null: 'null',
};

export function typeText(schema: Schema, options: TypeOptions, indent = ''): string {
  if (schema.$ref !== undefined) {
    options.onReference(schema.$ref);
    return `${options.prefix ?? ''}${typeName(schema.$ref)}`;
  }
  if (schema.const !== undefined) return JSON.stringify(schema.const);
  if (schema.enum !== undefined) return schema.enum.map((value) => JSON.stringify(value)).join(' | ');
  if (isDecimal(schema)) return `${options.prefix ?? ''}Decimal`;
  const alternatives = schema.anyOf ?? schema.oneOf;
  if (alternatives !== undefined && schema.properties === undefined) {
    const inherited = schema.type === undefined ? {} : { type: schema.type };
    return unionText(alternatives.map((one) => typeText({ ...inherited, ...one }, options, indent)));
  }
  if (schema.allOf !== undefined) return schema.allOf.map((one) => typeText(one, options, indent)).join(' & ');
  const types = typeof schema.type === 'string' ? [schema.type] : (schema.type ?? []);
  if (types.length > 1) return unionText(types.map((type) => typeText({ ...schema, type }, options, indent)));
  if (types[0] === 'array') return `readonly (${typeText(schema.items ?? {}, options, indent)})[]`;
  if (types[0] === 'object' || schema.properties !== undefined) return objectText(schema, options, indent);
  return simpleTypes[types[0] ?? ''] ?? 'unknown';
}

/** A decimal may be sent as a number or as a text, and is answered as a text. As a number it would be a double here. */
function isDecimal({ anyOf, type }: Schema): boolean {
  if (type === 'number') return true;
  return anyOf?.length === 2 && anyOf[0]?.type === 'number' && anyOf[1]?.type === 'string';
}

function unionText(texts: readonly string[]): string {
  return [...new Set(texts)].join(' | ');
}

function objectText(schema: Schema, options: TypeOptions, indent: string): string {
  const shared = options.sharedName?.(schema);
  return shared === undefined ? membersText(schema, options, indent) : `${options.prefix ?? ''}${shared}`;
}

/** The members of an object, in braces. */
export function membersText(schema: Schema, options: TypeOptions, indent = ''): string {
  const { properties = {}, required = [], additionalProperties } = schema;
  const inner = `${indent}  `;
  const lines = Object.entries(properties).map(([name, property]) => {
    const mark = required.includes(name) ? '' : '?';
    return `${commentText(property.description, inner)}${inner}readonly ${propertyName(name)}${mark}: ${typeText(property, options, inner)};\n`;
  });
  if (lines.length > 0) return `{\n${lines.join('')}${indent}}`;
  const value = typeof additionalProperties === 'object' ? typeText(additionalProperties, options, indent) : 'unknown';
  return additionalProperties === false ? 'Readonly<Record<string, never>>' : `Readonly<Record<string, ${value}>>`;
}

export function propertyName(name: string): string {
  return /^[A-Za-z_$][\w$]*$/.test(name) ? name : JSON.stringify(name);
}

export function commentText(text: string | undefined, indent: string): string {
  if (text === undefined || text.trim() === '') return '';
  const lines = text.trim().replaceAll('*/', '*\\/').split('\n');
  if (lines.length === 1) return `${indent}/** ${lines[0]} */\n`;
  return `${indent}/**\n${lines.map((line) => `${indent} *${line === '' ? '' : ` ${line}`}\n`).join('')}${indent} */\n`;
}
