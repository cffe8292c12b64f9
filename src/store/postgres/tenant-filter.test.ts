// Tests that row-level security alone separates tenants, with statements that have no tenant filter.

import pg from 'pg';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { makeEmptyDatabase, makeLoginRole } from '../../../tests/setup/database/empty-database.ts';
import { dueTables } from '../../../tests/setup/database/schema-rules.ts';
import type { TestDatabase } from '../../../tests/setup/database/test-database.ts';
import { makeDatabase, startTestService } from '../../../tests/setup/node/test-service.ts';
import {
  selectAllRows,
  custodiansOf,
  belongsTo,
  insertTenants,
  listRows,
  listTables,
  scopeOf,
  tenants,
  recordsOf,
  type StoredRow,
  type TestTenant,
} from '../../../tests/setup/database/tenants.ts';
import type { Id } from '../../kit/id.ts';
import type { Scope, VisibleClients } from '../../model/access/scope.ts';
import { Database } from './database.ts';
import type { Run } from './statement-runner.ts';
import { migrate } from './migrate.ts';
import { sql, type Outcome, type Value } from './statement.ts';

const [here, sandbox, there] = tenants as [TestTenant, TestTenant, TestTenant, TestTenant];

interface Fixture {
  readonly database: TestDatabase;
  /** A superuser, for whom no tenant filter applies. */
  readonly admin: pg.Client;
  /** The database address for the service. */
  readonly url: string;
  drop(): Promise<void>;
}

async function connect(url: string): Promise<pg.Client> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  return client;
}

async function fixtureOfSuperuser(): Promise<Fixture> {
  const database = await makeDatabase();
  const admin = await connect(database.url);
  return { database, admin, url: database.url, drop: () => admin.end().then(() => database.drop()) };
}

/** Uses a login that owns the database and was granted the two roles, without further rights. */
async function fixtureOfOwner(): Promise<Fixture> {
  const owner = await makeLoginRole({ membership: 'granted' });
  const database = await makeEmptyDatabase(owner);
  const url = owner.urlAs(database.url);
  await migrate({ connectionString: url });
  const admin = await connect(database.url);
  const drop = async (): Promise<void> => {
    await admin.end();
    await database.drop();
    await owner.drop();
  };
  return { database, admin, url, drop };
}

let superuser: Fixture;
let owner: Fixture;

beforeAll(async () => {
  [superuser, owner] = await Promise.all([fixtureOfSuperuser(), fixtureOfOwner()]);
  await Promise.all([insertTenants(superuser.admin), insertTenants(owner.admin)]);
});

afterAll(async () => {
  await superuser.drop();
  await owner.drop();
});

const sides = [
  { login: 'a superuser', statements: 'named', isDistributed: false, findFixture: () => superuser },
  // Entered as on servers that spread tables, which works on any.
  { login: 'an ordinary owner', statements: 'unnamed', isDistributed: true, findFixture: () => owner },
] as const;

/** Runs a statement without a tenant filter, which the store would never do. */
function raw<Row>(run: Run, text: string, values: readonly Value[] = []): Promise<Outcome<Row>> {
  return run(sql<Row>(text, text), values);
}

/** Tables whose rows are never deleted, and in which only the end of a version may change. */
const ledgers = [
  'transaction',
  'historical_holding',
  'stated_holding',
  'series_point',
  'fx_rate',
  'series_ledger',
  'record_version',
  'link_version',
  'limit_state',
];

/** Tables whose rows never change. */
const unchangeable = ['audit_entry', 'audit_link', 'event', 'delivery_attempt'];

/** Rows of these are added and deleted only. */
const auditQueue = 'unchained_audit_entry';
const requestLog = 'request_log';

/** The column with the end of a row's version. */
const endOf = (table: string): string => (table === 'limit_state' ? 'until' : 'known_until');

/** Tables in which each row links two records of one client. */
const links = ['account_depository', 'portfolio_account', 'portfolio_depository'];

/** Tables of auth flows and authorities, in an order in which rows can be deleted. */
const custody = [
  'feed_run',
  'authority_warning',
  'authority_account',
  'authority_depository',
  'auth_flow_file',
  'auth_flow',
  'authority',
];

/** Columns that the database generates. */
const generatedColumns = ['current_environment', 'standing', 'place', 'number_key', 'has_credentials', 'tenant_prefix'];

/** Converts our numbers, which keep all digits, to the doubles that the administrator's driver returns. */
function asAdminReads(row: StoredRow): StoredRow {
  return JSON.parse(JSON.stringify(row));
}

class Undone extends Error {}

describe.each(sides)(
  'row-level security alone, as $login, with $statements statements',
  ({ statements, isDistributed, findFixture }) => {
    let fixture: Fixture;
    let filtered: Database;
    let tables: string[];

    beforeAll(async () => {
      fixture = findFixture();
      tables = await listTables(fixture.admin);
      filtered = new Database({
        connection: { connectionString: fixture.url },
        poolSize: 2,
        statements,
        isDistributed,
      });
    });

    afterAll(() => filtered.close());

    const rowsByTable = new Map<string, Promise<StoredRow[]>>();

    /** Reads a table once: whatever a test does to it is refused or rolled back. */
    function storedRows(table: string): Promise<StoredRow[]> {
      const rows = rowsByTable.get(table) ?? listRows(fixture.admin, table);
      rowsByTable.set(table, rows);
      return rows;
    }

    async function ownRows(tenant: TestTenant, table: string): Promise<StoredRow[]> {
      return (await storedRows(table)).filter((row) => belongsTo(tenant, row));
    }

    /** Runs the statements, rolls them back, and returns how many rows each affected. */
    async function countTouched(scope: Scope, texts: readonly string[]): Promise<number[]> {
      const counts: number[] = [];
      const undone = filtered.write(scope, async (run) => {
        for (const text of texts) counts.push((await raw(run, text)).count);
        throw new Undone();
      });
      await expect(undone).rejects.toThrow(Undone);
      return counts;
    }

    test('work runs in a role that is limited to its tenant', async () => {
      const who = sql('who', 'SELECT current_user::text AS name, current_user <> session_user AS "isSteppedDown"');
      const expected = [{ name: 'holdfast_service', isSteppedDown: true }];
      expect((await filtered.write(scopeOf(here), (run) => run(who, []))).rows).toEqual(expected);
      expect((await filtered.read(scopeOf(here), who, [])).rows).toEqual(expected);
      expect((await filtered.readPreAuth(who, [])).rows).toEqual([{ name: 'holdfast_pre_auth', isSteppedDown: true }]);
    });

    test.each(tenants)(
      '$environment of workspace $workspaceId sees only its own rows in every table',
      async (tenant) => {
        for (const table of tables) {
          const own = await ownRows(tenant, table);
          expect({ table, hasRows: own.length > 0 }).toEqual({ table, hasRows: true });
          const statement = sql<{ row: StoredRow }>(`all/${table}`, selectAllRows(table));
          const reads = [
            await filtered.read(scopeOf(tenant), statement, []),
            await filtered.write(scopeOf(tenant), (run) => run(statement, [])),
          ];
          for (const { rows } of reads) expect(rows.map(({ row }) => asAdminReads(row))).toEqual(own);
        }
      },
    );

    function insertRow(run: Run, table: string, row: StoredRow): Promise<unknown> {
      const columns = Object.keys(row).filter((name) => !generatedColumns.includes(name));
      const insert = `INSERT INTO ${table} (${columns.join()}) SELECT ${columns.join()} FROM jsonb_populate_record(NULL::${table}, $1)`;
      return raw(run, insert, [JSON.stringify(row)]);
    }

    function insert(scope: Scope, table: string, row: StoredRow): Promise<unknown> {
      return filtered.write(scope, (run) => insertRow(run, table, row));
    }

    /**
     * Inserts each row separately, rolls it back, and returns the outcomes. Uses one transaction for all of them, since a refused
     * transaction would be retried twice.
     */
    async function tryInserts(scope: Scope, table: string, rows: readonly StoredRow[]): Promise<string[]> {
      const outcomes: string[] = [];
      const undone = filtered.write(scope, async (run) => {
        for (const row of rows) {
          await raw(run, 'SAVEPOINT untouched');
          const outcome = insertRow(run, table, row);
          outcomes.push(await outcome.then(() => 'accepted').catch((error: Error) => error.message));
          await raw(run, 'ROLLBACK TO untouched');
        }
        throw new Undone();
      });
      await expect(undone).rejects.toThrow(Undone);
      return outcomes;
    }

    const refused = (table: string): string => `new row violates row-level security policy for table "${table}"`;

    test('nothing can be inserted into another workspace or environment', async () => {
      for (const table of tables) {
        const foreign = (await storedRows(table)).filter((row) => !belongsTo(here, row));
        expect(await tryInserts(scopeOf(here), table, foreign)).toEqual(foreign.map(() => refused(table)));
      }
    });

    test('changing everything changes no row of another tenant', async () => {
      for (const table of tables.filter((name) => ![...unchangeable, auditQueue, requestLog].includes(name))) {
        const column = ledgers.includes(table) ? endOf(table) : 'workspace_id';
        const everything = `UPDATE ${table} SET ${column} = ${column}`;
        const counts = await countTouched(scopeOf(here), [
          everything,
          `${everything} WHERE workspace_id = '${there.workspaceId}'`,
        ]);
        expect({ table, counts }).toEqual({ table, counts: [(await ownRows(here, table)).length, 0] });
      }
    });

    test('deleting everything deletes no row of another tenant', async () => {
      const stored = [
        auditQueue,
        requestLog,
        'request_count',
        'storage_measure',
        'budget',
        'used_assertion',
        'idempotent_answer',
        'signing_key',
        'replaced_key',
        'webhook_key',
        'credential',
      ];
      const lockedRows = ['identifier_mapping', 'instrument_word', 'instrument', 'instrument_class'];
      const people = [
        'mail',
        'administrator_link',
        'workspace_administrator',
        'session',
        'person_identity',
        'invite',
        'read_grant',
        'membership',
        'disabled_former_member',
        'person_key',
        'person',
      ];
      const structure = [
        'outbox',
        'delivery_queue',
        'webhook',
        'round_mark',
        'shared_round_mark',
        'account_ledger',
        'booking_count',
        'upload_ledger',
        'limit_rule',
        'announced_holding',
        'stated_entry',
        'sandbox_client',
        'import_work',
        'import_usage',
        'import_row',
        'import',
        'reconciliation_break',
        ...lockedRows,
        ...links,
        ...custody,
        'account',
        'depository',
        'portfolio',
        'custodian',
        'import_profile',
        'legal_entity',
        'reporting_entity',
      ];
      const order = [...stored, ...people, ...structure, 'client'];
      const undeletable = [
        ...unchangeable,
        'audit_chain',
        'log_shipment',
        'request_log_end',
        'environment',
        'workspace',
        'rate_ledger',
        'calculation_round',
        'event_order',
        'delivery',
        'ledger_copy',
        ...ledgers,
      ];
      expect([...order, ...undeletable].toSorted()).toEqual(tables);
      const ended = ledgers.map((table) => `UPDATE ${table} SET ${endOf(table)} = now()`);
      const texts = [...ended, ...order.map((table) => `DELETE FROM ${table}`)];
      const own: number[] = [];
      for (const table of [...ledgers, ...order]) own.push((await ownRows(here, table)).length);
      expect(await countTouched(scopeOf(here), texts)).toEqual(own);
    });

    test.each([
      ['accounts', 'account account_depository portfolio_account depository', [3, 0, 0, 3]],
      ['portfolios', 'portfolio portfolio_account portfolio_depository account_depository account', [3, 0, 0, 3, 3]],
    ])('deleting %s deletes their links, and none of the linked records', async (_what, order, counts) => {
      const ended = ledgers.map((table) => `UPDATE ${table} SET ${endOf(table)} = now()`);
      const texts = order.split(' ').map((table) => `DELETE FROM ${table}`);
      expect((await countTouched(scopeOf(here), [...ended, ...texts])).slice(ended.length)).toEqual(counts);
    });

    test('no row can be moved into another workspace', async () => {
      const moved = filtered.write(scopeOf(here), (run) =>
        raw(run, `UPDATE legal_entity SET workspace_id = '${there.workspaceId}'`),
      );
      await expect(moved).rejects.toThrow(refused('legal_entity'));
    });

    test.each(['workspace', 'environment', 'audit_chain', 'log_shipment', 'request_log_end'])(
      'no row of %s can be deleted',
      async (table) => {
        const deleted = filtered.write(scopeOf(here), (run) => raw(run, `DELETE FROM ${table}`));
        await expect(deleted).rejects.toThrow(`permission denied for table ${table}`);
      },
    );

    test('an entry of the audit log cannot be changed', async () => {
      const changed = filtered.write(scopeOf(here), (run) => raw(run, `UPDATE audit_entry SET act = 'delete'`));
      await expect(changed).rejects.toThrow('permission denied for table audit_entry');
    });

    const { root, child } = here.clients;
    /** So many that they stand in several settings. */
    const strangers = Array.from({ length: 300 }, (_, number) => `f${number.toString(16).padStart(23, '0')}` as Id);
    const visibleClientSets: [VisibleClients, (keyof TestTenant['clients'])[], string[], string[]][] = [
      [
        { kind: 'all' },
        ['child', 'other', 'root'],
        ['child', 'other', 'other', 'root', 'whole', 'whole'],
        ['child', 'other', 'root', 'whole'],
      ],
      [{ kind: 'tree', clientId: root }, ['child', 'root'], ['child', 'root'], ['child', 'root']],
      [{ kind: 'tree', clientId: child }, ['child'], ['child'], ['child']],
      [{ kind: 'only', clientId: root }, ['root'], ['root'], ['root']],
      [{ kind: 'tree', clientId: sandbox.clients.root }, [], [], []],
      [
        { kind: 'some', clientIds: [root], reportingEntityIds: [recordsOf(here, 'root').reportingEntity] },
        ['root'],
        ['root'],
        ['root'],
      ],
      [{ kind: 'some', clientIds: [], reportingEntityIds: [] }, [], [], []],
      [
        {
          kind: 'some',
          clientIds: [child, ...strangers],
          reportingEntityIds: [recordsOf(here, 'child').reportingEntity],
        },
        ['child'],
        ['child'],
        ['child'],
      ],
    ];

    test.each(visibleClientSets)(
      'with the visible clients %o only that part of the hierarchy is visible',
      async (visibleClients, clients, credentials, lines) => {
        const scope = scopeOf(here, visibleClients);
        const words = async (table: string, column = 'name'): Promise<string[]> => {
          const text = `SELECT ${column} AS word FROM ${table} ORDER BY ${column}`;
          return (await filtered.read(scope, sql<{ word: string }>(text, text), [])).rows.map(({ word }) => word);
        };
        for (const table of ['client', 'legal_entity', 'reporting_entity', 'account', 'depository', 'portfolio']) {
          expect({ table, names: await words(table) }).toEqual({ table, names: clients });
        }
        expect(await words('transaction', 'comment')).toEqual([...clients, 'shared']);
        const ids = clients.map((name) => here.clients[name]).toSorted();
        for (const table of [
          'account_ledger',
          'ledger_copy',
          'booking_count',
          'round_mark',
          'historical_holding',
          'stated_holding',
          'reconciliation_break',
          'upload_ledger',
          'link_version',
          'limit_rule',
          'limit_state',
          'announced_holding',
          'sandbox_client',
          'stated_entry',
          'calculation_round',
          'membership',
          'disabled_former_member',
          'read_grant',
          'invite',
          'mail',
        ]) {
          expect({ table, ids: await words(table, 'client_id') }).toEqual({ table, ids });
        }
        const ofNone = visibleClients.kind === 'all' ? [null] : [];
        for (const table of [
          'event',
          'event_order',
          'outbox',
          'webhook',
          'delivery',
          'delivery_queue',
          'delivery_attempt',
          'import',
          'import_row',
        ]) {
          expect({ table, ids: await words(table, 'client_id') }).toEqual({ table, ids: [...ids, ...ofNone] });
        }
        for (const table of links) expect({ table, ids: await words(table, 'client_id') }).toEqual({ table, ids });
        expect(await words('record_version', 'id')).toEqual([...ids, here.id(81)].toSorted());
        expect(await words('series_ledger', 'instrument_id')).toEqual(await words('instrument', 'id'));
        expect(await words('custodian', 'id')).toEqual(custodiansOf(here));
        // What people are beyond their memberships is visible only with access to the whole environment, which the service itself has.
        const signedIn = visibleClients.kind === 'all' ? clients : [];
        expect(await words('person', 'contact_email')).toEqual(signedIn.map((name) => `${name}@x.example`));
        expect(await words('person_identity', 'subject')).toEqual(signedIn);
        expect(await words('session', 'id')).toHaveLength(signedIn.length);
        expect(await words('workspace_administrator', 'first_name')).toEqual(signedIn);
        expect(await words('administrator_link', 'id')).toHaveLength(signedIn.length);
        expect(await words(requestLog, 'request_id')).toEqual(signedIn);
        for (const [table, column] of [
          ['instrument', 'name'],
          ['instrument_word', 'word'],
          ['identifier_mapping', 'value'],
        ] as const) {
          const names = await words(table, column);
          expect({ table, names }).toEqual({ table, names: [...clients, 'shared'] });
        }
        expect(await words('credential')).toEqual(credentials);
        expect(await words('audit_entry', 'subject')).toEqual(lines);
      },
    );

    test('a person sees only the reporting entities and grants that they were given', async () => {
      const granted = recordsOf(here, 'child').reportingEntity;
      const some = { kind: 'some', clientIds: [root, child] } as const;
      const seen = (table: string, column: string, reportingEntityIds: readonly Id[]) => {
        const text = `SELECT ${column} AS id FROM ${table}`;
        return filtered.read(scopeOf(here, { ...some, reportingEntityIds }), sql<{ id: string }>(text, text), []);
      };
      for (const [table, column] of [
        ['reporting_entity', 'id'],
        ['read_grant', 'reporting_entity_id'],
      ] as const) {
        expect((await seen(table, column, [])).rows).toEqual([]);
        expect((await seen(table, column, [granted])).rows).toEqual([{ id: granted }]);
        expect((await seen(table, column, [recordsOf(here, 'other').reportingEntity])).rows).toEqual([]);
      }
    });

    test('nothing can be inserted for a client that is not visible', async () => {
      const scope = scopeOf(here, { kind: 'tree', clientId: root });
      const tablesWithUnseen: string[] = [];
      for (const table of tables) {
        const { rows } = await filtered.read(scope, sql<{ row: StoredRow }>(`all/${table}`, selectAllRows(table)), []);
        const seen = rows.map(({ row }) => JSON.stringify(asAdminReads(row)));
        const unseen = (await ownRows(here, table)).filter((row) => !seen.includes(JSON.stringify(row)));
        // Every caller may write audit entries about shared records and queue them to be chained, and create persons, who become visible
        // with their membership.
        const forbidden = unseen.filter(
          (row) => !['person', auditQueue].includes(table) && (table !== 'audit_entry' || row['client_id'] !== null),
        );
        expect(await tryInserts(scope, table, forbidden)).toEqual(forbidden.map(() => refused(table)));
        if (unseen.length > 0) tablesWithUnseen.push(table);
      }
      const ofClients = [
        'identifier_mapping',
        'instrument',
        'instrument_word',
        'series_point',
        'transaction',
        'account_ledger',
        'ledger_copy',
        'booking_count',
        'round_mark',
        'historical_holding',
        'stated_holding',
        'reconciliation_break',
        'upload_ledger',
        'series_ledger',
        'record_version',
        'link_version',
        'shared_round_mark',
        'limit_rule',
        'limit_state',
        'announced_holding',
        'sandbox_client',
        'stated_entry',
        'import',
        'import_row',
        'import_work',
        'calculation_round',
        'event',
        'event_order',
        'outbox',
        'webhook',
        'delivery',
        'delivery_queue',
        'delivery_attempt',
        'person',
        'person_identity',
        'session',
        'workspace_administrator',
        'administrator_link',
        'membership',
        'disabled_former_member',
        'read_grant',
        'invite',
        'mail',
        ...custody,
        auditQueue,
        'request_count',
        requestLog,
        'audit_link',
        'audit_chain',
        'log_shipment',
        'request_log_end',
      ];
      const structure = [
        'account',
        'depository',
        'legal_entity',
        'portfolio',
        'reporting_entity',
        ...links,
        ...ofClients,
      ];
      expect(tablesWithUnseen).toEqual([...structure, 'client', 'credential', 'audit_entry'].toSorted());
    });

    test('shared rows are created, changed and deleted only by callers who see all clients', async () => {
      const shared = (await ownRows(here, 'instrument')).find((row) => row['client_id'] === null)!;
      const scoped = scopeOf(here, { kind: 'tree', clientId: root });
      await expect(insert(scoped, 'instrument', { ...shared, id: here.id(99) })).rejects.toThrow(refused('instrument'));
      const changed = filtered.write(scoped, (run) =>
        raw(run, `UPDATE instrument SET name = 'X' WHERE client_id IS NULL`),
      );
      await expect(changed).rejects.toThrow(refused('instrument'));
      const texts = [
        'DELETE FROM instrument_word WHERE client_id IS NULL',
        'DELETE FROM instrument WHERE client_id IS NULL',
      ];
      expect(await countTouched(scoped, texts)).toEqual([0, 0]);
      const ended = 'UPDATE series_ledger SET known_until = now() WHERE client_id IS NULL';
      expect(await countTouched(scopeOf(here), [ended, ...texts])).toEqual([1, 1, 1]);
      const lockedRows = filtered.write(scoped, (run) =>
        raw(run, 'SELECT FROM instrument WHERE client_id IS NULL FOR KEY SHARE'),
      );
      expect((await lockedRows).count).toBe(1);
    });

    test('a transaction for all holders is visible to all and written only by callers who see all clients', async () => {
      const shared = (await ownRows(here, 'transaction')).find((row) => row['client_id'] === null)!;
      const scoped = scopeOf(here, { kind: 'tree', clientId: root });
      await expect(insert(scoped, 'transaction', { ...shared, id: here.id(99) })).rejects.toThrow(
        refused('transaction'),
      );
      const ended = 'UPDATE transaction SET known_until = now() WHERE client_id IS NULL';
      await expect(filtered.write(scoped, (run) => raw(run, ended))).rejects.toThrow(refused('transaction'));
      expect(await countTouched(scopeOf(here), [ended])).toEqual([1]);
    });

    test.each([
      ['a transaction', 'changed', 'transaction', "UPDATE transaction SET comment = 'X'"],
      ['a transaction', 'removed', 'transaction', 'DELETE FROM transaction'],
      ['an upload', 'changed', 'historical_holding', 'UPDATE historical_holding SET market_value = 1'],
      ['an upload', 'removed', 'historical_holding', 'DELETE FROM historical_holding'],
      ['a stated holding', 'changed', 'stated_holding', 'UPDATE stated_holding SET quantity = 1'],
      ['a stated holding', 'removed', 'stated_holding', 'DELETE FROM stated_holding'],
      ['a record', 'changed', 'record_version', `UPDATE record_version SET state = '{}'`],
      ['a record', 'removed', 'record_version', 'DELETE FROM record_version'],
      ['a link', 'changed', 'link_version', `UPDATE link_version SET one_id = 'x'`],
      ['a link', 'removed', 'link_version', 'DELETE FROM link_version'],
      ['a limit', 'changed', 'limit_state', "UPDATE limit_state SET state = 'compliant'"],
      ['an event', 'changed', 'event', "UPDATE event SET type = 'x'"],
      ['an attempt', 'changed', 'delivery_attempt', 'UPDATE delivery_attempt SET status = 200'],
      ['an attempt', 'removed', 'delivery_attempt', 'DELETE FROM delivery_attempt'],
    ])('a stored version of %s cannot be %s', async (_what, _how, table, text) => {
      const done = filtered.write(scopeOf(here), (run) => raw(run, text));
      await expect(done).rejects.toThrow(`permission denied for table ${table}`);
    });

    test('events and deliveries are deleted only before a stated moment, and only if not pending', async () => {
      const older = (id: string): string => `SELECT set_config('holdfast.dropped_before', '${id}', true)`;
      const removed = async (...texts: string[]) => (await countTouched(scopeOf(here), texts)).at(-1);
      const deliveries = await ownRows(here, 'delivery');
      const ended = "UPDATE delivery SET state = 'delivered', ended_at = now() WHERE ended_at IS NULL";
      const pending = "UPDATE delivery SET state = 'pending', ended_at = NULL";
      expect(deliveries.length).toBeGreaterThan(1);
      expect(await removed(ended, 'DELETE FROM delivery')).toBe(0);
      expect(await removed('DELETE FROM event')).toBe(0);
      const [, second] = deliveries.map(({ id }) => String(id)).toSorted();
      expect(await removed(ended, older(second!), 'DELETE FROM delivery')).toBe(1);
      expect(await removed(pending, older('g'), 'DELETE FROM delivery')).toBe(0);
      expect(await removed(ended, older('g'), 'DELETE FROM delivery')).toBe(deliveries.length);
      const events = await ownRows(here, 'event');
      expect(await removed(ended, older('g'), 'DELETE FROM delivery', 'DELETE FROM event')).toBe(events.length);
    });

    test('deliveries of a webhook are deleted where the transaction names it, pending ones too, and no others', async () => {
      const deliveries = await ownRows(here, 'delivery');
      const webhook = String(deliveries[0]!['webhook_id']);
      const own = deliveries.filter((row) => row['webhook_id'] === webhook);
      const named = `SELECT set_config('holdfast.dropped_webhook', '${webhook}', true)`;
      expect(own.length).toBeLessThan(deliveries.length);
      expect((await countTouched(scopeOf(here), [named, 'DELETE FROM delivery'])).at(-1)).toBe(own.length);
    });

    const older = (id: string): string => `SELECT set_config('holdfast.dropped_before', '${id}', true)`;
    const ended = "UPDATE limit_state SET until = since + interval '1 day'";

    test.each([
      ['rounds', 'calculation_round', 'id'],
      ['states of limits', 'limit_state', 'id'],
      ['audit lines', 'audit_entry', 'id'],
      ['links of the audit chain', 'audit_link', 'entry_id'],
    ])('%s are deleted only before a stated moment', async (_what, table, column) => {
      const removed = async (...texts: string[]) =>
        (await countTouched(scopeOf(here), [ended, ...texts, `DELETE FROM ${table}`])).at(-1);
      const ids = (await ownRows(here, table)).map((row) => String(row[column])).toSorted();
      expect([await removed(), await removed(older(ids[0]!))]).toEqual([0, 0]);
      expect(await removed(older('g'))).toBe(ids.length);
    });

    test('no round that goes on and no state that lasts can be deleted', async () => {
      const running = "UPDATE calculation_round SET state = 'running', finished_at = NULL";
      const texts = [running, older('g'), 'DELETE FROM calculation_round', 'DELETE FROM limit_state'];
      expect((await countTouched(scopeOf(here), texts)).slice(2)).toEqual([0, 0]);
    });

    test('all of this changed nothing', async () => {
      for (const table of tables) expect(await listRows(fixture.admin, table)).toEqual(await storedRows(table));
    });

    test('without a scope nothing is visible', async () => {
      const login = await connect(fixture.url);
      for (const [settings, seen] of [
        ['', 0],
        [`SET holdfast.workspace = '${here.workspaceId}'; SET holdfast.visible_clients = 'all'`, 1],
        [`SET holdfast.workspace = ''; SET holdfast.environment = ''; SET holdfast.visible_clients = ''`, 0],
      ] as const) {
        await login.query(`${settings}; SET ROLE holdfast_service`);
        let count = 0;
        for (const table of tables) count += (await login.query(`SELECT FROM ${table}`)).rowCount ?? 0;
        expect({ settings, count }).toEqual({ settings, count: seen });
        await login.query('RESET ROLE');
      }
      await login.end();
    });

    test('the pre-auth role can read only what identifies callers, in every workspace, and which tenants have something due, and how much room they take', async () => {
      const outcomes: unknown[] = [];
      for (const table of tables) {
        const read = filtered.readPreAuth(sql(`gate/${table}`, `SELECT FROM ${table}`), []);
        const seen = await read.then(({ count }) => count).catch((error: Error) => error.message);
        const isAll = seen === (await storedRows(table)).length;
        outcomes.push([table, typeof seen === 'string' ? seen : isAll || dueTables.includes(table)]);
      }
      const people = ['person', 'person_identity', 'membership', 'read_grant', 'invite', 'session', 'mail'];
      const administrators = ['workspace_administrator', 'administrator_link'];
      const readable = [
        'credential',
        'environment',
        'signing_key',
        'replaced_key',
        'client',
        ...people,
        ...administrators,
        ...dueTables,
      ];
      const expected = tables.map((table) => [
        table,
        readable.includes(table) || `permission denied for table ${table}`,
      ]);
      expect(outcomes).toEqual(expected);
    });
  },
);

describe('the service runs on a database whose owner is not a superuser', () => {
  let fixture: Fixture;

  beforeAll(async () => {
    fixture = await fixtureOfOwner();
    return () => fixture.drop();
  });

  test.each(['named', 'unnamed'])('with %s statements', async (statements) => {
    const settings = { DATABASE_STATEMENTS: statements };
    const service = await startTestService({ database: { ...fixture.database, url: fixture.url }, settings });
    try {
      const root = await service.admin.makeClient('Root');
      const child = await service.admin.makeClient('Child', root);
      const scoped = await service.admin.becomeApplication({ rights: ['read'], scoped_to: child });
      expect((await scoped.get('/v1/clients')).body.data.map(({ id }: { id: string }) => id)).toEqual([child]);
      expect((await service.admin.delete(`/v1/applications/${scoped.id}`)).status).toBe(204);
      expect((await service.admin.delete(`/v1/clients/${child}`)).status).toBe(204);
      expect((await listRows(fixture.admin, 'client')).map(({ id }) => id)).toEqual([root]);
      expect((await service.admin.delete(`/v1/clients/${root}`)).status).toBe(204);
    } finally {
      await service.stop();
    }
  });
});
