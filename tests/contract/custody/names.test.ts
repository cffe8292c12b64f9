// What the words of files mean: accounts by number, instruments by their codes, and mappings that people correct.

import { beforeAll, describe, expect, test } from 'vitest';
import { createNamedInstruments, learnInstruments } from '../../../src/actions/imports/names/named-instrument.ts';
import {
  resolveAccounts,
  resolveDepositories,
  resolveInstruments,
} from '../../../src/actions/imports/names/resolve-names.ts';
import type { Resolution } from '../../../src/actions/imports/names/resolution.ts';
import { runInTransaction, serviceAuthor, type Work } from '../../../src/actions/core/work.ts';
import type { CalendarDate } from '../../../src/kit/calendar-date.ts';
import type { Decimal } from '../../../src/kit/decimal.ts';
import type { Id } from '../../../src/kit/id.ts';
import { Refusal } from '../../../src/kit/refusal.ts';
import type { NamedAccount, NamedInstrument } from '../../../src/model/custody/statement.ts';
import { tenantOf } from '../../setup/events/event-source.ts';
import type { Caller } from '../../setup/http/caller.ts';
import { makeStock } from '../../setup/ledger/ledger-household.ts';
import { workspaceForThisFile } from '../../setup/node/test-service.ts';
import { faultsOf, makeHousehold, makeRecord, type Household } from '../../setup/structure/structure-document.ts';

const service = workspaceForThisFile();
let admin: Caller;
let household: Household;
let other: Household;

beforeAll(async () => {
  ({ admin } = service);
  household = await makeHousehold(admin, 'Amsel');
  other = await makeHousehold(admin, 'Bussard');
});

async function withWork<T>(task: (work: Work) => Promise<T>): Promise<T> {
  return runInTransaction(service.context, serviceAuthor(await tenantOf(admin)), task);
}

/** What words mean: the id, `missing`, or the ids among which a person has to choose. */
function meaningOf(resolution: Resolution): string | readonly string[] {
  if (resolution.outcome === 'found') return resolution.id;
  return resolution.outcome === 'missing' ? 'missing' : resolution.candidates;
}

const scopeOf = (owner: Household, custodian: string | null = null) => ({
  client: owner.client as Id,
  custodian: custodian as Id | null,
});

async function accountsMeant(owner: Household, names: readonly NamedAccount[], custodian: string | null = null) {
  return (await withWork((work) => resolveAccounts(work, scopeOf(owner, custodian), names))).map(meaningOf);
}

async function instrumentsMeant(owner: Household, names: readonly NamedInstrument[], custodian: string | null = null) {
  return (await withWork((work) => resolveInstruments(work, scopeOf(owner, custodian), names))).map(meaningOf);
}

function makeAccount(owner: Household, number: string, currency: string, institution?: string): Promise<string> {
  const fields = { entity_id: owner.legalEntity, external_identifier: number, currency };
  return makeRecord(admin, 'accounts', institution === undefined ? fields : { ...fields, institution });
}

async function makeMapping(fields: object): Promise<any> {
  const reply = await admin.post('/v1/identifier-mappings', fields);
  expect([reply.status, reply.text]).toEqual([201, reply.text]);
  return reply.body;
}

describe('accounts', () => {
  test('are found by IBAN in any spacing and case, and by other numbers only as they are', async () => {
    const iban = await makeAccount(household, 'CH93 0076 2011 6238 5295 7', 'CHF');
    const plain = await makeAccount(household, '0042-17', 'CHF');
    const german = await makeAccount(household, 'DE89370400440532013000', 'EUR');
    const numbers = ['ch9300762011623852957', '0042-17', ' 0042 - 17', '42-17', '004217', '37040044/532013000', ''];
    const names = numbers.map((number) => ({ number }));
    const meant = [iban, plain, plain, 'missing', 'missing', german, 'missing'];
    expect(await accountsMeant(household, names)).toEqual(meant);
  });

  test('of one number are told apart by currency, and a number in another currency is nobody’s', async () => {
    const [francs, euros] = [await makeAccount(household, 'SUB 1', 'CHF'), await makeAccount(household, 'sub1', 'EUR')];
    const names = ['CHF', 'EUR', 'USD'].map((currency) => ({ number: 'SUB1', currency }));
    expect(await accountsMeant(household, [...names, { number: 'SUB1' }])).toEqual([
      francs,
      euros,
      'missing',
      [francs, euros].toSorted(),
    ]);
  });

  test('are not found by a blank number, whether it comes alone or beside others', async () => {
    const account = await makeAccount(household, 'B-1', 'CHF');
    expect(await accountsMeant(household, [{ number: ' ' }, { number: '' }])).toEqual(['missing', 'missing']);
    expect(await accountsMeant(household, [{ number: ' ' }, { number: 'B-1' }])).toEqual(['missing', account]);
    expect(await accountsMeant(household, [])).toEqual([]);
  });

  test('of other clients are never meant', async () => {
    await makeAccount(other, 'FOREIGN-9', 'CHF');
    expect(await accountsMeant(household, [{ number: 'FOREIGN-9' }])).toEqual(['missing']);
  });

  test('with the same number at two custodians are told apart by the custodian', async () => {
    const one = await makeAccount(household, '1001', 'CHF', 'Bank One');
    const two = await makeAccount(household, '1001', 'CHF', 'Bank Two');
    const custodian = (await admin.get(`/v1/accounts/${two}`)).body.custodian_id;
    const third = await makeRecord(admin, 'custodians', { name: 'Bank Three' });
    expect(await accountsMeant(household, [{ number: '1001' }], custodian)).toEqual([two]);
    expect(await accountsMeant(household, [{ number: '1001' }], third)).toEqual(['missing']);
    expect(await accountsMeant(household, [{ number: '1001', institution: 'BANK ONE' }, { number: '1001' }])).toEqual([
      one,
      [one, two].toSorted(),
    ]);
    // A name that is none of theirs tells nothing: neither of two apart, nor the only one away.
    const elsewhere = { institution: 'Bank Four' };
    const only = await makeAccount(household, '1002', 'CHF', 'Bank One');
    expect(
      await accountsMeant(
        household,
        ['1001', '1002'].map((number) => ({ number, ...elsewhere })),
      ),
    ).toEqual([[one, two].toSorted(), only]);
  });

  test('and depositories are found by what a person has said, before their own numbers', async () => {
    const [own, meant] = [await makeAccount(household, 'X-7', 'CHF'), await makeAccount(household, 'Y-7', 'CHF')];
    const vault = await makeRecord(admin, 'depositories', {
      legal_entity_id: household.legalEntity,
      external_identifier: 'D 204417',
    });
    expect(await accountsMeant(household, [{ number: 'x-7' }])).toEqual([own]);
    const client_id = household.client;
    await makeMapping({ kind: 'account', scheme: 'number', value: 'X - 7', client_id, account_id: meant });
    await makeMapping({ kind: 'depository', scheme: 'number', value: 'SAFE1', client_id, depository_id: vault });
    expect(await accountsMeant(household, [{ number: 'x-7' }, { number: 'X-7', currency: 'EUR' }])).toEqual([
      meant,
      'missing',
    ]);
    const found = await withWork((work) =>
      resolveDepositories(work, scopeOf(household), [{ number: 'safe 1' }, { number: 'D204417' }, { number: 'Z' }]),
    );
    expect(found.map(meaningOf)).toEqual([vault, vault, 'missing']);
  });
});

describe('instruments', () => {
  test('are found by ISIN, CUSIP, SEDOL, and ticker with market, the codes within an ISIN included', async () => {
    const apple = await makeStock(admin, 'Apple', 'USD', { isin: 'US0378331005' });
    const vodafone = await makeStock(admin, 'Vodafone', 'GBP', { isin: 'GB00BH4HKS39' });
    const nestle = await makeStock(admin, 'Nestlé', 'CHF', { sedol: '7123870', ticker: 'NESN', exchange: 'XSWX' });
    const names: NamedInstrument[] = [
      { isin: 'us0378331005' },
      { cusip: '037833100' },
      { sedol: 'BH4HKS3' },
      { sedol: '7123870' },
      { ticker: 'nesn', mic: 'XSWX' },
      { ticker: 'NESN', mic: 'XLON' },
      { isin: 'CH0038863350', ticker: 'AAPL', mic: 'XNAS' },
      {},
    ];
    const meant = [apple, apple, vodafone, nestle, nestle, 'missing', 'missing', 'missing'];
    expect(await instrumentsMeant(household, names)).toEqual(meant);
  });

  test('with another ISIN than the file says are not meant, whatever else agrees', async () => {
    const stock = await makeStock(admin, 'Roche', 'CHF', { isin: 'CH0012032048', ticker: 'ROG', exchange: 'XSWX' });
    const names = [
      { isin: 'CH0012032113', ticker: 'ROG', mic: 'XSWX' },
      { isin: 'CH0012032048', ticker: 'RO', mic: 'XSWX' },
    ];
    expect(await instrumentsMeant(household, names)).toEqual(['missing', stock]);
  });

  test('are never found for certain by a ticker without its market', async () => {
    const stock = await makeStock(admin, 'Ford', 'USD', { ticker: 'F', exchange: 'XNYS' });
    expect(await instrumentsMeant(household, [{ ticker: 'F' }, { ticker: 'F', cusip: '345370860' }])).toEqual([
      [stock],
      'missing',
    ]);
  });

  test('private to another client are never meant', async () => {
    const reporting_entity_id = await makeRecord(admin, 'reporting-entities', { client_id: other.client, name: 'B' });
    const own = await makeStock(admin, 'Club deal', 'CHF', { isin: 'CH0038389992', reporting_entity_id });
    expect(await instrumentsMeant(household, [{ isin: 'CH0038389992' }])).toEqual(['missing']);
    expect(await instrumentsMeant(other, [{ isin: 'CH0038389992' }])).toEqual([own]);
  });

  test('are found by a custodian’s own code once a file has named them by both, and by a correction before all else', async () => {
    const [stock, corrected] = [
      await makeStock(admin, 'ABB', 'CHF', { isin: 'CH0012221716' }),
      await makeStock(admin, 'ABB new', 'CHF'),
    ];
    const bank = await makeRecord(admin, 'custodians', { name: 'Bank of codes' });
    const named = { isin: 'CH0012221716', custodianCode: '1222171' };
    const learn = (): Promise<unknown> =>
      withWork((work) => learnInstruments(work, scopeOf(household, bank), [{ named, id: stock as Id }]));
    const code = { custodianCode: '1222171' };
    expect(await instrumentsMeant(household, [code], bank)).toEqual(['missing']);
    await learn();
    await learn();
    const { body } = await admin.get(`/v1/identifier-mappings?custodian_id=${bank}`);
    expect(body.data).toMatchObject([{ value: '1222171', scheme: 'custodian-code', source: 'learned' }]);
    expect(await instrumentsMeant(household, [code], bank)).toEqual([stock]);
    expect(await instrumentsMeant(other, [code], bank)).toEqual(['missing']);
    const change = { instrument_id: corrected };
    const changed = await admin.send(`/v1/identifier-mappings/${body.data[0].id}`, { method: 'PATCH', body: change });
    expect(changed.body).toMatchObject({ source: 'manual', instrument_id: corrected });
    await learn();
    expect(await instrumentsMeant(household, [code, named], bank)).toEqual([corrected, corrected]);
    const lines = (await admin.get('/v1/audit-log?subject_type=identifier-mapping&limit=100')).body.data;
    const own = lines.filter((line: any) => line.subject_id === body.data[0].id);
    expect(own.map(({ act, after }: any) => [act, after.source, after.instrument_id])).toEqual([
      ['change', 'manual', corrected],
      ['create', 'learned', stock],
    ]);
  });

  test('are found by name only where a person has said so and no code decides', async () => {
    const [stock, coded] = [
      await makeStock(admin, 'Straumann', 'CHF'),
      await makeStock(admin, 'Sonova', 'CHF', { isin: 'CH0012549785' }),
    ];
    const name = 'STRAUMANN HLDG N';
    expect(await instrumentsMeant(household, [{ name }])).toEqual(['missing']);
    await makeMapping({ kind: 'instrument', scheme: 'name', value: 'Straumann Hldg N', instrument_id: stock });
    expect(await instrumentsMeant(household, [{ name }, { name, isin: 'CH0012549785' }])).toEqual([stock, coded]);
  });

  test('are created from what a file says, each once, with the codes it names', async () => {
    const names: NamedInstrument[] = [
      { type: 'stock', name: 'Givaudan', isin: 'CH0010645932', ticker: 'GIVN', mic: 'XSWX', currency: 'CHF' },
      { isin: 'ch0010645932', name: 'GIVAUDAN N' },
      { type: 'bond', name: 'Bund 2030', isin: 'DE0001102507', maturity: '2030-08-15' as CalendarDate },
      {
        type: 'bond',
        name: 'US 2031',
        cusip: '912828ZQ6',
        maturity: '2031-05-15' as CalendarDate,
        couponRate: '0.0125' as Decimal,
      },
      { type: 'fund', name: 'Fund', isin: 'LU0323577923', sedol: 'B0YBKJ7' },
      { type: 'other', name: 'Certificate', isin: 'CH0224397171' },
      { isin: 'CH0010645933' },
    ];
    const outcomes = await withWork((work) => createNamedInstruments(work, names));
    const [stock, again, bund, treasury, fund, certificate, invalid] = outcomes;
    expect(again).toBe(stock);
    expect([bund, invalid].map((one) => (one as Refusal).message)).toEqual([
      'The file does not say the coupon of the bond. Create the instrument with its terms.',
      'isin must be an ISIN with a right check digit: the file says CH0010645933.',
    ]);
    const read = async (id: Id | Refusal | undefined) => (await admin.get(`/v1/instruments/${id as Id}`)).body;
    expect(await read(stock)).toMatchObject({ type: 'stock-instrument', ticker: 'GIVN', exchange: 'XSWX' });
    expect(await read(treasury)).toMatchObject({ type: 'bond-instrument', external_identifier: '912828ZQ6' });
    expect(await read(fund)).toMatchObject({ type: 'mutual-fund-instrument', sedol: 'B0YBKJ7' });
    expect(await read(certificate)).toMatchObject({ type: 'other-instrument', external_identifier: 'CH0224397171' });
    const meant = [stock, stock, 'missing', treasury, fund, certificate, 'missing'];
    expect(await instrumentsMeant(household, names)).toEqual(meant);
  });
});

const notFromFiles = ['id', 'created_at', 'day_count_convention', 'instrument_class_id', 'price_unit', 'tags'];

/** What an instrument is created with from these words, or why it is not. */
async function createdFrom(named: NamedInstrument): Promise<unknown> {
  const [outcome] = await withWork((work) => createNamedInstruments(work, [named]));
  if (outcome instanceof Refusal) return outcome.message;
  const path = `/v1/instruments/${outcome}`;
  const fields = Object.entries((await admin.get(path)).body);
  expect((await admin.send(path, { method: 'DELETE' })).status).toBe(204);
  return Object.fromEntries(fields.filter(([name, value]) => value !== null && !notFromFiles.includes(name)));
}

const ibm = { type: 'stock', isin: 'US4592001014', name: 'IBM' } as const;
const ibmStock = { type: 'stock-instrument', isin: 'US4592001014', name: 'IBM' };
const unilever = { type: 'stock', isin: 'GB00B10RZP78', name: 'Unilever' } as const;
const unileverStock = { type: 'stock-instrument', isin: 'GB00B10RZP78', name: 'Unilever' };
const maturity = '2031-05-15' as CalendarDate;

test.each<[string, NamedInstrument, unknown]>([
  ['its country', { name: 'A', country: 'ch' }, { type: 'other-instrument', name: 'A', issuer_country: 'CH' }],
  ['no country that does not exist', { name: 'A', country: 'Swiss' }, { type: 'other-instrument', name: 'A' }],
  ['no currency that does not exist', { name: 'A', currency: 'francs' }, { type: 'other-instrument', name: 'A' }],
  [
    'its currency, which is that of the listing of a stock',
    { ...ibm, currency: 'usd' },
    { ...ibmStock, currency: 'USD', listing_currency: 'USD' },
  ],
  ['no CUSIP that its ISIN has', { ...ibm, cusip: '459200101' }, ibmStock],
  ['a CUSIP beside its ISIN', { ...ibm, cusip: '912828ZQ6' }, { ...ibmStock, external_identifier: '912828ZQ6' }],
  [
    'the code of the custodian in place of a wrong CUSIP',
    { ...ibm, cusip: '912828ZQ7', custodianCode: ' a-1 ' },
    { ...ibmStock, external_identifier: 'a-1' },
  ],
  ['no SEDOL that its ISIN has', { ...unilever, sedol: 'B10RZP7' }, unileverStock],
  ['a SEDOL beside its ISIN', { ...unilever, sedol: 'B0YBKJ7' }, { ...unileverStock, sedol: 'B0YBKJ7' }],
  [
    'the market of its ticker, if it can be one',
    { ticker: 'aapl', mic: 'Nasdaq' },
    { type: 'stock-instrument', name: 'aapl', ticker: 'AAPL' },
  ],
  [
    'no coupon',
    { type: 'bond', name: 'Zero', maturity, couponRate: '0.00' as Decimal },
    { type: 'zero-coupon-bond-instrument', name: 'Zero', maturity },
  ],
  [
    'a name of 200 characters',
    { name: ` ${'n'.repeat(200)}m`, custodianCode: 'c'.repeat(201) },
    { type: 'other-instrument', name: 'n'.repeat(200), external_identifier: 'c'.repeat(200) },
  ],
  ['no name', { name: ' ', ticker: 'AAPL' }, 'The file does not say what the instrument is called.'],
  [
    'no maturity',
    { type: 'bond', name: 'Bond' },
    'The file does not say when the bond matures. Create the instrument with its terms.',
  ],
])('an instrument is created with %s', async (_what, named, fields) => {
  expect(await createdFrom(named)).toEqual(fields);
});

test('codes of custodians are learned for one client, from names that another code decides', async () => {
  const id = (await makeStock(admin, 'Learned', 'CHF')) as Id;
  const learn = (named: NamedInstrument, client: string | null) =>
    withWork((work) => learnInstruments(work, { client: client as Id | null, custodian: null }, [{ named, id }]));
  const named = { isin: 'CH0038863350', custodianCode: ' Learned-1 ' };
  expect(await learn(named, null)).toEqual([]);
  expect(await learn({ custodianCode: 'Learned-1', name: 'Learned' }, household.client)).toEqual([]);
  expect(await learn({ ...named, custodianCode: '  ' }, household.client)).toEqual([]);
  const [learned, ...others] = await learn(named, household.client);
  expect(others).toEqual([]);
  const content = JSON.stringify({ before: null, after: id });
  expect(learned).toEqual({ type: 'identifier-mapping', id: learned!.id, content });
  expect((await admin.get(`/v1/identifier-mappings/${learned!.id}`)).body).toMatchObject({
    value: 'Learned-1',
    source: 'learned',
    client_id: household.client,
    instrument_id: id,
  });
  expect(await learn(named, household.client)).toEqual([]);
});

describe('identifier mappings', () => {
  test('lead to one record of their kind, within their client', async () => {
    const account_id = await makeAccount(household, 'M-1', 'CHF');
    const foreign = await makeAccount(other, 'M-1', 'CHF');
    const client_id = household.client;
    const number = { kind: 'account', scheme: 'number', value: 'M 1' };
    const refusalOf = async (body: object): Promise<unknown> => {
      const [fault] = faultsOf(await admin.post('/v1/identifier-mappings', body));
      return [fault?.status, fault?.code, fault?.pointer];
    };
    expect(await refusalOf({ ...number, client_id })).toEqual([422, 'missing-attribute', '/account_id']);
    expect(await refusalOf({ ...number, account_id })).toEqual([422, 'missing-attribute', '/client_id']);
    expect(await refusalOf({ ...number, client_id, account_id, scheme: 'isin' })).toEqual([
      422,
      'invalid-attribute',
      '/scheme',
    ]);
    const faulty = async (body: object): Promise<unknown> =>
      faultsOf(await admin.post('/v1/identifier-mappings', body)).map(({ pointer, detail }) => `${pointer} ${detail}`);
    const instrument_id = await makeStock(admin, 'Named in many ways', 'CHF');
    const named = { kind: 'instrument', scheme: 'ticker', value: 'NAMED', instrument_id };
    expect(await faulty({ ...number, client_id, account_id, mic: 'XSWX' })).toEqual([
      '/mic Only a ticker has a market.',
    ]);
    expect(await faulty({ ...named, scheme: 'isin', mic: 'XSWX' })).toEqual(['/mic Only a ticker has a market.']);
    expect(await faulty({ ...named, currency: 'CHF' })).toEqual([
      '/currency Only the number of an account has a currency.',
    ]);
    expect(await faulty({ ...named, scheme: 'number' })).toEqual([
      '/scheme Instruments are named by a code or a name.',
    ]);
    expect(await faulty({ ...number, client_id, account_id, scheme: 'isin' })).toEqual([
      '/scheme Accounts and depositories are named by their number.',
    ]);
    expect(await faulty({ ...named, value: ' ' })).toEqual(['/value value must not be empty.']);
    expect(await makeMapping({ ...named, mic: 'XSWX' })).toMatchObject({ value: 'NAMED', mic: 'XSWX' });
    expect(await refusalOf({ ...number, client_id, account_id: foreign })).toEqual([
      422,
      'different-client',
      '/account_id',
    ]);
  });

  test('say one thing for each word, which can be read, listed, changed and deleted', async () => {
    const [first, second] = [await makeAccount(household, 'N-1', 'CHF'), await makeAccount(household, 'N-2', 'CHF')];
    const fields = { kind: 'account', scheme: 'number', value: 'N one', client_id: household.client };
    const made = await makeMapping({ ...fields, account_id: first });
    expect(made).toEqual({
      ...fields,
      id: made.id,
      currency: null,
      mic: null,
      transaction_type: null,
      action: null,
      source: 'manual',
      created_at: '2026-11-15T12:00:00.000Z',
      custodian_id: null,
      account_id: first,
      depository_id: null,
      instrument_id: null,
    });
    const twice = await admin.post('/v1/identifier-mappings', { ...fields, value: 'NONE', account_id: second });
    expect([twice.status, twice.body.code]).toEqual([409, 'identifier-mapping-exists']);
    const path = `/v1/identifier-mappings/${made.id}`;
    expect((await admin.send(path, { method: 'PATCH', body: { account_id: second } })).body.account_id).toBe(second);
    const depository_id = await makeRecord(admin, 'depositories', { legal_entity_id: household.legalEntity });
    const instrument_id = await makeStock(admin, 'Of another kind', 'CHF');
    for (const wrong of [{ account_id: null }, { depository_id }, { instrument_id }]) {
      const refused = await admin.send(path, { method: 'PATCH', body: wrong });
      expect(faultsOf(refused)).toMatchObject([{ status: 422, pointer: `/${Object.keys(wrong)[0]}` }]);
      const made = { ...fields, value: 'N two', account_id: first, ...wrong };
      expect((await admin.post('/v1/identifier-mappings', made)).status).toBe(422);
    }
    expect((await admin.get(path)).body).toMatchObject({
      account_id: second,
      depository_id: null,
      instrument_id: null,
    });
    expect((await admin.get(`/v1/identifier-mappings?account_id=${second}`)).body.data).toHaveLength(1);
    expect((await admin.send(`/v1/accounts/${second}`, { method: 'DELETE' })).status).toBe(204);
    expect((await admin.get(path)).status).toBe(404);
  });

  test('of all clients are seen by a token bound to one, and changed only by those that see all', async () => {
    const instrument_id = await makeStock(admin, 'Shared', 'CHF');
    const fields = { kind: 'instrument', scheme: 'custodian-code', value: 'shared-1', instrument_id };
    const { id } = await makeMapping(fields);
    const bound = await admin.becomeApplication({ rights: ['read', 'write'], scoped_to: household.client });
    expect((await bound.get(`/v1/identifier-mappings/${id}`)).status).toBe(200);
    expect((await bound.send(`/v1/identifier-mappings/${id}`, { method: 'DELETE' })).status).toBe(403);
    expect((await bound.post('/v1/identifier-mappings', { ...fields, value: 'shared-2' })).status).toBe(403);
  });
});
