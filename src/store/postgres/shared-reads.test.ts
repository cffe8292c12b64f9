// Tests on a real database which reads share a round trip, that each sees what its own caller may see, and that none fails because of another.

import { describe, expect, test } from 'vitest';
import { runSql } from '../../../tests/setup/database/sql.ts';
import { tenantsDatabaseForThisFile } from '../../../tests/setup/database/tenants-database.ts';
import { scopeOf, tenants, type TestTenant } from '../../../tests/setup/database/tenants.ts';
import { runInSpan, type Span } from '../../kit/tracing/span.ts';
import type { Scope, VisibleClients } from '../../model/access/scope.ts';
import { Database } from './database.ts';
import { seenClients } from './seen-clients.ts';
import { sql, type Statement } from './statement.ts';

const [here, sandbox, other] = tenants as [TestTenant, TestTenant, TestTenant];

const seeded = tenantsDatabaseForThisFile({ poolSize: 8 });
const openDatabase = seeded.open;

function byKey<Row>(name: string, text: string): Statement<Row> {
  return { ...sql<Row>(name, text), isByKey: true };
}

interface Seen {
  /** Differs for each transaction. */
  readonly trip: string;
  readonly tenant: string;
  readonly clients: readonly string[];
}

const lookText = `SELECT pg_backend_pid() || ' ' || extract(epoch FROM transaction_timestamp()) AS trip,
  current_setting('holdfast.workspace') || ' ' || current_setting('holdfast.environment') AS tenant,
  ARRAY(SELECT name FROM client ORDER BY name) AS clients`;
const look = byKey<Seen>('look-by-key', lookText);
const fail = byKey('fail-by-key', 'SELECT 1/0');

async function lookIn(opened: Database, scopes: readonly Scope[]): Promise<Seen[]> {
  // Its connections exist, and are not what reads wait for.
  await Promise.all(scopes.map((scope) => opened.read(scope, sql('look', lookText), [])));
  return (await Promise.all(scopes.map((scope) => opened.read(scope, look, [])))).map(({ rows }) => rows[0]!);
}

function countTrips(seen: readonly Seen[]): number {
  return new Set(seen.map(({ trip }) => trip)).size;
}

const ways = [
  { server: 'one server', isDistributed: false },
  { server: 'several servers', isDistributed: true },
];

describe.each(ways)('reads by key at the same time, for $server', ({ isDistributed }) => {
  test('those of one caller share a trip, up to 32', async () => {
    const opened = openDatabase({ isDistributed });
    const callers = (count: number): Scope[] => Array.from({ length: count }, () => scopeOf(here));
    expect(countTrips(await lookIn(opened, callers(32)))).toBe(1);
    expect(countTrips(await lookIn(opened, callers(33)))).toBe(2);
  });

  test('other reads do not', async () => {
    const opened = openDatabase({ isDistributed });
    const other = sql<Seen>('look', lookText);
    const seen = await Promise.all([1, 2, 3].map(() => opened.read(scopeOf(here), other, [])));
    expect(countTrips(seen.map(({ rows }) => rows[0]!))).toBe(3);
  });

  test('a traced read has a trip of its own', async () => {
    const opened = openDatabase({ isDistributed });
    const span: Span = {
      traceId: '',
      traceparent: '',
      isSampled: true,
      begin: () => span,
      set: () => {},
      fail: () => {},
      end: () => {},
    };
    const [first, traced, last] = await Promise.all([
      opened.read(scopeOf(here), look, []),
      runInSpan(span, () => opened.read(scopeOf(here), look, [])),
      opened.read(scopeOf(here), look, []),
    ]);
    expect(countTrips([first, last].map(({ rows }) => rows[0]!))).toBe(1);
    expect(countTrips([first, traced].map(({ rows }) => rows[0]!))).toBe(2);
  });

  test('callers that see something else never do, and each sees its own', async () => {
    const opened = openDatabase({ isDistributed });
    const { root, child } = here.clients;
    const credential = here.id(14);
    const only = (clientId: typeof root): VisibleClients => ({ kind: 'only', clientId });
    const tree = (clientId: typeof root): VisibleClients => ({ kind: 'tree', clientId });
    const scopes: Scope[] = [
      scopeOf(here),
      { ...scopeOf(here), credentialId: credential },
      scopeOf(sandbox),
      scopeOf(other),
      scopeOf(here, only(root)),
      scopeOf(here, only(child)),
      scopeOf(here, tree(root)),
      scopeOf(here, tree(child)),
    ];
    const alone: Seen[] = [];
    for (const scope of scopes) alone.push((await opened.read(scope, sql<Seen>('look', lookText), [])).rows[0]!);
    const together = await lookIn(opened, [...scopes, ...scopes]);
    expect(countTrips(together)).toBe(scopes.length);
    const withoutTrip = together.map(({ tenant, clients }) => ({ tenant, clients }));
    const expected = alone.map(({ tenant, clients }) => ({ tenant, clients }));
    expect(withoutTrip).toEqual([...expected, ...expected]);
    expect(new Set(expected.map((seen) => JSON.stringify(seen))).size).toBe(scopes.length - 2);
  });

  test('what people see is not shared: it is different for each', async () => {
    const some = { kind: 'some', clientIds: [here.clients.child], reportingEntityIds: [] } as const;
    const seen = await lookIn(openDatabase({ isDistributed }), [scopeOf(here, some), scopeOf(here, some)]);
    expect(countTrips(seen)).toBe(2);
    expect(seen.map(({ clients }) => clients)).toEqual([['child'], ['child']]);
  });

  test('a read that fails does so alone', async () => {
    const opened = openDatabase({ isDistributed });
    const [first, failed, last] = await Promise.allSettled([
      opened.read(scopeOf(here), look, []),
      opened.read(scopeOf(here), fail, []),
      opened.read(scopeOf(here), look, []),
    ]);
    expect([first.status, last.status]).toEqual(['fulfilled', 'fulfilled']);
    expect(failed).toMatchObject({ status: 'rejected', reason: { code: '22012' } });
  });

  test('of a deleted application all are refused, and those of others are not', async () => {
    const opened = openDatabase({ isDistributed });
    const gone = { ...scopeOf(here), credentialId: here.id(99) };
    const answers = await Promise.allSettled([gone, scopeOf(here), gone].map((scope) => opened.read(scope, look, [])));
    expect(answers.map(({ status }) => status)).toEqual(['rejected', 'fulfilled', 'rejected']);
    expect(answers[0]).toMatchObject({ reason: { code: 'token-revoked' } });
  });

  test('where the hierarchy has changed since it was read, all of them see what is below their client now', async () => {
    const opened = openDatabase({ isDistributed });
    const clientId = here.clients.root;
    const scopes = [1, 2, 3].map((): Scope => scopeOf(here, { kind: 'tree', clientId }));
    const listed = byKey<{ ids: string[] }>('listed', 'SELECT $1::text[] AS ids');
    const listSeen = async (): Promise<string[][]> => {
      const outcomes = await Promise.all(
        scopes.map((scope) => opened.read(scope, listed, [seenClients(scope.visibleClients)])),
      );
      return outcomes.map(({ rows }) => rows[0]!.ids.toSorted());
    };
    const before = await listSeen();
    const moved = here.clients.other;
    const update = (path: string, parent: string): Promise<unknown> =>
      runSql(
        seeded.database,
        `UPDATE client SET parent_id = ${parent}, path = ${path}, tree_version = 1000 WHERE workspace_id = '${here.workspaceId}' AND id = '${moved}';
         UPDATE environment SET tree_version = 1000 WHERE workspace_id = '${here.workspaceId}' AND environment = '${here.environment}'`,
      );
    await update(`ARRAY['${clientId}', '${moved}']`, `'${clientId}'`);
    const after = await listSeen();
    expect(before[0]).not.toContain(moved);
    expect(after).toEqual(scopes.map(() => [...before[0]!, moved].toSorted()));
    await update(`ARRAY['${moved}']`, 'NULL');
    await runSql(
      seeded.database,
      `UPDATE environment SET tree_version = 0 WHERE workspace_id = '${here.workspaceId}' AND environment = '${here.environment}'`,
    );
  });
});
