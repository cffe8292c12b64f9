// Tests rows that cannot be booked as they are: what they wait for or why they are refused, and what undoing says of those that were.

import { expect, test } from 'vitest';
import {
  countsOf as counts,
  openImports,
  statedEntry as entry,
  type EntryParts,
} from '../../../tests/setup/custody/brought-statements.ts';
import { makeInstrument, makeStock } from '../../../tests/setup/ledger/ledger-household.ts';
import { workspaceForThisFile } from '../../../tests/setup/node/test-service.ts';
import type { CalendarDate } from '../../kit/calendar-date.ts';
import type { Decimal } from '../../kit/decimal.ts';
import type { NamedInstrument, StatedInstrument, StatedPrice, StatedRate } from '../../model/custody/statement.ts';

const service = workspaceForThisFile();

const place = { line: 1 };
const date = '2026-03-02' as CalendarDate;
const novartis = { isin: 'CH0012005267' };
const sandoz = { isin: 'CH1243598427' };

const price = (value: string, instrument: NamedInstrument = novartis, series: StatedPrice['series'] = 'price') =>
  ({ item: 'price', place, date, series, instrument, value: value as Decimal }) satisfies StatedPrice;
const rate = (quote: string, value: string) =>
  ({ item: 'fx-rate', place, date, base: 'EUR', quote, rate: value as Decimal }) satisfies StatedRate;

/** Says of each row of a file what became of it, and why. */
async function setUp() {
  const imports = await openImports(service);
  const reasons = async (...parts: Parameters<typeof imports.bring>): Promise<unknown[]> => {
    const record = await imports.bring(...parts);
    return (await imports.rows(record)).map(({ outcome, code, needs, detail }) =>
      [needs ?? outcome, code, detail].filter((one) => one !== null).join(': '),
    );
  };
  return { ...imports, reasons };
}

test.each(['check', 'book'] as const)('prices and rates of one file are refused one by one: %s', async (mode) => {
  const { admin, reasons } = await setUp();
  await makeStock(admin, 'Novartis', 'CHF', novartis);
  const terms = { type: 'bond-instrument', currency: 'CHF', coupon: '0.01', maturity: '2034-06-15' };
  await makeInstrument(admin, { ...terms, name: 'Eidg. 2034', isin: 'CH0224397171' });
  const bond = { isin: 'CH0224397171' };
  const items = [
    price('98.45'),
    price('2', bond, 'interest-rate'),
    { ...price('2.01', bond, 'interest-rate'), date: '2026-03-03' as CalendarDate },
    price('0.02', novartis, 'interest-rate'),
    price('1', sandoz),
    rate('CHF', '0.94'),
    rate('EUR', '1'),
    rate('USD', '0'),
    rate('francs', '1'),
  ];
  const refused = 'refused: invalid-attribute';
  expect(await reasons(items, { mode, client: null, account: null })).toEqual([
    'booked',
    'booked',
    `${refused}: The value must be a decimal fraction from -1 to 2: 4.25 % is 0.0425.`,
    'refused: series-not-of-type: An instrument of type stock-instrument has prices, but no interest-rates.',
    'instrument: instrument-unknown: No instrument is "CH1243598427". Create or map it, or book with create_instruments=true.',
    'booked',
    `${refused}: The rate EUR/EUR: must be between two different currencies.`,
    `${refused}: The rate EUR/USD: must be greater than 0.`,
    `${refused}: The rate EUR/francs: must be an ISO 4217 currency code, such as EUR.`,
  ]);
  const rates = (await admin.get('/v1/fx-rates')).body.data;
  expect(rates.map(({ base, quote, rate: value }: any) => `${base}/${quote} ${value}`)).toEqual(
    mode === 'check' ? [] : ['EUR/CHF 0.94'],
  );
});

test('of prices of a day the one that was stated last counts, also without a time where it is the same', async () => {
  const { admin, bring, rows } = await setUp();
  const id = await makeStock(admin, 'Novartis', 'CHF', novartis);
  const at = (value: string, statedAt?: string) => ({ ...price(value), ...(statedAt && { statedAt }) });
  const record = await bring([at('1', '2026-03-05'), at('1'), at('2', '2026-03-04'), at('3'), at('4', '2026-03-04')]);
  expect((await rows(record)).map(({ outcome, code }) => code ?? outcome)).toEqual([
    'booked',
    'unchanged',
    'superseded',
    'amended',
    'amended',
  ]);
  expect((await admin.get(`/v1/instruments/${id}/prices`)).body.data).toMatchObject([{ value: '4' }]);
});

test('a file of one client changes no prices and rates of all', async () => {
  const { admin, household } = await setUp();
  await makeStock(admin, 'Novartis', 'CHF', novartis);
  const scoped = await admin.becomeApplication({ rights: ['read', 'write', 'admin'], scoped_to: household.client });
  const files = [
    'Price,Date,ISIN,Currency\n98.45,2024-01-31,CH0012005267,CHF\n',
    'Date;From;To;Rate\n2024-01-30;USD;CHF;0.86\n2024-01-31;USD;CHF;0.87\n',
  ];
  const detail = 'A token bound to one client cannot change what all clients share.';
  for (const file of files) {
    for (const book of [false, true]) {
      const path = `/v1/imports?client_id=${household.client}&book=${book}`;
      const { body } = await scoped.send(path, { method: 'POST', raw: file });
      const { data } = (await scoped.get(`/v1/imports/${body.id}/rows`)).body;
      expect(data).toHaveLength(file.trim().split('\n').length - 1);
      for (const row of data) expect(row).toMatchObject({ outcome: 'refused', code: 'outside-reach', detail });
    }
  }
});

const units = { quantity: '-10' as Decimal, instrument: novartis } as const;
const corporate = { kind: 'corporate-action', instrument: novartis } as const;
const word = `a${'x'.repeat(99)}`;

test.each<[string, EntryParts, string]>([
  [
    'a depository that nobody has',
    { ...units, depository: { number: 'D-9' } },
    'account: depository-unknown: No depository of this client has the number "D-9". Set it as an external identifier or map it, and book again.',
  ],
  [
    'an unknown target',
    { ...corporate, targetInstrument: { isin: 'CH0038863350' }, action: 'merger' },
    'instrument: instrument-unknown: No instrument is "CH0038863350". Create or map it, or book with create_instruments=true.',
  ],
  [
    'no kind of corporate action',
    corporate,
    'classification: unclassified: The file does not say which corporate action it is. Book it by hand, or with a mapping.',
  ],
  [
    'only a long word for its kind',
    { ...corporate, typeWord: `${word}y` },
    `classification: unclassified: The file does not say which corporate action it is ("${word}"). Book it by hand, or with a mapping.`,
  ],
])('an entry waits that has %s', async (_what, parts, expected) => {
  const { admin, account, bring, rows } = await setUp();
  await makeStock(admin, 'Novartis', 'CHF', novartis);
  const [row] = await rows(await bring([entry('2026-03-02', '100', parts)]));
  expect([`${row?.needs}: ${row?.code}: ${row?.detail}`, row?.account]).toEqual([expected, account]);
});

test('a merger is booked for the instrument that goes and the one that comes', async () => {
  const { admin, bring, list } = await setUp();
  const [instrument_id, target_instrument_id] = [
    await makeStock(admin, 'Novartis', 'CHF', novartis),
    await makeStock(admin, 'Sandoz', 'CHF', sandoz),
  ];
  const merger = { ...corporate, action: 'merger', targetInstrument: sandoz, ratio: '1:5' } as const;
  const { amount: _none, ...entryOfUnits } = entry('2026-03-02', '0', merger);
  await bring([entryOfUnits]);
  expect(await list()).toMatchObject([{ type: 'corporate-action', instrument_id, target_instrument_id, ratio: '1:5' }]);
});

test('entries that name no account wait, where the import names none either', async () => {
  const { reasons } = await setUp();
  expect(await reasons([entry('2026-03-02', '100')], { account: null })).toEqual([
    'account: account-unnamed: The file names no account. Import it with an account_id, or a depository_id with one account in the currency of the row.',
  ]);
});

const statedInstrument = (instrument: NamedInstrument): StatedInstrument => ({ item: 'instrument', place, instrument });

test('an instrument that a file describes is created, found, or waits, with why it could not be created', async () => {
  const { admin, reasons } = await setUp();
  await makeStock(admin, 'Novartis', 'CHF', novartis);
  const items = [novartis, { ...sandoz, name: 'Sandoz' }, { isin: 'CH0038863351', name: 'Nestle' }].map(
    statedInstrument,
  );
  const unknown = (words: string) =>
    `instrument: instrument-unknown: No instrument is "${words}". Create or map it, or book with create_instruments=true.`;
  const wrong = unknown('CH0038863351 Nestle');
  expect(await reasons(items, { createsInstruments: false })).toEqual([
    'unchanged',
    unknown('CH1243598427 Sandoz'),
    wrong,
  ]);
  expect(await reasons(items, { createsInstruments: true })).toEqual([
    'unchanged',
    'booked',
    `${wrong} It could not be created: isin must be an ISIN with a right check digit: the file says CH0038863351.`,
  ]);
});

test('undoing an import closes the rows that only created an instrument, unless others use it', async () => {
  const { admin, account, bring, undo, rows } = await setUp();
  const names = [sandoz, novartis, { isin: 'CH0038863350' }].map((one, index) => ({ ...one, name: `Share ${index}` }));
  const record = await bring([...names.map(statedInstrument), entry('2026-03-02', '5')], { createsInstruments: true });
  expect(counts(record)).toBe('4 booked');
  const ids = (await rows(record)).map(({ target }) => target?.id);
  const fields = { type: 'buy', account_id: account, date: '2026-03-02', quantity: '1', price: '5' };
  expect((await admin.post('/v1/transactions', { ...fields, instrument_id: ids[1] })).status).toBe(201);
  expect((await admin.send(`/v1/instruments/${ids[2]}`, { method: 'DELETE' })).status).toBe(204);
  const undone = await undo(record);
  expect(undone.undone).toEqual({ closed: 3, restored: 0, kept: 1 });
  expect((await rows(record)).map((row) => row.undo)).toEqual(['closed', 'kept', 'closed', 'closed']);
  expect(undone.warnings).toEqual([
    {
      code: 'rows-kept',
      detail:
        '1 rows were amended since, or others use what they created, and are kept as they are. List them with undo=kept.',
    },
    {
      code: 'instruments-kept',
      detail: `1 instruments that this import created stay. Share 1 (${ids[1]}): The instrument cannot be deleted while these remain: 1 transaction.`,
    },
  ]);
});

test('undoing an import gives a learned code back its meaning of before, if that is still there', async () => {
  const { admin, bring, undo } = await setUp();
  const [first, second, third] = [
    await makeStock(admin, 'Novartis', 'CHF', novartis),
    await makeStock(admin, 'Sandoz', 'CHF', sandoz),
    await makeStock(admin, 'Nestle', 'CHF', { isin: 'CH0038863350' }),
  ];
  const learned = async () => (await admin.get('/v1/identifier-mappings?source=learned')).body.data;
  const learn = (named: NamedInstrument) => bring([statedInstrument({ ...named, custodianCode: 'C-1' })]);
  await learn(novartis);
  const [{ id }] = await learned();
  /** From the first to the last. */
  const acts = async (): Promise<unknown[]> =>
    (await admin.get(`/v1/audit-log?subject_id=${id}`)).body.data
      .map(({ act, before, after }: any) => [act, before?.instrument_id ?? null, after?.instrument_id ?? null])
      .toReversed();
  const moved = await learn(sandoz);
  expect(await learned()).toMatchObject([{ id, instrument_id: second }]);
  await undo(moved);
  expect(await learned()).toMatchObject([{ id, instrument_id: first }]);
  expect(await acts()).toEqual([
    ['create', null, first],
    ['change', first, second],
    ['change', second, first],
  ]);
  const again = await learn({ isin: 'CH0038863350' });
  expect(await learned()).toMatchObject([{ id, instrument_id: third }]);
  expect((await admin.send(`/v1/instruments/${first}`, { method: 'DELETE' })).status).toBe(204);
  await undo(again);
  expect(await learned()).toEqual([]);
  expect((await acts()).at(-1)).toEqual(['delete', third, null]);
});
