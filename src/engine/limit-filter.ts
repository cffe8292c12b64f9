// Which holdings a limit speaks of: conditions on a holding's facts, joined by and and or, as text of JSON shape and as a test.

/** What is known of a holding when limits look at it. */
export interface HoldingFacts {
  readonly instrumentId: string;
  readonly instrumentType: string;
  readonly instrumentClassId: string | null;
  /** From the root down to the class itself. */
  readonly instrumentClassPath: readonly string[];
  readonly issuerCountry: string | null;
  readonly tags: readonly string[];
  readonly currency: string;
  readonly custodian: string | null;
  readonly portfolioIds: readonly string[];
}

/** How a field is compared: one word, a set of words, or words in order. */
type FieldShape = 'word' | 'set' | 'path';

interface FilterField {
  readonly shape: FieldShape;
  valuesOf(facts: HoldingFacts): readonly string[];
}

const oneWord = (valueOf: (facts: HoldingFacts) => string | null): FilterField => ({
  shape: 'word',
  valuesOf: (facts) => {
    const value = valueOf(facts);
    return value === null ? [] : [value];
  },
});

const fields: Readonly<Record<string, FilterField>> = {
  'instrument_class.id': oneWord((facts) => facts.instrumentClassId),
  'instrument_class.path': { shape: 'path', valuesOf: (facts) => facts.instrumentClassPath },
  'instrument.id': oneWord((facts) => facts.instrumentId),
  'instrument.type': oneWord((facts) => facts.instrumentType),
  issuer_country: oneWord((facts) => facts.issuerCountry),
  tags: { shape: 'set', valuesOf: (facts) => facts.tags },
  currency: oneWord((facts) => facts.currency),
  custodian: oneWord((facts) => facts.custodian),
  'portfolio.id': { shape: 'set', valuesOf: (facts) => facts.portfolioIds },
};

type Comparison = (actual: readonly string[], wanted: readonly string[]) => boolean;

const isAny: Comparison = (actual, wanted) => wanted.some((value) => actual.includes(value));
const isNone: Comparison = (actual, wanted) => !isAny(actual, wanted);
const isAll: Comparison = (actual, wanted) => wanted.every((value) => actual.includes(value));
const begins: Comparison = (actual, wanted) => wanted.every((value, index) => actual[index] === value);
const isSame: Comparison = (actual, wanted) => actual.length === wanted.length && begins(actual, wanted);

/** What an operator means for each shape of field; none where it means nothing. */
const operators: Readonly<Record<string, Partial<Record<FieldShape, Comparison>>>> = {
  equals: {
    word: isSame,
    set: (actual, wanted) => actual.length === wanted.length && isAll(actual, wanted),
    path: isSame,
  },
  in: { word: isAny, set: isAny, path: isAny },
  not_in: { word: isNone, set: isNone, path: isNone },
  starts_with: { path: begins },
  contains: { set: isAll, path: isAll },
};

export interface ConditionFilter {
  readonly kind: 'condition';
  readonly field: string;
  readonly operator: string;
  readonly value: readonly string[];
}

export interface CompositeFilter {
  readonly kind: 'and' | 'or';
  readonly filters: readonly LimitFilter[];
}

export type LimitFilter = ConditionFilter | CompositeFilter;

export class LimitFilterFault extends Error {
  /** Where in the filter, as a JSON pointer. */
  readonly pointer: string;

  constructor(pointer: string, detail: string) {
    super(detail);
    this.name = 'LimitFilterFault';
    this.pointer = pointer;
  }
}

const depthMax = 10;
const valuesMax = 100;

/** Reads a filter of any origin. One word may stand for a list of one. */
export function readLimitFilter(source: unknown, pointer = '', depth = 1): LimitFilter {
  if (depth > depthMax) throw new LimitFilterFault(pointer, `Filters are nested at most ${depthMax} deep.`);
  if (typeof source !== 'object' || source === null || Array.isArray(source)) {
    throw new LimitFilterFault(pointer, 'A filter is an object.');
  }
  const members = source as Readonly<Record<string, unknown>>;
  const { kind } = members;
  if (kind === 'condition') return readCondition(members, pointer);
  if (kind === 'and' || kind === 'or') return readComposite(kind, members, { pointer, depth });
  throw new LimitFilterFault(`${pointer}/kind`, 'The kind of a filter is condition, and or or.');
}

function readComposite(
  kind: 'and' | 'or',
  members: Readonly<Record<string, unknown>>,
  { pointer, depth }: { pointer: string; depth: number },
): CompositeFilter {
  refuseOthers(members, ['kind', 'filters'], pointer);
  const { filters } = members;
  if (!Array.isArray(filters) || filters.length === 0) {
    throw new LimitFilterFault(`${pointer}/filters`, 'filters is a list of at least one filter.');
  }
  return { kind, filters: filters.map((one, at) => readLimitFilter(one, `${pointer}/filters/${at}`, depth + 1)) };
}

function readCondition(members: Readonly<Record<string, unknown>>, pointer: string): ConditionFilter {
  refuseOthers(members, ['kind', 'field', 'operator', 'value'], pointer);
  const { field, operator, value } = members;
  const known = typeof field === 'string' && Object.hasOwn(fields, field) ? fields[field] : undefined;
  if (known === undefined) {
    throw new LimitFilterFault(`${pointer}/field`, `field is one of ${Object.keys(fields).join(', ')}.`);
  }
  const fitting = Object.keys(operators).filter((name) => operators[name]![known.shape] !== undefined);
  if (typeof operator !== 'string' || !fitting.includes(operator)) {
    throw new LimitFilterFault(`${pointer}/operator`, `operator for ${String(field)} is one of ${fitting.join(', ')}.`);
  }
  return { kind: 'condition', field: field as string, operator, value: readValues(value, `${pointer}/value`) };
}

function readValues(value: unknown, pointer: string): readonly string[] {
  const values = typeof value === 'string' ? [value] : value;
  const isList = Array.isArray(values) && values.length > 0 && values.length <= valuesMax;
  if (!isList || !values.every((one) => typeof one === 'string' && one !== '')) {
    throw new LimitFilterFault(pointer, `value is a text or a list of 1 to ${valuesMax} texts.`);
  }
  return values;
}

function refuseOthers(members: object, known: readonly string[], pointer: string): void {
  const other = Object.keys(members).find((name) => !known.includes(name));
  if (other !== undefined) throw new LimitFilterFault(`${pointer}/${other}`, `A filter of this kind has no ${other}.`);
}

export function isMatch(filter: LimitFilter, facts: HoldingFacts): boolean {
  if (filter.kind === 'condition') {
    const { shape, valuesOf } = fields[filter.field]!;
    return operators[filter.operator]![shape]!(valuesOf(facts), filter.value);
  }
  const isTrue = (one: LimitFilter): boolean => isMatch(one, facts);
  return filter.kind === 'and' ? filter.filters.every(isTrue) : filter.filters.some(isTrue);
}
