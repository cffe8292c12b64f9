// What a database consists of, read from its catalogs: tables with the columns that are stored, sequences, foreign keys.

import pg from 'pg';

export interface TableShape {
  readonly name: string;
  /** Without generated columns, in the order of the table. */
  readonly columns: readonly string[];
}

/** The migrations make it and fill it themselves. */
const ownTable = 'schema_migration';

const listTablesText = `
SELECT c.relname AS name, array_agg(a.attname::text ORDER BY a.attnum) AS columns
FROM pg_class c JOIN pg_attribute a ON a.attrelid = c.oid AND a.attnum > 0 AND NOT a.attisdropped AND a.attgenerated = ''
WHERE c.relnamespace = current_schema()::regnamespace AND c.relkind IN ('r', 'p') AND NOT c.relispartition AND c.relname <> '${ownTable}'
  AND NOT EXISTS (SELECT FROM pg_depend e WHERE e.objid = c.oid AND e.deptype = 'e')
GROUP BY c.relname ORDER BY c.relname COLLATE "C"`;

export async function listTables(client: pg.Client): Promise<readonly TableShape[]> {
  return (await client.query<TableShape>(listTablesText)).rows;
}

/** The names of the migrations that a database has had, in their order. */
export async function listAppliedMigrations(client: pg.Client): Promise<readonly string[]> {
  const { rows } = await client.query<{ name: string }>(`SELECT name FROM ${ownTable} ORDER BY version`);
  return rows.map(({ name }) => name);
}

/** The last value of each sequence that has given one, as text. */
export async function listSequences(client: pg.Client): Promise<Readonly<Record<string, string>>> {
  const { rows } = await client.query<{ name: string; value: string }>(
    `SELECT sequencename AS name, last_value::text AS value FROM pg_sequences
     WHERE schemaname = current_schema() AND last_value IS NOT NULL ORDER BY sequencename COLLATE "C"`,
  );
  return Object.fromEntries(rows.map(({ name, value }) => [name, value]));
}

/** The names of everything in the database that holds rows. */
export async function listRelations(client: pg.Client): Promise<readonly string[]> {
  const { rows } = await client.query<{ name: string }>(
    `SELECT c.relname AS name FROM pg_class c
     WHERE c.relnamespace = current_schema()::regnamespace AND c.relkind IN ('r', 'p', 'v', 'm', 'f')
       AND NOT EXISTS (SELECT FROM pg_depend e WHERE e.objid = c.oid AND e.deptype = 'e')
     ORDER BY c.relname COLLATE "C"`,
  );
  return rows.map(({ name }) => name);
}

/** Statements that take something away for the time in which rows are loaded, and those that put it back. */
export interface Lifted {
  readonly lift: string;
  readonly restore: string;
}

/** Foreign keys are checked once for all rows, whatever the order of the tables. */
const foreignKeysText = `
SELECT format('ALTER TABLE %s DROP CONSTRAINT %I', n.conrelid::regclass, n.conname) AS lift,
  format('ALTER TABLE %s ADD CONSTRAINT %I %s', n.conrelid::regclass, n.conname, pg_get_constraintdef(n.oid)) AS restore
FROM pg_constraint n
WHERE n.connamespace = current_schema()::regnamespace AND n.contype = 'f' AND n.conparentid = 0
ORDER BY n.conrelid::regclass::text COLLATE "C", n.conname COLLATE "C"`;

/** Row-level security applies to the owner where it is forced, and COPY cannot write under it. */
const forcedSecurityText = `
SELECT format('ALTER TABLE %s NO FORCE ROW LEVEL SECURITY', c.oid::regclass) AS lift,
  format('ALTER TABLE %s FORCE ROW LEVEL SECURITY', c.oid::regclass) AS restore
FROM pg_class c WHERE c.relnamespace = current_schema()::regnamespace AND c.relforcerowsecurity
ORDER BY c.relname COLLATE "C"`;

interface Obstacles {
  readonly foreignKeys: readonly Lifted[];
  readonly security: readonly Lifted[];
}

/** What stands in the way of loading rows. Keys are put back first: they are checked faster while the owner sees all rows. */
export async function listObstacles(client: pg.Client): Promise<Obstacles> {
  const foreignKeys = await client.query<Lifted>(foreignKeysText);
  const security = await client.query<Lifted>(forcedSecurityText);
  return { foreignKeys: foreignKeys.rows, security: security.rows };
}

export function columnList(columns: readonly string[]): string {
  return columns.map((column) => pg.escapeIdentifier(column)).join(', ');
}
