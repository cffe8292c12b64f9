// Rows with only what a test is about: every other column that must have a value gets a plain one, and what a row refers to need not be there.

import pg from 'pg';
import type { Id } from '../../../src/kit/id.ts';
import { allClients, type Scope, type Tenant } from '../../../src/model/access/scope.ts';
import type { Store } from '../../../src/store/store.ts';
import type { TestService } from '../node/test-service.ts';
import { runSql } from './sql.ts';
import type { TestDatabase } from './test-database.ts';

/** By column. */
export type RowValues = Readonly<
  Record<string, string | number | boolean | null | Date | readonly string[] | readonly number[]>
>;

export type BareRow = readonly [table: string, values: RowValues];

interface RequiredColumn {
  readonly table: string;
  readonly name: string;
  readonly type: string;
}

const columnsByDatabase = new Map<string, Promise<RequiredColumn[]>>();

/** The columns of all tables that must be given. */
function requiredColumns(database: TestDatabase): Promise<RequiredColumn[]> {
  const known = columnsByDatabase.get(database.name);
  if (known !== undefined) return known;
  const columns = runSql<RequiredColumn>(
    database,
    `SELECT c.relname AS table, a.attname AS name, format_type(a.atttypid, NULL) AS type FROM pg_class c
     JOIN pg_attribute a ON a.attrelid = c.oid AND a.attnum > 0 AND NOT a.attisdropped AND a.attgenerated = ''
     WHERE c.relnamespace = 'public'::regnamespace AND c.relkind = 'r' AND a.attnotnull AND NOT a.atthasdef`,
  );
  columnsByDatabase.set(database.name, columns);
  return columns;
}

function plainValue(type: string): RowValues[string] {
  if (type.endsWith('[]')) return type.startsWith('text') ? ['x'] : [1];
  if (type.startsWith('json')) return '{}';
  const values: Record<string, RowValues[string]> = { bytea: '\\x00', date: '2026-11-15', boolean: false, text: 'x' };
  return values[type] ?? (type.startsWith('timestamp') ? '2026-11-15T12:00:00Z' : 1);
}

/** Inserts rows of a tenant, in one transaction. Foreign keys are not checked. */
export async function insertBareRows(
  database: TestDatabase,
  { workspaceId, environment }: Tenant,
  rows: readonly BareRow[],
): Promise<void> {
  const required = await requiredColumns(database);
  const inserts = rows.map(([table, values]) => {
    const own = required.filter((column) => column.table === table);
    const tenant: RowValues = { workspace_id: workspaceId, environment };
    const plain = own.map(({ name, type }) => [name, tenant[name] ?? plainValue(type)] as const);
    const whole = { ...Object.fromEntries(plain), ...values };
    const row = pg.escapeLiteral(JSON.stringify(whole));
    const names = Object.keys(whole)
      .map((name) => pg.escapeIdentifier(name))
      .join(', ');
    return `INSERT INTO ${table} (${names}) SELECT ${names} FROM json_populate_record(NULL::${table}, ${row}::json)`;
  });
  await runSql(database, ['BEGIN', 'SET LOCAL session_replication_role = replica', ...inserts, 'COMMIT'].join(';\n'));
}

interface BareWorkspace {
  readonly scope: Scope;
  /** Does something in its production environment. */
  write<T>(task: (store: Store) => Promise<T>): Promise<T>;
  /** Selects what was stored, with the workspace as `$1`. */
  select<Row extends object>(text: string): Promise<Row[]>;
}

let workspaceCount = 0;

/** A workspace that has these rows, and nothing else. */
export async function bareWorkspace(
  { database, context }: TestService,
  rows: readonly BareRow[],
): Promise<BareWorkspace> {
  const workspaceId = `workspace ${++workspaceCount}` as Id;
  const scope: Scope = { workspaceId, environment: 'production', visibleClients: allClients, credentialId: null };
  const hasEnvironment = rows.some(([table]) => table === 'environment');
  const usual: BareRow[] = [['workspace', {}], ...(hasEnvironment ? [] : [['environment', {}] as const])];
  await insertBareRows(database, scope, [...usual, ...rows]);
  return {
    scope,
    write: (task) => context.stores.forWriting({ scope }, task),
    select: (text) => runSql(database, text, [workspaceId]),
  };
}
