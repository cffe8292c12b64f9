// A CSV file of a layout that nobody has described: its lines wait with their columns, and are read in place once a profile says what they mean.

import { expect, test } from 'vitest';
import type { Caller, Reply } from '../../setup/http/caller.ts';
import { workspaceForThisFile } from '../../setup/node/test-service.ts';
import { makeHousehold, makeRecord } from '../../setup/structure/structure-document.ts';

const service = workspaceForThisFile();

async function setUp(currency = 'EUR') {
  const admin = await service.openWorkspace();
  const { client, legalEntity } = await makeHousehold(admin, 'Amsel');
  const account = await makeRecord(admin, 'accounts', { entity_id: legalEntity, currency });
  return { admin, client, account };
}

function send(caller: Caller, query: string, file: string): Promise<Reply> {
  return caller.send(`/v1/imports?${query}`, { method: 'POST', raw: file, headers: { 'content-type': 'text/csv' } });
}

const change = (caller: Caller, id: string, body: unknown): Promise<Reply> =>
  caller.send(`/v1/imports/${id}`, { method: 'PATCH', body });

const file = [
  'Depot Seefeld',
  '',
  'Wann;Vorfall;Wieviel;"Notiz; lang"',
  '31.12.2025;Spesen;-12,50;"Porto',
  'und ""Papier"""',
  '',
  '02.01.2026;Zinsen;3,25;',
  '',
].join('\n');

const profile = {
  name: 'Sheet of Seefeld',
  content: 'transactions',
  decimal_mark: 'comma',
  date_order: 'day-month-year',
  columns: { date: ['Wann'], type: ['Vorfall'], amount: ['Wieviel'], comment: ['Notiz; lang'] },
};

async function ledger(caller: Caller, account: string): Promise<string[]> {
  const { body } = await caller.get(`/v1/transactions?account_id=${account}&limit=100`);
  return body.data.map(({ type, date, amount, comment }: any) => [type, date, amount, comment].join(' '));
}

test('each column is listed with what stands in it and with what it probably says', async () => {
  const { admin, account } = await setUp();
  const { body } = await send(admin, `account_id=${account}`, 'Datum;Zzz;Belopp\n2026-01-02;a;1,50\n2026-01-03;b;\n');
  expect(body.counts).toMatchObject({ rows: 2, needs: 2 });
  const waiting = await admin.get(`/v1/imports/${body.id}/waiting`);
  expect(waiting.body.data).toMatchObject([
    {
      needs: 'mapping',
      rows: 2,
      columns: [
        { name: 'Datum', place: '#1', examples: ['2026-01-02', '2026-01-03'], field: 'date' },
        { name: 'Zzz', place: '#2', examples: ['a', 'b'] },
        { name: 'Belopp', place: '#3', examples: ['1,50'], field: 'amount' },
      ],
    },
  ]);
  const rows = await admin.get(`/v1/imports/${body.id}/rows`);
  expect(rows.body.data[0].stated).toEqual({ comment: '2026-01-02 · a · 1,50' });
});

test('its lines are read in place by the profile that is named, each where it was in the file', async () => {
  const { admin, account } = await setUp();
  const { body } = await send(admin, `account_id=${account}`, file);
  expect(body).toMatchObject({ profile: null, counts: { rows: 2, needs: 2 } });
  const made = await admin.post('/v1/import-profiles', profile);
  const read = await change(admin, body.id, { profile: made.body.id });
  expect(read.body).toMatchObject({
    id: body.id,
    state: 'checked',
    profile: made.body.id,
    counts: { rows: 2, booked: 2, needs: 0, refused: 0 },
  });
  const rows = await admin.get(`/v1/imports/${body.id}/rows`);
  expect(rows.body.data.map(({ line }: any) => line)).toEqual([4, 7]);
  expect(await ledger(admin, account)).toEqual([]);
  await admin.post(`/v1/imports/${body.id}/book`, undefined);
  const booked = ['fee 2025-12-31 -12.5 Porto und "Papier"', 'interest 2026-01-02 3.25 '];
  expect(await ledger(admin, account)).toEqual(booked);
  // The next file of the layout is read by itself, and says nothing new.
  const again = await send(admin, `account_id=${account}&book=true`, file);
  expect(again.body).toMatchObject({ profile: made.body.id, counts: { rows: 2, unchanged: 2 } });
  const undone = await admin.post(`/v1/imports/${body.id}/undo`, undefined);
  expect(undone.body.undone).toMatchObject({ closed: 2, kept: 0 });
  expect(await ledger(admin, account)).toEqual([]);
});

test('a profile that does not fit the file changes nothing', async () => {
  const { admin, account } = await setUp();
  const { body } = await send(admin, `account_id=${account}`, file);
  const made = await admin.post('/v1/import-profiles', {
    ...profile,
    columns: { date: ['Tag'], amount: ['Betrag'] },
  });
  const refused = await change(admin, body.id, { profile: made.body.id });
  expect([refused.status, refused.body.code]).toEqual([422, 'unreadable-file']);
  const unknown = await change(admin, body.id, { profile: 'f'.repeat(24) });
  expect([unknown.status, unknown.body.code]).toEqual([404, 'import-profile-not-found']);
  const kept = await admin.get(`/v1/imports/${body.id}`);
  expect(kept.body).toMatchObject({ profile: null, counts: { rows: 2, needs: 2 } });
});

test('a file that was read by a profile, or is booked, is sent again for another one', async () => {
  const { admin, account } = await setUp();
  const made = await admin.post('/v1/import-profiles', profile);
  const { body } = await send(admin, `account_id=${account}`, file);
  const refused = await change(admin, body.id, { profile: made.body.id });
  expect([refused.status, refused.body.code]).toEqual([409, 'import-not-possible']);
});

test('lines that no import keeps are not read half: the file is sent again', async () => {
  const { admin, account } = await setUp();
  const long = [
    'Wann;Vorfall;Wieviel',
    ...Array.from({ length: 10_001 }, (_, index) => `31.12.2025;Spesen;-${index},50`),
    '',
  ];
  const { body } = await send(admin, `account_id=${account}`, long.join('\n'));
  expect(body.not_kept.rows).toBe(1);
  const made = await admin.post('/v1/import-profiles', {
    ...profile,
    columns: { date: ['Wann'], amount: ['Wieviel'] },
  });
  const refused = await change(admin, body.id, { profile: made.body.id });
  expect([refused.status, refused.body.code]).toEqual([409, 'import-not-possible']);
});

test('dates of a CSV that may be of two days wait as one question, and one answer reads all of them', async () => {
  for (const [order, day] of [
    ['day-month-year', '2025-04-03'],
    ['month-day-year', '2025-03-04'],
  ] as const) {
    const { admin, account } = await setUp();
    const text = 'Date,Description,Amount,Balance\n03/04/2025,Rent,-5.00,95.00\n05/05/2025,Shop,-2.00,93.00\n';
    const { body } = await send(admin, `account_id=${account}`, text);
    const waiting = await admin.get(`/v1/imports/${body.id}/waiting`);
    expect(waiting.body.data).toMatchObject([{ needs: 'date-order', code: 'date-order-unknown' }]);
    const checked = await admin.post(`/v1/imports/${body.id}/check?date_order=${order}`, undefined);
    expect(checked.body).toMatchObject({ state: 'checked', date_order: order, counts: { booked: 2, needs: 0 } });
    expect(await ledger(admin, account)).toEqual([]);
    await admin.post(`/v1/imports/${body.id}/book`, undefined);
    expect((await ledger(admin, account)).toSorted()[0]).toContain(day);
    const said = await send(admin, `account_id=${account}&book=true&date_order=${order}`, text);
    expect(said.body).toMatchObject({ date_order: order, counts: { booked: 0, needs: 0, refused: 0 } });
  }
});

test('orders that wait or were cancelled are not booked from a plain file', async () => {
  const { admin, account } = await setUp();
  const lines = ['Date,Type,Amount,Status', '2026-01-02,Deposit,5,Completed', '2026-01-03,Deposit,7,Pending'];
  const { body } = await send(
    admin,
    `account_id=${account}&book=true`,
    [...lines, '2026-01-04,Deposit,9,Cancelled', ''].join('\n'),
  );
  expect(body.counts).toMatchObject({ booked: 1, unchanged: 1 });
  expect(await ledger(admin, account)).toEqual(['deposit 2026-01-02 5 ']);
});

test('a price in the currency of the instrument and cash in that of the account say the exchange rate', async () => {
  const { admin, account } = await setUp('GBP');
  const instrument = { type: 'stock-instrument', name: 'Seefeld', isin: 'CH0038863350', currency: 'USD' };
  const made = await admin.post('/v1/instruments', instrument);
  expect(made.status).toBe(201);
  const trade = [
    'Action,Time,ISIN,Ticker,Name,No. of shares,Price / share,Currency (Price / share),Exchange rate,Total,Currency (Total),Currency conversion fee,Currency (Currency conversion fee),ID',
    'Market buy,2026-03-05 14:31:00,CH0038863350,SEE,Seefeld,2.0,170.00,USD,1.25,272.40,GBP,0.40,GBP,E1',
    '',
  ].join('\n');
  const { body } = await send(admin, `account_id=${account}&book=true`, trade);
  expect(body.counts).toMatchObject({ rows: 1, booked: 1 });
  const { body: booked } = await admin.get(`/v1/transactions?account_id=${account}`);
  expect(booked.data).toMatchObject([
    { amount: '-272.4', currency: 'GBP', quantity: '2', price: '170', exchange_rate: '0.8', fees: '0.5' },
  ]);
});
