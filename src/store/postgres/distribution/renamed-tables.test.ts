// Tests that a statement is written for other tables without touching what else is called like them.

import { expect, test } from 'vitest';
import { renameTables } from './renamed-tables.ts';

const names = new Map(['client', 'account', 'environment'].map((name) => [name, `${name}_7`]));

test.each([
  ['SELECT client.id FROM client', 'SELECT client.id FROM client_7 AS client'],
  [
    'SELECT c.client FROM client c, account AS a WHERE a.client = c.id',
    'SELECT c.client FROM client_7 c, account_7 AS a WHERE a.client = c.id',
  ],
  ['INSERT INTO client (account) VALUES ($1)', 'INSERT INTO client_7 AS client (account) VALUES ($1)'],
  [
    'UPDATE account SET client = client + 1, environment = $1',
    'UPDATE account_7 AS account SET client = client + 1, environment = $1',
  ],
  [
    'DELETE FROM account a USING client c WHERE c.id = a.client',
    'DELETE FROM account_7 a USING client_7 c WHERE c.id = a.client',
  ],
  [
    'SELECT 1 FROM account JOIN client USING (environment)',
    'SELECT 1 FROM account_7 AS account JOIN client_7 AS client USING (environment)',
  ],
  [
    'SELECT 1 FROM (account a JOIN client c ON c.id = a.client)',
    'SELECT 1 FROM (account_7 a JOIN client_7 c ON c.id = a.client)',
  ],
  [
    'SELECT 1 FROM ONLY account WHERE client IS NOT DISTINCT FROM environment',
    'SELECT 1 FROM ONLY account_7 AS account WHERE client IS NOT DISTINCT FROM environment',
  ],
  [
    'SELECT extract(year FROM client) FROM account ORDER BY account, client',
    'SELECT extract(year FROM client) FROM account_7 AS account ORDER BY account, client',
  ],
  ['SELECT 1 FROM account FOR UPDATE OF account', 'SELECT 1 FROM account_7 AS account FOR UPDATE OF account'],
  [
    `SELECT ' FROM client' AS "FROM client" -- FROM client\nFROM account`,
    `SELECT ' FROM client' AS "FROM client" -- FROM client\nFROM account_7 AS account`,
  ],
  [
    'WITH client AS (SELECT id FROM account) SELECT id FROM client',
    'WITH client AS (SELECT id FROM account_7 AS account) SELECT id FROM client',
  ],
  [
    'SELECT (SELECT count(*) FROM account), client FROM unnest($1::text[]) client',
    'SELECT (SELECT count(*) FROM account_7 AS account), client FROM unnest($1::text[]) client',
  ],
  [
    'INSERT INTO account (id) SELECT client FROM client ON CONFLICT (id) DO UPDATE SET client = 1',
    'INSERT INTO account_7 AS account (id) SELECT client FROM client_7 AS client ON CONFLICT (id) DO UPDATE SET client = 1',
  ],
])('%s', (text, written) => {
  expect(renameTables(text, names)).toBe(written);
});

test('a statement without a table is left alone', () => {
  expect(renameTables('SELECT client, account', names)).toBeUndefined();
});
