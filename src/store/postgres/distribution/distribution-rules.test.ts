// Tests that every statement of the store stays within its workspace and environment, and can be run where workspaces are spread over servers, and that each rule finds what it is for.

import { globSync } from 'node:fs';
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import {
  lintStatements,
  readStatementCatalog,
  statementRules,
  violationsOf,
  type StatementCatalog,
  type StatementRuleName,
} from '../../../../tests/setup/database/distribution-rules.ts';
import { QueryTrees } from '../../../../tests/setup/database/query-tree.ts';
import type { TestDatabase } from '../../../../tests/setup/database/test-database.ts';
import { makeDatabase } from '../../../../tests/setup/node/test-service.ts';
import type { FieldSelection } from '../../../kit/field-selection.ts';
import type { Id } from '../../../kit/id.ts';
import { isToMany, type AnyChange, type Resource } from '../../../kit/resource.ts';
import type { VisibleClients } from '../../../model/access/scope.ts';
import { resources } from '../../../model/resources.ts';
import { columnOf } from '../../resources/resource-sql.ts';
import { ScopedTables } from '../../scoped-tables.ts';
import type { Run } from '../statement-runner.ts';

let database: TestDatabase;
let client: pg.Client;
let catalog: StatementCatalog;
let trees: QueryTrees;

beforeAll(async () => {
  database = await makeDatabase();
  client = new pg.Client({ connectionString: database.url });
  await client.connect();
  catalog = await readStatementCatalog(client);
  trees = await QueryTrees.open(client);
});

afterAll(async () => {
  await client.end();
  await database.drop();
});

const examples: [rule: StatementRuleName, text: string, found: string[]][] = [
  [
    'an INSERT of selected rows takes none from another within it, which servers would send to all others',
    `WITH numbered AS (INSERT INTO event_order (workspace_id, environment, order_key, number) SELECT $1, $2, '', 1 FROM unnest($3::text[]) RETURNING number)
     INSERT INTO outbox (workspace_id, environment, order_key, number, batch_id, first_id, last_id)
     SELECT $1, $2, '', n.number, '', '', '' FROM numbered n RETURNING 1`,
    ['numbered'],
  ],
  [
    'every table is read and changed with `workspace_id = ` a parameter, in subqueries too',
    `SELECT (SELECT a.name FROM account a WHERE a.workspace_id = c.workspace_id AND a.environment = $2 LIMIT 1) FROM client c
     JOIN portfolio p ON p.workspace_id = c.workspace_id AND p.environment = $2
     WHERE c.workspace_id = $1 AND c.environment = $2 AND c.id IN (SELECT scoped_to_id FROM credential WHERE environment = $2)`,
    ['portfolio', 'credential', 'account'],
  ],
  [
    'every table is read and changed with `workspace_id = ` a parameter, in subqueries too',
    `UPDATE client SET name = 'x' WHERE (workspace_id = $1 OR id = $2) AND environment = $3`,
    ['client'],
  ],
  [
    'a table with environments is read and changed with `environment = ` a parameter, or that of what has it',
    `SELECT c.name FROM client c JOIN portfolio p ON p.workspace_id = $1 AND p.environment = c.environment
     JOIN account a ON a.workspace_id = $1 AND a.environment = a.environment
     JOIN depository d ON d.workspace_id = $1 AND d.environment = $2 JOIN custodian s ON s.workspace_id = $1 AND s.environment = d.environment
     WHERE c.workspace_id = $1 AND (c.environment = $2 OR true) AND EXISTS (SELECT FROM mail m WHERE m.workspace_id = $1)`,
    ['client', 'portfolio', 'account', 'mail'],
  ],
  [
    'no stable function is called with a column in a write, such as `timestamptz + interval`',
    `UPDATE mail m SET created_at = m.created_at + interval '1 day' WHERE m.workspace_id = $1 AND m.environment = $2`,
    ['timestamptz_pl_interval'],
  ],
  [
    'no volatile function is called in a write',
    'DELETE FROM mail WHERE workspace_id = $1 AND environment = $2 AND created_at < clock_timestamp()',
    ['clock_timestamp'],
  ],
  [
    'what a conflict sets and what is returned call immutable functions only',
    `INSERT INTO workspace (workspace_id, name, created_at) VALUES ($1, $2, $3)
     ON CONFLICT (workspace_id) DO UPDATE SET created_at = now() RETURNING to_char(created_at, 'YYYY')`,
    ['now', 'to_char'],
  ],
  [
    'an INSERT of selected rows has RETURNING or ON CONFLICT',
    'INSERT INTO workspace (workspace_id, name, created_at) SELECT $1, n, $2 FROM unnest($3::text[]) n',
    ['INSERT … SELECT'],
  ],
  [
    'an INSERT of values has no subquery',
    `INSERT INTO workspace (workspace_id, name, created_at)
     VALUES ($1, (SELECT c.name FROM client c WHERE c.workspace_id = $1 AND c.environment = $2 AND c.id = $3), $4)`,
    ['INSERT … VALUES (SELECT)'],
  ],
  [
    'nothing is selected in RETURNING',
    `UPDATE client t SET name = 'x' WHERE t.workspace_id = $1 AND t.environment = $2
     RETURNING (SELECT w.name FROM workspace w WHERE w.workspace_id = $1)`,
    ['RETURNING (SELECT)'],
  ],
  [
    'what is found recursively is not written in the same statement',
    `WITH RECURSIVE below AS (SELECT id FROM client WHERE workspace_id = $1 AND environment = $2
       UNION ALL SELECT c.id FROM client c JOIN below b ON c.parent_id = b.id WHERE c.workspace_id = $1 AND c.environment = $2)
     INSERT INTO round_mark (workspace_id, environment, client_id, since, causes)
     SELECT $1, $2, id, $3, '{}' FROM below ON CONFLICT DO NOTHING`,
    ['WITH RECURSIVE'],
  ],
  [
    'what a conflict of selected rows sets has no parameter',
    `INSERT INTO workspace (workspace_id, name, created_at) SELECT $1, n, $2 FROM unnest($3::text[]) n
     ON CONFLICT (workspace_id) DO UPDATE SET name = excluded.name || $4`,
    ['ON CONFLICT … $n'],
  ],
  [
    'what is found recursively is not written in the same statement',
    `WITH RECURSIVE gone AS (DELETE FROM client WHERE workspace_id = $1 AND environment = $2 RETURNING id),
       below AS (SELECT id FROM gone UNION ALL SELECT id FROM below WHERE false) SELECT id FROM below`,
    ['WITH RECURSIVE'],
  ],
];

describe('a rule finds what it is for, and the other rules find nothing in it:', () => {
  test.each(examples)('%s', async (rule, text, found) => {
    const violations = violationsOf('example', (await trees.read(text))!, catalog);
    expect(violations).toEqual(found.map((what) => ({ rule, statement: 'example', what })));
  });

  test('each rule has an example', () => {
    expect([...new Set(examples.map(([rule]) => rule))].toSorted()).toEqual(Object.keys(statementRules).toSorted());
  });
});

const all: FieldSelection = { includes: () => true, withRelatedTypes: true };
const [workspaceId, id] = ['a'.repeat(24) as Id, 'b'.repeat(24) as Id];
const scopes: readonly VisibleClients[] = [
  { kind: 'all' },
  { kind: 'tree', clientId: id },
  { kind: 'wide-tree', clientId: id },
  { kind: 'only', clientId: id },
  { kind: 'some', clientIds: [id], reportingEntityIds: [id] },
];

/** Whether each record is a row of one table; the others have statements of their own. */
function isStored(resource: Resource, columns: ReadonlySet<string>): boolean {
  const attributes = Object.entries(resource.attributes).filter(([, { computed, through }]) => !computed && !through);
  const relations = Object.entries(resource.relations).filter(([, relation]) => !isToMany(relation));
  const names = [...attributes, ...relations].map(([name]) => columnOf(resource, name));
  return ['id', 'environment', ...names].every((name) => columns.has(`${resource.table}.${name}`));
}

/** Sends nothing: statements are made before they are sent. */
function silentRun(): Run {
  const answer = () => Promise.resolve({ rows: [{ id }], count: 1, tag: '' });
  return Object.assign(answer, { enqueue: () => {}, discardQueued: () => {} }) as unknown as Run;
}

/** Makes the statements with which any record is read and written. */
async function makeStatements(resource: Resource, visibleClients: VisibleClients): Promise<void> {
  const scope = { workspaceId, environment: 'production', visibleClients, credentialId: null } as const;
  const store = new ScopedTables({ scope, run: silentRun(), fields: all });
  const table = store.table(resource);
  const ownFields = Object.entries(resource.attributes).filter(([, { computed, through }]) => !computed && !through);
  const change: AnyChange = Object.fromEntries(ownFields.map(([name]) => [name, null]));
  await table.find(id);
  await table.listVisibleIds([id]);
  await table.lockReferenced([id]);
  await table.lockReferencedRecords([id]);
  await table.lock(id, 'to-delete');
  for (const limit of [10, 1_000])
    for (const order of ['oldest-first', 'newest-first'] as const) await table.list({ limit, order, after: id });
  await table.count();
  if (resource.versions === undefined) {
    // The words of a record that nobody has stored cannot be found; its statement was made before.
    await table.insert(id, change).catch(() => {});
    await table.update(id, change).catch(() => {});
    await table.delete(id);
  }
  if (resource.history !== undefined) {
    const versions = store.recordVersions(resource);
    versions.putStates([id], 0);
    versions.close(id, 0);
    await versions.listVersionNumbers([id]);
    await versions.listKnownAt({ client: id }, 0);
  }
}

test('every statement stays within its tenant, and can be run where workspaces are spread over servers', async () => {
  const root = new URL('../../../../', import.meta.url);
  for (const path of globSync('src/store/**/*.ts', { cwd: root }))
    if (!path.endsWith('.test.ts')) await import(new URL(path, root).href);
  const { rows: columns } = await client.query<{ name: string }>(
    `SELECT table_name || '.' || column_name AS name FROM information_schema.columns`,
  );
  const stored = new Set(columns.map(({ name }) => name));
  for (const resource of resources.filter((one) => isStored(one, stored)))
    for (const scope of scopes) await makeStatements(resource, scope);
  const { count, violations } = await lintStatements(database.url);
  expect(violations).toEqual([]);
  expect(count).toBeGreaterThan(700);
});
