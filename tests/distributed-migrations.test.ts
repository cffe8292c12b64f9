// Migrations run on databases whose tables are spread over servers by Citus, which is in no registry that a test could install it from. What it
// refused of a migration is kept here.

import { readdirSync, readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { splitStatements } from '../src/store/postgres/split-statements.ts';

const folder = new URL('../migrations/', import.meta.url);
/** Those before were run before any table could be spread. */
const firstSpread = '0020';
const names = readdirSync(folder).filter((name) => /^\d{4}-/.test(name) && name >= firstSpread);

const refused: readonly (readonly [rule: string, pattern: RegExp, example: string])[] = [
  [
    'a column is added without a constraint, which a statement of its own adds',
    /\bADD COLUMN\b[^,;]*\b(?:CHECK|REFERENCES|UNIQUE|PRIMARY KEY)\b/i,
    `ALTER TABLE account ADD COLUMN kind text CHECK (kind IN ('a'))`,
  ],
];

test.each(refused)('%s', (_rule, pattern, example) => {
  expect(example).toMatch(pattern);
  const found = names.flatMap((name) =>
    splitStatements(readFileSync(new URL(name, folder), 'utf8'))
      .filter((statement) => pattern.test(statement.replaceAll(/--.*$/gm, '')))
      .map((statement) => `${name}: ${statement}`),
  );
  expect(found).toEqual([]);
});
