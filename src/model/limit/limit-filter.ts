// Reads the filter of a limit: conditions on the properties of a holding, joined by `and` and `or`.

import { defined } from '../../kit/assert.ts';
import { JsonNumber } from '../../kit/json-value.ts';
import { keysOf } from '../../kit/keys.ts';
import { faultsListedMax } from '../../kit/refusal.ts';

/** The shape of a field: one word, a set of words, or words in order. */
export type FilterFieldShape = 'word' | 'set' | 'path';

export const limitFilterFields = {
  'instrument_class.id': 'word',
  'instrument_class.path': 'path',
  'instrument.id': 'word',
  'instrument.type': 'word',
  issuer_country: 'word',
  tags: 'set',
  currency: 'word',
  custodian: 'word',
  'portfolio.id': 'set',
} as const satisfies Readonly<Record<string, FilterFieldShape>>;

export type LimitFilterField = keyof typeof limitFilterFields;

/** The shapes of field that each operator applies to. */
export const limitFilterOperators = {
  equals: ['word', 'set', 'path'],
  in: ['word', 'set', 'path'],
  not_in: ['word', 'set', 'path'],
  starts_with: ['path'],
  contains: ['set', 'path'],
} as const satisfies Readonly<Record<string, readonly FilterFieldShape[]>>;

export type LimitFilterOperator = keyof typeof limitFilterOperators;

export interface ConditionFilter {
  readonly kind: 'condition';
  readonly field: LimitFilterField;
  readonly operator: LimitFilterOperator;
  readonly value: readonly string[];
}

interface CompositeFilter {
  readonly kind: 'and' | 'or';
  readonly filters: readonly LimitFilter[];
}

export type LimitFilter = ConditionFilter | CompositeFilter;

/** How deep conditions may be nested. */
export const filterDepthMax = 10;
/** How many values one condition may list. */
export const filterValuesMax = 100;
/** Limited because every holding is tested against every condition. */
const filterConditionsMax = 500;

type Path = readonly (string | number)[];

interface LimitFilterFault {
  readonly code: 'invalid-attribute' | 'missing-attribute' | 'unknown-attribute';
  /** The member names and indexes that lead to it. */
  readonly path: Path;
  /** A sentence that does not name the path. */
  readonly message: string;
}

/** What is wrong with a filter: everything, or more than any answer lists. */
export class LimitFilterFaults extends Error {
  readonly faults: readonly LimitFilterFault[];

  constructor(faults: readonly LimitFilterFault[]) {
    super(faults.map(({ path, message }) => `${path.join('.')} ${message}`.trim()).join('; '));
    this.name = 'LimitFilterFaults';
    this.faults = faults;
  }
}

/** Says what is wrong with a value, in a sentence that does not name the path. */
type ValueCheck = (field: LimitFilterField, value: string) => string | undefined;

/** Reads a filter from JSON. A single text stands for a list of one. */
export function readLimitFilter(source: unknown, check: ValueCheck = () => undefined): LimitFilter {
  const reader = new FilterReader(check);
  const filter = reader.filter(source, [], 1);
  if (reader.faults.length > 0) throw new LimitFilterFaults(reader.faults);
  return defined(filter, 'a filter without faults was read');
}

type FilterObject = Readonly<Record<string, unknown>>;

function isFilterObject(source: unknown): source is FilterObject {
  return typeof source === 'object' && source !== null && !Array.isArray(source) && !(source instanceof JsonNumber);
}

class FilterReader {
  readonly faults: LimitFilterFault[] = [];
  readonly #check: ValueCheck;
  #conditions = 0;

  constructor(check: ValueCheck) {
    this.#check = check;
  }

  filter(source: unknown, path: Path, depth: number): LimitFilter | undefined {
    if (depth > filterDepthMax) return this.#refuse(path, `must not be nested more than ${filterDepthMax} deep`);
    if (!isFilterObject(source)) return this.#refuse(path, 'must be an object');
    const { kind } = source;
    if (kind === 'condition') return this.#condition(source, path);
    if (kind === 'and' || kind === 'or') return this.#composite(kind, source, { path, depth });
    return this.#refuseMember(source, 'kind', path, 'must be one of condition, and, or');
  }

  #composite(
    kind: 'and' | 'or',
    members: FilterObject,
    { path, depth }: { path: Path; depth: number },
  ): CompositeFilter | undefined {
    this.#refuseUnknownMembers(members, ['kind', 'filters'], path);
    const { filters } = members;
    if (!Array.isArray(filters) || filters.length === 0) {
      return this.#refuseMember(members, 'filters', path, 'must be a list of at least one filter');
    }
    const read = filters.map((one, at) => this.filter(one, [...path, 'filters', at], depth + 1));
    return { kind, filters: read.filter((one) => one !== undefined) };
  }

  #condition(members: FilterObject, path: Path): ConditionFilter | undefined {
    if (++this.#conditions > filterConditionsMax) {
      if (this.#conditions > filterConditionsMax + 1) return undefined;
      return this.#refuse(path, `must not be one of more than ${filterConditionsMax} conditions`);
    }
    this.#refuseUnknownMembers(members, ['kind', 'field', 'operator', 'value'], path);
    const { field, operator } = members;
    if (typeof field !== 'string' || !Object.hasOwn(limitFilterFields, field)) {
      const names = Object.keys(limitFilterFields).join(', ');
      return this.#refuseMember(members, 'field', path, `must be one of ${names}`);
    }
    const known = field as LimitFilterField;
    const allowedOperators = operatorsForField(known);
    if (!(allowedOperators as readonly unknown[]).includes(operator)) {
      this.#refuseMember(members, 'operator', path, `must be one of ${allowedOperators.join(', ')} for ${field}`);
    }
    const value = this.#values(members, known, path);
    if (operator === 'equals' && limitFilterFields[known] !== 'path' && value.length > 1) {
      this.#refuse([...path, 'value'], 'must be one text with equals; in takes several');
    }
    return { kind: 'condition', field: known, operator: operator as LimitFilterOperator, value };
  }

  #values(members: FilterObject, field: LimitFilterField, path: Path): readonly string[] {
    const { value } = members;
    const values: unknown = typeof value === 'string' ? [value] : value;
    if (!Array.isArray(values) || values.length === 0 || values.length > filterValuesMax) {
      this.#refuseMember(members, 'value', path, `must be a text or a list of 1 to ${filterValuesMax} texts`);
      return [];
    }
    values.forEach((one, at) => {
      const valuePath = [...path, 'value', ...(typeof value === 'string' ? [] : [at])];
      if (typeof one !== 'string' || one === '') this.#refuse(valuePath, 'must be a text that is not empty');
      else this.#refuseValue(field, one, valuePath);
    });
    return values;
  }

  #refuseValue(field: LimitFilterField, value: string, valuePath: Path): void {
    const message = this.#check(field, value);
    if (message !== undefined) this.#refuse(valuePath, message);
  }

  #refuseUnknownMembers(members: FilterObject, known: readonly string[], path: Path): void {
    for (const other of Object.keys(members)) {
      if (known.includes(other)) continue;
      this.#add({ code: 'unknown-attribute', path: [...path, other], message: 'is not known here' });
    }
  }

  #refuseMember(members: FilterObject, name: string, path: Path, message: string): undefined {
    const isPresent = Object.hasOwn(members, name);
    const code = isPresent ? 'invalid-attribute' : 'missing-attribute';
    this.#add({ code, path: [...path, name], message: isPresent ? message : `is required and ${message}` });
  }

  #refuse(path: Path, message: string): undefined {
    this.#add({ code: 'invalid-attribute', path, message });
  }

  /** Stops reading after very many faults. */
  #add(fault: LimitFilterFault): void {
    this.faults.push(fault);
    if (this.faults.length > faultsListedMax) throw new LimitFilterFaults(this.faults);
  }
}

/** A condition of a filter, and the member names and indexes that lead to it. */
export interface PlacedCondition {
  readonly condition: ConditionFilter;
  readonly path: Path;
}

export function listConditions(filter: LimitFilter, path: Path = []): readonly PlacedCondition[] {
  if (filter.kind === 'condition') return [{ condition: filter, path }];
  return filter.filters.flatMap((one, at) => listConditions(one, [...path, 'filters', at]));
}

export function operatorsForField(field: LimitFilterField): readonly LimitFilterOperator[] {
  const shape = limitFilterFields[field];
  const names = keysOf(limitFilterOperators);
  return names.filter((name) => (limitFilterOperators[name] as readonly FilterFieldShape[]).includes(shape));
}
