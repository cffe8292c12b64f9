// Reads the rows of an export, some at a time, within one snapshot.

import type pg from 'pg';
import type { Id } from '../../kit/id.ts';
import type { Tenant } from '../../model/access/scope.ts';
import { readCount } from '../postgres/counting.ts';
import type { ExportedTable } from './exported-tables.ts';
import type { TenantTable } from './tenant-tables.ts';

/** How many rows are in memory at a time. */
const rowsMax = 1_000;

export interface RowSelection {
  readonly tenant: Tenant;
  /** Undefined for the whole workspace. */
  readonly clientIds: readonly string[] | undefined;
}

/** The columns that a file has, in their order. */
export function exportedColumns(table: TenantTable, { without = [] }: ExportedTable): readonly string[] {
  const left = new Set(['workspace_id', 'environment', ...without]);
  return table.columns.map(({ name }) => name).filter((name) => !left.has(name));
}

function conditionOf(exported: ExportedTable, { clientIds }: RowSelection): string {
  const parts = ['t.workspace_id = $1 AND t.environment = $2', exported.where ?? 'true'];
  if (clientIds === undefined) return parts.join(' AND ');
  const ofClients = exported.ofClients ?? 't.client_id = ANY ($3)';
  return [...parts, ofClients === 'none' ? 'false' : ofClients, '$3::text[] IS NOT NULL'].join(' AND ');
}

/** A client that is exported without those above it becomes a root. */
const rootedValues: Readonly<Record<string, string>> = {
  path: `ARRAY(SELECT p.id FROM unnest(t.path) WITH ORDINALITY p (id, place) WHERE p.id = ANY ($3) ORDER BY p.place)`,
  parent_id: 'CASE WHEN t.parent_id = ANY ($3) THEN t.parent_id END',
};

function selectText(table: TenantTable, exported: ExportedTable, selection: RowSelection): string {
  const isRooted = table.name === 'client' && selection.clientIds !== undefined;
  const values: Readonly<Record<string, string>> = { ...exported.values, ...(isRooted ? rootedValues : {}) };
  const names = exportedColumns(table, exported);
  const columns = names.map((name) => `${values[name] ?? `t.${name}`} AS ${name}`);
  const where = conditionOf(exported, selection);
  const rows = `SELECT ${columns.join(', ')} FROM ${table.name} t WHERE ${where} ORDER BY ${exported.order ?? keyOrder(table)}`;
  // As texts, so that no decimal becomes a number on its way into a file of CSV.
  const texts = names.map((name) => `to_json(r.${name}) #>> '{}'`);
  const line = exported.format === 'csv' ? `json_build_array(${texts.join(', ')})` : 'row_to_json(r)';
  return `SELECT ${line}::text AS line FROM (${rows}) r`;
}

/** By the columns that a reader would sort by; any order would do, as long as it is always the same. */
function keyOrder({ columns }: TenantTable): string {
  const names = columns.map(({ name }) => name).filter((name) => name !== 'workspace_id' && name !== 'environment');
  const first = ['id', 'sequence', 'known_from', 'number'].filter((name) => names.includes(name));
  const rest = columns.filter(({ name, type }) => names.includes(name) && type === 'text').map(({ name }) => name);
  const keys = [...new Set([...first, ...rest])];
  return (keys.length === 0 ? names : keys).map((name) => `t.${name}`).join(', ');
}

/** Each row as a JSON object, or, for CSV, as a JSON array of texts. The connection is in a transaction of the tenant. */
export async function* readRows(
  client: pg.Client,
  table: TenantTable,
  exported: ExportedTable,
  selection: RowSelection,
): AsyncGenerator<readonly string[]> {
  const { tenant, clientIds } = selection;
  const values = [tenant.workspaceId, tenant.environment, ...(clientIds === undefined ? [] : [clientIds])];
  await client.query(`DECLARE exported NO SCROLL CURSOR FOR ${selectText(table, exported, selection)}`, values);
  for (;;) {
    const { rows } = await client.query<{ line: string }>(`FETCH ${rowsMax} FROM exported`);
    if (rows.length === 0) break;
    yield rows.map(({ line }) => line);
  }
  await client.query('CLOSE exported');
}

/** How many rows `readRows` would read, by another statement. */
export function countRows(
  client: pg.Client,
  table: TenantTable,
  exported: ExportedTable,
  selection: RowSelection,
): Promise<number> {
  const { tenant, clientIds } = selection;
  const values = [tenant.workspaceId, tenant.environment, ...(clientIds === undefined ? [] : [clientIds])];
  return readCount(client, `SELECT count(*) FROM ${table.name} t WHERE ${conditionOf(exported, selection)}`, values);
}

/** The rows of a whole workspace, in whatever environment they are. */
export function countInAllEnvironments(
  client: pg.Client,
  table: TenantTable,
  { where = 'true' }: ExportedTable,
  workspaceId: Id,
): Promise<number> {
  return readCount(client, `SELECT count(*) FROM ${table.name} t WHERE t.workspace_id = $1 AND (${where})`, [
    workspaceId,
  ]);
}

/** A client and those below it; none where there is no such client. */
export async function listClientTree(client: pg.Client, tenant: Tenant, clientId: Id): Promise<readonly Id[]> {
  const { rows } = await client.query<{ id: Id }>(
    'SELECT id FROM client WHERE workspace_id = $1 AND environment = $2 AND $3 = ANY (path) ORDER BY cardinality(path), id',
    [tenant.workspaceId, tenant.environment, clientId],
  );
  return rows.map(({ id }) => id);
}

const leftOutNames = `
SELECT 'application or key ' || c.name AS what, 'its secret' AS why, c.id FROM credential c
  WHERE c.workspace_id = $1 AND c.environment = $2 AND ($3::text[] IS NULL OR c.scoped_to_id = ANY ($3))
UNION ALL SELECT 'secret of the webhook ' || w.url, 'imported disabled, with a new secret: rotate it', w.id FROM webhook w
  WHERE w.workspace_id = $1 AND w.environment = $2 AND w.scheme = 'hmac' AND ($3::text[] IS NULL OR w.client_id = ANY ($3))
UNION ALL SELECT 'client secret of the custodian ' || c.name, 'set it again', c.id FROM custodian c
  WHERE c.workspace_id = $1 AND c.environment = $2 AND c.has_oauth_client_secret
UNION ALL SELECT 'credentials of the authority ' || a.id, 'connect the custodian again', a.id FROM authority a
  WHERE a.workspace_id = $1 AND a.environment = $2 AND a.has_credentials AND ($3::text[] IS NULL OR a.client_id = ANY ($3))
ORDER BY 3`;

/** The secrets of single records that are not exported. */
export async function listLeftOutNames(
  client: pg.Client,
  tenant: Tenant,
  clientIds: readonly Id[] | undefined,
): Promise<readonly { readonly what: string; readonly why: string }[]> {
  const values = [tenant.workspaceId, tenant.environment, clientIds ?? null];
  const { rows } = await client.query<{ what: string; why: string }>(leftOutNames, values);
  return rows.map(({ what, why }) => ({ what, why }));
}
