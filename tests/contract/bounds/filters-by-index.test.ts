// Every filter of every list finds what it lists through an index: no list reads most rows of a table to leave them out, whoever asks.

import pg from 'pg';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { snakeCaseStrings } from '../../../src/kit/field.ts';
import { isToMany, type Resource } from '../../../src/kit/resource.ts';
import { columnOf } from '../../../src/store/resources/resource-sql.ts';
import { operations } from '../../../src/surfaces/operations.ts';
import { resourceFilters } from '../../../src/surfaces/v1/filters.ts';
import { copiesOfClient, fillTable, liftConstraints } from '../../setup/database/filled-tables.ts';
import { collectPlans, reportPlans, type TableScan } from '../../setup/database/observed-plans.ts';
import { insertTenants, instrumentsOf, recordsOf, tenants, type TestTenant } from '../../setup/database/tenants.ts';
import type { Caller } from '../../setup/http/caller.ts';
import { unknownId } from '../../setup/structure/structure-document.ts';
import { makeDatabase, startTestService, type TestService } from '../../setup/node/test-service.ts';

const [here] = tenants as [TestTenant, TestTenant, TestTenant, TestTenant];
const { root } = here.clients;
const ofTenant = `t.workspace_id = '${here.workspaceId}' AND t.environment = '${here.environment}'`;

const pageSize = 10;
/** Far more than a page for each of a few clients, far fewer than the rows of any of them. */
const rowsMax = 100;
/** The rows of the clients that the token sees: a filter that few of them meet may read them all, and none of other clients. */
const rowsOfOwnClientsMax = copiesOfClient + rowsMax;

const lists = operations.flatMap(({ id, path, query, resource }) =>
  id.startsWith('v1.') && id.endsWith('.list') && resource !== undefined ? [{ id, path, query, resource }] : [],
);
/** Parameters that say how much is shown, and as of when; `in_effect` is found out line by line, and is meant to be sent with a credential. */
const noFilters = ['limit', 'cursor', 'format', 'known_at', 'in_effect'];

/** What reads more than it shows, and why that is so. */
const exceptions: Readonly<Record<string, string>> = {
  '/v1/users': 'people are ordered and filtered by all their memberships together',
  '/v1/administrators': 'a workspace has few of them',
  '/v1/sandbox/clients': 'there are 50 at most, and none in production',
  '/v1/invites by email': 'addresses are compared without regard to case',
  '/v1/fx-rates by quote': 'rates are read by pair',
  '/v1/fx-rates by start': 'rates are read by pair',
  '/v1/fx-rates by end': 'rates are read by pair',
  '/v1/fx-rates by source': 'rates are read by pair',
};
/** All classes of a workspace are read with its instruments: there are a few hundred at most. */
const smallTables = ['instrument_class'];

/** The records that paths name. */
const pathIds: Readonly<Record<string, string>> = {
  '/v1/admin/auth-flows/{id}/files': here.id(241),
  '/v1/webhooks/{id}/deliveries': here.id(170),
};
const instrumentId = instrumentsOf(here).shared;

/** The columns of parameters that are no declared filters. */
const otherColumns: Readonly<Record<string, string>> = { from: 'date', to: 'date', start: 'date', end: 'date' };

interface Filter {
  readonly name: string;
  readonly list: (typeof lists)[number];
}

const filters = lists.flatMap((list) =>
  Object.keys(list.query)
    .filter((name) => !noFilters.includes(name))
    .map((name): Filter => ({ name, list })),
);

let service: TestService | undefined;
let database: pg.Client;
let admin: Caller;
let scoped: Caller;
let filledTables: ReadonlySet<string>;
const plans = collectPlans();

/** A row of the client `root`, or one of no client. */
function rowSql({ table, owner, only = {} }: Resource): string {
  const kinds = Object.entries(only).map(([column, words]) => `AND t.${column} IN ('${words.join("', '")}')`);
  const client =
    owner === 'self' ? `AND t.id = '${root}'` : typeof owner === 'object' ? `AND t.client_id = '${root}'` : '';
  const isPerson = table === 'person' || table === 'credential';
  return `SELECT t.* FROM ${table} t WHERE ${ofTenant} ${kinds.join(' ')} ${isPerson ? '' : client}`;
}

/** The filters of a list that compare a column, with a value for rows that have none and another one for their copies. */
function columnFilters(
  resource: Resource,
): { name: string; column: string; value: string; other: string | undefined }[] {
  return resourceFilters(resource).flatMap(({ name, field, parameter }) => {
    const relation = resource.relations[field];
    const attribute = resource.attributes[field];
    const isColumn =
      attribute?.computed !== true && (relation === undefined || !isToMany(relation)) && !field.includes('.');
    if (!isColumn || ['since', 'period'].includes(String(attribute?.filter))) return [];
    const { enum: words, type, format } = parameter.kind.schema(snakeCaseStrings);
    if (type !== 'string' || format === 'date') return [];
    const [first, second] = Array.isArray(words) ? words : [unknownId];
    return [{ name, column: columnOf(resource, field), value: String(first), other: second && String(second) }];
  });
}

/** Values for filters whose rows have none, or none that a caller could send. */
const otherValues: Readonly<Record<string, string>> = {
  start: '2026-01-05',
  end: '2026-01-05',
  source: 'manual',
  currency: 'EUR',
  isin: 'CH0012032048',
  sedol: 'B0YBKJ7',
  q: 'root',
  tag: 'root',
  user_id: '01997d1d-4f5c-7000-8000-000000000000',
};

async function findValue(resource: Resource, name: string): Promise<string> {
  const filter = resourceFilters(resource).find((one) => one.name === name);
  const relation = filter && resource.relations[filter.field];
  if (otherValues[name] !== undefined) return otherValues[name];
  if (resource.table === 'limit_rule' && name === 'kind') return 'proportional';
  const column = otherColumns[name] ?? (filter ? columnOf(resource, filter.field.replace(/\..*/, '')) : name);
  if (relation !== undefined && isToMany(relation)) {
    const { table, otherColumn } = relation.many;
    const { rows } = await database.query(
      `SELECT ${otherColumn}::text AS value FROM ${table} t WHERE ${ofTenant} AND client_id = '${root}' LIMIT 1`,
    );
    return rows[0].value;
  }
  if (resource.attributes[name]?.computed === true) return 'pending';
  const { rows } = await database.query(`SELECT to_json(t.${column}) AS value FROM (${rowSql(resource)}) t LIMIT 1`);
  return rows[0]?.value == null ? unknownId : String(rows[0].value);
}

/** Columns that belong together with others. */
const keptColumns: Readonly<Record<string, readonly string[]>> = {
  delivery: ['webhook_id', 'client_id'],
  limit_rule: ['kind'],
};

/** Records that have to exist where a row leads to them. */
const existing: Readonly<Record<string, string>> = { reporting_entity_id: recordsOf(here, 'root').reportingEntity };

/** Gives the row that is copied a value in each column that is filtered by, and the copies other ones. */
async function fill(resource: Resource): Promise<void> {
  const { table } = resource;
  const where = rowSql(resource).replace(/^.* WHERE /s, '');
  const columns = table === 'person' ? [] : columnFilters(resource); // what people are filtered by is in other tables
  for (const { column, value } of columns) {
    const { rowCount } = await database.query(`SELECT FROM ${table} t WHERE ${where} AND t.${column} IS NULL`);
    if (rowCount)
      await database.query(`UPDATE ${table} t SET ${column} = '${existing[column] ?? value}' WHERE ${where}`);
  }
  const values = Object.fromEntries(
    columns.flatMap(({ column, other }) => (other === undefined ? [] : [[column, `'${other}'`]])),
  );
  const kept = [...Object.keys(resource.only ?? {}), ...(keptColumns[table] ?? [])];
  const given = table === 'limit_rule' ? { ...values, reporting_entity_id: 'NULL' } : values;
  await fillTable(database, { table, where, kept, values: given });
}

beforeAll(async () => {
  const made = await makeDatabase();
  database = new pg.Client({ connectionString: made.url });
  await database.connect();
  await reportPlans(made);
  service = await startTestService({ database: made });
  await liftConstraints(database);
  await insertTenants(database);
  await database.query(`UPDATE limit_rule SET filter = '{"kind": "and", "filters": []}'`);
  for (const table of ['signing_key', 'budget']) await database.query(`DELETE FROM ${table} t WHERE ${ofTenant}`);
  admin = await service.enter(here);
  scoped = await admin.becomeApplication({ rights: ['read', 'write', 'admin'], scoped_to: root });
  const resources = new Map(lists.map(({ resource }) => [resource.table, resource]));
  for (const resource of resources.values()) await fill(resource);
  await fillTable(database, { table: 'membership', where: ofTenant, kept: [], values: {} });
  filledTables = new Set([...resources.keys(), 'membership'].filter((table) => !smallTables.includes(table)));
  await database.query('ANALYZE');

  await scoped.get('/v1/clients?limit=1'); // the node now knows what is below the client
}, 300_000);

afterAll(async () => {
  plans.stop();
  await service?.stop();
  await database.end();
});

/** The parts of plans that read more rows of a filled table than this. */
async function wideScans(caller: Caller, address: string, most: number): Promise<readonly string[]> {
  plans.take();
  const { status, text } = await caller.get(address);
  const isWide = ({ table, rows, pages }: TableScan): boolean =>
    filledTables.has(table) && (rows > most || pages > most);
  const wide = plans.take().flatMap((plan) => plan.scans.filter(isWide));
  const found = wide.map(
    ({ node, table, index = 'no index', rows, pages }) =>
      `${node} of ${table} by ${index}: ${rows} rows, ${pages} pages`,
  );
  // A filter by a record that does not exist is refused once the list is known to be empty.
  return status === 200 || status === 404 ? found : [text];
}

function addressOf({ path, query }: (typeof lists)[number], filter: string): string {
  const id = pathIds[path] ?? instrumentId;
  return `${path.replace('{id}', id)}?${'limit' in query ? `limit=${pageSize}` : ''}${filter}`;
}

const pages = lists.map((list) => [list.path, list] as const).filter(([path]) => exceptions[path] === undefined);
const filtered = filters
  .map(({ list, name }) => [list.path, name, list] as const)
  .filter(([path, name]) => (exceptions[path] ?? exceptions[`${path} by ${name}`]) === undefined);

describe.each([
  ['an administrator', rowsMax, () => admin],
  ['a token bound to one client', rowsOfOwnClientsMax, () => scoped],
])('%s reads', (_who, most, caller) => {
  test.each(pages)('%s page by page', async (_path, list) => {
    expect(await wideScans(caller(), addressOf(list, ''), rowsMax)).toEqual([]);
  });

  test.each(filtered)('%s by %s', async (_path, name, list) => {
    const value = encodeURIComponent(await findValue(list.resource, name));
    expect(await wideScans(caller(), addressOf(list, `&${name}=${value}`), most)).toEqual([]);
  });
});
