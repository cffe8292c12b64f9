// Tests that a migration is split where its statements end, and nowhere else.

import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { listMigrations } from './migrate.ts';
import { splitStatements } from './split-statements.ts';

describe('a semicolon ends a statement', () => {
  test.each<[what: string, text: string, statements: string[]]>([
    ['with or without a last one', 'A; B', ['A', 'B']],
    ['and nothing between two is none', ' ; A;;\n;B ;', ['A', 'B']],
    ['in no text', `SELECT 'a;b', 'it''s;' ; B`, [`SELECT 'a;b', 'it''s;'`, 'B']],
    ['in no text that ends with a backslash', `SELECT '\\'; B`, [`SELECT '\\'`, 'B']],
    ['in no text with escapes', `SELECT E'it\\'s;', e'\\\\'; B`, [`SELECT E'it\\'s;', e'\\\\'`, 'B']],
    ['after a word that ends with e', `SELECT date'2026-01-01'; B`, [`SELECT date'2026-01-01'`, 'B']],
    ['in no name', 'SELECT ";", "a"";"; B', ['SELECT ";", "a"";"', 'B']],
    ['in no body', 'DO $$ BEGIN; END; $$; B', ['DO $$ BEGIN; END; $$', 'B']],
    ['in no body in another', 'DO $a$ $$;$$ $b$;$b$ ; $a$; B', ['DO $a$ $$;$$ $b$;$b$ ; $a$', 'B']],
    ['after a parameter', 'SELECT $1; SELECT a$b$c; B', ['SELECT $1', 'SELECT a$b$c', 'B']],
    ['in no comment', '-- a;\nA /* ; /* ; */ ; */ -- b; c\n; B', ['-- a;\nA /* ; /* ; */ ; */ -- b; c', 'B']],
    ['and comments alone are none', '-- a\n/* b */; A; -- c', ['A']],
    ['before a quote in a comment', "A; -- it's\nB; C", ['A', "-- it's\nB", 'C']],
    ['in nothing that is not finished', "A; SELECT 'b; c", ['A', "SELECT 'b; c"]],
    ['in no comment that is not finished', 'A; B /* ; /* ; */ ;', ['A', 'B /* ; /* ; */ ;']],
  ])('%s', (_what, text, statements) => {
    expect(splitStatements(text)).toEqual(statements);
  });
});

test('nothing of a migration is lost', async () => {
  const schema = readFileSync(new URL('../../../migrations/schema.sql', import.meta.url), 'utf8');
  const texts = [...(await listMigrations()).map(({ text }) => text), schema];
  const dense = (text: string): string => text.replaceAll(/[\s;]/g, '');
  for (const text of texts) {
    const statements = splitStatements(text);
    expect(dense(text)).toContain(dense(statements.join(';')));
    expect(dense(text).length - dense(statements.join('')).length).toBeLessThan(200);
    for (const statement of statements)
      expect(statement).toMatch(
        /^(?:--[^\n]*\n|\s)*(?:CREATE|ALTER|DROP|GRANT|REVOKE|INSERT|UPDATE|DELETE|DO|COMMENT|SET)\b/,
      );
  }
});
