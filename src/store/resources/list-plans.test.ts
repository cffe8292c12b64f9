// A list is planned once on a connection and not for each page, and so is what each report and each booking asks: planning takes longer than running it.

import pg from 'pg';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { fillTable, liftConstraints } from '../../../tests/setup/database/filled-tables.ts';
import type { TestDatabase } from '../../../tests/setup/database/test-database.ts';
import { insertTenants, scopeOf, tenants, type TestTenant } from '../../../tests/setup/database/tenants.ts';
import { makeDatabase } from '../../../tests/setup/node/test-service.ts';
import type { FieldSelection } from '../../kit/field-selection.ts';
import type { Scope, VisibleClients } from '../../model/access/scope.ts';
import { account } from '../../model/structure/account.ts';
import { event } from '../../model/event/event.ts';
import { LedgerCache } from '../ledger/ledger-cache.ts';
import { findInputsVersion, inputsVersionQuery } from '../report-inputs/inputs-version.ts';
import { Database } from '../postgres/database.ts';
import { sql } from '../postgres/statement.ts';
import type { Store } from '../store.ts';
import { Stores } from '../stores.ts';

const [here] = tenants as [TestTenant];
const { root } = here.clients;
const allFields: FieldSelection = { includes: () => true, withRelatedTypes: true };
/** PostgreSQL tries five plans for the values of a call before it takes the one for any values. */
const calls = 12;

let database: TestDatabase;
let open: Database;

beforeAll(async () => {
  database = await makeDatabase();
  const admin = new pg.Client({ connectionString: database.url });
  await admin.connect();
  await liftConstraints(admin);
  await insertTenants(admin);
  for (const table of ['account', 'event', 'transaction']) {
    const where = `t.workspace_id = '${here.workspaceId}' AND t.environment = '${here.environment}' AND t.client_id = '${root}'`;
    await fillTable(admin, { table, where, kept: [], values: {} });
  }
  await fillVersions(admin);
  // As it is outside of tests, where no statement is planned for its values.
  await admin.query(`ALTER DATABASE ${database.name} SET plan_cache_mode = 'auto'`);
  await admin.query('ANALYZE');
  await admin.end();
  open = new Database({ connection: { connectionString: database.url }, poolSize: 1, statements: 'named' });
});

/** Versions of very many instruments, of which a client has few. */
async function fillVersions(admin: pg.Client): Promise<void> {
  const instruments = `SELECT '${here.workspaceId}', '${here.environment}', lpad(to_hex(n + 65536), 24, 'e') FROM generate_series(1, 5000) n`;
  await admin.query(`WITH filled (workspace_id, environment, id) AS (${instruments}), ledgers AS (
      INSERT INTO series_ledger (workspace_id, environment, instrument_id, version)
      SELECT workspace_id, environment, id, 1 FROM filled)
    INSERT INTO record_version (workspace_id, environment, table_name, id, version, known_from, state)
    SELECT workspace_id, environment, 'instrument', id, 1, now(), '{}' FROM filled`);
}

afterAll(async () => {
  await open.close();
  await database.drop();
});

const lists: [what: string, list: (store: Store, limit: number) => Promise<readonly unknown[]>][] = [
  ['accounts', (store, limit) => store.table(account).list({ limit })],
  ['events', (store, limit) => store.table(event).list({ limit, order: 'newest-first' })],
  ['transactions', (store, limit) => store.ledger.list({ limit })],
];
const callers: [who: string, visibleClients: VisibleClients][] = [
  ['who sees all clients', { kind: 'all' }],
  ['who sees one tree of clients', { kind: 'tree', clientId: root }],
];

/** How often each statement was planned that a caller uses from now on: for its values, and for any. */
async function plansOf(scope: Scope, use: () => Promise<void>): Promise<number[][]> {
  const names = sql<{ name: string }>('names', 'SELECT name FROM pg_prepared_statements');
  const known = (await open.read(scope, names, [])).rows.map(({ name }) => name);
  for (let call = 0; call < calls; call++) await use();
  const used = sql<{ custom: string; generic: string }>(
    'plans',
    `SELECT custom_plans AS custom, generic_plans AS generic FROM pg_prepared_statements WHERE name <> ALL ($1::text[])`,
  );
  const plans = (await open.read(scope, used, [known])).rows;
  return plans.map(({ custom, generic }) => [Number(custom), Number(generic)]);
}

test.each(lists.flatMap(([what, list]) => callers.map(([who, visible]) => [what, who, list, visible] as const)))(
  '%s for a caller %s',
  async (_what, _who, list, visibleClients) => {
    const scope = scopeOf(here, visibleClients);
    const store = new Stores(open).forReading({ scope, fields: allFields });
    const counts = await plansOf(scope, async () => expect((await list(store, 20)).length).toBe(20));
    expect(counts).toContainEqual([5, calls - 5]);
  },
);

test('the versions of the report inputs of a client with one account and one instrument', async () => {
  const scope = scopeOf(here, { kind: 'all' });
  const store = new Stores(open).forReading({ scope });
  const query = inputsVersionQuery(root, { accounts: [root], instruments: [root] });
  const counts = await plansOf(scope, async () => void (await findInputsVersion(store, query)));
  expect(counts).toContainEqual([5, calls - 5]);
});

describe('what a plan for one value would save is not worth planning, also where rows are far away:', () => {
  beforeAll(async () => {
    const setting = sql('far-away', `SELECT set_config('random_page_cost', '40', false)`);
    await open.read(scopeOf(here, { kind: 'all' }), setting, []);
  });

  test('the versions of the ledgers of one account', async () => {
    const scope = scopeOf(here, { kind: 'all' });
    const cache = new LedgerCache({ bytesMax: 2 ** 26 });
    const stores = new Stores(open);
    const counts = await plansOf(scope, async () => {
      await stores.inSnapshot({ scope }, (store) => store.ledgerColumns(cache).read([root]));
    });
    expect(counts).toContainEqual([5, calls - 5]);
  });

  test('the numbers and versions that a booking locks, and the state of a record that is kept', async () => {
    const scope = scopeOf(here, { kind: 'all' });
    const stores = new Stores(open);
    const counts = await plansOf(scope, () =>
      stores.forWriting({ scope }, async (store) => {
        await store.ledgerCounters.lockClientsOf([root]);
        await store.ledgerCounters.listVersions([root]);
        store.recordVersions(account).putStates([root], 0);
      }),
    );
    const planned = counts.filter(([custom = 0, generic = 0]) => custom + generic === calls && custom > 0);
    expect(planned).toEqual([
      [5, calls - 5],
      [5, calls - 5],
      [5, calls - 5],
      [5, calls - 5],
    ]);
  });
});
