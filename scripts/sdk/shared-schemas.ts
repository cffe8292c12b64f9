// Finds the objects that very many schemas have inside, such as the explanation of a figure, so that their type is written once.

import type { Schema } from './schema-types.ts';

const countMin = 10;

/** Two schemas that differ in their description only are the same type. */
function keyOf({ description: _description, ...rest }: Schema): string {
  return JSON.stringify(rest);
}

export class SharedSchemas {
  readonly #found = new Map<string, { readonly property: string; readonly schema: Schema; count: number }>();

  constructor(schemas: Iterable<unknown>) {
    for (const schema of schemas) this.#count(schema, undefined);
  }

  #count(value: unknown, property: string | undefined): void {
    if (typeof value !== 'object' || value === null) return;
    if (Array.isArray(value)) return value.forEach((one) => this.#count(one, property));
    const schema: Schema = value;
    if (schema.properties !== undefined && property !== undefined) this.#add(schema, property);
    for (const [key, member] of Object.entries(schema)) {
      if (key === 'properties') {
        for (const [name, one] of Object.entries(schema.properties ?? {})) this.#count(one, name);
      } else this.#count(member, property);
    }
  }

  #add(schema: Schema, property: string): void {
    const key = keyOf(schema);
    const known = this.#found.get(key);
    if (known === undefined) this.#found.set(key, { property, schema, count: 1 });
    else known.count++;
  }

  nameOf(schema: Schema): string | undefined {
    const found = this.#found.get(keyOf(schema));
    return found === undefined || found.count < countMin ? undefined : sharedName(found);
  }

  /** All of them by name. */
  all(): ReadonlyMap<string, Schema> {
    const frequent = [...this.#found.values()].filter(({ count }) => count >= countMin);
    return new Map(frequent.map((one) => [sharedName(one), one.schema]));
  }
}

/** What very many schemas have is an explanation of a figure, or a part of one. */
function sharedName({ property, schema }: { readonly property: string; readonly schema: Schema }): string {
  if (schema.properties !== undefined && 'formula' in schema.properties) return 'FigureExplanation';
  return `Explanation${property.charAt(0).toUpperCase()}${property.slice(1)}`;
}
