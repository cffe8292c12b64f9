// The kinds of values with parts: objects, lists, sets of texts and open objects. Reading is strict; every fault has its place.

import { append } from './memory/long-list.ts';
import { parseDecimal } from './decimal.ts';
import { text } from './field.ts';
import { isJsonObject, JsonNumber, writeJson, type Json, type JsonObject } from './json.ts';
import {
  FieldFault,
  kindText,
  nullWhenAbsent,
  styleIn,
  type FieldKind,
  type JsonSchema,
  type Kind,
  type NameStyle,
  type ValueOf,
  type SchemaStyle,
} from './kind.ts';
import { faultsListedMax } from './refusal.ts';
import { snakeCase } from './resource.ts';

/** One fault inside a value. */
interface InnerFault {
  readonly code: 'invalid-attribute' | 'missing-attribute' | 'unknown-attribute';
  /** The members and positions that lead to it. */
  readonly path: readonly (string | number)[];
  /** A clause that follows the place: "is required". */
  readonly message: string;
}

/** Every fault inside a value, or more than any answer lists. */
export class InnerFaults extends FieldFault {
  readonly inner: readonly InnerFault[];

  constructor(inner: readonly InnerFault[]) {
    super(inner.map(({ path, message }) => `${path.join('.')} ${message}`).join('; '));
    this.inner = inner;
  }
}

/** Collects faults; throws them once they are more than any answer lists. */
function addInnerFaults(faults: InnerFault[], ...more: readonly InnerFault[]): void {
  append(faults, more);
  if (faults.length > faultsListedMax) throw new InnerFaults(faults);
}

export interface Member<K extends Kind<any> = Kind<any>> {
  readonly kind: K;
  readonly description: string;
  /** Its name in snake_case, where that is not derived from the declared name. */
  readonly snakeCaseName?: string;
  /** Requests may omit it or send null; answers contain null where it has no value. */
  readonly optional?: true;
  /** Answers leave it out where it is undefined. */
  readonly omissible?: true;
  /** The property beside it that names the unit of its amounts; absent where that is the unit of the whole answer. */
  readonly unit?: string;
}

export type Members = Readonly<Record<string, Member>>;

/** Declares a member of an answer. */
export function member<K extends Kind<any>>(kind: K, description: string): { kind: K; description: string } {
  return { kind, description };
}

/** Declares a member that an answer leaves out where it is undefined. */
export function omissible<K extends Kind<any>>(
  kind: K,
  description: string,
): { kind: K; description: string; omissible: true } {
  return { kind, description, omissible: true };
}

type NamesWith<M, Flag extends object> = { [N in keyof M]: M[N] extends Flag ? N : never }[keyof M];
type OptionalNames<M> = NamesWith<M, { optional: true }>;
type OmissibleNames<M> = NamesWith<M, { omissible: true }>;

type MemberValues<M extends Members> = {
  readonly [N in Exclude<keyof M, OptionalNames<M> | OmissibleNames<M>>]: ValueOf<M[N]['kind']>;
} & { readonly [N in OptionalNames<M>]?: ValueOf<M[N]['kind']> | null } & {
  readonly [N in OmissibleNames<M>]?: ValueOf<M[N]['kind']> | undefined;
};

/** An object can be read if all of its members can. */
type ObjectKind<M extends Members> =
  M extends Readonly<Record<string, Member<FieldKind<any>>>> ? FieldKind<MemberValues<M>> : Kind<MemberValues<M>>;

interface DeclaredMember extends Member {
  readonly name: string;
  readonly wireNames: Readonly<Record<NameStyle, string>>;
  /** The quoted name and the colon, in either style. */
  readonly prefixes: Readonly<Record<NameStyle, string>>;
  /** Writes null where an optional member has no value. */
  readonly writer: Kind<any>;
}

function declareMember([name, declared]: [string, Member]): DeclaredMember {
  const wireNames = { camel: name, snake: declared.snakeCaseName ?? snakeCase(name) };
  return {
    ...declared,
    name,
    wireNames,
    prefixes: { camel: `${writeJson(wireNames.camel)}:`, snake: `${writeJson(wireNames.snake)}:` },
    writer: declared.optional ? nullWhenAbsent(declared.kind) : declared.kind,
  };
}

type AnyObject = Readonly<Record<string, unknown>>;

/** An object with exactly these members, written in this order. */
export function objectOf<const M extends Members>(members: M): ObjectKind<M> {
  const declared = Object.entries<Member>(members).map(declareMember);
  const kind: Kind<AnyObject> = {
    isStructured: true,
    ...(declared.every((one) => one.kind.read) ? { read: objectReader(declared) } : {}),
    write(value, style) {
      const written: Record<string, unknown> = {};
      for (const one of declared) {
        const memberValue = value[one.name];
        if (memberValue === undefined && one.omissible) continue;
        written[one.wireNames[style.names]] = one.writer.write(
          memberValue,
          styleIn(one.unit && value[one.unit], style),
        );
      }
      return written;
    },
    text(value, style) {
      let json = '';
      for (const one of declared) {
        const memberValue = value[one.name];
        if (memberValue === undefined && one.omissible) continue;
        json += json === '' ? '{' : ',';
        json +=
          one.prefixes[style.names] + kindText(one.writer, memberValue, styleIn(one.unit && value[one.unit], style));
      }
      return json === '' ? '{}' : `${json}}`;
    },
    schema: (style) => objectSchema(declared, style),
  };
  // The reader is there exactly where the type says so: where every member has one.
  return kind as ObjectKind<M>;
}

function objectSchema(declared: readonly DeclaredMember[], style: SchemaStyle): JsonSchema {
  const nameOf = ({ wireNames }: DeclaredMember): string => wireNames[style.names];
  return {
    type: 'object',
    required: declared.filter((one) => !one.optional && !one.omissible).map(nameOf),
    properties: Object.fromEntries(
      declared.map((one) => [nameOf(one), { ...one.writer.schema(style), description: one.description }]),
    ),
    additionalProperties: false,
  };
}

function objectReader(declared: readonly DeclaredMember[]) {
  return (value: Json, names: NameStyle = 'camel'): AnyObject => {
    if (!isJsonObject(value)) throw new FieldFault('must be an object');
    const known = new Set(declared.map(({ wireNames }) => wireNames[names]));
    const faults: InnerFault[] = [];
    for (const name of Object.keys(value).filter((one) => !known.has(one)))
      addInnerFaults(faults, { code: 'unknown-attribute', path: [name], message: 'is not a known member' });
    const read: Record<string, unknown> = {};
    for (const { name, wireNames, kind, optional } of declared) {
      const wireName = wireNames[names];
      const sent = Object.hasOwn(value, wireName) ? value[wireName] : undefined;
      if (sent === null && optional) read[name] = null;
      else if (sent !== undefined) read[name] = readPart(kind, sent, { names, step: wireName, faults });
      else if (!optional)
        addInnerFaults(faults, { code: 'missing-attribute', path: [wireName], message: 'is required' });
    }
    if (faults.length > 0) throw new InnerFaults(faults);
    return read;
  };
}

interface PartPlace {
  readonly names: NameStyle | undefined;
  readonly step: string | number;
  readonly faults: InnerFault[];
}

/** Reads a member or an item; notes its faults and returns undefined where it has any. */
function readPart<T>(kind: Kind<T>, value: Json, { names, step, faults }: PartPlace): T | undefined {
  try {
    return kind.read?.(value, names);
  } catch (error) {
    addInnerFaults(faults, ...faultsAt(step, error));
    return undefined;
  }
}

/** The faults of a part, with its name or position added to their paths. */
function faultsAt(step: string | number, error: unknown): InnerFault[] {
  if (error instanceof InnerFaults) return error.inner.map((one) => ({ ...one, path: [step, ...one.path] }));
  if (error instanceof FieldFault) return [{ code: 'invalid-attribute', path: [step], message: error.message }];
  throw error;
}

interface ListLimits {
  readonly itemsMax: number;
}

/** A list, in order. It can be read if its items can and their number is limited. */
export function listOf<T>(item: FieldKind<T>, limits: ListLimits): FieldKind<readonly T[]>;
export function listOf<T>(item: Kind<T>): Kind<readonly T[]>;
export function listOf<T>(item: Kind<T>, limits?: ListLimits): Kind<readonly T[]> {
  return {
    ...(item.isStructured ? { isStructured: true } : {}),
    ...(limits ? { read: listReader(item, limits) } : {}),
    write: (value, style) => value.map((one) => item.write(one, style)),
    text: (value, style) => `[${value.map((one) => kindText(item, one, style)).join(',')}]`,
    schema: (style) => ({
      type: 'array',
      items: item.schema(style),
      ...(limits ? { maxItems: limits.itemsMax } : {}),
    }),
  };
}

function listReader<T>(item: Kind<T>, { itemsMax }: ListLimits) {
  return (value: Json, names?: NameStyle): readonly T[] => {
    if (!Array.isArray(value)) throw new FieldFault('must be an array');
    if (value.length > itemsMax) throw new FieldFault(`must have at most ${itemsMax} items`);
    const faults: InnerFault[] = [];
    const items = value.map((one, step) => readPart(item, one, { names, step, faults }));
    if (faults.length > 0) throw new InnerFaults(faults);
    return items as T[]; // undefined occurs only beside a fault
  };
}

/** Distinct texts, sorted by their characters. */
export function textSet({ lengthMax, itemsMax }: ListLimits & { readonly lengthMax: number }) {
  const item = text({ lengthMax });
  const list = listOf(item, { itemsMax });
  const kind: FieldKind<readonly string[]> = {
    read(value) {
      const texts = list.read(value).toSorted((one, other) => (one < other ? -1 : 1));
      if (new Set(texts).size !== texts.length) throw new FieldFault('must not repeat a text');
      return texts;
    },
    write: (value) => value,
    schema: (style) => ({ ...list.schema(style), uniqueItems: true }),
    readText: (value) => [item.read(value)],
  };
  return kind;
}

/** Any JSON object, kept as it was sent, with all digits of its numbers. */
export function openObject({ charactersMax }: { readonly charactersMax: number }): FieldKind<JsonObject> {
  return {
    isStructured: true,
    read(value) {
      if (!isJsonObject(value)) throw new FieldFault('must be an object');
      const tooLong = `must have at most ${charactersMax} characters`;
      if (countParts(value, charactersMax) > charactersMax) throw new FieldFault(tooLong);
      const faults: InnerFault[] = [];
      const read = canonicalObject(value, [], faults);
      if (faults.length > 0) throw new InnerFaults(faults);
      if (writeJson(read).length > charactersMax) throw new FieldFault(tooLong);
      return read;
    },
    write: (value) => value,
    schema: () => ({ type: 'object', additionalProperties: true }),
  };
}

/** How many parts a value has, each of at least a character; does not count on after `partsMax`. */
function countParts(value: Json, partsMax: number): number {
  const parts = Array.isArray(value) ? value : isJsonObject(value) ? Object.values(value) : [];
  let count = parts.length;
  for (const part of parts) if (count <= partsMax) count += countParts(part, partsMax - count);
  return count;
}

type Path = readonly (string | number)[];

/** The same object with every number in canonical digits. Numbers that the database cannot store are faults. */
function canonicalObject(value: JsonObject, path: Path, faults: InnerFault[]): JsonObject {
  const members = Object.entries(value).map(
    ([name, part]) => [name, canonicalValue(part, [...path, name], faults)] as const,
  );
  return Object.fromEntries(members);
}

function canonicalValue(value: Json, path: Path, faults: InnerFault[]): Json {
  if (Array.isArray(value)) return value.map((item, index) => canonicalValue(item, [...path, index], faults));
  if (isJsonObject(value)) return canonicalObject(value, path, faults);
  if (!(value instanceof JsonNumber)) return value;
  try {
    return new JsonNumber(parseDecimal(value.text));
  } catch (error) {
    const message = error instanceof Error ? error.message : 'is not valid';
    addInnerFaults(faults, { code: 'invalid-attribute', path, message });
    return value;
  }
}
