// The words that records are found by: one row for each, updated with the record, and the SQL that searches them.

import { defined } from '../../kit/assert.ts';
import type { AnyRecord, Resource } from '../../kit/resource.ts';
import { clientIdOf } from '../../kit/resource.ts';
import { searchWords } from '../../kit/search-words.ts';
import type { Scope } from '../../model/access/scope.ts';
import { getResource } from '../../model/resources.ts';
import type { Run } from '../postgres/statement-runner.ts';
import { sql, type Statement, type Value } from '../postgres/statement.ts';
import { columnOf } from './resource-sql.ts';

/** A search for records with words that begin with these prefixes, and with these members in their sets. */
export interface WordQuery {
  readonly prefixes: readonly string[];
  readonly members: readonly string[];
}

export const anyWords: WordQuery = { prefixes: [], members: [] };

type Words = NonNullable<Resource['words']>;

function wordsOfRecord({ textFields, setFields }: Words, record: AnyRecord): string[] {
  const texts = textFields.flatMap((name) => searchWords((record[name] as string | null) ?? ''));
  const members = setFields.flatMap((name) => (record[name] as readonly string[]).map((member) => `#${member}`));
  return [...new Set([...texts, ...members])].toSorted();
}

const statements = new Map<string, { drop: Statement<unknown>; add: Statement<unknown> }>();

function statementsFor({ table, column }: Words) {
  let pair = statements.get(table);
  if (pair === undefined) {
    pair = {
      drop: sql(
        `${table}/drop`,
        `DELETE FROM ${table} WHERE workspace_id = $1 AND environment = $2 AND ${column} = $3 AND word <> ALL ($4::text[])`,
      ),
      add: sql(
        `${table}/add`,
        `INSERT INTO ${table} (workspace_id, environment, ${column}, client_id, word)
         SELECT $1, $2, $3, $4, word FROM unnest($5::text[]) word ON CONFLICT DO NOTHING`,
      ),
    };
    statements.set(table, pair);
  }
  return pair;
}

/** Replaces the words of a record with those of its present state. Enqueued. */
export function putSearchWords(
  run: Run,
  { workspaceId, environment }: Scope,
  { resource, record, isNew }: { resource: Resource; record: AnyRecord; isNew: boolean },
): void {
  if (resource.words === undefined) return;
  const { drop, add } = statementsFor(resource.words);
  const words = wordsOfRecord(resource.words, record);
  const recordKey = [workspaceId, environment, record.id] as const;
  if (!isNew) run.enqueue(drop, [...recordKey, words]);
  run.enqueue(add, [...recordKey, clientIdOf(resource, record), words]);
}

/** Appended to a prefix, it sorts after every word with that prefix. */
const highestCharacter = '\u{10ffff}';

/** What records without a table of words are searched in: lower case, without accents. Numbers are found with and without their spaces. */
function searchedText(resource: Resource): string {
  const { textFields, namesOf } = defined(resource.searched, 'only records that are searched have such texts');
  const own = textFields.map((name) => `t.${columnOf(resource, name)}`);
  const joined = own.map((text) => `replace(${text}, ' ', '')`);
  const named = namesOf.map((relation) => {
    const { table } = getResource(defined(resource.relations[relation], 'a searched relation is declared').to);
    return `(SELECT e.name FROM ${table} e WHERE e.workspace_id = $1 AND e.environment = t.environment
      AND e.id = t.${columnOf(resource, relation)})`;
  });
  const all = `concat_ws(' ', ${[...own, ...joined, ...named].join(', ')})`;
  return `regexp_replace(lower(normalize(${all}, NFKD)), '[\u0300-\u036f]', '', 'g')`;
}

/** A condition for each word, and the values of their parameters, which are numbered from `firstParameter` on. */
export function wordConditions(
  resource: Resource,
  { prefixes, members }: WordQuery,
  firstParameter: number,
): { readonly conditions: string; readonly values: readonly Value[] } {
  const { words } = resource;
  const values: Value[] = [];
  const parameter = (value: Value): string => `$${firstParameter + values.push(value) - 1}`;
  const isInWords = (condition: string): string => {
    const { table, column } = defined(words, 'only records with words are searched');
    return `AND t.id IN (SELECT w.${column} FROM ${table} w
    WHERE w.workspace_id = $1 AND w.environment = $2 AND ${condition})`;
  };
  if (resource.searched !== undefined) {
    const found = prefixes.map((word) => `AND strpos(${searchedText(resource)}, ${parameter(word)}) > 0`);
    return { conditions: found.join(' '), values };
  }
  const conditions = [
    ...prefixes.map((word) =>
      isInWords(`w.word >= ${parameter(word)} AND w.word < ${parameter(word + highestCharacter)}`),
    ),
    ...members.map((member) => isInWords(`w.word = ${parameter(`#${member}`)}`)),
  ];
  return { conditions: conditions.join(' '), values };
}
