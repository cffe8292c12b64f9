// The accounts of a consent: what the custodian lists and what rows wait for, created or linked, after which the rows are booked.

import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { bookWaiting } from '../../../src/jobs/waiting-rows.ts';
import { runSql } from '../../setup/database/sql.ts';
import { consentWithoutAccounts, type BareHousehold } from '../../setup/custody/bare-household.ts';
import { makeFeedWorker } from '../../setup/custody/connected-household.ts';
import { startTestSandbox, type RunningSandbox } from '../../setup/custody/sandbox.ts';
import type { Caller } from '../../setup/http/caller.ts';
import { serviceForThisFile } from '../../setup/node/test-service.ts';
import { makeRecord } from '../../setup/structure/structure-document.ts';

const service = serviceForThisFile();
let sandbox: RunningSandbox;

beforeAll(async () => {
  sandbox = await startTestSandbox(service.clock);
});
afterAll(() => sandbox.stop());

/** What the bank lists for the consent of this customer. */
const cash = { number: 'CH4508999000000002102', currency: 'EUR', kind: 'cash' } as const;
const securities = { number: 'SB-2102-D', currency: null, kind: 'securities' } as const;

interface Consented {
  readonly caller: Caller;
  readonly home: BareHousehold;
  readonly path: string;
  list(by?: Caller): Promise<any[]>;
}

/** A consent without any account; its feed has run, so that rows wait. */
async function consent(): Promise<Consented> {
  const caller = await service.openWorkspace();
  const home = await consentWithoutAccounts(service, caller, { origin: sandbox.origin });
  await makeFeedWorker(service).runAll();
  const path = `/v1/authorities/${home.authority}/accounts`;
  return { caller, home, path, list: async (by = caller) => (await by.get(path)).body.data };
}

const accountOf = (home: BareHousehold, fields: object): object => ({
  entity_id: home.legalEntity,
  currency: 'EUR',
  ...fields,
});

/** The rows of the feed that wait for an account, by their reasons. */
async function reasonsOf(caller: Caller, { authority }: BareHousehold): Promise<readonly string[]> {
  const [run] = (await caller.get(`/v1/feeds?authority_id=${authority}&state=finished`)).body.data;
  const rows = await caller.get(`/v1/imports/${run.import_ids[0]}/rows?outcome=needs&limit=100`);
  return [...new Set<string>(rows.body.data.map(({ code }: any) => code))];
}

test('a consent lists what the custodian says it is for, before its feed has run', async () => {
  const caller = await service.openWorkspace();
  const home = await consentWithoutAccounts(service, caller, { origin: sandbox.origin });
  const { status, body } = await caller.get(`/v1/authorities/${home.authority}/accounts`);
  const unknown = { account_id: null, depository_id: null, candidates: [], obstacle: null, detail: null };
  const common = { ...unknown, is_listed: true, state: 'new', waiting_rows: 0 };
  const proposed = { legal_entity_id: home.legalEntity };
  expect([status, body]).toEqual([
    200,
    {
      data: [
        {
          ...cash,
          ...common,
          name: 'Current account EUR',
          proposed: { ...proposed, name: 'Current account EUR', currency: 'EUR' },
        },
        {
          ...securities,
          ...common,
          name: 'Custody account',
          proposed: { ...proposed, name: 'Custody account', currency: null },
        },
      ],
      has_more: false,
      authority_id: home.authority,
      listed_at: new Date(service.clock.now()).toISOString(),
    },
  ]);
});

test('all of a consent is created and linked at once, the rows that waited are booked, and the feed goes on', async () => {
  const { caller, home, path, list } = await consent();
  expect((await list()).map((one) => [one.state, one.waiting_rows > 0])).toEqual([
    ['new', true],
    ['new', true],
  ]);
  const entity = await makeRecord(caller, 'reporting-entities', { client_id: home.client, name: 'Family' });
  const portfolio = await makeRecord(caller, 'portfolios', { reporting_entity_id: entity, name: 'All' });
  const { status, body } = await caller.post(path, { all: true, portfolio_id: portfolio });
  const [account, depository] = body.data;
  expect([status, body]).toEqual([
    200,
    {
      data: [
        { ...cash, outcome: 'created', account_id: account.account_id, depository_id: null, detail: null },
        { ...securities, outcome: 'created', account_id: null, depository_id: depository.depository_id, detail: null },
      ],
      has_more: false,
      rows: { state: 'done', imports: 1, booked: expect.any(Number), waiting: expect.any(Number) },
    },
  ]);
  expect(body.rows.booked).toBeGreaterThan(20);
  const created = (await caller.get(`/v1/accounts/${account.account_id}`)).body;
  expect(created).toMatchObject({
    name: 'Current account EUR',
    external_identifier: cash.number,
    currency: 'EUR',
    entity_id: home.legalEntity,
    custodian_id: home.custodian,
    depository_ids: [depository.depository_id],
  });
  expect((await caller.get(`/v1/portfolios/${portfolio}`)).body).toMatchObject({
    account_ids: [created.id],
    depository_ids: [depository.depository_id],
  });
  expect((await caller.get(`/v1/transactions?account_id=${created.id}`)).body.data.length).toBeGreaterThan(5);
  expect(await list()).toMatchObject([
    { state: 'linked', account_id: created.id, waiting_rows: 0 },
    { state: 'linked', depository_id: depository.depository_id, waiting_rows: 0 },
  ]);
  expect((await caller.get(`/v1/authorities/${home.authority}`)).body).toMatchObject({
    account_ids: [created.id],
    depository_ids: [depository.depository_id],
  });
  const events = (await caller.get('/v1/events?type=account.connected')).body.data;
  expect(events.map(({ data }: any) => data.object.id)).toEqual([created.id]);
  expect(await reasonsOf(caller, home)).toEqual(['instrument-unknown']);
  // Once more changes nothing.
  expect((await caller.post(path, { all: true })).body).toMatchObject({ data: [], rows: { imports: 0, booked: 0 } });
});

test('what exists and is not linked says so in its rows, and one click links it and books them', async () => {
  const { caller, home, path } = await consent();
  expect(await reasonsOf(caller, home)).toContain('account-unknown');
  const account = await makeRecord(caller, 'accounts', accountOf(home, { external_identifier: cash.number }));
  const [run] = (await caller.get(`/v1/feeds?authority_id=${home.authority}&state=finished`)).body.data;
  await caller.post(`/v1/imports/${run.import_ids[0]}/book`, undefined);
  const reasons = await reasonsOf(caller, home);
  expect(reasons).toContain('account-not-linked');
  const [listed] = (await caller.get(path)).body.data;
  expect(listed).toMatchObject({ ...cash, state: 'exists', account_id: account, obstacle: null });
  const { status, body } = await caller.post(path, { data: [{ number: cash.number }] });
  expect([status, body.data]).toMatchObject([200, [{ ...cash, outcome: 'linked', account_id: account }]]);
  expect((await caller.get(`/v1/accounts/${account}`)).body.custodian_id).toBe(home.custodian);
  expect((await caller.get(`/v1/transactions?account_id=${account}`)).body.data.length).toBeGreaterThan(0);
});

describe('a person says which account a number means', () => {
  test('an account without a number gets it', async () => {
    const { caller, home, path } = await consent();
    const account = await makeRecord(caller, 'accounts', accountOf(home, { name: 'Main account' }));
    await caller.patch(`/v1/accounts/${account}`, { external_identifier: null });
    const { body } = await caller.post(path, { data: [{ ...cash, link: account }] });
    expect(body.data).toMatchObject([{ outcome: 'linked', account_id: account }]);
    expect(body.rows.booked).toBeGreaterThan(0);
    expect((await caller.get(`/v1/accounts/${account}`)).body.external_identifier).toBe(cash.number);
  });

  test('an account with another number keeps it, and a mapping leads to it', async () => {
    const { caller, home, path, list } = await consent();
    const account = await makeRecord(caller, 'accounts', accountOf(home, { external_identifier: 'Old number 7' }));
    const { body } = await caller.post(path, { data: [{ ...cash, link: account }] });
    expect(body.rows.booked).toBeGreaterThan(0);
    expect((await caller.get(`/v1/accounts/${account}`)).body.external_identifier).toBe('Old number 7');
    expect((await list())[0]).toMatchObject({ state: 'linked', account_id: account, waiting_rows: 0 });
    const mappings = (await caller.get('/v1/identifier-mappings')).body.data;
    expect(mappings).toMatchObject([
      { value: cash.number, currency: 'EUR', account_id: account, custodian_id: home.custodian, source: 'manual' },
    ]);
  });

  test('where two accounts have the number, neither is taken with all, and the chosen one is', async () => {
    const { caller, home, path, list } = await consent();
    const number = { external_identifier: cash.number };
    const first = await makeRecord(caller, 'accounts', accountOf(home, { ...number, name: 'First' }));
    const second = await makeRecord(caller, 'accounts', accountOf(home, { ...number, name: 'Second' }));
    expect((await list())[0]).toMatchObject({
      state: 'exists',
      account_id: null,
      obstacle: 'ambiguous',
      candidates: [
        { id: first, name: 'First' },
        { id: second, name: 'Second' },
      ],
    });
    const all = await caller.post(path, { all: true });
    expect(all.body.data).toMatchObject([{ ...cash, outcome: 'left-out', account_id: null }, { outcome: 'created' }]);
    const chosen = await caller.post(path, { data: [{ ...cash, link: second }] });
    expect(chosen.body.data).toMatchObject([{ outcome: 'linked', account_id: second }]);
    expect((await caller.get(`/v1/transactions?account_id=${first}`)).body.data).toEqual([]);
    expect((await caller.get(`/v1/transactions?account_id=${second}`)).body.data.length).toBeGreaterThan(0);
  });
});

test('what cannot be linked says why: another legal entity, another custodian, another authority', async () => {
  const { caller, home, path, list } = await consent();
  const other = await makeRecord(caller, 'legal-entities', { client_id: home.client, name: 'Another company' });
  const elsewhere = await makeRecord(caller, 'accounts', {
    entity_id: other,
    currency: 'EUR',
    external_identifier: cash.number,
  });
  expect((await list())[0]).toMatchObject({ state: 'exists', obstacle: 'different-legal-entity' });
  const refused = await caller.post(path, { data: [{ ...cash, link: elsewhere }] });
  expect([refused.status, refused.body.code]).toEqual([409, 'different-legal-entity']);
  await caller.delete(`/v1/accounts/${elsewhere}`);

  const bank = await makeRecord(caller, 'custodians', { name: 'Another bank' });
  const atAnother = accountOf(home, { external_identifier: cash.number, custodian_id: bank });
  const kept = await makeRecord(caller, 'accounts', atAnother);
  expect((await list())[0]).toMatchObject({ state: 'exists', obstacle: 'different-custodian' });
  expect((await caller.post(path, { all: true })).body.data[0]).toMatchObject({ ...cash, outcome: 'left-out' });
  const created = await caller.post(path, { data: [{ ...cash, create: {} }] });
  expect(created.body.data).toMatchObject([{ outcome: 'created' }]);
  const own = created.body.data[0].account_id;
  expect(own).not.toBe(kept);

  const second = own.replace(/.$/, (digit: string) => (digit === '0' ? '1' : '0'));
  await runSql(
    service.database,
    `WITH other AS (INSERT INTO authority (workspace_id, environment, id, client_id, legal_entity_id, custodian_id, state, created_at)
       SELECT workspace_id, environment, $2, client_id, legal_entity_id, custodian_id, state, created_at FROM authority WHERE id = $1)
     UPDATE authority_account SET authority_id = $2 WHERE authority_id = $1`,
    [home.authority, second],
  );
  expect((await list())[0]).toMatchObject({ state: 'exists', account_id: own, obstacle: 'already-linked' });
  expect((await caller.post(path, { data: [cash] })).status).toBe(422);
});

test('a number that neither the custodian nor a row names is refused, as are a wrong currency and a second create', async () => {
  const { caller, home, path } = await consent();
  const faultOf = async (body: object): Promise<unknown> => {
    const reply = await caller.post(path, body);
    return [reply.status, reply.body.errors?.[0]?.pointer, reply.body.errors?.[0]?.detail];
  };
  expect(await faultOf({ data: [{ number: 'CH93' }] })).toEqual([
    422,
    '/data/0',
    'Neither the custodian nor a row that waits names CH93. Create the account, and link it to the authority.',
  ]);
  expect(
    await faultOf({
      data: [
        { ...securities, create: {} },
        { ...cash, create: { currency: 'USD' } },
      ],
    }),
  ).toEqual([422, '/data/1', `The account ${cash.number} is in EUR, and its currency cannot be USD.`]);
  expect(await faultOf({ data: [cash, cash] })).toEqual([422, '/data/1', `The number ${cash.number} is sent twice.`]);
  expect(await faultOf({})).toEqual([422, '/data', 'Send either all or data.']);
  await makeRecord(caller, 'accounts', accountOf(home, { external_identifier: cash.number }));
  expect(await faultOf({ data: [{ ...cash, create: {} }] })).toEqual([
    422,
    '/data/0',
    `A record has the number ${cash.number} already. Link it instead.`,
  ]);
  expect((await caller.get('/v1/depositories')).body.data).toEqual([]);
});

test('a token of another client sees neither the consent nor its accounts, and one that only reads creates none', async () => {
  const { caller, home, path } = await consent();
  const stranger = await makeRecord(caller, 'clients', { name: 'Stranger' });
  const rights = ['read', 'write', 'admin'];
  const scoped = await caller.becomeApplication({ rights, scoped_to: stranger });
  for (const reply of [await scoped.get(path), await scoped.post(path, { all: true })])
    expect([reply.status, reply.body.code]).toEqual([404, 'authority-not-found']);
  const reader = await caller.becomeApplication({ rights: ['read'], scoped_to: home.client });
  expect([(await reader.get(path)).status, (await reader.post(path, { all: true })).status]).toEqual([200, 403]);
  const own = await caller.becomeApplication({ rights, scoped_to: home.client });
  const theirs = await makeRecord(caller, 'legal-entities', { client_id: stranger, name: 'Theirs' });
  const foreign = await makeRecord(caller, 'accounts', { entity_id: theirs, currency: 'EUR' });
  const smuggled = await own.post(path, { data: [{ ...cash, link: foreign }] });
  expect([smuggled.status, smuggled.body.code]).toEqual([404, 'account-not-found']);
  expect((await own.post(path, { all: true })).body.data).toMatchObject([
    { outcome: 'created' },
    { outcome: 'created' },
  ]);
});

test('a consent that was revoked connects nothing any more', async () => {
  const { caller, home, path } = await consent();
  await caller.post(`/v1/admin/authorities/${home.authority}/revoke`, undefined);
  const reply = await caller.post(path, { all: true });
  expect([reply.status, reply.body.code]).toEqual([409, 'state-conflict']);
  expect((await caller.get('/v1/accounts')).body.data).toEqual([]);
});

test('very many rows are booked in the background, import by import, and a node that comes later finds nothing left', async () => {
  const { caller, home, path, list } = await consent();
  // As many imports as no request books.
  await runSql(
    service.database,
    `WITH copied AS (
       INSERT INTO import SELECT (jsonb_populate_record(i, jsonb_build_object('id', substr(i.id, 1, 20) || to_char(n, 'FM0000')))).*
       FROM import i, generate_series(1, 60) n WHERE i.client_id = $1 RETURNING id),
     listed AS (UPDATE feed_run r SET imports = r.imports || (SELECT array_agg(id ORDER BY id) FROM copied)
       WHERE r.authority_id = $2 AND r.imports <> '{}')
     INSERT INTO import_row SELECT (jsonb_populate_record(r, jsonb_build_object('import_id', c.id))).*
     FROM import_row r, copied c WHERE r.client_id = $1 AND r.outcome = 'needs'`,
    [home.client, home.authority],
  );
  const { body } = await caller.post(path, { all: true });
  expect(body.rows).toMatchObject({ state: 'under-way', imports: 0, booked: 0 });
  expect((await list())[0].waiting_rows).toBeGreaterThan(0);
  const { signal } = new AbortController();
  expect(await bookWaiting(service.context, signal)).toBe(61);
  expect((await list()).map((one) => [one.state, one.waiting_rows])).toEqual([
    ['linked', 0],
    ['linked', 0],
  ]);
  expect(await bookWaiting(service.context, signal)).toBe(0);
});
