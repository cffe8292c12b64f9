// Names the schemas of the OpenAPI document, so that a schema that several operations share appears once.

import type { JsonSchema } from '../../../kit/field.ts';
import type { Operation } from '../operation/operation.ts';

/** The members of an answer that only wraps records. */
const wrapperMembers = new Set(['data', 'meta', 'has_more', 'next_cursor']);

/** `json-api.legal-entity` → `JsonApiLegalEntity`. */
export function pascalCase(words: string): string {
  return words.replaceAll(/(?:^|[^a-z0-9]+)([a-z0-9])/gi, (_match, letter: string) => letter.toUpperCase());
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
      this.#byName.set(name, schema);
    }
    return { $ref: `#/components/schemas/${name}` };
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
