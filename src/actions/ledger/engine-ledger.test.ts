// Checks that a ledger built from the store's columns equals the ledger built from the same transactions one by one.

import { computeAtOnce } from '../../kit/turns/pieces.ts';
import fc from 'fast-check';
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { TestDatabase } from '../../../tests/setup/database/test-database.ts';
import { makeDatabase } from '../../../tests/setup/node/test-service.ts';
import {
  instrumentsOf,
  insertTenants,
  scopeOf,
  tenants,
  recordsOf,
  type TestTenant,
} from '../../../tests/setup/database/tenants.ts';
import { fromDayNumber } from '../../kit/calendar-date.ts';
import { fromFixed, type Fixed } from '../../kit/fixed.ts';
import { Ledger } from '../../engine/ledger/ledger.ts';
import { unidentifiedInstrument } from '../../engine/ledger/position-key.ts';
import {
  timeMax,
  type LedgerTransaction,
  type TransactionDetails,
  type TransactionKind,
} from '../../engine/ledger/transaction.ts';
import { Database } from '../../store/postgres/database.ts';
import { LedgerCache } from '../../store/ledger/ledger-cache.ts';
import type { LiveBlock } from '../../store/ledger/ledger-block.ts';
import { Stores } from '../../store/stores.ts';
import { buildEngineLedger, updateEngineLedger, transactionIds } from './engine-ledger.ts';

const [tenant] = tenants as [TestTenant];
const { account, depository } = recordsOf(tenant, 'root');
const savings = tenant.id(29);
const { shared, root: own } = instrumentsOf(tenant);

let database: TestDatabase;
let openedDatabase: Database;
let admin: pg.Client;

beforeAll(async () => {
  database = await makeDatabase();
  admin = new pg.Client({ connectionString: database.url });
  await admin.connect();
  await insertTenants(admin);
  await admin.query(
    `INSERT INTO account SELECT workspace_id, environment, $1, client_id, legal_entity_id, custodian_id, 'Savings', NULL, ccy_code, false, created_at
     FROM account WHERE workspace_id = $2 AND environment = $3 AND id = $4`,
    [savings, tenant.workspaceId, tenant.environment, account],
  );
  openedDatabase = new Database({ connection: { connectionString: database.url }, poolSize: 1, statements: 'named' });
});

afterAll(async () => {
  await openedDatabase?.close();
  await admin?.end();
  await database?.drop();
});

const idOfRow = (row: number): string => row.toString(16).padStart(24, '0');

/** A row of the table for a transaction of the engine. */
function storedRow(transaction: LedgerTransaction, version: number): Record<string, unknown> {
  const { row, day, settlement, time, details, ...rest } = transaction;
  const { counterCash, counterPlace, accrued, withholding } = details ?? {};
  const decimal = (value: Fixed | null | undefined): string | null => (value == null ? null : fromFixed(value));
  return {
    workspace_id: tenant.workspaceId,
    environment: tenant.environment,
    client_id: tenant.clients.root,
    id: idOfRow(row),
    sequence: row,
    known_from: '2026-01-01',
    opened_version: version,
    kind: rest.kind,
    type: 'deposit',
    date: fromDayNumber(day),
    settlement_date: settlement === null ? null : fromDayNumber(settlement),
    executed_at: time === null ? null : new Date((day - 1) * 86_400_000 + time).toISOString(),
    account_id: rest.account,
    depository_id: rest.depository,
    instrument_id: rest.instrument === unidentifiedInstrument ? null : rest.instrument,
    currency: rest.currency,
    quantity: decimal(rest.quantity),
    amount: decimal(rest.amount),
    price: decimal(rest.price),
    value: decimal(rest.value),
    unexplained: '0',
    accrued_interest: decimal(accrued),
    taxes: decimal(withholding),
    counter_account_id: counterCash?.account ?? counterPlace?.account ?? null,
    counter_depository_id: counterPlace?.depository ?? null,
    counter_amount: decimal(counterCash?.amount),
    counter_ccy_code: counterCash?.currency ?? null,
    source: 'manual',
    created_at: '2026-01-01',
  };
}

async function store(transactions: readonly LedgerTransaction[], version: number): Promise<void> {
  const rows = transactions.map((one) => storedRow(one, version));
  const columns = Object.keys(rows[0] ?? {}).join(', ');
  if (rows.length > 0) {
    await admin.query(
      `INSERT INTO transaction (${columns}) SELECT ${columns} FROM jsonb_populate_recordset(NULL::transaction, $1)`,
      [JSON.stringify(rows)],
    );
  }
  await admin.query(`UPDATE account_ledger SET version = $1 WHERE workspace_id = $2 AND environment = $3`, [
    version,
    tenant.workspaceId,
    tenant.environment,
  ]);
}

async function clear(): Promise<void> {
  await admin.query('DELETE FROM transaction');
  await admin.query(
    `INSERT INTO account_ledger VALUES ($1, $2, $3, $4, 0) ON CONFLICT (workspace_id, environment, account_id) DO NOTHING`,
    [tenant.workspaceId, tenant.environment, tenant.clients.root, savings],
  );
}

const wide = fc.bigInt({ min: -(10n ** 38n) + 1n, max: 10n ** 38n - 1n });
const cents = fc.integer({ min: -1_000_000, max: 1_000_000 }).map((value) => BigInt(value) * 10n ** 16n);
const decimal = fc.oneof({ weight: 6, arbitrary: cents }, { weight: 1, arbitrary: wide });
const maybe = <T>(arbitrary: fc.Arbitrary<T>): fc.Arbitrary<T | null> => fc.option(arbitrary, { nil: null, freq: 2 });

const detailsByKind: Partial<Record<TransactionKind, fc.Arbitrary<TransactionDetails>>> = {
  trade: fc.record({ accrued: decimal }),
  dividend: fc.record({ withholding: decimal }),
  fx: fc.record({
    counterCash: fc.record({
      account: fc.constantFrom(account, savings),
      currency: fc.constant('USD'),
      amount: decimal,
    }),
  }),
  flow: fc.record({
    counterPlace: fc.record({ account: fc.constant(savings), depository: fc.constantFrom(null, depository) }),
  }),
};

const generated: fc.Arbitrary<LedgerTransaction> = fc
  .constantFrom<TransactionKind>('trade', 'dividend', 'fx', 'flow', 'fee', 'redemption')
  .chain((kind) =>
    fc.record({
      row: fc.constant(0),
      kind: fc.constant(kind),
      day: fc.integer({ min: 20_000, max: 20_020 }),
      time: maybe(fc.integer({ min: 0, max: timeMax - 1 })),
      settlement: maybe(fc.integer({ min: 20_000, max: 20_030 })),
      account: fc.constantFrom(account, savings),
      depository: fc.constantFrom(null, depository),
      instrument: fc.constantFrom(kind === 'trade' ? unidentifiedInstrument : null, shared, own),
      quantity: decimal,
      amount: decimal,
      currency: fc.constantFrom('CHF', 'EUR'),
      price: maybe(decimal),
      value: decimal,
      details: detailsByKind[kind] === undefined ? fc.constant(null) : maybe<TransactionDetails>(detailsByKind[kind]),
    }),
  );

const ledgers = fc
  .array(generated, { maxLength: 60 })
  .map((all) => all.map((transaction, index): LedgerTransaction => ({ ...transaction, row: index + 1 })));

function inSnapshot<T>(memory: LedgerCache, task: (pieces: readonly LiveBlock[]) => T): Promise<T> {
  return new Stores(openedDatabase).inSnapshot({ scope: scopeOf(tenant) }, async (snapshot) =>
    task((await snapshot.ledgerColumns(memory).read([account, savings])).blocks),
  );
}

/** Sorts the transactions like the columns, so that places and positions get the same numbers. */
function orderedLike(pieces: readonly LiveBlock[], transactions: readonly LedgerTransaction[]): LedgerTransaction[] {
  const byRow = new Map(transactions.map((transaction) => [transaction.row, transaction]));
  return pieces.flatMap(({ rows, removed }) =>
    [...rows.sequence].flatMap((row, index) => (removed.has(index) ? [] : byRow.get(row)!)),
  );
}

const newMemory = (): LedgerCache => new LedgerCache({ bytesMax: 2 ** 26 });

describe('any ledger', () => {
  test('is the same whether built from columns or from transactions: every column, name and scale', async () => {
    await fc.assert(
      fc.asyncProperty(ledgers, async (transactions) => {
        await clear();
        await store(transactions, 1);
        await inSnapshot(newMemory(), (pieces) => {
          const built = computeAtOnce(buildEngineLedger(pieces));
          const expected = Ledger.from(orderedLike(pieces, transactions));
          expect(built.chunks).toEqual(expected.chunks);
          expect(built.scales).toEqual(expected.scales);
          expect([built.positions, built.places, built.currencies]).toEqual([
            expected.positions,
            expected.places,
            expected.currencies,
          ]);
          expect([...built.transactions()]).toEqual([...Ledger.from(transactions).transactions()]);
        });
      }),
      { numRuns: 40 },
    );
  });

  test('is the same whether updated with the changes or rebuilt', async () => {
    await fc.assert(
      fc.asyncProperty(ledgers, fc.array(fc.nat(2), { minLength: 60, maxLength: 60 }), async (transactions, fates) => {
        await clear();
        const [early, late] = [0, 1].map((when) => transactions.filter(({ row }) => fates[row - 1]! % 2 === when));
        const removed = early!.filter(({ row }) => fates[row - 1] === 2);
        const memory = newMemory();
        await store(early!, 1);
        const readColumns = () =>
          new Stores(openedDatabase).inSnapshot({ scope: scopeOf(tenant) }, (snapshot) =>
            snapshot.ledgerColumns(memory).read([account, savings]),
          );
        const before = await readColumns();
        const ledger = computeAtOnce(buildEngineLedger(before.blocks));
        await admin.query(`UPDATE transaction SET known_until = '2026-02-01', closed_version = 2 WHERE id = ANY ($1)`, [
          removed.map(({ row }) => idOfRow(row)),
        ]);
        await store(late!, 2);
        const after = await readColumns();
        const changed = updateEngineLedger(ledger, after.findChanges(before.versions)!);
        expect([...changed.transactions()]).toEqual([...computeAtOnce(buildEngineLedger(after.blocks)).transactions()]);
        const remaining = transactions.filter((one) => !removed.includes(one));
        expect([...changed.transactions()]).toEqual([...Ledger.from(remaining).transactions()]);
      }),
      { numRuns: 25 },
    );
  });
});

test('transaction ids are found by their booking numbers', async () => {
  await clear();
  const one = fc.sample(
    ledgers.filter((all) => all.length > 5),
    { numRuns: 1, seed: 7 },
  )[0]!;
  await store(one, 1);
  await inSnapshot(newMemory(), (pieces) => {
    expect(transactionIds(pieces, [3, 1, 999])).toEqual(
      new Map([
        [1, idOfRow(1)],
        [3, idOfRow(3)],
      ]),
    );
  });
});

test('an execution time further from the trade date than a day is moved to the nearer end', async () => {
  await clear();
  const usual = fc.sample(generated, { numRuns: 1, seed: 3 })[0]!;
  const times = [-3_600_000, 3_600_000, timeMax + 5];
  await store(
    times.map((time, index) => ({ ...usual, row: index + 1, time })),
    1,
  );
  await inSnapshot(newMemory(), (pieces) => {
    expect([...computeAtOnce(buildEngineLedger(pieces)).transactions()].map(({ row, time }) => [row, time])).toEqual([
      [1, 0],
      [2, 3_600_000],
      [3, timeMax - 1],
    ]);
  });
});
