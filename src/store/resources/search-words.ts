// The words that things are found by: a row for each, kept in step with the thing, and the SQL that finds things by them.

import type { AnyRecord, Resource } from '../../kit/resource.ts';
import { clientOf } from '../../kit/resource.ts';
import { searchWords } from '../../kit/search-words.ts';
import type { Reach } from '../../model/access/scope.ts';
import type { Run } from '../postgres/database.ts';
import { sql, type Statement, type Value } from '../postgres/statement.ts';

/** What a list is searched for: things with words that begin so, and with exactly these members of their sets. */
export interface WordQuery {
  readonly beginnings: readonly string[];
  readonly members: readonly string[];
}

export const everyWord: WordQuery = { beginnings: [], members: [] };

type Words = NonNullable<Resource['words']>;

function wordsIn({ ofTexts, ofSets }: Words, record: AnyRecord): string[] {
  const texts = ofTexts.flatMap((name) => searchWords((record[name] as string | null) ?? ''));
  const members = ofSets.flatMap((name) => (record[name] as readonly string[]).map((member) => `#${member}`));
  return [...new Set([...texts, ...members])].toSorted();
}

const statements = new Map<string, { drop: Statement<unknown>; add: Statement<unknown> }>();

function statementsOf({ table, column }: Words) {
  let made = statements.get(table);
  if (made === undefined) {
    made = {
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
    statements.set(table, made);
  }
  return made;
}

/** Makes the words those of the thing as it is now; they go with what is sent next, or with the commit. */
export function writeWords(
  run: Run,
  { workspaceId, environment }: Reach,
  { resource, record, isNew }: { resource: Resource; record: AnyRecord; isNew: boolean },
): void {
  if (resource.words === undefined) return;
  const { drop, add } = statementsOf(resource.words);
  const words = wordsIn(resource.words, record);
  const thing = [workspaceId, environment, record.id] as const;
  if (!isNew) run.later(drop, [...thing, words]);
  run.later(add, [...thing, clientOf(resource, record), words]);
}

/** Sorts after every word that begins with what it is added to. */
const last = '\u{10ffff}';

/** The condition for each word, and the values of its parameters from $n on. */
export function foundByWords(
  { words }: Resource,
  { beginnings, members }: WordQuery,
  firstParameter: number,
): { readonly conditions: string; readonly values: readonly Value[] } {
  const values: Value[] = [];
  const parameter = (value: Value): string => `$${firstParameter + values.push(value) - 1}`;
  const among = (condition: string): string => `AND t.id IN (SELECT w.${words!.column} FROM ${words!.table} w
    WHERE w.workspace_id = $1 AND w.environment = $2 AND ${condition})`;
  const conditions = [
    ...beginnings.map((word) => among(`w.word >= ${parameter(word)} AND w.word < ${parameter(word + last)}`)),
    ...members.map((member) => among(`w.word = ${parameter(`#${member}`)}`)),
  ];
  return { conditions: conditions.join(' '), values };
}
