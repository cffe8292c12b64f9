// Ledger columns equal what the database holds at the moment of the read, no matter who wrote it and what was cached.

import pg from 'pg';
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { transactionsIn } from '../../../tests/setup/ledger/block-transactions.ts';
import type { LedgerTransaction } from '../../engine/ledger/transaction.ts';
import { LedgerWriter, type BookedFields } from '../../../tests/setup/ledger/ledger-writer.ts';
import type { TestDatabase } from '../../../tests/setup/database/test-database.ts';
import { makeDatabase } from '../../../tests/setup/node/test-service.ts';
import {
  instrumentsOf,
  insertTenants,
  scopeOf,
  tenants,
  recordsOf,
  transactionsOf,
  type TestTenant,
} from '../../../tests/setup/database/tenants.ts';
import { fromFixed } from '../../kit/fixed.ts';
import type { Id } from '../../kit/id.ts';
import { allClients, type VisibleClients } from '../../model/access/scope.ts';
import type { LedgerChanges } from './account-ledger.ts';
import { Database } from '../postgres/database.ts';
import type { LedgerColumnsView } from './ledger-columns.ts';
import { LedgerCache, type CacheEntry } from './ledger-cache.ts';
import type { LiveBlock } from './ledger-block.ts';
import type { Run } from '../postgres/statement-runner.ts';
import { SnapshotStore } from '../store.ts';
import { Stores } from '../stores.ts';

const [here, , there] = tenants as readonly [TestTenant, TestTenant, TestTenant];
const { account, depository } = recordsOf(here, 'root');
const { root } = here.clients;
const savings = here.id(29);
const { shared, root: ownInstrument } = instrumentsOf(here);
const start = Date.UTC(2026, 10, 16);

let database: TestDatabase;
let opened: Database;
let writer: LedgerWriter;
let ids = 0;

const nextId = (): string => `aaaa${(++ids).toString(16).padStart(20, '0')}`;
const newCache = (): LedgerCache => new LedgerCache({ bytesMax: 2 ** 26 });

beforeAll(async () => {
  database = await makeDatabase();
  const admin = new pg.Client({ connectionString: database.url });
  await admin.connect();
  await insertTenants(admin);
  await admin.query(
    `INSERT INTO account SELECT workspace_id, environment, $1, client_id, legal_entity_id, custodian_id, 'Savings', NULL, ccy_code, false, created_at
     FROM account WHERE workspace_id = $2 AND environment = $3 AND id = $4`,
    [savings, here.workspaceId, here.environment, account],
  );
  await admin.end();
  opened = new Database({ connection: { connectionString: database.url }, poolSize: 6, statements: 'named' });
  writer = await LedgerWriter.open(database.url, here, start);
});

afterAll(async () => {
  await opened?.close();
  await writer?.close();
  await database?.drop();
});

function inSnapshot<T>(
  task: (store: SnapshotStore) => Promise<T>,
  { tenant = here, visibleClients = allClients }: { tenant?: TestTenant; visibleClients?: VisibleClients } = {},
): Promise<T> {
  return new Stores(opened).inSnapshot({ scope: scopeOf(tenant, visibleClients) }, task);
}

function read(
  cache: LedgerCache,
  accounts: readonly Id[],
  visibleClients: VisibleClients = allClients,
): Promise<LedgerColumnsView> {
  return inSnapshot((store) => store.ledgerColumns(cache).read(accounts), { visibleClients });
}

const amountsIn = (blocks: readonly LiveBlock[]): string[] =>
  transactionsIn(blocks).map(({ row, amount }) => `${row}: ${fromFixed(amount)}`);

async function book(fields: BookedFields = {}, client: Id | null = root): Promise<string> {
  const id = nextId();
  await writer.book(id, client, client === null ? fields : { account_id: account, ...fields });
  return id;
}

/** Expects the same columns as an uncached read of the same moment. */
async function expectFresh(cache: LedgerCache, accounts: readonly Id[]): Promise<LedgerColumnsView> {
  return inSnapshot(async (store) => {
    const view = await store.ledgerColumns(cache).read(accounts);
    const fresh = await store.ledgerColumns(newCache()).read(accounts);
    expect(transactionsIn(view.blocks)).toEqual(transactionsIn(fresh.blocks));
    expect(view.versions).toEqual(fresh.versions);
    return view;
  });
}

describe('the ledger of an account has', () => {
  test('every field of a row', async () => {
    const first = await book({ amount: '-1', quantity: '5', kind: 'trade', type: 'buy', instrument_id: shared });
    await book({
      kind: 'trade',
      type: 'sell',
      date: '2026-02-03',
      settlement_date: '2026-02-05',
      executed_at: '2026-02-03T09:30:00.250Z',
      depository_id: depository,
      instrument_id: shared,
      quantity: '-12345678901234567890.5',
      amount: '0.000000000000000001',
      price: '99.5',
      value: '12345678901234567890.123456789012345678',
      accrued_interest: '1.50',
      unexplained: '0.01',
      lots: JSON.stringify([
        { id: first, quantity: '2' },
        { id: `${first}.3`, quantity: '3.5' },
        { id: '000000000000000000000000', quantity: '1' },
      ]),
    });
    const { blocks } = await read(newCache(), [account]);
    const found = transactionsIn(blocks).at(-1)!;
    expect(found).toEqual({
      row: found.row,
      kind: 'trade',
      day: 20_487,
      time: 24 * 3_600_000 + 34_200_250, // since the day before began
      settlement: 20_489,
      account,
      depository,
      instrument: shared,
      quantity: -12_345_678_901_234_567_890_500_000_000_000_000_000n,
      amount: 1n,
      currency: 'CHF',
      price: 99_500_000_000_000_000_000n,
      value: 12_345_678_901_234_567_890_123_456_789_012_345_678n,
      details: {
        accrued: 1_500_000_000_000_000_000n,
        named: [
          { row: found.row - 1, ordinal: 0, quantity: 2_000_000_000_000_000_000n },
          { row: found.row - 1, ordinal: 3, quantity: 3_500_000_000_000_000_000n },
          { row: 0, ordinal: 0, quantity: 1_000_000_000_000_000_000n },
        ],
      },
    });
    const live = blocks.flatMap(({ rows }) => [...rows.details.values()]);
    expect(live.map(({ unexplained }) => unexplained)).toContain('0.01');
  });

  test('a move between two accounts once, even if both are requested', async () => {
    const move = { counter_account_id: savings, amount: '-7', counter_amount: '7', counter_ccy_code: 'CHF' };
    const cache = newCache();
    await book(move);
    const countIn = async (accounts: readonly Id[]): Promise<number> => {
      const { blocks } = await expectFresh(cache, accounts);
      return transactionsIn(blocks).filter(({ amount }) => fromFixed(amount) === '-7').length;
    };
    expect(
      await Promise.all([[account], [savings], [account, savings], [savings, account, savings]].map(countIn)),
    ).toEqual([1, 1, 1, 1]);
  });

  test('bookings for all holders: those without a client and those of its own client', async () => {
    const cache = newCache();
    const split = { kind: 'corporate-action', type: 'corporate-action', action: 'split', amount: null, currency: null };
    const other = recordsOf(here, 'other').account;
    await book({ ...split, instrument_id: shared, ratio: '2:1' }, null);
    await book({ ...split, instrument_id: ownInstrument, ratio: '3:2', account_id: null }, root);
    const ratiosOf = async (of: Id): Promise<unknown[]> =>
      transactionsIn((await expectFresh(cache, [of])).blocks).flatMap(({ details }) => details?.action ?? []);
    const [two, three] = [
      { action: 'split', ratio: { numerator: 2n, denominator: 1n } },
      { action: 'split', ratio: { numerator: 3n, denominator: 2n } },
    ];
    expect(await ratiosOf(account)).toEqual([two, three]);
    expect(await ratiosOf(other)).toEqual([two]);
  });
});

describe('a write of another node', () => {
  test('is visible at the next read: booked, amended, moved to another account, deleted', async () => {
    const cache = newCache();
    const both = [account, savings] as const;
    await expectFresh(cache, both);
    const id = await book({ amount: '1.5' });
    expect(amountsIn((await expectFresh(cache, both)).blocks).at(-1)).toMatch(/: 1.5$/);
    await writer.amend(id, root, { amount: '2.5' });
    expect(amountsIn((await expectFresh(cache, both)).blocks).at(-1)).toMatch(/: 2.5$/);
    await writer.amend(id, root, { account_id: savings });
    expect(amountsIn((await expectFresh(cache, [savings])).blocks).at(-1)).toMatch(/: 2.5$/);
    expect(amountsIn((await expectFresh(cache, [account])).blocks).join()).not.toContain(': 2.5');
    await writer.remove(id, root);
    expect(amountsIn((await expectFresh(cache, both)).blocks).join()).not.toContain(': 2.5');
  });

  test('is not visible before its commit, nor in an older snapshot', async () => {
    const cache = newCache();
    await inSnapshot(async (store) => {
      const before = await store.ledgerColumns(newCache()).read([account]);
      await book({ amount: '77' });
      expect(amountsIn((await read(cache, [account])).blocks).at(-1)).toMatch(/: 77$/);
      const still = await store.ledgerColumns(cache).read([account]);
      expect(transactionsIn(still.blocks)).toEqual(transactionsIn(before.blocks));
      expect(still.versions).toEqual(before.versions);
    });
    expect(amountsIn((await expectFresh(cache, [account])).blocks).at(-1)).toMatch(/: 77$/);
  });

  test('is listed in the changes since an earlier view, as long as they are cached', async () => {
    const cache = newCache();
    const both = [account, savings];
    const kept = await book({ amount: '31' });
    const before = await read(cache, both);
    const passing = await book({ amount: '32' });
    await read(cache, both);
    await writer.amend(kept, root, { amount: '33', counter_account_id: savings });
    await read(cache, both);
    await writer.remove(passing, root);
    await writer.remove(await book({ amount: '35' }), root);
    await book({ amount: '34', account_id: savings, counter_account_id: account });
    const view = await expectFresh(cache, both);
    const changes = view.findChanges(before.versions)!;
    const shown = ({ closed, opened: added }: LedgerChanges): unknown[] => [
      closed.length,
      amountsIn(added).map((text) => text.split(': ')[1]),
    ];
    expect(shown(changes)).toEqual([1, ['33', '34']]);
    expect(shown(view.findChanges(view.versions)!)).toEqual([0, []]);
    const unknown = new Map([...before.versions].map(([key, version]) => [key, version - 1]));
    expect(view.findChanges(unknown)).toBeUndefined();
    expect(view.findChanges((await read(cache, [account])).versions)).toBeUndefined();
  });

  test('by several nodes at once: every reader sees what the database holds', async () => {
    const cache = newCache();
    const nodes = await Promise.all(
      [1, 2, 3].map((node) => LedgerWriter.open(database.url, here, start + node * 10 ** 6)),
    );
    onTestFinished(async () => void (await Promise.all(nodes.map((node) => node.close()))));
    const booked: string[] = [];
    let random = 12_345;
    const pick = (below: number): number => (random = (random * 1_103_515_245 + 12_345) % 2 ** 31) % below;
    const writeOne = async (node: LedgerWriter, round: number): Promise<void> => {
      const some = booked[pick(Math.max(1, booked.length))];
      const places = [
        { account_id: account },
        { account_id: savings },
        { account_id: account, counter_account_id: savings },
      ];
      const fields = { counter_account_id: null, ...places[pick(3)], amount: String(round + 1) };
      const what = some === undefined ? 0 : pick(4);
      if (what === 2) await node.amend(some!, root, fields);
      else if (what === 3) await node.remove(some!, root);
      else {
        const id = nextId();
        await node.book(id, root, fields);
        booked.push(id);
      }
    };
    const write = async (node: LedgerWriter): Promise<void> => {
      for (let round = 0; round < 15; round++) await writeOne(node, round);
    };
    const writing = { isOver: false };
    const ask = async (accounts: readonly Id[]): Promise<void> => {
      while (!writing.isOver) await expectFresh(cache, accounts);
    };
    const asking = [ask([account]), ask([account, savings]), ask([savings])];
    await Promise.all(nodes.map(write)).finally(() => (writing.isOver = true));
    await Promise.all(asking);
    const { versions } = await expectFresh(cache, [account, savings]);
    expect(versions.get(account)).toBeGreaterThan(0);
  });
});

test('as known at a moment: later bookings, amendments and deletions are not visible', async () => {
  const cache = newCache();
  const later = await LedgerWriter.open(database.url, here, start + 10 ** 9);
  onTestFinished(() => later.close());
  const [kept, removed] = [nextId(), nextId()];
  await later.book(kept, root, { account_id: account, amount: '51' });
  await later.book(removed, root, { account_id: account, amount: '52', counter_account_id: savings });
  const moments: { at: number; rows: LedgerTransaction[] }[] = [];
  const recordMoment = async (): Promise<void> => {
    moments.push({ at: later.now, rows: transactionsIn((await read(cache, [account, savings])).blocks) });
  };
  await recordMoment();
  await later.amend(kept, root, { amount: '53', account_id: savings });
  await recordMoment();
  await later.remove(removed, root);
  await recordMoment();
  await later.amend(kept, root, { amount: '54' });
  await recordMoment();
  const { bytes } = cache;
  for (const { at, rows } of moments) {
    const { blocks } = await inSnapshot((store) => store.ledgerColumns(cache).readKnownAt([account, savings], at));
    expect(transactionsIn(blocks)).toEqual(rows);
  }
  expect(cache.bytes).toBe(bytes);
});

test('a deleted account is read as it was known', async () => {
  const passing = here.id(28);
  const admin = new pg.Client({ connectionString: database.url });
  await admin.connect();
  onTestFinished(() => admin.end());
  const where = [here.workspaceId, here.environment];
  await admin.query(
    `INSERT INTO account SELECT workspace_id, environment, $3, client_id, legal_entity_id, custodian_id, 'Passing', NULL, ccy_code, false, created_at
     FROM account WHERE workspace_id = $1 AND environment = $2 AND id = $4`,
    [...where, passing, account],
  );
  const id = await book({ account_id: passing, amount: '61' });
  const { now } = writer;
  await writer.remove(id, root);
  await admin.query('DELETE FROM account WHERE workspace_id = $1 AND environment = $2 AND id = $3', [
    ...where,
    passing,
  ]);
  const amountsFor = async (visibleClients: VisibleClients, moment: number): Promise<string[]> => {
    const { blocks } = await inSnapshot((store) => store.ledgerColumns(newCache()).readKnownAt([passing], moment), {
      visibleClients,
    });
    return transactionsIn(blocks).flatMap((one) => (one.account === null ? [] : fromFixed(one.amount)));
  };
  expect(await amountsFor(allClients, now)).toEqual(['61']);
  expect(await amountsFor({ kind: 'tree', clientId: root }, now)).toEqual(['61']);
  expect(await amountsFor({ kind: 'tree', clientId: here.clients.other }, now)).toEqual([]);
  expect(await amountsFor(allClients, now + 1_000)).toEqual([]);
});

describe('tenant filters', () => {
  const ofClient = (client: keyof TestTenant['clients']): Id => recordsOf(here, client).account;

  test.each([
    ['all', allClients, ['root', 'child', 'other']],
    ['a client and its descendants', { kind: 'tree', clientId: root }, ['root', 'child']],
    ['a client alone', { kind: 'only', clientId: root }, ['root']],
    ['its sibling', { kind: 'tree', clientId: here.clients.other }, ['other']],
  ] as const)('for a scope that sees %s, with a warm or cold cache', async (_who, visibleClients, seen) => {
    const warmCache = newCache();
    const requested = (['root', 'child', 'other'] as const).map(ofClient);
    await read(warmCache, requested);
    for (const cache of [warmCache, newCache()]) {
      const { accounts, blocks } = await read(cache, requested, visibleClients);
      expect(accounts).toEqual(seen.map(ofClient));
      const holders = new Set(transactionsIn(blocks).map((transaction) => transaction.account));
      expect([...holders].filter((id) => id !== null && id !== savings).toSorted()).toEqual(accounts);
      expect(blocks.some(({ rows }) => rows.account.numbers.includes(-1))).toBe(true);
    }
  });

  test('two workspaces with the same ids stay separate', async () => {
    const cache = newCache();
    await read(cache, [account]);
    const { blocks } = await inSnapshot((store) => store.ledgerColumns(cache).read([account]), { tenant: there });
    const { root: own, shared: ofAll } = transactionsOf(there);
    const found = blocks.map(({ rows }) => rows.id.toHex());
    expect(found.toSorted()).toEqual([own, ofAll].toSorted());
  });

  test('an unknown account is left out', async () => {
    const view = await read(newCache(), ['0123456789abcdef01234567' as Id]);
    expect([view.accounts, view.clients]).toEqual([[], []]);
    expect(transactionsIn(view.blocks).every((one) => one.account === null)).toBe(true);
  });
});

test.each([0, 20_000, 60_000])(
  'a cache of %i bytes never exceeds that size, and rows that are not cached are read',
  async (bytesMax) => {
    const cache = new LedgerCache({ bytesMax });
    const accounts = [account, savings, recordsOf(here, 'other').account];
    for (const one of [...accounts, ...accounts]) {
      await expectFresh(cache, [one]);
      expect(cache.bytes).toBeLessThanOrEqual(bytesMax);
    }
    await expectFresh(cache, accounts);
    expect(cache.size > 0).toBe(bytesMax > 0);
  },
);

describe('concurrent reads', () => {
  /** Counts how often rows are read while a task runs. */
  async function countReads(task: () => Promise<unknown>): Promise<number> {
    const read = opened.readSnapshot;
    let reads = 0;
    opened.readSnapshot = ((scope, work) =>
      read.call(opened, scope, (run) => {
        const columns: typeof run.columns = (calls) => (reads++, run.columns(calls));
        return work(
          Object.assign((...requested: Parameters<typeof run>) => run(...requested), run, { columns }) as typeof run,
        );
      })) as typeof read;
    await task().finally(() => (opened.readSnapshot = read));
    return reads;
  }

  test('several callers that need the same account load it once', async () => {
    const cache = newCache();
    const asking = (): Promise<LedgerColumnsView> => read(cache, [account]);
    const alone = await countReads(() => read(newCache(), [account]));
    expect(await countReads(() => Promise.all([asking(), asking(), asking()]))).toBe(alone);
    expect(await countReads(asking)).toBe(0);
  });

  test('several accounts are read together and cached separately', async () => {
    const cache = newCache();
    await book({ amount: '-41', counter_account_id: savings, counter_amount: '41', counter_ccy_code: 'CHF' });
    await book({ amount: '42', account_id: savings, counter_account_id: account });
    const alone = await countReads(() => read(newCache(), [account]));
    expect(await countReads(() => read(cache, [account, savings]))).toBe(alone);
    for (const one of [account, savings]) {
      expect(await countReads(() => read(cache, [one]))).toBe(0);
      const { blocks } = await expectFresh(cache, [one]);
      expect(
        amountsIn(blocks)
          .slice(-2)
          .map((text) => text.split(': ')[1]),
      ).toEqual(['-41', '42']);
    }
  });

  /** Reads the ledger through a store whose rows arrive, or fail, when the gate opens. */
  function readBehind(gate: Promise<void>, cache: LedgerCache, started: () => void): Promise<LedgerColumnsView> {
    return inSnapshot((store) => {
      const columns = async (calls: Parameters<Run['columns']>[0]): Promise<any> => {
        started();
        await gate;
        return store.run.columns(calls);
      };
      const run = Object.assign((...requested: Parameters<Run>) => store.run(...requested), store.run, {
        columns,
      }) as Run;
      return new SnapshotStore({ ...store, run }).ledgerColumns(cache).read([account]);
    });
  }

  test('a failed load leaves nothing behind', async () => {
    const cache = newCache();
    const gate = Promise.withResolvers<void>();
    const failing = readBehind(gate.promise, cache, () => gate.reject(new Error('Lost.')));
    await expect(failing).rejects.toThrow('Lost.');
    expect([cache.size, cache.bytes]).toEqual([0, 0]);
    await expectFresh(cache, [account]);
  });

  test('a caller that waits for a failed load loads the ledger itself', async () => {
    const [gate, begun] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
    class WatchedCache extends LedgerCache {
      override findLoading<T extends CacheEntry>(key: string, version: number): Promise<T> | undefined {
        const found = super.findLoading<T>(key, version);
        if (found !== undefined) gate.reject(new Error('Lost.'));
        return found;
      }
    }
    const cache = new WatchedCache({ bytesMax: 2 ** 26 });
    const failing = readBehind(gate.promise, cache, begun.resolve).catch((error: Error) => error.message);
    await begun.promise;
    const { blocks } = await read(cache, [account]);
    expect(await failing).toBe('Lost.');
    expect(transactionsIn(blocks)).toEqual(transactionsIn((await read(newCache(), [account])).blocks));
  });
});
