// Validates values against the schemas of an OpenAPI 3.1 document: the keywords that the document uses, and no others.

/** Parsed JSON that others wrote. */
export type Json = any;

/** More faults than these say nothing new. */
const faultsMax = 5;

const digits = (text: string): boolean => /^-?\d+(\.\d+)?$/.test(text);

/** Formats of texts; one that is not listed is not checked. */
const formats: Readonly<Record<string, (text: string) => boolean>> = {
  date: (text) => /^\d{4}-\d\d-\d\d$/.test(text) && !Number.isNaN(Date.parse(text)),
  'date-time': (text) =>
    /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?(Z|[+-]\d\d:\d\d)$/.test(text) && !Number.isNaN(Date.parse(text)),
  decimal: digits,
  email: (text) => /^[^@\s]+@[^@\s]+$/.test(text),
  uri: (text) => URL.canParse(text),
  uuid: (text) => /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i.test(text),
};

function typeOf(value: Json): string {
  if (value === null) return 'null';
  if (Array.isArray(value)) return 'array';
  return Number.isInteger(value) ? 'integer' : typeof value;
}

function hasType(value: Json, type: string): boolean {
  const own = typeOf(value);
  return own === type || (own === 'integer' && type === 'number');
}

const show = (value: Json): string => (JSON.stringify(value) ?? 'nothing').slice(0, 80);

/** Only texts and numbers are listed in enumerations. */
const same = (one: Json, other: Json): boolean =>
  one === other || (typeof one === 'object' && JSON.stringify(one) === JSON.stringify(other));

/** The part of a document that a reference such as `#/components/schemas/Problem` names. */
export function resolveReference(document: Json, reference: string): Json {
  const names = reference.replace(/^#\//, '').split('/');
  return names.reduce((node, name) => node?.[name.replaceAll('~1', '/').replaceAll('~0', '~')], document);
}

export class SchemaValidator {
  readonly #document: Json;
  readonly #patterns = new Map<string, RegExp>();

  constructor(document: Json) {
    this.#document = document;
  }

  /** Says where a value does not match; empty if it does. */
  faults(schema: Json, value: Json, place = ''): readonly string[] {
    if (schema === undefined || schema === true) return [];
    if (schema === false) return [`${place || '/'} is not allowed`];
    if (schema.$ref !== undefined) return this.faults(resolveReference(this.#document, schema.$ref), value, place);
    const faults = this.#ofValue(schema, value, place);
    if (faults.length > 0) return faults;
    faults.push(...this.#ofCombinations(schema, value, place));
    if (typeof value === 'string') faults.push(...this.#ofText(schema, value, place));
    if (typeof value === 'number') faults.push(...ofNumber(schema, value, place));
    if (Array.isArray(value)) faults.push(...this.#ofItems(schema, value, place));
    if (typeOf(value) === 'object') faults.push(...this.#ofMembers(schema, value, place));
    return faults.slice(0, faultsMax);
  }

  #ofValue({ type, enum: allowed, const: only }: Json, value: Json, place: string): string[] {
    if (type !== undefined && !(Array.isArray(type) ? type.some((one) => hasType(value, one)) : hasType(value, type)))
      return [`${place || '/'} must be ${[type].flat().join(' or ')}, not ${show(value)}`];
    if (allowed !== undefined && !allowed.some((one: Json) => same(one, value)))
      return [`${place || '/'} must be one of ${JSON.stringify(allowed)}, not ${show(value)}`];
    if (only !== undefined && !same(only, value))
      return [`${place || '/'} must be ${JSON.stringify(only)}, not ${show(value)}`];
    return [];
  }

  #ofCombinations({ allOf = [], anyOf, oneOf, not }: Json, value: Json, place: string): string[] {
    const faults: string[] = allOf.flatMap((one: Json) => this.faults(one, value, place));
    if (anyOf !== undefined && !anyOf.some((one: Json) => this.faults(one, value, place).length === 0))
      faults.push(...this.#nearest(anyOf, value, place));
    if (oneOf !== undefined) {
      const matching = oneOf.filter((one: Json) => this.faults(one, value, place).length === 0).length;
      if (matching === 0) faults.push(...this.#nearest(oneOf, value, place));
      if (matching > 1) faults.push(`${place || '/'} matches ${matching} choices, not one`);
    }
    if (not !== undefined && this.faults(not, value, place).length === 0)
      faults.push(`${place || '/'} is what it must not be`);
    return faults;
  }

  /** The faults of the choice with the fewest, which is most likely the one that was meant. */
  #nearest(choices: readonly Json[], value: Json, place: string): readonly string[] {
    const each = choices.map((one) => this.faults(one, value, place));
    return each.toSorted((a, b) => a.length - b.length)[0] ?? [];
  }

  #ofText({ minLength, maxLength, pattern, format }: Json, value: string, place: string): string[] {
    const length = [...value].length;
    const faults: string[] = [];
    if (length < (minLength ?? 0) || length > (maxLength ?? Infinity)) faults.push(`${place} has ${length} characters`);
    if (pattern !== undefined && !this.#pattern(pattern).test(value))
      faults.push(`${place} must match ${pattern}, not ${show(value)}`);
    if (formats[format]?.(value) === false) faults.push(`${place} must be a ${format}, not ${show(value)}`);
    return faults;
  }

  #pattern(source: string): RegExp {
    const pattern = this.#patterns.get(source) ?? new RegExp(source, 'u');
    this.#patterns.set(source, pattern);
    return pattern;
  }

  #ofItems({ items, minItems = 0, maxItems = Infinity, uniqueItems }: Json, value: Json[], place: string): string[] {
    const faults = value.flatMap((one, index) => this.faults(items, one, `${place}/${index}`));
    if (value.length < minItems || value.length > maxItems) faults.push(`${place} has ${value.length} items`);
    if (uniqueItems && new Set(value.map((one) => JSON.stringify(one))).size < value.length)
      faults.push(`${place} has an item twice`);
    return faults;
  }

  #ofMembers({ properties = {}, required = [], additionalProperties }: Json, value: Json, place: string): string[] {
    const missing = required.filter((name: string) => value[name] === undefined);
    const faults = missing.map((name: string) => `${place}/${name} is missing`);
    for (const [name, member] of Object.entries(value)) {
      const schema = Object.hasOwn(properties, name) ? properties[name] : additionalProperties;
      faults.push(...this.faults(schema, member, `${place}/${name}`));
    }
    return faults;
  }
}

function ofNumber(schema: Json, value: number, place: string): string[] {
  const { minimum = -Infinity, maximum = Infinity, exclusiveMinimum, exclusiveMaximum } = schema;
  const isOutside =
    value < minimum ||
    value > maximum ||
    value <= (exclusiveMinimum ?? -Infinity) ||
    value >= (exclusiveMaximum ?? Infinity);
  return isOutside ? [`${place} is out of bounds: ${value}`] : [];
}
