// Very many transactions in one request: in every format and mode the same result as single requests, for any accounts, safe to
// repeat, and never half-written.

import pg from 'pg';
import { beforeAll, describe, expect, test, vi } from 'vitest';
import { serviceAuthor, runInTransaction } from '../../../src/actions/core/work.ts';
import { SequenceAllocator } from '../../../src/actions/ledger/sequence-allocator.ts';
import type { Id } from '../../../src/kit/id.ts';
import { transactionTypes } from '../../../src/model/ledger/transaction-kind.ts';
import type { Caller, Reply } from '../../setup/http/caller.ts';
import {
  book,
  bookedId,
  makeLedgerHousehold,
  makeStock,
  type LedgerHousehold,
} from '../../setup/ledger/ledger-household.ts';
import { toJsonLines } from '../../setup/instruments/series-document.ts';
import { serviceForThisFile, startTestService } from '../../setup/node/test-service.ts';
import { runSql } from '../../setup/database/sql.ts';
import { tenantOf } from '../../setup/events/event-source.ts';
import { faultsOf, makeRecord, unknownId } from '../../setup/structure/structure-document.ts';
import { runInParts } from '../../setup/database/database-parts.ts';

const service = serviceForThisFile();
let admin: Caller;
let household: LedgerHousehold;
let other: LedgerHousehold;

beforeAll(async () => {
  ({ admin } = service);
  household = await makeLedgerHousehold(admin);
  other = await makeLedgerHousehold(admin, 'Bussard');
});

type Fields = Readonly<Record<string, unknown>>;
const date = '2026-03-12';
const path = '/v1/transactions/bulk';

const types = { json: 'application/json', lines: 'application/x-ndjson', csv: 'text/csv' } as const;
type Format = keyof typeof types;
const formats = Object.keys(types) as Format[];
const modes = ['all-or-nothing', 'per-row'] as const;

/** Contains all columns of any row; structured values are JSON. */
function toCsv(rows: readonly Fields[]): string {
  const columns = [...new Set(rows.flatMap((row) => Object.keys(row)))];
  const cell = (value: unknown): string => {
    const text = value == null ? '' : typeof value === 'object' ? JSON.stringify(value) : String(value);
    return /[",\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
  };
  return [columns, ...rows.map((row) => columns.map((column) => row[column]))]
    .map((line) => `${line.map(cell).join(',')}\r\n`)
    .join('');
}

const writers: Record<Format, (rows: readonly Fields[]) => string> = {
  json: (rows) => JSON.stringify({ data: rows }),
  lines: toJsonLines,
  csv: toCsv,
};

interface BulkOptions {
  readonly caller?: Caller;
  readonly format?: Format;
  readonly mode?: (typeof modes)[number];
  readonly headers?: Readonly<Record<string, string>>;
}

function sendRaw(
  raw: string,
  { caller = admin, format = 'json', mode, headers = {} }: BulkOptions = {},
): Promise<Reply> {
  const address = mode === undefined ? path : `${path}?mode=${mode}`;
  return caller.send(address, { method: 'POST', raw, headers: { 'content-type': types[format], ...headers } });
}

function send(rows: readonly Fields[], options: BulkOptions = {}): Promise<Reply> {
  return sendRaw(writers[options.format ?? 'json'](rows), options);
}

interface Counts {
  readonly booked?: number;
  readonly amended?: number;
  readonly unchanged?: number;
}

function bulkResult({ booked = 0, amended = 0, unchanged = 0 }: Counts): object {
  return { accepted: booked + amended + unchanged, refused: 0, booked, amended, unchanged, errors: [] };
}

interface StoredTransaction {
  readonly id: string;
  readonly type: string;
  readonly amount: string;
  readonly sequence: number;
  readonly version: number;
  readonly current: boolean;
  readonly account: string;
}

/** Every version, in booking order. */
function listStoredTransactions(...accounts: readonly string[]): Promise<StoredTransaction[]> {
  return runSql<StoredTransaction>(
    service.database,
    `SELECT id, type, trim_scale(amount)::text AS amount, sequence::int, opened_version::int AS version,
       known_until IS NULL AS current, account_id AS account
     FROM transaction WHERE account_id = ANY ($1) ORDER BY client_id, sequence, opened_version`,
    [accounts],
  );
}

async function isClientLocked(id: Id): Promise<boolean> {
  const free = 'SELECT id FROM client WHERE id = $1 FOR NO KEY UPDATE SKIP LOCKED';
  return (await runInParts(service.database, free, [id])).length === 0;
}

async function versionOf(account: string): Promise<number> {
  const [row] = await runSql<{ version: number }>(
    service.database,
    'SELECT version::int FROM account_ledger WHERE account_id = $1',
    [account],
  );
  return row?.version ?? 0;
}

function makeAccount({ legalEntity }: LedgerHousehold = household, currency = 'CHF'): Promise<string> {
  return makeRecord(admin, 'accounts', { entity_id: legalEntity, currency });
}

const fee = (account: string, amount: string, more: Fields = {}): Fields => ({
  type: 'fee',
  date,
  amount,
  account_id: account,
  ...more,
});

/** A valid row of every type, on one account. */
function rowsOfAllTypes(account: string): Fields[] {
  const at = { date, account_id: account };
  const rows: Record<(typeof transactionTypes)[number], Fields> = {
    buy: { quantity: '10', price: '5', fees: '1', instrument_id: household.stock, depository_id: household.depository },
    sell: {
      quantity: '4',
      price: '5',
      amount: '20',
      instrument_id: household.stock,
      executed_at: '2026-03-12T09:30:00.000Z',
    },
    deposit: {
      quantity: '3',
      instrument_id: household.stock,
      acquired: [{ date: '2020-01-05', quantity: '3', cost: '9' }],
    },
    withdrawal: { amount: '-5', counter_account_id: household.savings, comment: 'said "so",\nin two lines' },
    dividend: { amount: '65', taxes: '35', instrument_id: household.stock, settlement_date: '2026-03-20' },
    coupon: { amount: '125', instrument_id: household.bond },
    interest: {
      amount: '-0.000000000000000001',
      rate: '-0.0075',
      period_start: '2026-01-01',
      period_end: '2026-03-31',
    },
    fee: { amount: '-12.5', category: 'custody' },
    'fx-trade': { amount: '-950', counter_amount: '1000', counter_currency: 'EUR' },
    'corporate-action': { action: 'split', ratio: '2:1', instrument_id: household.stock },
    drawing: { amount: '-1000', instrument_id: household.fund, effect_on_unfunded: '900' },
    maturity: { quantity: '1000', price: '100', instrument_id: household.bond },
    'private-equity-cashflow': { amount: '500', instrument_id: household.fund, recallable_amount: '100' },
  };
  return transactionTypes.map((type) => ({ type, ...at, ...rows[type] }));
}

/** The rows of an account, without the parts that are new in every booking. */
async function exportRows(account: string): Promise<object[]> {
  const { body } = await admin.get(`/v1/transactions?account_id=${account}&limit=100`);
  return body.data.map(
    ({ id: _id, created_at: _at, account_id: _account, ...fields }: Record<string, unknown>) => fields,
  );
}

describe.each(formats)('as %s', (format) => {
  test.each(modes)('%s: rows of every type are booked as if sent one by one', async (mode) => {
    const [alone, inOneRequest] = [await makeAccount(), await makeAccount()];
    for (const row of rowsOfAllTypes(alone)) bookedId(await book(admin, 'v1', row));
    const reply = await send(rowsOfAllTypes(inOneRequest), { format, mode });
    expect([reply.status, reply.body]).toEqual([200, bulkResult({ booked: 13 })]);
    expect(await exportRows(inOneRequest)).toEqual(await exportRows(alone));
  });

  test.each(modes)('%s: of several accounts and clients, in the order of the body', async (mode) => {
    const [one, two, otherAccount] = [await makeAccount(), await makeAccount(), await makeAccount(other)];
    const rows = [fee(two, '-1'), fee(otherAccount, '-2'), fee(one, '-3'), fee(otherAccount, '-4'), fee(one, '-5')];
    expect((await send(rows, { format, mode })).body).toEqual(bulkResult({ booked: 5 }));
    const mine = await listStoredTransactions(one, two);
    expect(mine.map(({ account, amount }) => [account, amount])).toEqual([
      [two, '-1'],
      [one, '-3'],
      [one, '-5'],
    ]);
    expect(mine.map(({ sequence }) => sequence - mine[0]!.sequence)).toEqual([0, 1, 2]);
    expect((await listStoredTransactions(otherAccount)).map(({ amount }) => amount)).toEqual(['-2', '-4']);
  });

  test.each(modes)('%s: an empty body books nothing', async (mode) => {
    const raw = { json: '{"data":[]}', lines: '\n', csv: 'type,date\n' }[format];
    expect((await sendRaw(raw, { format, mode })).body).toEqual(bulkResult({}));
  });
});

describe('an external reference', () => {
  const sent = (account: string, reference: string, amount: string, more: Fields = {}): Fields =>
    fee(account, amount, { source: 'custodian', external_reference: reference, ...more });

  test('that already exists changes nothing or amends, also if it is earlier in the same body', async () => {
    const account = await makeAccount();
    expect((await send([sent(account, 'A', '-1'), sent(account, 'B', '-2')])).body).toEqual(bulkResult({ booked: 2 }));
    const before = await versionOf(account);
    service.clock.advance(1_000);
    const rows = [
      sent(account, 'A', '-1'),
      sent(account, 'B', '-3'),
      sent(account, 'C', '-4'),
      sent(account, 'C', '-4'),
      sent(account, 'C', '-5'),
      sent(account, 'B', '-6'),
      sent(account, 'A', '-7', { source: 'manual' }),
      fee(account, '-8'),
      fee(account, '-8'),
    ];
    const { body } = await send(rows);
    expect(body).toEqual(bulkResult({ booked: 4, amended: 3, unchanged: 2 }));
    const stored = await listStoredTransactions(account);
    const [first] = stored;
    expect(stored.map(({ amount, sequence, current }) => [amount, sequence - first!.sequence, current])).toEqual([
      ['-1', 0, true],
      ['-2', 1, false],
      ['-6', 1, true],
      ['-5', 2, true],
      ['-7', 3, true],
      ['-8', 4, true],
      ['-8', 5, true],
    ]);
    expect([await versionOf(account), stored[2]!.version]).toEqual([before + 1, before + 1]);
    expect(stored[2]!.id).toBe(stored[1]!.id);
  });

  test('makes a body safe to send twice, and keeps earlier versions', async () => {
    const account = await makeAccount();
    const rows = rowsOfAllTypes(account).map((row, index) => ({ ...row, external_reference: `R-${index}` }));
    expect((await send(rows, { format: 'csv' })).body).toEqual(bulkResult({ booked: 13 }));
    const [before, version] = [await listStoredTransactions(account), await versionOf(account)];
    for (const format of formats) expect((await send(rows, { format })).body).toEqual(bulkResult({ unchanged: 13 }));
    expect([await listStoredTransactions(account), await versionOf(account)]).toEqual([before, version]);
  });

  test('is found again thousands of rows later', async () => {
    const account = await makeAccount();
    const rows = Array.from({ length: 6_000 }, (_, index) => sent(account, `N-${index}`, `-${index + 1}`));
    const again = [sent(account, 'N-0', '-100'), sent(account, 'N-1', '-2'), sent(account, 'N-0', '-200')];
    // The row before is in the batch that is written while this one is prepared.
    const { body } = await send([...rows, ...again, sent(account, 'N-5999', '-300')], { format: 'lines' });
    expect(body).toEqual(bulkResult({ booked: 6_000, amended: 3, unchanged: 1 }));
    const stored = await listStoredTransactions(account);
    const [first] = stored;
    const ofFirst = stored.filter(({ id }) => id === first!.id);
    expect(ofFirst.map(({ amount, current }) => [amount, current])).toEqual([
      ['-1', false],
      ['-200', true],
    ]);
    const numbers = stored.filter(({ current }) => current).map(({ sequence }) => sequence - first!.sequence);
    expect(numbers).toEqual(Array.from({ length: 6_000 }, (_, index) => index));
    expect(await versionOf(account)).toBe(ofFirst[1]!.version);
  });

  test('is found among very many new ones as the first and the last of them', async () => {
    const account = await makeAccount();
    // UTF-16 would put the last between the two others.
    const present = ['!', '\u{ff5e}', '\u{1f4b6}'];
    await send(present.map((reference) => sent(account, reference, '-1')));
    const added = Array.from({ length: 150 }, (_, index) => sent(account, `Q-${index}`, '-1'));
    for (const [place, reference] of present.entries()) {
      const rows = [...added.slice(50 * place, 50 * place + 50), sent(account, reference, '-2')];
      const others = Array.from({ length: 100 }, (_, index) => sent(account, `P-${place}-${index}`, '-1'));
      expect((await send([...rows, ...others])).body).toEqual(bulkResult({ booked: 150, amended: 1 }));
    }
    expect((await send(added)).body).toEqual(bulkResult({ unchanged: 150 }));
  });

  test('changes the ledgers of both its former and its new account', async () => {
    const [account, left, entered] = [await makeAccount(), await makeAccount(), await makeAccount()];
    const move = (counter: string): Fields => ({
      ...sent(account, 'M', '-5', { type: 'withdrawal' }),
      counter_account_id: counter,
    });
    for (let index = 0; index < 3; index++) await book(admin, 'v1', fee(left, '-1'));
    await send([move(left)]);
    expect([await versionOf(account), await versionOf(left)]).toEqual([4, 4]);
    expect((await send([move(entered)])).body).toEqual(bulkResult({ amended: 1 }));
    expect([await versionOf(account), await versionOf(left), await versionOf(entered)]).toEqual([5, 5, 5]);
  });
});

describe('faults of a row', () => {
  type Case = readonly [row: Fields, pointer: string, code: string, detail: string];

  /** For every type: unreadable values, missing records, records of others, and inconsistent fields. */
  function makeCases(good: Fields): Case[] {
    const { type } = good as { type: string };
    const { date: _date, ...dateless } = good;
    const needsAccount = type !== 'corporate-action';
    const { account_id: _account, ...accountless } = good;
    return [
      [{ ...good, date: '2026-02-30' }, '/date', 'invalid-attribute', 'date must be a day that exists.'],
      [dateless, '/date', 'missing-attribute', 'date is required.'],
      [{ ...good, surplus: '1' }, '/surplus', 'unknown-attribute', 'There is no field "surplus" that can be set here.'],
      [{ ...good, account_id: unknownId }, '/account_id', 'account-not-found', 'There is no such account.'],
      [{ ...good, depository_id: unknownId }, '/depository_id', 'depository-not-found', 'There is no such depository.'],
      [
        { ...good, depository_id: other.depository },
        '/depository_id',
        'different-client',
        'The depository belongs to another client than the transaction.',
      ],
      [
        { ...good, settlement_date: '2026-03-11' },
        '/settlement_date',
        'invalid-attribute',
        'This must not be before 2026-03-12.',
      ],
      ...(needsAccount ? [[accountless, '/account_id', 'missing-attribute', 'account_id is required.'] as const] : []),
    ];
  }

  const ownFaults = (account: string): Case[] => {
    const at = { date, account_id: account };
    return [
      [{ ...at, type: 'buy', quantity: '1' }, '/amount', 'missing-attribute', 'An amount or a price is required.'],
      [
        { ...at, type: 'sell', quantity: '2', price: '3', amount: '-6' },
        '/amount',
        'amount-mismatch',
        'The sign is wrong: expected 6, got -6.',
      ],
      [
        { ...at, type: 'sell', quantity: '2', price: '3', lots: [{ id: unknownId, quantity: '2' }] },
        '/lots/0',
        'invalid-attribute',
        'No transaction of this account opened this lot.',
      ],
      [
        { ...at, type: 'coupon', amount: '2', instrument_id: household.bond, trade_id: unknownId },
        '/trade_id',
        'transaction-not-found',
        'There is no such transaction.',
      ],
      [
        { ...at, type: 'fx-trade', amount: '-950', counter_currency: 'EUR' },
        '/counter_amount',
        'missing-attribute',
        'The amount of the other leg or an exchange rate is required.',
      ],
      [{ ...at, type: 'comet' }, '/type', 'invalid-attribute', `type must be one of ${transactionTypes.join(', ')}.`],
    ];
  };

  const all = (account: string): Case[] => [...rowsOfAllTypes(account).flatMap(makeCases), ...ownFaults(account)];

  test.each(['json', 'lines'] as const)(
    '%s: row by row, each fault has its pointer among valid rows',
    async (format) => {
      const account = await makeAccount();
      const cases = all(account);
      const rows = cases.flatMap(([row]) => [row, fee(account, '-1')]);
      const { body } = await send(rows, { format, mode: 'per-row' });
      const { length } = cases;
      expect(body).toEqual({
        accepted: length,
        refused: length,
        booked: length,
        amended: 0,
        unchanged: 0,
        errors: cases.map(([, pointer, code, detail], index) => ({
          index: index * 2,
          ...(format === 'lines' ? { line: index * 2 + 1 } : {}),
          code,
          detail,
          pointer: `/data/${index * 2}${pointer}`,
        })),
      });
      expect((await listStoredTransactions(account)).map(({ type }) => type)).toEqual(cases.map(() => 'fee'));
    },
  );

  test('all or nothing: every fault is reported, and nothing is written', async () => {
    const account = await makeAccount();
    const cases = all(account).slice(-20);
    const reply = await send([...cases.map(([row]) => row), fee(account, '-1')]);
    expect(faultsOf(reply)).toEqual(
      cases.map(([, pointer, code, detail], index) => ({
        status: 422,
        code,
        detail,
        pointer: `/data/${index}${pointer}`,
      })),
    );
    expect([await listStoredTransactions(account), await versionOf(account)]).toEqual([[], 0]);
  });

  test('all or nothing: a code shared by all faults is the code of the refusal', async () => {
    const account = await makeAccount();
    const unknownRow = fee(unknownId, '-1');
    const reply = await send([fee(account, '-1'), unknownRow, unknownRow], { format: 'lines' });
    expect([reply.status, reply.body.code, reply.body.detail]).toEqual([
      404,
      'account-not-found',
      'The request has 2 faults.',
    ]);
    expect(reply.body.errors).toEqual(
      [1, 2].map((index) => ({
        code: 'account-not-found',
        detail: `Line ${index + 1}: There is no such account.`,
        pointer: `/data/${index}/account_id`,
      })),
    );
    expect(await listStoredTransactions(account)).toEqual([]);
  });

  test('in a cell of a CSV', async () => {
    const account = await makeAccount();
    const opening = bookedId(
      await book(admin, 'v1', { type: 'buy', date, quantity: '2', price: '3', account_id: account }),
    );
    const sale = { type: 'sell', date, quantity: '2', price: '3', account_id: account };
    const rows = [
      { ...sale, lots: [{ id: opening, quantity: '2' }] },
      { ...sale, lots: '[{' },
      { ...sale, lots: [{ id: opening }] },
    ];
    const { body } = await send(rows, { format: 'csv', mode: 'per-row' });
    expect([body.booked, body.errors]).toEqual([
      1,
      [
        {
          index: 1,
          line: 3,
          code: 'invalid-attribute',
          detail: 'lots must be valid JSON in its cell: The text ends early at offset 2.',
          pointer: '/data/1/lots',
        },
        {
          index: 2,
          line: 4,
          code: 'missing-attribute',
          detail: 'lots[0].quantity is required.',
          pointer: '/data/2/lots/0/quantity',
        },
      ],
    ]);
  });

  test('in the header of a CSV', async () => {
    const account = await makeAccount();
    for (const mode of modes) {
      const reply = await sendRaw(`date,amount,account_id,nonsense\n${date},-1,${account},x\n`, {
        format: 'csv',
        mode,
      });
      expect(faultsOf(reply).map(({ status, code, pointer }) => [status, code, pointer])).toEqual([
        [422, 'unknown-attribute', '/nonsense'],
        [422, 'missing-attribute', '/type'],
      ]);
    }
  });

  // Several batches before and after it, and more rows than are kept in memory.
  test('in the middle of 12,000 rolls them all back, or is skipped', async () => {
    const account = await makeAccount();
    const comment = 'x'.repeat(60);
    const line = (index: number): string => `fee,${date},-${index + 1},${account},${comment}\n`;
    const lines = Array.from({ length: 12_000 }, (_, index) => line(index));
    const bad = `withdrawal,${date},7,${account},${comment}\n`;
    const csv = ['type,date,amount,account_id,comment\n', ...lines.slice(0, 6_000), bad, ...lines.slice(6_000)].join(
      '',
    );
    const detail = 'amount must be negative, since cash goes out: expected -7, got 7.';
    const refused = await sendRaw(csv, { format: 'csv' });
    expect(faultsOf(refused)).toEqual([
      { status: 422, code: 'invalid-attribute', detail: `Line 6002: ${detail}`, pointer: '/data/6000/amount' },
    ]);
    expect([await listStoredTransactions(account), await versionOf(account)]).toEqual([[], 0]);
    const partial = await sendRaw(csv, { format: 'csv', mode: 'per-row' });
    expect(partial.body).toEqual({
      ...bulkResult({ booked: 12_000 }),
      refused: 1,
      errors: [{ index: 6_000, line: 6_002, code: 'invalid-attribute', detail, pointer: '/data/6000/amount' }],
    });
    const [row] = await runSql<object>(
      service.database,
      `SELECT count(*)::int AS rows, (max(sequence) - min(sequence))::int AS numbers, bool_and(-amount = place) AS ordered
       FROM (SELECT *, row_number() OVER (ORDER BY sequence) AS place FROM transaction WHERE account_id = $1) t`,
      [account],
    );
    expect(row).toEqual({ rows: 12_000, numbers: 11_999, ordered: true });
  });
});

describe('access to rows', () => {
  const strangers: [field: string, fields: () => Fields, code: string][] = [
    ['account_id', () => ({ account_id: other.account }), 'account-not-found'],
    ['counter_account_id', () => ({ counter_account_id: other.savings }), 'account-not-found'],
    ['depository_id', () => ({ depository_id: other.depository }), 'depository-not-found'],
  ];

  describe.each(['both', 'store-only'] as const)('with tenant filters: %s', (tenantFilters) => {
    let scoped: Caller;
    let foreign: Caller;

    beforeAll(async () => {
      const node =
        tenantFilters === 'both' ? service : await startTestService({ database: service.database, tenantFilters });
      scoped = await node.admin.becomeApplication({ scoped_to: household.client });
      foreign = await node.openWorkspace();
      return tenantFilters === 'both' ? undefined : () => node.stop();
    });

    test.each(strangers)("another tenant's %s is not found, in either mode", async (field, fields, code) => {
      const account = await makeAccount();
      const row = { type: 'deposit', date, amount: '1', account_id: account, ...fields() };
      const before = await listStoredTransactions(account, other.account, other.savings);
      const whole = await send([row], { caller: scoped });
      expect([whole.status, whole.body.code]).toEqual([404, code]);
      const { body } = await send([row], { caller: scoped, mode: 'per-row' });
      expect([body.booked, body.errors.map((error: any) => [error.code, error.pointer])]).toEqual([
        0,
        [[code, `/data/0/${field}`]],
      ]);
      expect((await send([row], { caller: foreign })).body.code).toBe('account-not-found');
      expect(await listStoredTransactions(account, other.account, other.savings)).toEqual(before);
    });

    test('a token books for its own client and those below, and nothing for all holders', async () => {
      const account = await makeAccount();
      const split = { type: 'corporate-action', date, action: 'split', ratio: '2:1', instrument_id: household.target };
      const rows = [fee(account, '-1'), split];
      expect((await send(rows, { caller: scoped })).body.errors).toEqual([
        {
          code: 'outside-reach',
          detail: 'A token bound to one client cannot change what all clients share.',
          pointer: '/data/1',
        },
      ]);
      expect((await send(rows, { caller: scoped, mode: 'per-row' })).body).toMatchObject({ booked: 1, refused: 1 });
    });
  });

  test('for all holders are counted separately, each with an entry in the audit log', async () => {
    const stock = await makeStock(admin, 'Halved');
    const split = (ratio: string): Fields => ({
      type: 'corporate-action',
      date,
      action: 'split',
      ratio,
      instrument_id: stock,
    });
    const account = await makeAccount();
    expect((await send([split('2:1'), fee(account, '-1'), split('3:1')])).body).toEqual(bulkResult({ booked: 3 }));
    const { body } = await admin.get(`/v1/transactions?instrument_id=${stock}`);
    expect(body.data.map((row: any) => [row.ratio, row.client_id])).toEqual([
      ['3:1', null],
      ['2:1', null],
    ]);
    const lines = await admin.get(`/v1/audit-log?subject_id=${body.data[0].id}`);
    expect(lines.body.data[0]).toMatchObject({ act: 'create', after: { ratio: '3:1' } });
  });
});

describe('the effects of a body', () => {
  test('are one audit log entry and one dirty flag for each client, and one version for all of its accounts', async () => {
    const [one, two, otherAccount] = [await makeAccount(), await makeAccount(), await makeAccount(other)];
    await book(admin, 'v1', fee(two, '-1'));
    await runSql(service.database, 'DELETE FROM round_mark');
    service.clock.advance(1_000);
    await send([fee(one, '-1'), fee(two, '-2'), fee(otherAccount, '-3')]);
    const stored = (await listStoredTransactions(one, two)).slice(1);
    expect([await versionOf(one), await versionOf(two), await versionOf(otherAccount)]).toEqual([2, 2, 1]);
    expect(stored.map(({ version }) => version)).toEqual([2, 2]);
    const { body } = await admin.get(`/v1/audit-log?subject_id=${household.client}&limit=1`);
    const [first, last] = stored.map(({ sequence }) => sequence);
    expect(body.data[0]).toMatchObject({
      act: 'change',
      subject_type: 'client',
      client_id: household.client,
      after: { transactions: { booked: 2, amended: 0, unchanged: 0, first_sequence: first, last_sequence: last } },
    });
    const booked = await admin.get(`/v1/transactions/${stored[0]!.id}`);
    expect(booked.body.created_at).toBe(body.data[0].at);
    const flagged = await runSql<{ client: string }>(service.database, 'SELECT client_id AS client FROM round_mark');
    expect(flagged.map(({ client }) => client).toSorted()).toEqual([household.client, other.client].toSorted());
  });

  test('count what is new beside what is changed: neither makes up for the other', async () => {
    const account = await makeAccount();
    const row = fee(account, '-1', { external_reference: 'changed' });
    await send([row]);
    await runSql(service.database, 'DELETE FROM round_mark');
    service.clock.advance(1_000);
    await send([{ ...row, amount: '-2' }, fee(account, '-3')]);
    const { body } = await admin.get(`/v1/audit-log?subject_id=${household.client}&limit=1`);
    expect(body.data[0]).toMatchObject({
      at: new Date(service.clock.now()).toISOString(),
      after: { transactions: { booked: 1, amended: 1, unchanged: 0 } },
    });
    const flagged = await runSql(service.database, 'SELECT client_id AS client FROM round_mark');
    expect(flagged).toEqual([{ client: household.client }]);
  });

  test('are none if nothing is new', async () => {
    const account = await makeAccount();
    const row = fee(account, '-1', { external_reference: 'once' });
    await send([row]);
    await runSql(service.database, 'DELETE FROM round_mark');
    const count = async (): Promise<number> =>
      (await runSql(service.database, 'SELECT FROM audit_entry WHERE client_id = $1', [household.client])).length;
    const before = await count();
    await send([row]);
    expect([await count(), await runSql(service.database, 'SELECT FROM round_mark')]).toEqual([before, []]);
  });
});

describe('an Idempotency-Key', () => {
  test('makes a body safe to repeat', async () => {
    const account = await makeAccount();
    const options = { format: 'lines', headers: { 'idempotency-key': 'fees of March' } } as const;
    const first = await send([fee(account, '-1'), fee(account, '-1')], options);
    const again = await send([fee(account, '-1'), fee(account, '-1')], options);
    expect([first.body, again.text, again.headers.get('idempotent-replayed')]).toEqual([
      bulkResult({ booked: 2 }),
      first.text,
      'true',
    ]);
    expect((await send([fee(account, '-1')], options)).body.code).toBe('idempotency-key-reused');
    expect(await listStoredTransactions(account)).toHaveLength(2);
  });

  test('stores only the refusal', async () => {
    const account = await makeAccount();
    const headers = { 'idempotency-key': 'half good' };
    const rows = [...Array.from({ length: 6_000 }, () => fee(account, '-1')), fee(unknownId, '-1')];
    const replies = [await send(rows, { headers }), await send(rows, { headers })];
    expect(replies.map(({ status, body }) => [status, body.code])).toEqual([
      [404, 'account-not-found'],
      [404, 'account-not-found'],
    ]);
    expect([await listStoredTransactions(account), await versionOf(account)]).toEqual([[], 0]);
  });
});

describe('an export', () => {
  test('can be booked into another account', async () => {
    const [from, to] = [await makeAccount(), await makeAccount()];
    await send(rowsOfAllTypes(from));
    const { text } = await admin.get(`/v1/transactions?account_id=${from}&format=csv`);
    const reply = await sendRaw(text.replaceAll(from, to), { format: 'csv' });
    expect(reply.body).toEqual(bulkResult({ booked: 13 }));
    expect(await exportRows(to)).toEqual(await exportRows(from));
  });
});

describe('a text that a spreadsheet would run', () => {
  const comments = [
    '=1+1',
    '+1',
    '-1',
    '-2+3',
    '@SUM(A1)',
    "'=1+1",
    "'quoted'",
    '=HYPERLINK("https://x.example","y")',
    'a=b',
  ];

  test('is guarded by an apostrophe in an export, numbers are not, and the guard is taken away when it is booked again', async () => {
    const [from, to] = [await makeAccount(), await makeAccount()];
    await send(comments.map((comment) => ({ ...fee(from, '-5'), comment })));
    const { text } = await admin.get(`/v1/transactions?account_id=${from}&format=csv`);
    const lines = text.trimEnd().split('\r\n');
    const column = lines[0]!.split(',').indexOf('comment');
    const amount = lines[0]!.split(',').indexOf('amount');
    const cells = lines.slice(1).map((line) => line.split(','));
    expect(cells.map((row) => row[amount])).toEqual(comments.map(() => '-5'));
    const guarded = ["'=1+1", "'+1", '-1', "'-2+3", "'@SUM(A1)", "''=1+1", "'quoted'"];
    expect(cells.slice(0, guarded.length).map((row) => row[column])).toEqual(guarded);
    expect(text).toContain(`"'=HYPERLINK(""https://x.example"",""y"")"`);
    await sendRaw(text.replaceAll(from, to), { format: 'csv' });
    const { data } = (await admin.get(`/v1/transactions?account_id=${to}`)).body;
    expect(data.map((one: Fields) => one['comment'])).toEqual(comments);
  });
});

describe('at the same time', () => {
  test('bodies that lock the same clients in opposite orders are all booked, and single bookings between them', async () => {
    const node = await startTestService({ database: service.database, clock: service.clock });
    const [mine, otherAccount] = [await makeAccount(), await makeAccount(other)];
    const many = (account: string, length: number): Fields[] => Array.from({ length }, () => fee(account, '-1'));
    const [one, two] = [
      [...many(mine, 6_000), ...many(otherAccount, 200)],
      [...many(otherAccount, 6_000), ...many(mine, 200)],
    ];
    const replies = await Promise.all([
      send(one, { format: 'lines' }),
      send(two, { format: 'lines', caller: node.admin }),
      ...Array.from({ length: 6 }, (_, index) => book(admin, 'v1', fee(index % 2 === 0 ? mine : otherAccount, '-2'))),
    ]);
    await node.stop();
    expect(replies.map(({ status }) => status)).toEqual([200, 200, 201, 201, 201, 201, 201, 201]);
    for (const account of [mine, otherAccount]) {
      const stored = await listStoredTransactions(account);
      expect(new Set(stored.map(({ sequence }) => sequence)).size).toBe(6_203);
    }
  });

  test('a try after a deadlock locks at once, and in order, every client that the try before it locked', async () => {
    const [first, second] = [household.client, other.client].toSorted() as [Id, Id];
    const isLocked: boolean[] = [];
    let tries = 0;
    await runInTransaction(service.context, serviceAuthor(await tenantOf(admin)), async (work) => {
      const sequences = new SequenceAllocator(work);
      const reserve = (id: Id): Promise<void> =>
        sequences.reserve([{ client: id, account: null, counterAccount: null }]);
      await reserve(second);
      isLocked.push(await isClientLocked(first));
      await reserve(first);
      if (++tries === 1) throw Object.assign(new Error('deadlock detected'), { code: '40P01' });
    });
    expect(isLocked).toEqual([false, true]);
  });

  test('a delete of an account waits for the rows that name it', async () => {
    const account = await makeAccount();
    const rows = Array.from({ length: 6_000 }, () => fee(account, '-1'));
    const [booked, deleted] = await Promise.all([
      send(rows, { format: 'lines' }),
      admin.delete(`/v1/accounts/${account}`),
    ]);
    const outcome = `${booked.status} ${deleted.status}`;
    expect(outcome).toBeOneOf(['200 409', '404 204']);
  });
});

test('a single booking takes two trips to the database', async () => {
  const account = await makeAccount();
  const query = vi.spyOn(pg.Client.prototype, 'query');
  const counts: number[] = [];
  for (let time = 0; time < 4; time++) {
    query.mockClear();
    const sale = {
      type: 'sell',
      date,
      quantity: '1',
      price: '2',
      instrument_id: household.stock,
      depository_id: household.depository,
    };
    bookedId(await book(admin, 'v1', { ...sale, account_id: account, external_reference: `${time}` }));
    counts.push(query.mock.calls.length);
  }
  query.mockRestore();
  // Each node leases part of the budget from time to time.
  expect(Math.min(...counts)).toBe(2);
});
