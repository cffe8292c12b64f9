// Kinds of field values that have parts: objects with declared members, lists of them, sets of texts, and objects of any
// form. Strict, each fault at its own place, and every number in all its digits. Knows no resource and no domain word.

import { FieldFault, text, type DecimalStyle, type FieldKind, type JsonSchema, type NameStyle } from './field.ts';
import { parseDecimal } from './decimal.ts';
import { JsonNumber, writeJson, type Json, type JsonObject } from './json.ts';
import { snakeCase } from './resource.ts';

/** One thing wrong inside a value. */
export interface InnerFault {
  readonly code: 'invalid-attribute' | 'missing-attribute' | 'unknown-attribute';
  /** The members and positions that lead to it. */
  readonly path: readonly (string | number)[];
  /** A sentence without the place. */
  readonly message: string;
}

/** Everything that is wrong inside a value. */
export class InnerFaults extends FieldFault {
  readonly inner: readonly InnerFault[];

  constructor(inner: readonly InnerFault[]) {
    super('is not as it should be inside');
    this.inner = inner;
  }
}

export interface Member<T = unknown> {
  readonly kind: FieldKind<T>;
  readonly description: string;
  /** Where its name on the snake_case wires is not the declared one in snake_case. */
  readonly snakeCaseName?: string;
  /** May be left out, and may be null; it is null in answers where it has no value. */
  readonly optional?: true;
}

type MemberValue<M extends Member<any>> = M['kind'] extends FieldKind<infer T> ? T : never;

type OptionalNames<M> = { [N in keyof M]: M[N] extends { optional: true } ? N : never }[keyof M];

export type MemberValues<M extends Readonly<Record<string, Member<any>>>> = {
  readonly [N in Exclude<keyof M, OptionalNames<M>>]: MemberValue<M[N]>;
} & { readonly [N in OptionalNames<M>]?: MemberValue<M[N]> | null };

function isObject(value: Json): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value) && !(value instanceof JsonNumber);
}

function memberName(name: string, { snakeCaseName }: Member, names: NameStyle): string {
  return names === 'camel' ? name : (snakeCaseName ?? snakeCase(name));
}

/** What is wrong with a part, with the way to it. */
function faultsAt(step: string | number, error: unknown): InnerFault[] {
  if (error instanceof InnerFaults) return error.inner.map((one) => ({ ...one, path: [step, ...one.path] }));
  if (error instanceof FieldFault) return [{ code: 'invalid-attribute', path: [step], message: error.message }];
  throw error;
}

/** An object with all of these members that are not optional, and no others. */
export function objectField<const M extends Readonly<Record<string, Member<any>>>>(
  members: M,
): FieldKind<MemberValues<M>> {
  const declared = Object.entries<Member<any>>(members);
  return {
    isStructured: true,
    read(value, names = 'camel') {
      if (!isObject(value)) throw new FieldFault('must be an object');
      const faults: InnerFault[] = [];
      const known = new Set(declared.map(([name, member]) => memberName(name, member, names)));
      for (const sentName of Object.keys(value)) {
        if (!known.has(sentName))
          faults.push({ code: 'unknown-attribute', path: [sentName], message: 'is not known here' });
      }
      const read: Record<string, unknown> = {};
      for (const [name, member] of declared) {
        const sentName = memberName(name, member, names);
        const wasSent = Object.hasOwn(value, sentName);
        if (wasSent && value[sentName] === null && member.optional) read[name] = null;
        else if (wasSent) read[name] = readAt(() => member.kind.read(value[sentName]!, names), sentName, faults);
        else if (!member.optional) faults.push({ code: 'missing-attribute', path: [sentName], message: 'is required' });
      }
      if (faults.length > 0) throw new InnerFaults(faults);
      return read as MemberValues<M>;
    },
    write: (value, decimals, names = 'camel') =>
      Object.fromEntries(
        declared.map(([name, member]) => [
          memberName(name, member, names),
          member.optional && (value as Readonly<Record<string, unknown>>)[name] == null
            ? null
            : member.kind.write((value as Readonly<Record<string, unknown>>)[name], decimals, names),
        ]),
      ),
    schema: (decimals, names = 'camel') => objectSchema(declared, decimals, names),
  };
}

function readAt<T>(read: () => T, step: string | number, faults: InnerFault[]): T | undefined {
  try {
    return read();
  } catch (error) {
    faults.push(...faultsAt(step, error));
    return undefined;
  }
}

function objectSchema(declared: readonly [string, Member][], decimals: DecimalStyle, names: NameStyle): JsonSchema {
  const properties = declared.map(([name, member]) => {
    const memberSchema = member.kind.schema(decimals, names);
    const schema = {
      ...(member.optional ? { anyOf: [memberSchema, { type: 'null' }] } : memberSchema),
      description: member.description,
    };
    return [memberName(name, member, names), schema] as const;
  });
  const requiredMembers = declared.filter(([, { optional }]) => !optional);
  return {
    type: 'object',
    required: requiredMembers.map(([name, member]) => memberName(name, member, names)),
    properties: Object.fromEntries(properties),
    additionalProperties: false,
  };
}

/** A list in the order in which it was sent. */
export function listField<T>(kind: FieldKind<T>, { itemsMax }: { readonly itemsMax: number }): FieldKind<readonly T[]> {
  return {
    ...(kind.isStructured ? { isStructured: true } : {}),
    read(value, names) {
      if (!Array.isArray(value)) throw new FieldFault('must be an array');
      if (value.length > itemsMax) throw new FieldFault(`must have at most ${itemsMax} items`);
      const faults: InnerFault[] = [];
      const items = value.map((item, index) => readAt(() => kind.read(item, names), index, faults));
      if (faults.length > 0) throw new InnerFaults(faults);
      return items as T[];
    },
    write: (value, decimals, names) => value.map((item) => kind.write(item, decimals, names)),
    schema: (decimals, names) => ({ type: 'array', items: kind.schema(decimals, names), maxItems: itemsMax }),
  };
}

/** Texts without an order, each once; they are kept in the order of their characters. */
export function textSetField({ lengthMax, itemsMax }: { readonly lengthMax: number; readonly itemsMax: number }) {
  const item = text({ lengthMax });
  const list = listField(item, { itemsMax });
  const kind: FieldKind<readonly string[]> = {
    read(value) {
      const texts = list.read(value).toSorted((one, other) => (one < other ? -1 : 1));
      if (new Set(texts).size !== texts.length) throw new FieldFault('must not name a text twice');
      return texts;
    },
    write: (value) => value,
    schema: (decimals) => ({ ...list.schema(decimals), uniqueItems: true }),
    readText: (value) => [item.read(value)],
  };
  return kind;
}

/** Any JSON object: kept as it was sent, numbers in all their digits. */
export function openObjectField({ charactersMax }: { readonly charactersMax: number }): FieldKind<JsonObject> {
  return {
    isStructured: true,
    read(value) {
      if (!isObject(value)) throw new FieldFault('must be an object');
      const faults: InnerFault[] = [];
      const read = withExactNumbers(value, [], faults) as JsonObject;
      if (faults.length > 0) throw new InnerFaults(faults);
      if (writeJson(read).length > charactersMax) throw new FieldFault(`must have at most ${charactersMax} characters`);
      return read;
    },
    write: (value) => value,
    schema: () => ({ type: 'object', additionalProperties: true }),
  };
}

/** The same with every number in canonical digits: what the database would not hold is told of here. */
function withExactNumbers(value: Json, path: readonly (string | number)[], faults: InnerFault[]): Json {
  if (value instanceof JsonNumber) {
    try {
      return new JsonNumber(parseDecimal(value.text));
    } catch (error) {
      faults.push({ code: 'invalid-attribute', path, message: (error as Error).message });
      return value;
    }
  }
  if (Array.isArray(value)) return value.map((item, index) => withExactNumbers(item, [...path, index], faults));
  if (!isObject(value)) return value;
  const members = Object.entries(value).map(
    ([name, member]) => [name, withExactNumbers(member, [...path, name], faults)] as const,
  );
  return Object.fromEntries(members) as JsonObject;
}
