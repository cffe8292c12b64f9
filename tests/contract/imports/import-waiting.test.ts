// Tests what an import waits for: each thing once, with the number of its rows; what is created for it; and that cash is not booked without its trades.

import { expect, test } from 'vitest';
import type { Caller, Reply } from '../../setup/http/caller.ts';
import { workspaceForThisFile } from '../../setup/node/test-service.ts';
import { CamtText } from '../../setup/statements/camt-text.ts';
import { makeHousehold, makeRecord } from '../../setup/structure/structure-document.ts';

const service = workspaceForThisFile();
const camt = new CamtText({ version: 8 });

const header =
  'Datum;Auftrag #;Transaktionen;Symbol;Name;ISIN;Anzahl;Stückpreis;Kosten;Aufgelaufene Zinsen;Nettobetrag;Währung Nettobetrag';
const deposit = (number: number): string => `15-01-2016;${number};Einzahlung;;;;1.0;100000.00;0.00;0.00;100000.00;CHF`;
const buy = (number: number, [symbol, name, isin]: readonly [string, string, string]): string =>
  `18-01-2016;${number};Kauf;${symbol};${name};${isin};500.0;82.10;35.00;0.00;-41085.00;CHF`;
const novartis = ['NOVN', 'Novartis N', 'CH0012005267'] as const;
const roche = ['ROG', 'Roche GS', 'CH0012032048'] as const;
const trades = [header, deposit(1), buy(2, novartis), buy(3, roche), buy(4, novartis), ''].join('\n');

async function setUp() {
  const admin = await service.openWorkspace();
  const household = await makeHousehold(admin, 'Amsel');
  const account = await makeRecord(admin, 'accounts', {
    entity_id: household.legalEntity,
    name: 'Brokerage',
    currency: 'CHF',
  });
  return { admin, account, ...household };
}

function sendFile(caller: Caller, query: string, file: string): Promise<Reply> {
  return caller.send(`/v1/imports?${query}`, { method: 'POST', raw: file, headers: { 'content-type': 'text/plain' } });
}

async function checked(caller: Caller, query: string, file: string): Promise<string> {
  const { status, body } = await sendFile(caller, query, file);
  expect(status).toBe(201);
  return body.id;
}

const post = (caller: Caller, path: string, body: unknown = undefined): Promise<Reply> => caller.post(path, body);

async function listAmounts(caller: Caller, account: string): Promise<string[]> {
  const { body } = await caller.get(`/v1/transactions?account_id=${account}`);
  return body.data.map(({ amount }: any) => amount);
}

test('each instrument that rows wait for is listed once, with the number of its rows and what answers it', async () => {
  const { admin, account } = await setUp();
  const id = await checked(admin, `account_id=${account}`, trades);
  const { status, body } = await admin.get(`/v1/imports/${id}/waiting`);
  expect(status).toBe(200);
  expect(body.data).toMatchObject([
    {
      needs: 'instrument',
      code: 'instrument-unknown',
      rows: 2,
      first_line: 3,
      instrument: { isin: 'CH0012005267', ticker: 'NOVN', name: 'Novartis N' },
      mapping: { kind: 'instrument', scheme: 'isin', value: 'CH0012005267' },
      creation: { kind: 'instrument', name: 'Novartis N', entity_id: null },
      candidates: [],
      first: { line: 3, stated: { amount: '-41085' } },
    },
    { rows: 1, first_line: 4, instrument: { name: 'Roche GS' } },
  ]);
  expect(body.totals).toEqual({
    groups: 2,
    rows: 3,
    new_accounts: 0,
    new_depositories: 0,
    new_instruments: 2,
    lacks_owner: false,
    unnamed_account_rows: 0,
    trade_rows: 3,
    cash_rows: 1,
  });
  const first = (await admin.get(`/v1/imports/${id}/waiting?limit=1`)).body;
  expect([first.data.length, first.has_more]).toEqual([1, true]);
  const second = (await admin.get(`/v1/imports/${id}/waiting?limit=1&cursor=${first.next_cursor}`)).body;
  expect([second.data[0].instrument.name, second.has_more]).toEqual(['Roche GS', false]);
});

test('cash is not booked without its trades, unless the caller says so', async () => {
  const { admin, account } = await setUp();
  const id = await checked(admin, `account_id=${account}`, trades);
  const refused = await post(admin, `/v1/imports/${id}/book`);
  expect([refused.status, refused.body.code]).toEqual([409, 'cash-without-trades']);
  expect(refused.body.detail).toContain('1 rows of cash would be booked without 3 trades');
  expect([await listAmounts(admin, account), (await admin.get(`/v1/imports/${id}`)).body.state]).toEqual([
    [],
    'checked',
  ]);
  const booked = await post(admin, `/v1/imports/${id}/book?cash_alone=true`);
  expect([booked.status, booked.body.counts]).toMatchObject([200, { booked: 1, needs: 3 }]);
  expect(await listAmounts(admin, account)).toEqual(['100000']);
  // What is left is booked without asking again.
  const rest = await post(admin, `/v1/imports/${id}/book?create_instruments=true`);
  expect([rest.status, rest.body.counts.booked]).toEqual([200, 4]);
});

test('a file that is booked at once is refused as a whole where its cash would go without its trades', async () => {
  const { admin, account } = await setUp();
  const refused = await sendFile(admin, `account_id=${account}&book=true`, trades);
  expect([refused.status, refused.body.code]).toEqual([409, 'cash-without-trades']);
  expect((await admin.get('/v1/imports')).body.data).toEqual([]);
  const booked = await sendFile(admin, `account_id=${account}&book=true&cash_alone=true`, trades);
  expect([booked.status, booked.body.counts.booked]).toEqual([201, 1]);
});

test('trades of one account do not hold up the cash of another', async () => {
  const { admin, account, legalEntity } = await setUp();
  const other = await makeRecord(admin, 'accounts', {
    entity_id: legalEntity,
    currency: 'CHF',
    external_identifier: 'B-2',
  });
  const cash = await checked(admin, `account_id=${other}`, [header, deposit(1), ''].join('\n'));
  const only = await checked(admin, `account_id=${account}`, [header, buy(2, novartis), ''].join('\n'));
  expect((await post(admin, `/v1/imports/${cash}/book`)).status).toBe(200);
  const { status, body } = await post(admin, `/v1/imports/${only}/book`);
  expect([status, body.counts.needs]).toEqual([200, 1]);
});

test('the instruments that a file names are created at once, and the import is checked again', async () => {
  const { admin, account } = await setUp();
  const id = await checked(admin, `account_id=${account}`, trades);
  const { status, body } = await post(admin, `/v1/imports/${id}/create-missing`, {});
  expect(status).toBe(200);
  expect(body.counts).toMatchObject({ rows: 4, booked: 4, needs: 0 });
  expect(body.creations.created.map(({ kind, name }: any) => `${kind} ${name}`)).toEqual([
    'instrument Novartis N',
    'instrument Roche GS',
  ]);
  expect(body.creations.refused).toEqual([]);
  expect(await listAmounts(admin, account)).toEqual([]);
  expect((await post(admin, `/v1/imports/${id}/book`)).body.counts.booked).toBe(4);
  const undone = await post(admin, `/v1/imports/${id}/undo`);
  expect(undone.body.warnings).toEqual([]);
  expect((await admin.get('/v1/instruments?q=novartis')).body.data).toEqual([]);
});

test('what was said when a file was checked holds when it is booked', async () => {
  const { admin, account } = await setUp();
  const id = await checked(admin, `account_id=${account}&create_instruments=true`, trades);
  expect((await admin.get(`/v1/imports/${id}`)).body.create_instruments).toBe(true);
  const other = await post(admin, `/v1/imports/${id}/book?create_instruments=false`);
  expect([other.status, other.body.code]).toEqual([409, 'cash-without-trades']);
  expect((await post(admin, `/v1/imports/${id}/book`)).body.counts).toMatchObject({ booked: 4, needs: 0 });
});

test('only what is chosen is created; deleting the import takes it back', async () => {
  const { admin, account } = await setUp();
  const id = await checked(admin, `account_id=${account}`, trades);
  const { body: waiting } = await admin.get(`/v1/imports/${id}/waiting`);
  const roches = waiting.data.find(({ instrument }: any) => instrument.name === 'Roche GS');
  const { body } = await post(admin, `/v1/imports/${id}/create-missing`, { keys: [roches.key] });
  expect(body.creations.created.map(({ name }: any) => name)).toEqual(['Roche GS']);
  expect(body.counts).toMatchObject({ booked: 2, needs: 2 });
  expect((await admin.get('/v1/instruments?q=roche')).body.data).toHaveLength(1);
  expect((await admin.send(`/v1/imports/${id}`, { method: 'DELETE' })).status).toBe(204);
  expect((await admin.get('/v1/instruments?q=roche')).body.data).toEqual([]);
});

const number = 'CH9300762011623852957';
const statementOf = (references: readonly string[]): string =>
  camt.document([{ entries: references.map((reference) => camt.entry({ amount: '200.00', reference })) }]);

test('an account that the file names is created with its number and currency for the only owner', async () => {
  const { admin, client, legalEntity } = await setUp();
  const id = await checked(admin, `client_id=${client}`, statementOf(['A-1', 'A-2']));
  const { body: waiting } = await admin.get(`/v1/imports/${id}/waiting`);
  expect(waiting.totals).toMatchObject({ new_accounts: 1, new_instruments: 0, lacks_owner: false });
  expect(waiting.data).toMatchObject([
    {
      needs: 'account',
      rows: 2,
      account: { number: number },
      creation: { kind: 'account', currency: 'CHF', entity_id: legalEntity },
    },
  ]);
  const { body } = await post(admin, `/v1/imports/${id}/create-missing`, {});
  const [{ id: account }] = body.creations.created;
  expect(body.counts).toMatchObject({ booked: 2, needs: 0 });
  expect((await admin.get(`/v1/accounts/${account}`)).body).toMatchObject({
    entity_id: legalEntity,
    currency: 'CHF',
    external_identifier: number,
  });
  await post(admin, `/v1/imports/${id}/book`);
  const { body: accounts } = await admin.get(`/v1/imports/${id}/accounts`);
  expect(accounts.data).toEqual([
    { account_id: account, name: `Account ${number} CHF`, currency: 'CHF', rows: 2, reported: false },
  ]);
  const reporting = await makeRecord(admin, 'reporting-entities', { client_id: client, name: 'All' });
  await makeRecord(admin, 'portfolios', { reporting_entity_id: reporting, account_ids: [account] });
  expect((await admin.get(`/v1/imports/${id}/accounts`)).body.data[0].reported).toBe(true);
});

test('of several owners somebody has to say which, and one of another client is refused', async () => {
  const { admin, client } = await setUp();
  const second = await makeRecord(admin, 'legal-entities', { client_id: client, name: 'Amsel Trust' });
  const { legalEntity: foreign } = await makeHousehold(admin, 'Kleiber');
  const id = await checked(admin, `client_id=${client}`, statementOf(['A-1']));
  expect((await admin.get(`/v1/imports/${id}/waiting`)).body).toMatchObject({
    totals: { lacks_owner: true },
    data: [{ creation: { entity_id: null } }],
  });
  const path = `/v1/imports/${id}/create-missing`;
  const unowned = await post(admin, path, {});
  expect([unowned.status, unowned.body.errors[0].pointer]).toEqual([422, '/entity_id']);
  const other = await post(admin, path, { entity_id: foreign });
  expect([other.status, other.body.code]).toEqual([422, 'different-client']);
  const { body } = await post(admin, path, { entity_id: second });
  expect((await admin.get(`/v1/accounts/${body.creations.created[0].id}`)).body.entity_id).toBe(second);
});

test('the account of a file that names none is said afterwards, with its client, and the import is checked again', async () => {
  const { admin, account, client } = await setUp();
  const id = await checked(admin, '', [header, deposit(1), deposit(2), ''].join('\n'));
  expect((await admin.get(`/v1/imports/${id}/waiting`)).body.totals.unnamed_account_rows).toBe(2);
  const { status, body } = await admin.patch(`/v1/imports/${id}`, { account_id: account });
  expect([status, body]).toMatchObject([
    200,
    { state: 'checked', client_id: client, account_id: account, counts: { booked: 2, needs: 0 } },
  ]);
  const rows = (await admin.get(`/v1/imports/${id}/rows`)).body.data;
  expect(rows.map((row: any) => row.account_id)).toEqual([account, account]);
  expect((await post(admin, `/v1/imports/${id}/book`)).body.counts.booked).toBe(2);
  expect(await listAmounts(admin, account)).toEqual(['100000', '100000']);
});

test('the rows of a client’s import stay with the client, and booked rows with their account', async () => {
  const { admin, account, legalEntity } = await setUp();
  const { client: other, legalEntity: foreign } = await makeHousehold(admin, 'Kleiber');
  const elsewhere = await makeRecord(admin, 'accounts', { entity_id: foreign, currency: 'CHF' });
  const second = await makeRecord(admin, 'accounts', { entity_id: legalEntity, currency: 'CHF' });
  const id = await checked(admin, `account_id=${account}`, [header, deposit(1), ''].join('\n'));
  const path = `/v1/imports/${id}`;
  for (const body of [{ account_id: elsewhere }, { client_id: other }, { client_id: other, account_id: elsewhere }])
    expect((await admin.patch(path, body)).body.code).toBe('different-client');
  expect((await admin.patch(path, { account_id: second })).body.account_id).toBe(second);
  await post(admin, `${path}/book`);
  const late = await admin.patch(path, { account_id: account });
  expect([late.status, late.body.code]).toEqual([409, 'import-not-possible']);
  const again = await post(admin, `${path}/check`);
  expect([again.status, again.body.code]).toEqual([409, 'import-not-possible']);
  await post(admin, `${path}/undo`);
  for (const reply of [await admin.patch(path, {}), await post(admin, `${path}/create-missing`, {})])
    expect([reply.status, reply.body.code]).toEqual([409, 'import-not-possible']);
});

test('a word that was mapped since says what it means, and checking again uses it', async () => {
  const { admin, account, client } = await setUp();
  const id = await checked(admin, `client_id=${client}`, statementOf(['A-1', 'A-2']));
  const [group] = (await admin.get(`/v1/imports/${id}/waiting`)).body.data;
  await post(admin, '/v1/identifier-mappings', { ...group.mapping, client_id: client, account_id: account });
  const [mapped] = (await admin.get(`/v1/imports/${id}/waiting`)).body.data;
  expect(mapped).toMatchObject({ key: group.key, meant: { id: account, name: 'Brokerage' } });
  const { body } = await post(admin, `/v1/imports/${id}/check`);
  expect([body.state, body.counts]).toMatchObject(['checked', { booked: 2, needs: 0 }]);
  expect(await listAmounts(admin, account)).toEqual([]);
});

test('a problem that very many rows share is told once, rows that are not kept included', async () => {
  const { admin, account } = await setUp();
  const bad = Array.from(
    { length: 700 },
    (_, index) => `31-13-2024;${index};Einzahlung;;;;1.0;1.00;0.00;0.00;1.00;CHF`,
  );
  const id = await checked(admin, `account_id=${account}`, [header, deposit(1), ...bad, ''].join('\n'));
  const { body } = await admin.get(`/v1/imports/${id}/problems`);
  const { body: record } = await admin.get(`/v1/imports/${id}`);
  const sum = body.data.reduce((total: number, { rows }: any) => total + rows, 0);
  expect([sum, record.counts.refused, record.not_kept.rows]).toEqual([700, 700, 200]);
  expect(body.data).toHaveLength(1);
  expect(body.data[0]).toMatchObject({ rows: 700, not_kept: 200, first_line: 3 });
});

test('problems and accounts of an import are listed page by page', async () => {
  const { admin, account, client, legalEntity } = await setUp();
  const other = await makeRecord(admin, 'accounts', {
    entity_id: legalEntity,
    currency: 'CHF',
    external_identifier: number,
  });
  const row = (date: string): string => `${date};1;Einzahlung;;;;1.0;1.00;0.00;0.00;1.00;CHF`;
  const bad = await checked(
    admin,
    `account_id=${account}`,
    [header, row('31-13-2024'), row('32-01-2024'), ''].join('\n'),
  );
  const good = await checked(admin, `client_id=${client}&account_id=${account}`, statementOf(['A-1']));
  await checked(admin, `account_id=${other}`, [header, deposit(1), ''].join('\n'));
  const problems = (await admin.get(`/v1/imports/${bad}/problems?limit=1`)).body;
  const rest = (await admin.get(`/v1/imports/${bad}/problems?limit=1&cursor=${problems.next_cursor}`)).body;
  expect([...problems.data, ...rest.data].map(({ first_line: line }: any) => line)).toEqual([2, 3]);
  expect([problems.has_more, rest.has_more]).toEqual([true, false]);
  const accounts = (await admin.get(`/v1/imports/${good}/accounts?limit=1`)).body;
  expect([accounts.data.map((one: any) => one.account_id), accounts.has_more]).toEqual([[other], false]);
});

test('accounts are found by a part of their number, name, currency or owner', async () => {
  const { admin, legalEntity } = await setUp();
  const account = await makeRecord(admin, 'accounts', {
    entity_id: legalEntity,
    name: 'Übernachtgeld',
    currency: 'EUR',
    institution: 'Bank Sonnenberg',
    external_identifier: 'CH93 0076 2011 6238 5295 7',
  });
  const found = async (q: string): Promise<boolean> => {
    const { body } = await admin.get(`/v1/accounts?q=${encodeURIComponent(q)}`);
    return body.data.length === 1 && body.data[0].id === account;
  };
  for (const q of ['ubernacht', '6238 5295', 'CH9300762011', 'sonnenberg eur', 'ÜBERNACHTGELD amsel'])
    expect([q, await found(q)]).toEqual([q, true]);
  for (const q of ['sonnenberg usd', 'nobody', '100%']) expect([q, await found(q)]).toEqual([q, false]);
});
