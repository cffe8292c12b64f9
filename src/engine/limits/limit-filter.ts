// Decides whether a holding matches the filter of a limit.

import {
  limitFilterFields,
  type FilterFieldShape,
  type LimitFilter,
  type LimitFilterField,
  type LimitFilterOperator,
} from '../../model/limit/limit-filter.ts';

export type { LimitFilter } from '../../model/limit/limit-filter.ts';

/** The properties of a holding that filters can test. */
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

type ListFieldValues = (facts: HoldingFacts) => readonly string[];

const singleValue =
  (findValue: (facts: HoldingFacts) => string | null): ListFieldValues =>
  (facts) => {
    const value = findValue(facts);
    return value === null ? [] : [value];
  };

const fieldValues: Readonly<Record<LimitFilterField, ListFieldValues>> = {
  'instrument_class.id': singleValue((facts) => facts.instrumentClassId),
  'instrument_class.path': (facts) => facts.instrumentClassPath,
  'instrument.id': singleValue((facts) => facts.instrumentId),
  'instrument.type': singleValue((facts) => facts.instrumentType),
  issuer_country: singleValue((facts) => facts.issuerCountry),
  tags: (facts) => facts.tags,
  currency: singleValue((facts) => facts.currency),
  custodian: singleValue((facts) => facts.custodian),
  'portfolio.id': (facts) => facts.portfolioIds,
};

type Comparison = (actual: readonly string[], wanted: readonly string[]) => boolean;

const isAny: Comparison = (actual, wanted) => wanted.some((value) => actual.includes(value));
const isNone: Comparison = (actual, wanted) => !isAny(actual, wanted);
const isAll: Comparison = (actual, wanted) => wanted.every((value) => actual.includes(value));
const startsWith: Comparison = (actual, wanted) => wanted.every((value, index) => actual[index] === value);
const isSame: Comparison = (actual, wanted) => actual.length === wanted.length && startsWith(actual, wanted);

/** The comparison of an operator, by the shape of the field. */
const comparisons: Readonly<Record<LimitFilterOperator, (shape: FilterFieldShape) => Comparison>> = {
  // A holding has a tag, and is in a portfolio, whatever others it has or is in.
  equals: (shape) => (shape === 'set' ? isAll : isSame),
  in: () => isAny,
  not_in: () => isNone,
  starts_with: () => startsWith,
  contains: () => isAll,
};

export function isMatch(filter: LimitFilter, facts: HoldingFacts): boolean {
  if (filter.kind === 'condition') {
    const { field, operator, value } = filter;
    return comparisons[operator](limitFilterFields[field])(fieldValues[field](facts), value);
  }
  const isFilterMatch = (one: LimitFilter): boolean => isMatch(one, facts);
  return filter.kind === 'and' ? filter.filters.every(isFilterMatch) : filter.filters.some(isFilterMatch);
}

const classFields: readonly LimitFilterField[] = ['instrument_class.id', 'instrument_class.path'];

/** Whether the class of a holding decides if it matches. */
export function looksAtClasses(filter: LimitFilter): boolean {
  return filter.kind === 'condition' ? classFields.includes(filter.field) : filter.filters.some(looksAtClasses);
}

export function isUnclassified({ instrumentClassId }: HoldingFacts): boolean {
  return instrumentClassId === null;
}
