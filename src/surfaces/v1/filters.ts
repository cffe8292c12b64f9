// The filters of v1 lists: a query parameter for each field that is declared as a filter.

import { defined } from '../../kit/assert.ts';
import { FieldFault, id, instant, text, type FieldKind } from '../../kit/field.ts';
import { searchWords } from '../../kit/search-words.ts';
import {
  snakeCaseNameOf,
  isToMany,
  untilKey,
  type AnyChange,
  type Attribute,
  type Relation,
  type Resource,
  snakeCase,
} from '../../kit/resource.ts';
import type { FilterTarget } from '../../actions/core/filter-targets.ts';
import type { RefusalCode } from '../../model/refusals/refusals.ts';
import { getResource } from '../../model/resources.ts';
import { notFoundCode } from '../http/operation/write-refusals.ts';
import type { WordQuery } from '../../store/resources/search-words.ts';
import type { Parameter } from '../http/operation/operation.ts';

interface Filter {
  readonly name: string;
  readonly field: string;
  /** The type of the record whose id it takes, if it takes one. */
  readonly target?: string;
  readonly parameter: Parameter;
}

/** The filters by the moment of a record. */
function momentFilters(field: string, declared: Attribute | Relation): readonly Filter[] {
  const name = snakeCaseNameOf(field, declared);
  const filter = (parameter: string, key: string, description: string): Filter => ({
    name: parameter,
    field: key,
    parameter: { kind: instant, description },
  });
  const since = filter('since', field, `Only those with \`${name}\` at this moment or later.`);
  const until = filter('until', untilKey(field), `Only those with \`${name}\` before this moment.`);
  return declared.filter === 'period' ? [since, until] : [since];
}

/** A set is filtered by one of its members: `account_ids` by `account_id`. */
function fieldFilter(field: string, declared: Attribute | Relation): Filter {
  const name = snakeCaseNameOf(field, declared);
  if ('kind' in declared) return { name, field, parameter: { kind: declared.kind, description: onlyWithText(name) } };
  const target = declared.to;
  if (!isToMany(declared)) return { name, field, target, parameter: { kind: id, description: onlyWithText(name) } };
  const description = `Only those related to this ${target.replaceAll('-', ' ')}.`;
  return { name: name.replace(/s$/, ''), field, target, parameter: { kind: id, description } };
}

function onlyWithText(name: string): string {
  return `Only those with this \`${name}\`.`;
}

export function resourceFilters(resource: Resource): readonly Filter[] {
  return Object.entries<Attribute | Relation>({ ...resource.attributes, ...resource.relations })
    .filter(([, { filter }]) => filter)
    .flatMap(([field, declared]) =>
      declared.filter === true ? [fieldFilter(field, declared)] : momentFilters(field, declared),
    );
}

/** The most words of a search, since each is another lookup. */
const wordsMax = 8;

/** The text of a search by these of its words. */
export function searchKind(wordsOf: (text: string) => readonly string[]): FieldKind<readonly string[]> {
  return {
    read(value) {
      const words = wordsOf(text({ lengthMax: 200 }).read(value));
      if (words.length > wordsMax) throw new FieldFault(`must have at most ${wordsMax} words`);
      return words;
    },
    write: (value) => value.join(' '),
    schema: () => ({ type: 'string', minLength: 1, maxLength: 200 }),
  };
}

/** Records match that have, for each of the words, a word that begins with it. */
const searchText = searchKind((sent) => {
  const words = searchWords(sent);
  if (words.length === 0) throw new FieldFault('must hold a letter or a digit');
  return words;
});

/** The parameters of lists that are searched by words. */
export function searchParameters({ words, searched, attributes }: Resource): Readonly<Record<string, Parameter>> {
  if (searched !== undefined) {
    const own = searched.textFields.map(
      (name) => `\`${snakeCaseNameOf(name, defined(attributes[name], 'a searched text is a declared field'))}\``,
    );
    const named = searched.namesOf.map((relation) => snakeCase(relation).replaceAll('_', ' '));
    const description = `Only those in which each of these words stands, in ${own.join(', ')} or the name of the ${named.join(' or ')}. Case, accents and the spaces of numbers do not matter.`;
    return { q: { kind: searchText, description } };
  }
  if (words === undefined) return {};
  const texts = words.textFields.map(
    (name) => `\`${snakeCaseNameOf(name, defined(attributes[name], 'a searched text is a declared field'))}\``,
  );
  const description = `Only those with words that begin with each of these, in ${texts.join(', ')}. Case, accents and punctuation do not matter.`;
  const members = words.setFields.map((name) => [
    memberName(name),
    { kind: text({ lengthMax: 64 }), description: `Only those with this among their \`${name}\`.` },
  ]);
  return { q: { kind: searchText, description }, ...Object.fromEntries(members) };
}

/** `tags` are filtered by one `tag`. */
function memberName(name: string): string {
  return name.replace(/s$/, '');
}

export function readSearchWords({ words }: Resource, query: Readonly<Record<string, unknown>>): WordQuery {
  const members = (words?.setFields ?? []).flatMap((name) => (query[memberName(name)] as string | undefined) ?? []);
  return { prefixes: (query['q'] as readonly string[] | undefined) ?? [], members };
}

/** The records that a query names in filters. */
export function filterTargets(filters: readonly Filter[], query: Readonly<Record<string, unknown>>): FilterTarget[] {
  return filters.flatMap(({ name, target }) => {
    const value = query[name];
    return target === undefined || typeof value !== 'string'
      ? []
      : [{ resource: getResource(target), id: value, parameter: name }];
  });
}

/** The refusals of filters by records that do not exist. */
export function filterRefusals(filters: readonly Filter[]): readonly RefusalCode[] {
  return [...new Set(filters.flatMap(({ target }) => (target === undefined ? [] : [notFoundCode({ type: target })])))];
}

export function filterParameters(filters: readonly Filter[]): Readonly<Record<string, Parameter>> {
  return Object.fromEntries(filters.map(({ name, parameter }) => [name, parameter]));
}

/** The filters of a query, under declared names. */
export function readFilters(filters: readonly Filter[], query: Readonly<Record<string, unknown>>): AnyChange {
  const sentFilters = filters.filter(({ name }) => query[name] !== undefined);
  return Object.fromEntries(sentFilters.map(({ name, field }) => [field, query[name]]));
}
