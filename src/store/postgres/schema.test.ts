// The schema as a whole: the committed dump is the result of the migrations, every table can be spread by workspace, and records of
// one client cannot be linked to another's.

import { readFile } from 'node:fs/promises';
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { dumpSchema, schemaFile } from '../../../scripts/write-schema.ts';
import { emptyDatabaseForThisTest } from '../../../tests/setup/database/empty-database.ts';
import { readCatalog, schemaRules, type Catalog, type SchemaRule } from '../../../tests/setup/database/schema-rules.ts';
import type { TestDatabase } from '../../../tests/setup/database/test-database.ts';
import { makeDatabase } from '../../../tests/setup/node/test-service.ts';
import {
  custodiansOf,
  insertTenants,
  tenants,
  recordsOf,
  type TestTenant,
} from '../../../tests/setup/database/tenants.ts';

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
  test('is the result of the migrations (npm run schema writes it)', async () => {
    expect(await dumpSchema(client)).toBe(await readFile(schemaFile, 'utf8'));
  });

  test('is SQL that creates the same schema', async () => {
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
    ['a grant', 'GRANT TRUNCATE ON budget TO holdfast_pre_auth', 'GRANT TRUNCATE ON budget TO holdfast_pre_auth;'],
  ];

  test.each(changes)('shows %s', async (_what, change, line) => {
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

describe('rules that allow distribution by workspace', () => {
  let catalog: Catalog;

  beforeAll(async () => {
    catalog = await readCatalog(client);
  });

  test.each(Object.keys(schemaRules) as SchemaRule[])('%s', (rule) => {
    expect(schemaRules[rule](catalog)).toEqual([]);
  });

  test('the rules check all tables', () => {
    expect(catalog.tables.length).toBeGreaterThanOrEqual(19);
    expect(catalog.uniqueIndexes.length).toBeGreaterThanOrEqual(catalog.tables.length);
    expect(catalog.foreignKeys.length).toBeGreaterThanOrEqual(19);
    expect(catalog.foreignKeys.filter(({ carriesClient }) => carriesClient).length).toBeGreaterThanOrEqual(9);
    expect(catalog.grants).toContainEqual({
      table: 'audit_entry',
      column: null,
      role: 'holdfast_service',
      privilege: 'INSERT',
    });
  });

  const good = 'workspace_id text NOT NULL, id text NOT NULL';
  const breaches: [rule: SchemaRule, breach: string, faults: string[]][] = [
    ['every table begins with its workspace', 'CREATE TABLE bad (id text, workspace_id text)', ['bad begins with id']],
    [
      'every primary key begins with the workspace, and every other unique key has it',
      `CREATE TABLE bad (${good}, PRIMARY KEY (id, workspace_id), UNIQUE (id));
       CREATE UNIQUE INDEX bad_lower ON bad (lower(workspace_id))`,
      ['bad_pkey begins with id', 'bad_id_key lacks it', 'bad_lower lacks it'],
    ],
    [
      'every foreign key begins with the workspace on both sides',
      `ALTER TABLE client ADD UNIQUE (id); CREATE TABLE bad (${good}, CONSTRAINT to_client FOREIGN KEY (id) REFERENCES client (id));
       CREATE TABLE worse (${good}, CONSTRAINT to_workspace FOREIGN KEY (id) REFERENCES workspace (workspace_id))`,
      ['to_client leads from id to id', 'to_workspace leads from id to workspace_id'],
    ],
    [
      'every foreign key to what belongs to a client carries the client on both sides',
      `ALTER TABLE portfolio ADD CONSTRAINT loose FOREIGN KEY (workspace_id, environment, id) REFERENCES account;
       ALTER TABLE portfolio ADD other text, ADD CONSTRAINT twisted
         FOREIGN KEY (workspace_id, environment, other, id) REFERENCES account (workspace_id, environment, client_id, id)`,
      ['loose', 'twisted'],
    ],
    [
      'no foreign key empties columns of its rows',
      `ALTER TABLE mail ADD CONSTRAINT forgetful FOREIGN KEY (workspace_id, environment, person_id)
         REFERENCES person_key (workspace_id, environment, person_id) ON DELETE SET NULL (person_id)`,
      ['forgetful'],
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
      'nothing reads tables with its creator’s rights: no view, no security definer',
      "CREATE VIEW bad AS SELECT * FROM client; CREATE FUNCTION worse() RETURNS int LANGUAGE sql SECURITY DEFINER AS 'SELECT 1'",
      ['bad', 'worse'],
    ],
    [
      'row-level security is enabled and forced on every table',
      'ALTER TABLE client NO FORCE ROW LEVEL SECURITY; ALTER TABLE budget DISABLE ROW LEVEL SECURITY',
      ['budget', 'client'],
    ],
    [
      'policies compare rows with settings and read no other table',
      'CREATE POLICY wide ON budget FOR DELETE USING (subject IN (SELECT id FROM client))',
      ['wide on budget'],
    ],
    ['every table has a policy for the service', 'DROP POLICY entered ON signing_key', ['signing_key']],
    [
      'the service role and the pre-auth role can neither log in nor bypass row-level security',
      'ALTER ROLE holdfast_service LOGIN',
      ['holdfast_service'],
    ],
    [
      'the service role and the pre-auth role can neither log in nor bypass row-level security',
      'ALTER ROLE holdfast_pre_auth BYPASSRLS',
      ['holdfast_pre_auth'],
    ],
    [
      'the service role and the pre-auth role can neither log in nor bypass row-level security',
      'ALTER ROLE holdfast_pre_auth SUPERUSER',
      ['holdfast_pre_auth'],
    ],
    [
      'the pre-auth role can only read, and only what identifies a caller, how much mail an address has received, which tenants have something due, or how much room they take',
      `GRANT SELECT (name) ON account TO holdfast_pre_auth; GRANT UPDATE ON credential TO holdfast_pre_auth; GRANT SELECT (url) ON webhook TO holdfast_pre_auth;
       GRANT SELECT ON calculation_round TO holdfast_pre_auth`,
      ['SELECT on account', 'UPDATE on credential', 'SELECT on webhook', 'SELECT on calculation_round'],
    ],
    [
      'only the service role and the pre-auth role have been granted access',
      'GRANT SELECT ON client TO PUBLIC',
      ['SELECT on client to PUBLIC'],
    ],
    [
      'the service adds to the audit log and to its chain, and cannot change an entry',
      'GRANT UPDATE (after), TRUNCATE ON audit_entry TO holdfast_service',
      ['TRUNCATE', 'UPDATE'],
    ],
    [
      'the audit log, rounds, states of limits, events and deliveries are deleted only before a stated moment',
      `CREATE POLICY any_time ON audit_link FOR DELETE USING (workspace_id = current_setting('holdfast.workspace', true));
       CREATE POLICY all_of_it ON limit_state USING (true)`,
      ['audit_link', 'limit_state'],
    ],
    [
      'policies only permit: servers that spread tables make a restrictive policy permissive',
      'CREATE POLICY narrow ON budget AS RESTRICTIVE FOR DELETE USING (false)',
      ['narrow on budget'],
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

describe('records of one client, written by a superuser without the store', () => {
  const [here, sandbox] = tenants as [TestTenant, TestTenant];
  const { root, other } = here.clients;
  const [own, others, away] = [recordsOf(here, 'root'), recordsOf(here, 'other'), recordsOf(sandbox, 'root')];
  const tenant = `'${here.workspaceId}', '${here.environment}'`;
  const id = here.id(99);
  const account = (clientId: string, legalEntity: string, custodian = 'NULL'): string =>
    `INSERT INTO account VALUES (${tenant}, '${id}', '${clientId}', '${legalEntity}', ${custodian}, 'X', NULL, 'EUR', false, now())`;
  const link = (table: string, ...ids: string[]): string =>
    `INSERT INTO ${table} VALUES (${tenant}, ${ids.map((one) => `'${one}'`).join(', ')})`;

  beforeAll(() => insertTenants(client));

  /** Tries a statement and undoes it. */
  async function tryOut(statement: string): Promise<void> {
    await client.query('BEGIN');
    try {
      await client.query(statement);
    } finally {
      await client.query('ROLLBACK');
    }
  }

  test.each([
    ['an account', account(root, own.legalEntity, `'${custodiansOf(here)[1]}'`)],
    ['a link', `DELETE FROM portfolio_account; ${link('portfolio_account', root, own.portfolio, own.account)}`],
  ])('%s within the client is accepted', async (_what, statement) => {
    await expect(tryOut(statement)).resolves.toBeUndefined();
  });

  test.each([
    ["an account below another client's legal entity", 'account', account(root, others.legalEntity)],
    ["another client's account below the legal entity", 'account', account(other, own.legalEntity)],
    ['an account below a legal entity of another environment', 'account', account(root, away.legalEntity)],
    [
      'an account with a custodian of another environment',
      'account',
      account(root, own.legalEntity, `'${custodiansOf(sandbox)[0]}'`),
    ],
    [
      "a depository below another client's legal entity",
      'depository',
      `INSERT INTO depository VALUES (${tenant}, '${id}', '${root}', '${others.legalEntity}', 'X', NULL, now())`,
    ],
    [
      "a portfolio below another client's reporting entity",
      'portfolio',
      `INSERT INTO portfolio VALUES (${tenant}, '${id}', '${root}', '${others.reportingEntity}', 'X', now())`,
    ],
    [
      'an account moved to another client, even without its links and bookings,',
      'account',
      `DELETE FROM account_depository; DELETE FROM portfolio_account; DELETE FROM transaction; DELETE FROM account_ledger; DELETE FROM ledger_copy;
       DELETE FROM historical_holding; DELETE FROM stated_holding; DELETE FROM authority_account;
       DELETE FROM stated_entry; DELETE FROM reconciliation_break;
       UPDATE account SET client_id = '${other}' WHERE id = '${own.account}'`,
    ],
    [
      'a legal entity moved to another client without its accounts',
      'account',
      `UPDATE legal_entity SET client_id = '${other}' WHERE id = '${own.legalEntity}'`,
    ],
    [
      'a link to a depository of another environment',
      'account_depository',
      link('account_depository', root, own.account, away.depository),
    ],
  ])('%s is refused', async (_what, table, statement) => {
    await expect(tryOut(statement)).rejects.toMatchObject({ code: '23503', table });
  });

  test.each([
    ['account_depository', own.account, others.depository],
    ['portfolio_account', own.portfolio, others.account],
    ['portfolio_depository', own.portfolio, others.depository],
  ])('%s cannot link records of two clients, whichever client the link names', async (table, from, to) => {
    for (const owner of [root, other]) {
      await expect(tryOut(link(table, owner, from, to))).rejects.toMatchObject({ code: '23503', table });
    }
  });

  test.each([
    ['a client with legal entities', 'client', root],
    ['a legal entity with accounts', 'legal_entity', own.legalEntity],
    ['a reporting entity with portfolios', 'reporting_entity', own.reportingEntity],
    ['a depository with accounts', 'depository', own.depository],
    ['a custodian with accounts', 'custodian', custodiansOf(here)[0]],
  ])('%s cannot be deleted', async (_what, table, one) => {
    await expect(tryOut(`DELETE FROM ${table} WHERE id = '${one}'`)).rejects.toMatchObject({ code: '23503' });
  });
});
