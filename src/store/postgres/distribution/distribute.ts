// Spreads the workspaces of a database over the servers that Citus knows: says which statements that takes, and runs them. What has been done
// already is left out, so that it can be asked again after a migration or a failure.

import pg from 'pg';
import { defined } from '../../../kit/assert.ts';
import { DatabaseUnfit, preAuthRole, serviceRole } from '../roles.ts';
import { withStartLock } from '../start-lock.ts';
import { withClient } from '../../with-client.ts';
import { countIn } from '../statement.ts';
import { compareShardRights, differenceText } from './shard-rights.ts';

/** The tables that belong to no workspace: each server has all of their rows. */
export const referenceTables: readonly string[] = ['schema_migration'];

/** The table that all others are put beside: the rows of a workspace are on one server. */
const firstTable = 'workspace';

export interface DistributedTable {
  readonly name: string;
  readonly firstColumn: string;
  /** The tables that its foreign keys lead to. */
  readonly leadsTo: readonly string[];
  readonly isSpread: boolean;
  /** Whether the server has rows of it besides those of its parts. */
  readonly hasLocalRows: boolean;
  /** Whether row-level security binds its owner too. */
  readonly isForced: boolean;
}

export interface DistributionState {
  readonly database: string;
  readonly propagation: string | null;
  /** Which of the two roles cannot log in yet. */
  readonly rolesWithoutLogin: readonly string[];
  readonly tables: readonly DistributedTable[];
}

/** The statements that are missing, in their order: a table comes after those that its foreign keys lead to. */
export function planDistribution({ database, propagation, rolesWithoutLogin, tables }: DistributionState): string[] {
  const unknown = tables.filter(({ name, firstColumn }) => !isReference(name) && firstColumn !== 'workspace_id');
  if (unknown.length > 0)
    throw new Error(
      `The tables ${unknown.map(({ name }) => name).join(', ')} do not begin with workspace_id, and are not among those that each server has.`,
    );
  const missing = inOrder(tables).filter(({ isSpread }) => !isSpread);
  return [
    ...(propagation === 'local'
      ? []
      : [`ALTER DATABASE ${pg.escapeIdentifier(database)} SET citus.propagate_set_commands = 'local'`]),
    ...rolesWithoutLogin.map((role) => `ALTER ROLE ${role} LOGIN`),
    ...missing.flatMap(spreadTexts),
    ...tables
      .filter((table) => !table.isSpread || table.hasLocalRows)
      .map(forgetText)
      .toSorted(),
  ];
}

/** The rows were copied: those of the coordinator are hidden, but still on its disk, where erasing a workspace would leave them. */
function forgetText({ name }: DistributedTable): string {
  return `SELECT truncate_local_data_after_distributing_table('${name}')`;
}

function isReference(name: string): boolean {
  return referenceTables.includes(name);
}

/** The rows that are there are copied as the owner of the table, whom row-level security lets through only while it is not forced. */
function spreadTexts({ name, isForced }: DistributedTable): string[] {
  if (isReference(name)) return [`SELECT create_reference_table('${name}')`];
  const beside = name === firstTable ? 'none' : firstTable;
  const spread = `SELECT create_distributed_table('${name}', 'workspace_id', colocate_with => '${beside}')`;
  const force = (word: string): string => `ALTER TABLE ${name} ${word}FORCE ROW LEVEL SECURITY`;
  return isForced ? [force('NO '), spread, force('')] : [spread];
}

/** Those of all servers, the first, and then each after what it leads to; by name where that leaves a choice. */
function inOrder(tables: readonly DistributedTable[]): readonly DistributedTable[] {
  const byName = new Map(tables.map((table) => [table.name, table]));
  const ordered = new Set<DistributedTable>();
  const open = new Set<string>();
  const add = (table: DistributedTable): void => {
    if (ordered.has(table)) return;
    if (open.has(table.name)) throw new Error(`The foreign keys of ${table.name} lead back to it.`);
    open.add(table.name);
    for (const name of table.leadsTo.toSorted())
      if (name !== table.name) add(defined(byName.get(name), 'a foreign key leads to a table of the schema'));
    ordered.add(table);
  };
  const rank = ({ name }: DistributedTable): number => (isReference(name) ? 0 : name === firstTable ? 1 : 2);
  const sorted = tables.toSorted((one, other) => rank(one) - rank(other) || (one.name < other.name ? -1 : 1));
  for (const table of sorted) add(table);
  return [...ordered];
}

const tablesText = `SELECT c.relname AS name,
    (SELECT a.attname FROM pg_attribute a WHERE a.attrelid = c.oid AND a.attnum > 0 AND NOT a.attisdropped ORDER BY a.attnum LIMIT 1) AS "firstColumn",
    ARRAY(SELECT DISTINCT r.relname::text FROM pg_constraint n JOIN pg_class r ON r.oid = n.confrelid
      WHERE n.conrelid = c.oid AND n.contype = 'f') AS "leadsTo",
    EXISTS (SELECT FROM pg_dist_partition p WHERE p.logicalrelid = c.oid) AS "isSpread", c.relforcerowsecurity AS "isForced",
    pg_relation_size(c.oid) > 0 AS "hasLocalRows"
  FROM pg_class c WHERE c.relnamespace = current_schema()::regnamespace AND c.relkind IN ('r', 'p') AND NOT c.relispartition
    AND NOT EXISTS (SELECT FROM pg_depend d WHERE d.classid = 'pg_class'::regclass AND d.objid = c.oid AND d.deptype = 'e')`;

const stateText = `SELECT current_database() AS database, current_setting('citus.propagate_set_commands', true) AS propagation,
  ARRAY(SELECT r.rolname::text FROM pg_roles r WHERE r.rolname IN ('${serviceRole}', '${preAuthRole}') AND NOT r.rolcanlogin
    ORDER BY r.rolname) AS "rolesWithoutLogin"`;

export async function readDistributionState(client: pg.ClientBase): Promise<DistributionState> {
  const found = await client.query<{ found: boolean }>(`SELECT to_regclass('pg_dist_partition') IS NOT NULL AS found`);
  if (found.rows[0]?.found !== true) throw unfitServer();
  const state = await client.query<Omit<DistributionState, 'tables'>>(stateText);
  const tables = await client.query<DistributedTable>(tablesText);
  if (tables.rows.every(({ name }) => name !== firstTable))
    throw new DatabaseUnfit('The database is empty. Start the service of this release on it first.');
  return { ...defined(state.rows[0], 'this selects one row'), tables: tables.rows };
}

function unfitServer(): DatabaseUnfit {
  return new DatabaseUnfit(
    'The database has no extension citus, which spreads its tables over servers. Install it on all servers, and let a superuser run ' +
      'CREATE EXTENSION citus in this database on each of them and SELECT citus_add_node(host, port) for each worker on this one.',
  );
}

/** Nodes enter their transactions as the database was when they started: none may be connected. */
async function requireAlone(client: pg.ClientBase): Promise<void> {
  const found = await client.query<{ count: number }>(
    `SELECT count(*)::int AS count FROM pg_stat_activity WHERE datname = current_database() AND pid <> pg_backend_pid()
       AND backend_type = 'client backend' AND application_name NOT LIKE 'citus%'`,
  );
  const count = countIn(found);
  if (count > 0)
    throw new DatabaseUnfit(
      `${count === 1 ? 'One other connection uses' : `${count} other connections use`} the database. Stop all nodes, and start them again afterwards.`,
    );
}

/** Runs what is missing, all of it or nothing, while no node is connected; returns what it has run. `print` is told each before. */
export async function distribute(
  connection: pg.ClientConfig,
  print: (text: string) => void,
): Promise<readonly string[]> {
  const done: string[] = [];
  await withStartLock(connection, async (client) => {
    const missing = planDistribution(await readDistributionState(client));
    if (missing.length > 0) await requireAlone(client);
    for (const text of missing) {
      print(`${text};`);
      await client.query(text);
      done.push(text);
    }
  });
  await requireSameRights(connection);
  return done;
}

/** Servers look at what was committed only. */
async function requireSameRights(connection: pg.ClientConfig): Promise<void> {
  const difference = await withClient(connection, async (client) => differenceText(await compareShardRights(client)));
  if (difference !== undefined)
    throw new DatabaseUnfit(
      `${difference} Start no node: who connects to such a server could read what is not theirs. Was a policy or a grant changed on one server only?`,
    );
}

/** What `distribute` would run. */
export async function listMissing(connection: pg.ClientConfig): Promise<readonly string[]> {
  const client = new pg.Client(connection);
  await client.connect();
  try {
    return planDistribution(await readDistributionState(client));
  } finally {
    await client.end();
  }
}
