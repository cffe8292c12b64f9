// Undoing imports: exactly what a file opened is closed, whatever batches its rows were in, and what others did since stays.

import { expect, test } from 'vitest';
import { awaitLockWaits, holdLock } from '../../setup/database/lock-waits.ts';
import { runSql } from '../../setup/database/sql.ts';
import type { Caller, Reply } from '../../setup/http/caller.ts';
import { serviceForThisFile } from '../../setup/node/test-service.ts';
import { CamtText } from '../../setup/statements/camt-text.ts';
import { makeHousehold, makeRecord } from '../../setup/structure/structure-document.ts';

// Several heavy requests of a workspace may run at once.
const service = serviceForThisFile({ settings: { BUDGET_HEAVY: '4' } });
const camt = new CamtText({ version: 8 });

async function setUp() {
  const admin = await service.openWorkspace();
  const { client, legalEntity, reportingEntity } = await makeHousehold(admin, 'Amsel');
  const number = { external_identifier: 'CH93 0076 2011 6238 5295 7' };
  const account = await makeRecord(admin, 'accounts', { entity_id: legalEntity, currency: 'CHF', ...number });
  return { admin, client, legalEntity, reportingEntity, account };
}

async function bookFile(caller: Caller, query: string, file: string): Promise<any> {
  const headers = { 'content-type': 'application/octet-stream' };
  const reply = await caller.send(`/v1/imports?book=true${query}`, { method: 'POST', raw: file, headers });
  expect([reply.status, reply.body.detail]).toEqual([201, undefined]);
  return reply.body;
}

const act = (caller: Caller, { id }: { id: string }, word: string): Promise<Reply> =>
  caller.send(`/v1/imports/${id}/${word}`, { method: 'POST' });

const undo = async (caller: Caller, record: { id: string }): Promise<unknown> =>
  (await act(caller, record, 'undo')).body.undone;

/** What the ledger says now, in its order. */
async function listLedger(caller: Caller, account: string): Promise<string[]> {
  const { data } = (await caller.get(`/v1/transactions?account_id=${account}&limit=100`)).body;
  return data.map((one: any) => `${one.external_reference} ${one.amount}`);
}

/** The same statements, made on another day. */
const madeOn = (day: string, text: string): string => text.replaceAll('2024-03-02T05:30', `${day}T05:30`);

const credit = (reference: string, amount: string, booked = '2024-03-01') =>
  camt.entry({ reference, amount, booked, direction: 'CRDT' });

/** So many entries that the first and the last are in batches of their own. */
const filler = Array.from({ length: 2_000 }, (_, index) =>
  camt.entry({ amount: '1.00', status: 'PDNG', note: `${index}` }),
);

test('what a file books, amends and cancels in one batch after another is undone as a whole, and books again', async () => {
  const { admin, client, account } = await setUp();
  await bookFile(
    admin,
    `&client_id=${client}`,
    camt.document([{ entries: [credit('A-1', '10.00'), credit('A-2', '20.00')] }]),
  );
  const before = await listLedger(admin, account);
  const reversal = camt.entry({ reference: 'R-1', amount: '7.00', direction: 'DBIT', reversal: true });
  const [start, end] = camt
    .document([
      { id: 'S-2', entries: [credit('A-1', '11.00'), credit('B-1', '5.00'), credit('B-2', '7.00'), ...filler] },
      { id: 'S-3', entries: [credit('A-1', '12.00'), credit('B-1', '6.00'), reversal] },
    ])
    .split('<Id>S-3');
  const file = `${madeOn('2024-03-05', start!)}<Id>S-3${madeOn('2024-03-06', end!)}`;
  const booked = await bookFile(admin, `&client_id=${client}`, file);
  const after = ['A-1 12', 'A-2 20', 'B-1 6'];
  expect((await listLedger(admin, account)).toSorted()).toEqual(after);
  expect(await undo(admin, booked)).toMatchObject({ kept: 0 });
  expect(await listLedger(admin, account)).toEqual(before);
  const known = `SELECT reference FROM stated_entry WHERE account_id = $1 ORDER BY 1`;
  expect(await runSql(service.database, known, [account])).toEqual([{ reference: 'A-1' }, { reference: 'A-2' }]);
  const again = await bookFile(admin, `&client_id=${client}`, file);
  expect(again.counts).toEqual(booked.counts);
  expect((await listLedger(admin, account)).toSorted()).toEqual(after);
});

test('a row that reverses a booking of an earlier file names it, and the history of the booking names the row', async () => {
  const { admin, client, account, reportingEntity } = await setUp();
  await makeRecord(admin, 'portfolios', { reporting_entity_id: reportingEntity, account_ids: [account] });
  const [first, second] = [
    camt.document([{ entries: [credit('A-1', '7.00'), credit('A-2', '2.00')] }]),
    camt.document([
      {
        id: 'S-2',
        entries: [
          credit('B-1', '3.00', '2024-03-04'),
          camt.entry({ reference: 'R-1', amount: '7.00', direction: 'DBIT', reversal: true }),
        ],
      },
    ]),
  ];
  await bookFile(admin, `&client_id=${client}`, first);
  const bookings = (await admin.get(`/v1/transactions?account_id=${account}`)).body.data;
  const idOf = (reference: string): string => bookings.find((one: any) => one.external_reference === reference).id;
  const historyOf = async (reference: string): Promise<any[]> =>
    (await admin.get(`/v1/transactions/${idOf(reference)}/versions?reporting_entity_id=${reportingEntity}`)).body.data;
  expect((await historyOf('A-1')).map((one) => one.cancelled_by)).toEqual([null]);
  const reversing = await bookFile(admin, `&client_id=${client}&file_name=march.xml`, madeOn('2024-03-05', second));
  const { data: rows } = (await admin.get(`/v1/imports/${reversing.id}/rows`)).body;
  const row = rows.find((one: any) => one.code === 'cancellation');
  expect(row).toMatchObject({ outcome: 'amended', became: { type: 'transaction', id: idOf('A-1') } });
  expect(await historyOf('A-1')).toMatchObject([
    { amount: '7', cancelled_by: { import_id: reversing.id, file_name: 'march.xml', row: row.number } },
  ]);
  expect((await historyOf('A-2')).map((one) => one.cancelled_by)).toEqual([null]);
  await undo(admin, reversing);
  expect((await historyOf('A-1')).map((one) => [one.ended_at === null, one.cancelled_by === null])).toEqual([
    [false, false],
    [true, true],
  ]);
  await admin.send(`/v1/transactions/${idOf('A-1')}`, { method: 'DELETE' });
  expect((await historyOf('A-1')).at(-1)).toMatchObject({ cancelled_by: null });
});

test('of two files, undoing the first keeps what the second amended, and undoing the second restores it', async () => {
  const { admin, client, account } = await setUp();
  const [first, second] = [credit('A-1', '10.00'), credit('A-1', '11.00')].map((entry) =>
    camt.document([{ entries: [entry, credit('A-2', '2.00')] }]),
  );
  const older = await bookFile(admin, `&client_id=${client}`, first!);
  const newer = await bookFile(admin, `&client_id=${client}`, madeOn('2024-03-05', second!));
  expect(newer.counts).toMatchObject({ amended: 1, unchanged: 1 });
  expect(await undo(admin, older)).toEqual({ closed: 1, restored: 0, kept: 1 });
  expect(await listLedger(admin, account)).toEqual(['A-1 11']);
  expect(await undo(admin, newer)).toEqual({ closed: 0, restored: 1, kept: 0 });
  expect(await listLedger(admin, account)).toEqual(['A-1 10']);
  const { data } = (await admin.get(`/v1/audit-log?subject_type=client&subject_id=${client}&limit=100`)).body;
  const undoings = data.map(({ after }: any) => after?.transactions).filter((one: any) => one !== undefined);
  expect(undoings).toMatchObject([
    { booked: 0, amended: 1 },
    { booked: 0, amended: 0, closed: 1 },
    { booked: 0, amended: 1 },
    { booked: 2, amended: 0 },
  ]);
});

/** Rates of as many days, and that of the first day once more at the end of the file. */
function rateFile(first: string, again: string): string {
  const day = (index: number): string => new Date(Date.UTC(2015, 0, 1 + index)).toISOString().slice(0, 10);
  const lines = Array.from({ length: 2_000 }, (_, index) => `${day(index)};USD;CHF;${index === 0 ? first : '0.95'}`);
  return ['Date;From;To;Rate', ...lines, `${day(0)};USD;CHF;${again}`, ''].join('\n');
}

test('a rate that a file states twice, in batches of their own, is closed, restored or kept as one', async () => {
  const { admin } = await setUp();
  const firstDay = async (): Promise<string[]> =>
    (await admin.get('/v1/fx-rates?end=2015-01-01')).body.data.map(({ rate }: any) => rate);
  const countRates = async (): Promise<unknown> =>
    (
      await runSql<{ count: string }>(
        service.database,
        `SELECT count(*)::int AS count FROM fx_rate WHERE known_until IS NULL`,
      )
    )[0]?.count;
  const others = await countRates();
  const first = await bookFile(admin, '', rateFile('0.90', '0.91'));
  expect([first.counts.rows, await firstDay()]).toEqual([2_001, ['0.91']]);
  const [booking] = (await admin.get('/v1/audit-log?subject_type=fx-rate')).body.data;
  expect(booking.after).toEqual({ 'fx-rates': { accepted: 2_001, written: 2_001 } });
  expect(await undo(admin, first)).toMatchObject({ kept: 0 });
  expect([await firstDay(), await countRates()]).toEqual([[], others]);
  const [undoing] = (await admin.get('/v1/audit-log?subject_type=fx-rate')).body.data;
  expect(undoing.after).toEqual({ 'fx-rates': { accepted: 2_001, written: 2_001 } });

  const second = await bookFile(admin, '', rateFile('0.90', '0.91'));
  // As the first of the two rows had it: still not what the file left.
  const byHand = { base: 'USD', quote: 'CHF', date: '2015-01-01', rate: '0.90', source: 'reference' };
  expect((await admin.post('/v1/fx-rates', byHand)).status).toBe(200);
  expect(await undo(admin, second)).toMatchObject({ closed: 1_999, kept: 2 });
  expect(await firstDay()).toEqual(['0.9']);
});

test('prices that a file added and changed are closed and restored, and the audit log counts what was written', async () => {
  const { admin } = await setUp();
  const isin = 'CH0038863350';
  const stock = { type: 'stock-instrument', name: 'Nestlé', isin, ticker: 'NESN', listing_currency: 'CHF' };
  const instrument = await makeRecord(admin, 'instruments', stock);
  const priceFile = (...rows: string[]): string =>
    ['Date,ISIN,Currency,Price', ...rows.map((row) => row.replace(' ', `,${isin},CHF,`)), ''].join('\n');
  const pricesNow = async (): Promise<string[]> =>
    (await admin.get(`/v1/instruments/${instrument}/prices`)).body.data.map((one: any) => `${one.date} ${one.value}`);
  await bookFile(admin, '', priceFile('2024-01-30 97', '2024-01-31 98'));
  const before = await pricesNow();
  const second = await bookFile(admin, '', priceFile('2024-01-31 99', '2024-02-01 100', '2024-02-05 100'));
  expect(await pricesNow()).toHaveLength(4);
  expect(await undo(admin, second)).toEqual({ closed: 2, restored: 1, kept: 0 });
  expect(await pricesNow()).toEqual(before);
  const listAudited = async (): Promise<unknown[]> =>
    (await admin.get(`/v1/audit-log?subject_id=${instrument}`)).body.data.map(({ after }: any) => after.prices);
  const [undoing, booking, ...older] = await listAudited();
  expect([undoing, booking]).toEqual([
    { accepted: 3, written: 3 },
    { accepted: 3, written: 3 },
  ]);
  await bookFile(admin, '', priceFile('2024-01-31 98', '2024-02-02 101'));
  const partlyKnown = { accepted: 2, written: 1 };
  expect(await listAudited()).toEqual([partlyKnown, undoing, booking, ...older]);
  // What is known already leaves no line.
  await bookFile(admin, '', priceFile('2024-01-30 97'));
  expect(await listAudited()).toEqual([partlyKnown, undoing, booking, ...older]);
});

test('two undos at once, and an undo while it is booked, end in one state, and who came too late is told', async () => {
  const { admin, client, account } = await setUp();
  const file = camt.document([{ entries: [credit('A-1', '10.00')] }]);
  const headers = { 'content-type': 'application/xml' };
  const checked = (await admin.send(`/v1/imports?client_id=${client}`, { method: 'POST', raw: file, headers })).body;
  const early = await act(admin, checked, 'undo');
  expect([early.status, early.body.code]).toEqual([409, 'import-not-possible']);

  /** Sends all while the import is locked, so that they wait for each other. */
  const atOnce = async (...words: string[]): Promise<string[]> => {
    const release = await holdLock(service.database, `SELECT FROM import WHERE id = '${checked.id}' FOR UPDATE`);
    const replies: Promise<Reply>[] = [];
    for (const word of words) {
      replies.push(act(admin, checked, word));
      await awaitLockWaits(service.database, replies.length);
    }
    await release();
    return (await Promise.all(replies)).map(({ status, body }) => `${status} ${body.code ?? body.state}`);
  };
  expect(await atOnce('book', 'undo')).toEqual(['200 booked', '200 undone']);
  expect(await listLedger(admin, account)).toEqual([]);
  const booked = await bookFile(admin, `&client_id=${client}`, file);
  Object.assign(checked, booked);
  expect((await atOnce('undo', 'undo', 'book')).toSorted()).toEqual([
    '200 undone',
    '409 import-not-possible',
    '409 import-not-possible',
  ]);
  expect(await listLedger(admin, account)).toEqual([]);
});

test('what statements said goes with the account, and the rows of imports go with the client', async () => {
  const { admin, client, legalEntity, reportingEntity, account } = await setUp();
  const netted = [
    credit('A-1', '7.00'),
    camt.entry({ reference: 'R-1', amount: '7.00', direction: 'DBIT', reversal: true }),
  ];
  const { id } = await bookFile(admin, `&client_id=${client}`, camt.document([{ entries: netted }]));
  const countOf = async (table: string, column: string, value: string): Promise<unknown> =>
    (await runSql(service.database, `SELECT count(*)::int AS count FROM ${table} WHERE ${column} = $1`, [value]))[0];
  expect(await countOf('stated_entry', 'account_id', account)).toEqual({ count: 2 });
  for (const path of [
    `accounts/${account}`,
    `legal-entities/${legalEntity}`,
    `reporting-entities/${reportingEntity}`,
  ]) {
    const { status, body } = await admin.send(`/v1/${path}`, { method: 'DELETE' });
    expect([status, body]).toEqual([204, undefined]);
  }
  expect(await countOf('stated_entry', 'account_id', account)).toEqual({ count: 0 });
  expect(await countOf('import_row', 'import_id', id)).toEqual({ count: 2 });
  expect((await admin.send(`/v1/clients/${client}`, { method: 'DELETE' })).status).toBe(204);
  expect(await countOf('import_row', 'import_id', id)).toEqual({ count: 0 });
});
