// The schema as a whole: the committed dump is what the migrations lead to, and every table is fit to be spread by workspace.

import { readFile } from 'node:fs/promises';
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { dumpSchema, schemaFile } from '../../scripts/write-schema.ts';
import { emptyDatabaseForThisTest } from '../../tests/setup/empty-database.ts';
import { readCatalog, schemaRules, type Catalog, type SchemaRule } from '../../tests/setup/schema-rules.ts';
import { makeDatabase, type TestDatabase } from '../../tests/setup/service.ts';

let database: TestDatabase;
let client: pg.Client;

beforeAll(async () => {
  database = await makeDatabase();
  client = new pg.Client({ connectionString: database.url });
  await client.connect();
});

afterAll(async () => {
  await client.end();
  await database.drop();
});

describe('migrations/schema.sql', () => {
  test('is what the migrations lead to (npm run schema writes it)', async () => {
    expect(await dumpSchema(client)).toBe(await readFile(schemaFile, 'utf8'));
  });

  test('is SQL that makes the same schema again', async () => {
    const empty = new pg.Client({ connectionString: (await emptyDatabaseForThisTest()).url });
    const committed = await readFile(schemaFile, 'utf8');
    await empty.connect();
    await empty.query(committed);
    expect(await dumpSchema(empty)).toBe(committed);
    await empty.end();
  });

  const changes: [what: string, change: string, line: string][] = [
    ['a column', 'ALTER TABLE client ADD note text', '  note text\n'],
    ['a default', "ALTER TABLE client ALTER name SET DEFAULT 'x'", "  name text DEFAULT 'x'::text NOT NULL"],
    ['a dropped not-null', 'ALTER TABLE client ALTER name DROP NOT NULL', '  name text,\n'],
    ['a collation', 'ALTER TABLE client ALTER name TYPE text COLLATE "C"', '  name text COLLATE "C" NOT NULL'],
    [
      'a check',
      'ALTER TABLE client ADD CONSTRAINT named CHECK (name <> id)',
      'ADD CONSTRAINT named CHECK ((name <> id));',
    ],
    [
      'an index',
      'CREATE INDEX client_by_name ON client (workspace_id, name)',
      'CREATE INDEX client_by_name ON client USING btree (workspace_id, name);',
    ],
    [
      'a function',
      "CREATE FUNCTION one() RETURNS int LANGUAGE sql AS 'SELECT 1'",
      'CREATE OR REPLACE FUNCTION public.one()',
    ],
    [
      'a policy',
      'CREATE POLICY wide ON budget FOR DELETE USING (true)',
      'CREATE POLICY wide ON budget AS PERMISSIVE FOR DELETE TO PUBLIC\n  USING (true);',
    ],
    ['a grant', 'GRANT TRUNCATE ON budget TO holdfast_gate', 'GRANT TRUNCATE ON budget TO holdfast_gate;'],
  ];

  test.each(changes)('would show %s', async (_what, change, line) => {
    await client.query('BEGIN');
    try {
      expect(await dumpSchema(client)).not.toContain(line);
      await client.query(change);
      expect(await dumpSchema(client)).toContain(line);
    } finally {
      await client.query('ROLLBACK');
    }
  });
});

describe('fit to be spread by workspace', () => {
  let catalog: Catalog;

  beforeAll(async () => {
    catalog = await readCatalog(client);
  });

  test.each(Object.keys(schemaRules) as SchemaRule[])('%s', (rule) => {
    expect(schemaRules[rule](catalog)).toEqual([]);
  });

  test('the rules look at all tables', () => {
    expect(catalog.tables.length).toBeGreaterThanOrEqual(12);
    expect(catalog.uniqueIndexes.length).toBeGreaterThanOrEqual(catalog.tables.length);
    expect(catalog.foreignKeys.length).toBeGreaterThanOrEqual(8);
    expect(catalog.grants).toContainEqual({ table: 'audit_entry', role: 'holdfast_service', privilege: 'INSERT' });
  });

  const good = 'workspace_id text NOT NULL, id text NOT NULL';
  const breaches: [rule: SchemaRule, breach: string, faults: string[]][] = [
    ['every table begins with its workspace', 'CREATE TABLE bad (id text, workspace_id text)', ['bad begins with id']],
    [
      'every primary key, unique constraint and unique index begins with the workspace',
      `CREATE TABLE bad (${good}, PRIMARY KEY (id, workspace_id), UNIQUE (id));
       CREATE UNIQUE INDEX bad_lower ON bad (lower(workspace_id))`,
      ['bad_pkey begins with id', 'bad_id_key begins with id', 'bad_lower begins with an expression'],
    ],
    [
      'every foreign key begins with the workspace on both sides',
      `ALTER TABLE client ADD UNIQUE (id); CREATE TABLE bad (${good}, CONSTRAINT to_client FOREIGN KEY (id) REFERENCES client (id));
       CREATE TABLE worse (${good}, CONSTRAINT to_workspace FOREIGN KEY (id) REFERENCES workspace (workspace_id))`,
      ['to_client leads from id to id', 'to_workspace leads from id to workspace_id'],
    ],
    [
      'there are no triggers',
      'CREATE TRIGGER bad BEFORE UPDATE ON client FOR EACH ROW EXECUTE FUNCTION suppress_redundant_updates_trigger()',
      ['bad on client'],
    ],
    [
      'no sequence is shared across workspaces',
      `CREATE TABLE bad (${good}, number int GENERATED ALWAYS AS IDENTITY)`,
      ['bad_number_seq'],
    ],
    [
      'nothing reads tables with its maker’s rights: no view, no security definer',
      "CREATE VIEW bad AS SELECT * FROM client; CREATE FUNCTION worse() RETURNS int LANGUAGE sql SECURITY DEFINER AS 'SELECT 1'",
      ['bad', 'worse'],
    ],
    [
      'row-level security is enabled and forced on every table',
      'ALTER TABLE client NO FORCE ROW LEVEL SECURITY; ALTER TABLE budget DISABLE ROW LEVEL SECURITY',
      ['budget', 'client'],
    ],
    ['every table has a policy for the service', 'DROP POLICY entered ON signing_key', ['signing_key']],
    [
      'the service and the gate can neither log in nor pass row-level security by',
      'ALTER ROLE holdfast_service LOGIN',
      ['holdfast_service'],
    ],
    [
      'the service and the gate can neither log in nor pass row-level security by',
      'ALTER ROLE holdfast_gate BYPASSRLS',
      ['holdfast_gate'],
    ],
    [
      'the service and the gate can neither log in nor pass row-level security by',
      'ALTER ROLE holdfast_gate SUPERUSER',
      ['holdfast_gate'],
    ],
    [
      'the gate can only read, and only what it takes to know a caller',
      'GRANT SELECT (name) ON client TO holdfast_gate; GRANT UPDATE ON credential TO holdfast_gate',
      ['SELECT on client', 'UPDATE on credential'],
    ],
    [
      'nobody but the service and the gate has been let in',
      'GRANT SELECT ON client TO PUBLIC',
      ['SELECT on client to PUBLIC'],
    ],
    [
      'the service adds to the audit log and cannot change or delete a line',
      'GRANT UPDATE (after), DELETE ON audit_entry TO holdfast_service',
      ['DELETE', 'UPDATE'],
    ],
  ];

  test.each(breaches)('a breach is found: %s', async (rule, breach, faults) => {
    await client.query('BEGIN');
    try {
      await client.query(breach);
      expect(schemaRules[rule](await readCatalog(client)).toSorted()).toEqual(faults.toSorted());
    } finally {
      await client.query('ROLLBACK');
    }
  });
});
