// Tests that statements book every entry exactly once: again, overlapping, late, in another format, cancelled or amended, in any order.

import pg from 'pg';
import { expect, test } from 'vitest';
import {
  countsOf as counts,
  openImports,
  statedEntry as entry,
  type EntryParts,
} from '../../../tests/setup/custody/brought-statements.ts';
import { makeStock } from '../../../tests/setup/ledger/ledger-household.ts';
import { serviceForThisFile } from '../../../tests/setup/node/test-service.ts';
import type { CalendarDate } from '../../kit/calendar-date.ts';
import type { Decimal } from '../../kit/decimal.ts';
import type { Import } from '../../model/custody/import.ts';
import type { StatementItem } from '../../model/custody/statement.ts';
import { sql } from '../../store/postgres/statement.ts';
import { writtenRowsMax } from './batch-size.ts';
import { undoImport } from './undo-import.ts';

const service = serviceForThisFile();

/** Counted by the server for the present transaction. */
const ledgerReads = sql<{ count: number }>(
  'ledger-reads',
  `SELECT idx_tup_fetch + seq_tup_read AS count FROM pg_stat_xact_user_tables WHERE relname = 'transaction'`,
);

async function analyseLedger(): Promise<void> {
  const client = new pg.Client({ connectionString: service.database.url });
  await client.connect();
  await client.query('ANALYZE transaction');
  await client.end();
}

/** Also says how many rows of the ledger undoing looks at. */
async function setUp() {
  const imports = await openImports(service);
  const readsOfUndo = ({ id }: Import): Promise<number> =>
    imports.run(async (work) => {
      await undoImport(work, id);
      const [reads] = (await work.store['run'](ledgerReads, [])).rows;
      return reads?.count ?? Number.NaN;
    });
  return { ...imports, readsOfUndo };
}

test('the same statement twice books nothing twice, and true twins in one statement both book', async () => {
  const { bring, ledger } = await setUp();
  const statement = [entry('2026-03-02', '5'), entry('2026-03-02', '5'), entry('2026-03-03', '-2', { reference: 'A' })];
  expect(counts(await bring(statement))).toBe('3 booked');
  expect(counts(await bring(statement))).toBe('3 unchanged');
  expect(await ledger()).toEqual(['2026-03-02 deposit 5', '2026-03-02 deposit 5', '2026-03-03 withdrawal -2']);
});

test('a check books nothing and says what booking would do; booking does it', async () => {
  const { bring, book, ledger, rows } = await setUp();
  const twice = entry('2026-03-02', '7', { reference: 'B' });
  const checked = await bring([entry('2026-03-02', '5'), twice, twice], { mode: 'check' });
  expect([checked.state, counts(checked)]).toEqual(['checked', '2 booked, 1 unchanged']);
  expect(await ledger()).toEqual([]);
  const booked = await book(checked);
  expect([booked.state, counts(booked)]).toEqual(['booked', '2 booked, 1 unchanged']);
  expect((await rows(booked)).map(({ outcome, target }) => [outcome, target?.id !== null])).toEqual([
    ['booked', true],
    ['booked', true],
    ['unchanged', true],
  ]);
  expect(await ledger()).toEqual(['2026-03-02 deposit 5', '2026-03-02 deposit 7']);
});

test('an amendment amends, and an older statement never overwrites what a later one said', async () => {
  const { bring, ledger } = await setUp();
  const said = (amount: string, statedAt: string) => [entry('2026-03-02', amount, { reference: 'A', statedAt })];
  expect(counts(await bring(said('5', '2026-03-03T08:00:00Z')))).toBe('1 booked');
  expect(counts(await bring(said('6', '2026-03-05T08:00:00+01:00')))).toBe('1 amended');
  expect(counts(await bring(said('4', '2026-03-04T08:00:00Z')))).toBe('1 unchanged');
  expect(await ledger()).toEqual(['2026-03-02 deposit 6']);
});

test('what a person has amended stays when the same statement comes again', async () => {
  const { admin, bring, list, ledger } = await setUp();
  const statement = [entry('2026-03-02', '5', { reference: 'A' })];
  await bring(statement);
  const [{ id }] = await list();
  expect((await admin.patch(`/v1/transactions/${id}`, { comment: 'Gift of the aunt' })).status).toBe(200);
  expect(counts(await bring(statement))).toBe('1 unchanged');
  expect(await ledger()).toEqual(['2026-03-02 deposit 5 Gift of the aunt']);
});

const original = entry('2026-03-02', '100', { reference: 'A' });
const cancellation = entry('2026-03-04', '-100', { reference: 'C', cancels: { reference: 'A' } });
const reversal = entry('2026-03-04', '-100', { reference: 'R', cancels: 'same-content' });

test.each([
  ['in one file', [[original, cancellation]]],
  ['in one file, the cancellation first', [[cancellation, original]]],
  ['in two files', [[original], [cancellation]]],
  ['in two files, the cancellation first', [[cancellation], [original]]],
  ['by content in one file', [[original, reversal]]],
  ['by content in two files', [[original], [reversal]]],
  ['by content in two files, the reversal first', [[reversal], [original]]],
] as const)('a cancellation nets out with its original, %s, and stays so when both come again', async (_how, files) => {
  const { bring, ledger } = await setUp();
  for (const file of [...files, ...files]) await bring(file);
  expect(await ledger()).toEqual([]);
});

/** Rows that book nothing, up to the end of the batch. */
function filled(items: readonly StatementItem[]): StatementItem[] {
  const pending = entry('2026-03-09', '1', { status: 'pending' });
  return [...items, ...Array.from({ length: writtenRowsMax - items.length }, () => pending)];
}

const other = entry('2026-03-03', '3', { reference: 'O' });

test.each([
  ['an amendment', [original], [entry('2026-03-02', '101', { reference: 'A', statedAt: '2026-03-05' })]],
  ['the same again', [original], [original]],
  ['a cancellation', [original], [cancellation]],
  ['what was cancelled', [cancellation], [original]],
  ['a reversal', [original], [reversal]],
  ['what was reversed', [reversal], [original]],
  ['a twin without a reference', [entry('2026-03-02', '5')], [entry('2026-03-02', '5')]],
  ['something else', [original], [other]],
] as const)('%s in the batch after is booked as in the same batch', async (_what, first, second) => {
  const [one, several] = [await setUp(), await setUp()];
  const outcomes = async ({ rows }: typeof one, record: Import) =>
    (await rows(record, 3 * writtenRowsMax)).filter(({ code }) => code !== 'pending').map(({ outcome }) => outcome);
  const together = await one.bring([...first, ...second]);
  const apart = await several.bring([...filled(first), ...filled(second), other]);
  expect(await outcomes(several, apart)).toEqual([
    ...(await outcomes(one, together)),
    ...(await outcomes(one, await one.bring([other]))),
  ]);
  expect(await several.ledger()).toEqual(await one.ledger());
});

test('a reversal whose original never came is booked as what it does to the cash', async () => {
  const { bring, ledger, rows } = await setUp();
  const record = await bring([reversal]);
  expect((await rows(record)).map(({ code }) => code)).toEqual(['reversal-without-original']);
  expect(await ledger()).toEqual(['2026-03-04 withdrawal -100']);
});

test.each([
  ['the latest before it, in its own file', '2026-03-02', ['2026-03-03'], ['E']],
  ['the latest before it, in an earlier file', '2026-03-03', ['2026-03-02'], ['O0']],
  ['that of its own file, of one day', '2026-03-02', ['2026-03-02'], ['E']],
  ['no later one of its own file', '2026-03-02', ['2026-03-05'], ['O0']],
  ['that of its own day', '2026-03-02', ['2026-03-04'], ['E']],
  ['the latest of several', '2026-03-01', ['2026-03-03', '2026-03-02'], ['E', 'O1']],
])('a reversal takes back %s', async (_what, earlier, own, left) => {
  const { bring, list } = await setUp();
  await bring([entry(earlier, '100', { reference: 'E' })]);
  const entries = own.map((date, index) => entry(date, '100', { reference: `O${index}` }));
  await bring([...entries, reversal]);
  expect((await list()).map((one) => one.external_reference)).toEqual(left);
});

test('of equal entries of one day a reversal takes back the last one by reference, then the one before', async () => {
  const { bring, list } = await setUp();
  const references = async () => (await list()).map((one) => one.external_reference);
  await bring(['A', 'C', 'B'].map((reference) => entry('2026-03-02', '100', { reference })));
  await bring([reversal]);
  expect(await references()).toEqual(['A', 'B']);
  await bring([entry('2026-03-04', '-100', { reference: 'R2', cancels: 'same-content' })]);
  expect(await references()).toEqual(['A']);
});

test('a reversal of units whose original never came waits for it and books nothing', async () => {
  const { bring, rows, ledger, admin } = await setUp();
  await makeStock(admin, 'Novartis', 'CHF', { isin: 'CH0012005267' });
  const sold = { kind: 'trade', instrument: { isin: 'CH0012005267' }, quantity: '-10' as Decimal } as const;
  const record = await bring([entry('2026-03-04', '100', { ...sold, cancels: 'same-content' })]);
  expect(await rows(record)).toMatchObject([
    {
      outcome: 'unchanged',
      code: 'cancellation-remembered',
      detail: 'What it cancels has not come yet. It will not be booked when it does.',
      target: null,
    },
  ]);
  const bought = await bring([entry('2026-03-02', '-100', { ...sold, quantity: '10' as Decimal })]);
  expect((await rows(bought)).map(({ code }) => code)).toEqual(['cancelled']);
  expect(await ledger()).toEqual([]);
});

test('a cancellation closes what was booked under its reference without a statement, and undoing it opens that again', async () => {
  const { admin, account, bring, undo, rows, list, ledger } = await setUp();
  const fields = { type: 'deposit', account_id: account, date: '2026-03-02', amount: '100', source: 'custodian' };
  const { body } = await admin.post('/v1/transactions', { ...fields, external_reference: 'A' });
  const record = await bring([cancellation]);
  expect([counts(record), await list()]).toEqual(['1 amended', []]);
  expect(await rows(record)).toMatchObject([
    {
      code: 'cancellation',
      detail: 'It cancels this transaction, which is closed.',
      target: { type: 'transaction', id: body.id },
      before: null,
    },
  ]);
  expect(counts(await bring([original]))).toBe('1 unchanged');
  expect((await undo(record)).undone).toEqual({ closed: 0, restored: 1, kept: 0 });
  expect((await list()).map(({ id }) => id)).toEqual([body.id]);
  expect(await ledger()).toEqual(['2026-03-02 deposit 100']);
});

/** It is refused only once it is to be written: a redemption says how many units it redeems. */
const redemption = (statedAt: string, quantity: { quantity?: Decimal }) =>
  entry('2026-03-02', '100', {
    kind: 'redemption',
    instrument: { isin: 'CH0012005267' },
    reference: 'M',
    statedAt,
    ...quantity,
  });
const redeemed = redemption('2026-03-02', { quantity: '-10' as Decimal });
const withoutUnits = redemption('2026-03-03', {});

test('a refused amendment changes nothing about what a statement has said before', async () => {
  const { admin, bring, rows, list } = await setUp();
  await makeStock(admin, 'Novartis', 'CHF', { isin: 'CH0012005267' });
  const refusedFirst = await bring([...filled([withoutUnits]), redeemed], { mode: 'check' });
  expect(counts(refusedFirst)).toBe(`1 booked, ${writtenRowsMax - 1} unchanged, 1 refused`);
  expect(counts(await bring([redeemed]))).toBe('1 booked');
  const refused = await bring([withoutUnits]);
  expect(await rows(refused)).toMatchObject([
    { outcome: 'refused', code: 'missing-attribute', detail: 'The number of redeemed units is required.' },
  ]);
  const between = { ...redemption('2026-03-02T12:00:00', { quantity: '-10' as Decimal }), amount: '101' as Decimal };
  const amending = await bring([...filled([withoutUnits]), between], { mode: 'check' });
  expect(counts(amending)).toBe(`1 amended, ${writtenRowsMax - 1} unchanged, 1 refused`);
  const batches = [...filled([withoutUnits]), redemption('2026-03-04', { quantity: '-10' as Decimal })];
  expect(counts(await bring(batches, { mode: 'check' }))).toBe(`${writtenRowsMax} unchanged, 1 refused`);
  expect(counts(await bring(batches))).toBe(`${writtenRowsMax} unchanged, 1 refused`);
  const [{ id }] = await list();
  expect((await admin.send(`/v1/transactions/${id}`, { method: 'DELETE' })).status).toBe(204);
  const last = `1 booked, ${writtenRowsMax - 1} unchanged, 1 refused`;
  expect(counts(await bring(batches, { mode: 'check' }))).toBe(last);
  expect(counts(await bring(batches))).toBe(last);
  expect(await list()).toMatchObject([{ type: 'maturity', quantity: '10', amount: '100' }]);
});

test.each([
  ['after it', [redeemed], [redemption('2026-03-03', {})], ['booked', 'refused']],
  ['before it', [redemption('2026-03-01', {})], [redeemed], ['refused', 'booked']],
  [
    'before and after it',
    [redemption('2026-03-01', {}), redeemed],
    [redemption('2026-03-03', {})],
    ['refused', 'booked', 'refused'],
  ],
])(
  'an entry stays known although its file says something %s that is refused',
  async (_when, first, second, expected) => {
    for (const items of [
      [...first, ...second],
      [...filled(first), ...second],
    ]) {
      const { admin, bring, rows, list } = await setUp();
      await makeStock(admin, 'Novartis', 'CHF', { isin: 'CH0012005267' });
      const outcomes = async (record: Import) =>
        (await rows(record, 2 * writtenRowsMax)).flatMap(({ code, outcome }) => (code === 'pending' ? [] : [outcome]));
      expect(await outcomes(await bring(items, { mode: 'check' }))).toEqual(expected);
      expect(await outcomes(await bring(items))).toEqual(expected);
      const [{ id }] = await list();
      const older = redemption('2026-02-28', { quantity: '-11' as Decimal });
      expect(await rows(await bring([older]))).toMatchObject([{ outcome: 'unchanged', code: 'superseded' }]);
      expect(await rows(await bring([redeemed]))).toMatchObject([{ outcome: 'unchanged', code: null, target: { id } }]);
      expect(await list()).toHaveLength(1);
    }
  },
);

test('an entry that was booked is not booked from another format, although an amendment in the same file was refused', async () => {
  const { admin, bring, list } = await setUp();
  await makeStock(admin, 'Novartis', 'CHF', { isin: 'CH0012005267' });
  expect(counts(await bring([redeemed, withoutUnits]))).toBe('1 booked, 1 refused');
  const { reference: _none, ...elsewhere } = redeemed;
  expect(counts(await bring([elsewhere], { format: 'csv' }))).toBe('1 unchanged');
  expect(await list()).toHaveLength(1);
});

test('the same entry in a camt.052 without a reference, a camt.053 with one and an MT940 with another books once', async () => {
  const { bring, ledger } = await setUp();
  const opening = { item: 'balance', moment: 'opening', place: { line: 1 }, currency: 'CHF', statement: 'S' } as const;
  const twins = (parts: readonly EntryParts[]): StatementItem[] => [
    { ...opening, date: '2026-03-02' as CalendarDate, amount: '100' as Decimal },
    ...parts.map((one) => entry('2026-03-02', '5', { statement: 'S', ...one })),
  ];
  expect(counts(await bring(twins([{}]), { format: 'camt.052' }))).toBe('1 booked');
  expect(counts(await bring(twins([{ reference: 'A1' }, { reference: 'A2' }])))).toBe('1 booked, 1 unchanged');
  const words = { comment: 'Other words' };
  const other = twins([{ reference: 'M1', ...words }, { reference: 'M2', ...words }, { reference: 'M3' }]);
  expect(counts(await bring(other, { format: 'mt940' }))).toBe('1 booked, 2 unchanged');
  expect(counts(await bring(twins([{}, {}, {}]), { format: 'csv' }))).toBe('3 unchanged');
  expect(await ledger()).toHaveLength(3);
});

test.each(['A', 'a', '~'])(
  'an entry of the day that comes later is booked although its equal, %s1, is known from two statements',
  async (letter) => {
    const { bring, ledger } = await setUp();
    const twin = (reference?: string) => entry('2026-03-02', '5', reference === undefined ? {} : { reference });
    expect(counts(await bring([twin()], { format: 'camt.052' }))).toBe('1 booked');
    expect(counts(await bring([twin(`${letter}1`)]))).toBe('1 unchanged');
    expect(counts(await bring([twin(`${letter}2`), twin(`${letter}1`)]))).toBe('1 booked, 1 unchanged');
    expect(await ledger()).toHaveLength(2);
  },
);

test.each(['A', 'a', '~'])('also if the statement that brings it does not repeat %s1', async (letter) => {
  const { bring, ledger } = await setUp();
  const twin = (reference?: string) => entry('2026-03-02', '5', reference === undefined ? {} : { reference });
  expect(counts(await bring([twin()], { format: 'camt.052' }))).toBe('1 booked');
  expect(counts(await bring([twin(`${letter}1`)]))).toBe('1 unchanged');
  expect(counts(await bring([twin(`${letter}2`)], { mode: 'check' }))).toBe('1 booked');
  expect(counts(await bring([twin(`${letter}2`)]))).toBe('1 booked');
  expect(counts(await bring([twin(`${letter}1`), twin(`${letter}2`)]))).toBe('2 unchanged');
  expect(await ledger()).toHaveLength(2);
});

test.each([1, 2])('of %i known, an equal entry before those that another format repeats is booked', async (count) => {
  const { bring, ledger } = await setUp();
  const named = (reference: string) => entry('2026-03-02', '5', { reference });
  const known = ['A1', 'A2'].slice(0, count).map(named);
  await bring(known);
  expect(counts(await bring([named('A0'), ...known], { format: 'mt940' }))).toBe(`1 booked, ${count} unchanged`);
  expect(await ledger()).toHaveLength(count + 1);
});

test('undoing closes what was opened, restores what was amended, and keeps what was amended since', async () => {
  const { admin, bring, undo, rows, list, ledger } = await setUp();
  const first = await bring([
    entry('2026-03-01', '1', { reference: 'A' }),
    entry('2026-03-01', '9', { reference: 'X' }),
  ]);
  const second = await bring([
    entry('2026-03-01', '2', { reference: 'A' }),
    entry('2026-03-02', '3', { reference: 'B' }),
    entry('2026-03-02', '4', { reference: 'C' }),
    entry('2026-03-03', '-9', { cancels: { reference: 'X' } }),
  ]);
  expect(counts(second)).toBe('2 booked, 2 amended');
  const kept = (await list()).find(({ external_reference: reference }) => reference === 'C');
  await admin.patch(`/v1/transactions/${kept.id}`, { comment: 'Checked' });
  const undone = await undo(second);
  expect(undone).toMatchObject({ state: 'undone', undone: { closed: 1, restored: 2, kept: 1 } });
  expect((await rows(second)).map((row) => row.undo)).toEqual(['restored', 'closed', 'kept', 'restored']);
  expect(await ledger()).toEqual(['2026-03-01 deposit 1', '2026-03-01 deposit 9', '2026-03-02 deposit 4 Checked']);
  expect(counts(await bring([entry('2026-03-02', '3', { reference: 'B' })]))).toBe('1 booked');
  await undo(first);
  expect(await ledger()).toEqual(['2026-03-02 deposit 3', '2026-03-02 deposit 4 Checked']);
});

test('undoing an import that only amended restores what was there, as a change like any other', async () => {
  const { bring, undo, list, ledger } = await setUp();
  const said = (amount: string) => [entry('2026-03-01', amount, { reference: 'A' })];
  await bring(said('1'));
  const [{ id }] = await list();
  const second = await bring(said('2'));
  expect((await undo(second)).undone).toEqual({ closed: 0, restored: 1, kept: 0 });
  expect(await ledger()).toEqual(['2026-03-01 deposit 1']);
  expect((await list()).map((one) => one.id)).toEqual([id]);
  expect(counts(await bring(said('3')))).toBe('1 amended');
  expect(await ledger()).toEqual(['2026-03-01 deposit 3']);
});

test('undoing many rows looks at each transaction a few times, although the ledger has grown since it was analysed', async () => {
  const { bring, readsOfUndo } = await setUp();
  const items = Array.from({ length: 600 }, (_, index) => entry('2026-03-01', '1', { reference: `R-${index}` }));
  await analyseLedger();
  const record = await bring(items);
  expect(counts(record)).toBe('600 booked');
  expect(await readsOfUndo(record)).toBeLessThan(8 * 600);
});

test('a file that names an account nobody has is never booked to the default account', async () => {
  const { bring, rows, ledger } = await setUp();
  const record = await bring([entry('2026-03-02', '5', { account: { number: 'CH93 0076 2011 6238 5295 7' } })]);
  expect(await rows(record)).toMatchObject([{ outcome: 'needs', needs: 'account', code: 'account-unknown' }]);
  expect(await ledger()).toEqual([]);
});

test('pending entries are not booked, and entries that do not lead to the closing balance are reported with both figures', async () => {
  const { bring, rows, ledger } = await setUp();
  const balance = (moment: 'opening' | 'closing', amount: string) =>
    ({
      item: 'balance',
      place: { line: 1 },
      moment,
      date: '2026-03-02' as CalendarDate,
      amount: amount as Decimal,
      currency: 'CHF',
      statement: '7',
    }) as const;
  const entries = [entry('2026-03-02', '5'), entry('2026-03-02', '50', { status: 'pending' })];
  const right = await bring([balance('opening', '10'), balance('closing', '15'), ...entries]);
  expect([right.warnings.map(({ code }) => code), counts(right)]).toEqual([
    ['opening-missing'],
    '1 booked, 1 unchanged',
  ]);
  expect((await rows(right))[1]).toMatchObject({ outcome: 'unchanged', code: 'pending' });
  const wrong = await bring([balance('opening', '10'), balance('closing', '17'), ...entries]);
  expect(wrong.warnings.slice(1)).toMatchObject([{ code: 'balances-differ', expected: '15', stated: '17' }]);
  expect(await ledger()).toEqual(['2026-03-02 deposit 5']);
});
