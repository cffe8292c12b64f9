// A ledger that is read from its packed copy equals the one that is read from its rows, whatever was booked, amended or deleted since.

import { hash } from 'node:crypto';
import fc from 'fast-check';
import pg from 'pg';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { transactionsIn } from '../../../tests/setup/ledger/block-transactions.ts';
import { LedgerWriter } from '../../../tests/setup/ledger/ledger-writer.ts';
import type { TestDatabase } from '../../../tests/setup/database/test-database.ts';
import { makeDatabase } from '../../../tests/setup/node/test-service.ts';
import { insertTenants, instrumentsOf, recordsOf, scopeOf, tenants } from '../../../tests/setup/database/tenants.ts';
import { defined } from '../../kit/assert.ts';
import { allClients } from '../../model/access/scope.ts';
import { Database } from '../postgres/database.ts';
import { Stores } from '../stores.ts';
import { LedgerCache } from './ledger-cache.ts';
import type { LedgerColumnsView } from './ledger-columns.ts';
import { currentRows } from './ledger-rows.ts';
import { packedFormat, packLedger, unpackLedger } from './packed-ledger.ts';
import { ledgerOfBlocks, type AccountLedger } from './account-ledger.ts';
import { isWorthCopying, ledgerPart, type LedgerPart } from './ledger-loader.ts';

const here = defined(tenants[0], 'there are tenants');
const { account, depository } = recordsOf(here, 'root');
const { root } = here.clients;
const { shared } = instrumentsOf(here);
const scope = scopeOf(here, allClients);

let database: TestDatabase;
let admin: pg.Client;
let opened: Database;
let writer: LedgerWriter;
let ids = 0;

const nextId = (): string => `bbbb${(++ids).toString(16).padStart(20, '0')}`;

beforeAll(async () => {
  database = await makeDatabase();
  admin = new pg.Client({ connectionString: database.url });
  await admin.connect();
  await insertTenants(admin);
  opened = new Database({ connection: { connectionString: database.url }, poolSize: 2, statements: 'named' });
  writer = await LedgerWriter.open(database.url, here, Date.UTC(2026, 10, 16));
});

beforeEach(() => admin.query('DELETE FROM ledger_copy'));

afterAll(async () => {
  await opened?.close();
  await writer?.close();
  await admin?.end();
  await database?.drop();
});

const newCache = (): LedgerCache => new LedgerCache({ bytesMax: 2 ** 26 });

/** Reads as a node does that has nothing in memory. */
function readCold(): Promise<LedgerColumnsView> {
  return new Stores(opened).inSnapshot({ scope }, (store) => store.ledgerColumns(newCache()).read([account]));
}

/** The same, past the copies. */
async function readRows(): Promise<LedgerColumnsView> {
  const kept = await admin.query('DELETE FROM ledger_copy RETURNING *');
  const view = await readCold();
  for (const row of kept.rows)
    await admin.query('INSERT INTO ledger_copy VALUES ($1, $2, $3, $4, $5, $6, $7, $8)', Object.values(row));
  return view;
}

async function cachedLedger(): Promise<AccountLedger> {
  const cache = newCache();
  await new Stores(opened).inSnapshot({ scope }, (store) => store.ledgerColumns(cache).read([account]));
  return defined(
    cache.find<AccountLedger>(`${here.workspaceId} ${here.environment} ${account}`),
    'the ledger was read into the cache',
  );
}

async function writeCopy(): Promise<void> {
  const ledger = await cachedLedger();
  const copy = { ...(await packLedger(ledger)), client: root, account, version: ledger.version };
  await new Stores(opened).forWriting({ scope }, (store) => store.ledgerCopies.put(copy));
}

async function book(fields: Readonly<Record<string, unknown>> = {}): Promise<string> {
  const id = nextId();
  await writer.book(id, root, { account_id: account, ...fields });
  return id;
}

const storedVersion = async (): Promise<unknown> =>
  (await admin.query('SELECT version FROM ledger_copy')).rows.map(({ version }) => Number(version));

test('a copy has every field, also wide decimals and rare ones', async () => {
  await book({
    kind: 'trade',
    type: 'sell',
    depository_id: depository,
    instrument_id: shared,
    executed_at: '2026-02-03T09:30:00.250Z',
    quantity: '-12345678901234567890.5',
    price: '99.5',
    value: '12345678901234567890.123456789012345678',
    accrued_interest: '1.50',
    unexplained: '0.01',
  });
  const ledger = await cachedLedger();
  const { bytes } = await packLedger(ledger);
  expect(await unpackLedger(ledger.version, bytes)).toEqual(ledger);
});

test('a copy holds what this format says: raise packedFormat when the columns that are read of a row change', () => {
  const { statement } = currentRows(scope, { side: 'own', account });
  const columns = statement.text.slice(0, statement.text.lastIndexOf('FROM transaction t')).replaceAll(/\s+/g, ' ');
  expect([packedFormat, hash('sha256', columns).slice(0, 12)]).toEqual([2, '0600cb7366e1']);
});

test('is read in place of the rows', async () => {
  const id = await book({ amount: '777' });
  await writeCopy();
  const before = transactionsIn((await readCold()).blocks);
  await admin.query('UPDATE transaction SET amount = 1 WHERE id = $1', [id]); // past the service: no version tells of it
  expect(transactionsIn((await readCold()).blocks)).toEqual(before);
  expect(transactionsIn((await readRows()).blocks)).not.toEqual(before);
});

test('what happened since is read from the rows', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(fc.constantFrom('book', 'amend', 'delete', 'copy'), { minLength: 3, maxLength: 12 }),
      async (acts) => {
        const current: string[] = [await book()];
        for (const act of acts) {
          const last = current.at(-1);
          if (act === 'copy') await writeCopy();
          else if (act === 'book' || last === undefined) current.push(await book({ amount: `${current.length}.5` }));
          else if (act === 'amend') await writer.amend(last, root, { amount: `${ids}.25` });
          else await writer.remove(defined(current.pop(), 'there is one'), root);
        }
        expect(transactionsIn((await readCold()).blocks)).toEqual(transactionsIn((await readRows()).blocks));
      },
    ),
    { numRuns: 15 },
  );
});

test.each([
  ['damaged', `UPDATE ledger_copy SET packed = overlay(packed PLACING '\\x00'::bytea FROM octet_length(packed) - 20)`],
  ['cut off', `UPDATE ledger_copy SET packed = substr(packed, 1, octet_length(packed) / 2)`],
  ['empty', `UPDATE ledger_copy SET packed = ''`],
  ['of another format', 'UPDATE ledger_copy SET format = format + 1'],
])('a copy that is %s is as good as none', async (_what, change) => {
  await book();
  await writeCopy();
  await admin.query(change);
  await book();
  expect(transactionsIn((await readCold()).blocks)).toEqual(transactionsIn((await readRows()).blocks));
});

test.each<[what: string, rows: number, part: Partial<LedgerPart>, isWorth: boolean]>([
  ['is too small', 19_999, { copied: null }, false],
  ['is large and has none', 20_000, { copied: null }, true],
  ['has grown by an eighth since', 24_000, { copied: 1, copiedRows: 21_000 }, false],
  ['has grown by more', 24_000, { copied: 1, copiedRows: 20_999 }, true],
  ['has lost more', 24_000, { copied: 1, copiedRows: 27_001 }, true],
  ['has 5,000 versions more', 24_000, { copied: 1, copiedRows: 24_000, version: 5_001 }, false],
  ['has one more than that', 24_000, { copied: 1, copiedRows: 24_000, version: 5_002 }, true],
])('whether a ledger that %s is copied', async (_what, rows, change, isWorth) => {
  const { rows: block } = defined((await cachedLedger()).own[0], 'the ledger has rows');
  const ledger = ledgerOfBlocks(2, { own: [{ rows: { ...block, length: rows }, removed: new Set() }], counter: [] });
  const part = { ...ledgerPart({ account, client: root, version: 2, copied: null, copiedRows: null }), ...change };
  expect(isWorthCopying(part, ledger)).toBe(isWorth);
});

test('an older copy does not replace a newer one', async () => {
  const before = await cachedLedger();
  await book();
  await writeCopy();
  const newer = await storedVersion();
  const old = { ...(await packLedger(before)), client: root, account, version: before.version };
  await new Stores(opened).forWriting({ scope }, (store) => store.ledgerCopies.put(old));
  expect(await storedVersion()).toEqual(newer);
});

test('a copy goes with its account', async () => {
  const other = here.id(29);
  await admin.query(
    `INSERT INTO account SELECT workspace_id, environment, $1, client_id, legal_entity_id, custodian_id, 'Savings', NULL, ccy_code, false, created_at
     FROM account WHERE workspace_id = $2 AND environment = $3 AND id = $4`,
    [other, here.workspaceId, here.environment, account],
  );
  const copy = { bytes: Buffer.alloc(0), rowCount: 0, client: root, account: other, version: 1 };
  await new Stores(opened).forWriting({ scope }, (store) => store.ledgerCopies.put(copy));
  expect(await storedVersion()).toEqual([1]);
  await admin.query('DELETE FROM account WHERE id = $1', [other]);
  expect(await storedVersion()).toEqual([]);
});
