// Names the schemas of the OpenAPI document, so that a schema that several operations share appears once.

import { defined } from '../../../kit/assert.ts';
import type { JsonSchema } from '../../../kit/field.ts';
import type { Operation } from '../operation/operation.ts';

/** The members of an answer that only wraps records. */
const wrapperMembers = new Set(['data', 'meta', 'has_more', 'next_cursor']);

/** `json-api.legal-entity` → `JsonApiLegalEntity`. */
export function pascalCase(words: string): string {
  return words.replaceAll(/(?:^|(?<![^a-z0-9])[^a-z0-9]+)([a-z0-9])/gi, (_match, letter: string) =>
    letter.toUpperCase(),
  );
}

/** `v1.client.list` → `List`. */
function verbOf({ id }: Operation): string {
  return pascalCase(id.slice(id.lastIndexOf('.') + 1));
}

function nounOf({ wire, resource, group }: Operation): string {
  return pascalCase(`${wire.name} ${resource?.type ?? group}`);
}

function propertiesOf(schema: JsonSchema): Readonly<Record<string, JsonSchema>> {
  return (schema['properties'] ?? {}) as Record<string, JsonSchema>;
}

interface DiscriminatedSchema extends JsonSchema {
  readonly oneOf: readonly JsonSchema[];
  readonly discriminator: { readonly propertyName: string };
}

function isDiscriminated(schema: JsonSchema): schema is DiscriminatedSchema {
  return 'discriminator' in schema && Array.isArray(schema['oneOf']);
}

/** The values of the member that says of which type a record is. */
function discriminatorValues(schema: JsonSchema, propertyName: string): readonly string[] {
  const { const: only, enum: several } = propertiesOf(schema)[propertyName] ?? {};
  return (Array.isArray(several) ? several : [only]).map(String);
}

/** `V1Instrument` and the type of a stock → `V1InstrumentStock`: without the word that the name has already. */
function variantName(name: string, value: string): string {
  const words = value.split(/[^a-z0-9]+/i);
  const isRepeated = words.length > 1 && name.includes(pascalCase(words.at(-1) ?? ''));
  return `${name}${pascalCase((isRepeated ? words.slice(0, -1) : words).join(' '))}`;
}

function isSchema(part: unknown): part is JsonSchema {
  return typeof part === 'object' && part !== null && !Array.isArray(part);
}

export class Schemas {
  readonly #byName = new Map<string, JsonSchema>();
  readonly #nameOf = new Map<string, string>();

  /** References a schema under the first free name. Equal schemas share a name. */
  put(schema: JsonSchema, names: readonly string[]): JsonSchema {
    const text = JSON.stringify(schema);
    let name = this.#nameOf.get(text);
    if (name === undefined) {
      const title = typeof schema['title'] === 'string' ? [pascalCase(schema['title'])] : [];
      name = [...title, ...names].find((candidate) => !this.#byName.has(candidate));
      if (name === undefined)
        throw new Error(`Several schemas would be named ${names.join(' or ')}; give one a title.`);
      this.#nameOf.set(text, name);
      this.#byName.set(name, schema); // takes the name, before its types look for theirs
      this.#byName.set(name, this.nameVariants(schema, name));
    }
    return { $ref: `#/components/schemas/${name}` };
  }

  /** Gives each type of record within a schema a name of its own, as the mapping of a discriminator requires. */
  nameVariants(schema: JsonSchema, name: string): JsonSchema {
    if (isDiscriminated(schema)) return this.#nameTypes(schema, name);
    return Object.fromEntries(Object.entries(schema).map(([key, part]) => [key, this.#nameWithin(part, name)]));
  }

  #nameWithin(part: unknown, name: string): unknown {
    if (Array.isArray(part)) return part.map((item) => this.#nameWithin(item, name));
    return isSchema(part) ? this.nameVariants(part, name) : part;
  }

  /** References a schema that is named already, such as that of a record within an event. */
  #nameTypes(schema: DiscriminatedSchema, name: string): JsonSchema {
    const known = this.#nameOf.get(JSON.stringify(schema));
    if (known !== undefined && known !== name) return { $ref: `#/components/schemas/${known}` };
    const { propertyName } = schema.discriminator;
    const mapping: Record<string, unknown> = {};
    const oneOf = schema.oneOf.map((type) => {
      const values = discriminatorValues(type, propertyName);
      const reference = this.put(type, [variantName(name, defined(values[0], 'a type has a value'))]);
      for (const value of values) mapping[value] = reference['$ref'];
      return reference;
    });
    return { ...schema, oneOf, discriminator: { propertyName, mapping } };
  }

  /** References the answer of an operation: a record under its noun, and the answer that wraps it under a longer name. */
  putResponse(operation: Operation, schema: JsonSchema): JsonSchema {
    const noun = nounOf(operation);
    const ownName = `${noun}${verbOf(operation)}Answer`;
    const properties = propertiesOf(schema);
    const { data } = properties;
    if (data === undefined || !Object.keys(properties).every((name) => wrapperMembers.has(name))) {
      return this.put(schema, [noun, ownName]);
    }
    const items = data['type'] === 'array' ? (data['items'] as JsonSchema) : undefined;
    const recordSchema = this.put(items ?? data, [noun, `${ownName}Data`]);
    const wrapped = {
      ...schema,
      properties: { ...properties, data: items ? { ...data, items: recordSchema } : recordSchema },
    };
    return this.put(wrapped, [`${noun}${items ? 'List' : 'Document'}`, ownName]);
  }

  putBody(operation: Operation, schema: JsonSchema): JsonSchema {
    return this.put(schema, [`${nounOf(operation)}${verbOf(operation)}Body`]);
  }

  /** All schemas, by name. */
  all(): Readonly<Record<string, JsonSchema>> {
    return Object.fromEntries([...this.#byName].toSorted(([one], [other]) => (one < other ? -1 : 1)));
  }
}
