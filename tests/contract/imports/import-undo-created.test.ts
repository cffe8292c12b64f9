// Undoing an import removes the instruments that it created and what it learned, unless others use them by now.

import { expect, test } from 'vitest';
import type { Caller } from '../../setup/http/caller.ts';
import { workspaceForThisFile } from '../../setup/node/test-service.ts';
import { flexDocument, flexRow, flexStatement, purchaseRow } from '../../setup/statements/flex-text.ts';
import { makeHousehold, makeRecord } from '../../setup/structure/structure-document.ts';

const service = workspaceForThisFile();
const trades = flexDocument([
  flexStatement({
    Trades: [
      flexRow('Trade', purchaseRow),
      flexRow('Trade', { ...purchaseRow, tradeID: '5002', symbol: 'IBM', isin: 'US4592001014', conid: '8314' }),
    ],
  }),
]);

async function importTrades(file: string) {
  const admin = await service.openWorkspace();
  const { client, legalEntity } = await makeHousehold(admin, 'Amsel');
  const place = { entity_id: legalEntity, currency: 'USD', external_identifier: 'U1234567' };
  const account = await makeRecord(admin, 'accounts', place);
  const path = `/v1/imports?client_id=${client}&book=true&create_instruments=true`;
  const { body } = await admin.send(path, { method: 'POST', raw: file });
  return { admin, client, account, body };
}

async function setUp() {
  const { body, ...rest } = await importTrades(trades);
  expect(body.counts).toMatchObject({ rows: 2, booked: 2 });
  return { ...rest, id: body.id };
}

/** Without those that the service provides. */
async function listInstruments(admin: Caller): Promise<any[]> {
  const { data } = (await admin.get('/v1/instruments?type=stock-instrument&limit=100')).body;
  return data.filter(({ isin }: any) => ['US0378331005', 'US4592001014'].includes(isin));
}

const listLearned = async (admin: Caller): Promise<any[]> =>
  (await admin.get('/v1/identifier-mappings?source=learned')).body.data;

test('instruments that nothing else uses and learned codes go with the import, each with an audit line', async () => {
  const { admin, id } = await setUp();
  const created = await listInstruments(admin);
  expect(created).toHaveLength(2);
  const learned = await listLearned(admin);
  expect(learned.map(({ value }) => value).toSorted()).toEqual(['265598', '8314']);
  const actsOn = async (subject: string): Promise<string[]> =>
    (await admin.get(`/v1/audit-log?subject_id=${subject}`)).body.data.map(({ act }: any) => act).toSorted();
  expect(await actsOn(learned[0].id)).toEqual(['create']);

  const undone = await admin.send(`/v1/imports/${id}/undo`, { method: 'POST' });
  expect(undone.body).toMatchObject({ state: 'undone', undone: { closed: 2, kept: 0 }, warnings: [] });
  expect(await listInstruments(admin)).toEqual([]);
  expect(await listLearned(admin)).toEqual([]);
  expect(await actsOn(learned[0].id)).toEqual(['create', 'delete']);
  expect(await actsOn(created[0].id)).toEqual(['create', 'delete']);
});

test('what others use, priced or changed since stays, and the import says why', async () => {
  const { admin, account, id } = await setUp();
  const [apple, ibm] = (await listInstruments(admin)).toSorted((one, other) => (one.isin < other.isin ? -1 : 1));
  const own = { type: 'buy', account_id: account, date: '2024-02-01', instrument_id: apple.id };
  expect((await admin.post('/v1/transactions', { ...own, quantity: '1', price: '150' })).status).toBe(201);
  await admin.patch(`/v1/instruments/${ibm.id}`, { name: 'International Business Machines' });
  const [mapping] = (await listLearned(admin)).filter(({ value }) => value === '8314');
  await admin.patch(`/v1/identifier-mappings/${mapping.id}`, { instrument_id: apple.id });

  const { body } = await admin.send(`/v1/imports/${id}/undo`, { method: 'POST' });
  expect(body.warnings).toMatchObject([{ code: 'instruments-kept' }]);
  expect(body.warnings[0].detail).toContain('2 instruments that this import created stay.');
  expect(body.warnings[0].detail).toContain(`${ibm.id}): It was changed since.`);
  expect((await listInstruments(admin)).map(({ id: one }) => one).toSorted()).toEqual([apple.id, ibm.id].toSorted());
  expect((await admin.get(`/v1/identifier-mappings/${mapping.id}`)).body).toMatchObject({ source: 'manual' });
});

test('one mapping or one price is enough for an instrument to stay', async () => {
  const { admin, id } = await setUp();
  const [apple, ibm] = (await listInstruments(admin)).toSorted((one, other) => (one.isin < other.isin ? -1 : 1));
  const mapping = { kind: 'instrument', scheme: 'custodian-code', value: 'APPLE', instrument_id: apple.id };
  expect((await admin.post('/v1/identifier-mappings', mapping)).status).toBe(201);
  const priced = await admin.post(`/v1/instruments/${ibm.id}/prices`, { date: '2024-02-01', value: '150' });
  expect(priced.status).toBe(201);
  const { body } = await admin.send(`/v1/imports/${id}/undo`, { method: 'POST' });
  const [{ detail }] = body.warnings;
  expect(detail).toContain(`${apple.id}): An identifier mapping leads to it.`);
  expect(detail).toContain(`${ibm.id}): It has prices or other values that this import did not bring.`);
});

test.each([5, 6])('of %i instruments that stay, five are named', async (count) => {
  const letters = 'ABCDEF'.slice(0, count);
  const rows = [...letters].map((letter, index) =>
    flexRow('Trade', { ...purchaseRow, tradeID: `6${index}`, symbol: `K${letter}`, isin: '', conid: `9${index}` }),
  );
  const { admin, body } = await importTrades(flexDocument([flexStatement({ Trades: rows })]));
  const { data } = (await admin.get('/v1/identifier-mappings?source=learned&limit=100')).body;
  for (const { instrument_id } of data) await admin.patch(`/v1/instruments/${instrument_id}`, { tags: ['kept'] });
  const undone = (await admin.send(`/v1/imports/${body.id}/undo`, { method: 'POST' })).body;
  const { detail } = undone.warnings.find(({ code }: { code: string }) => code === 'instruments-kept');
  expect(detail).toContain(`${count} instruments that this import created stay.`);
  expect(detail.match(/It was changed since\./g)).toHaveLength(5);
  expect(detail.endsWith(' And 1 more.')).toBe(count === 6);
});

test('an instrument that the filter of a limit names stays, and the import says so', async () => {
  const { admin, client, id } = await setUp();
  const [apple, ibm] = (await listInstruments(admin)).toSorted((one, other) => (one.isin < other.isin ? -1 : 1));
  const other = await makeRecord(admin, 'instruments', { type: 'stock-instrument', name: 'Another share' });
  const condition = {
    kind: 'condition',
    field: 'instrument.id',
    operator: 'in',
    value: [other, apple.id],
  };
  const currency = { kind: 'condition', field: 'currency', operator: 'equals', value: ['USD'] };
  const limit = { client_id: client, kind: 'proportional', max_pct: '0.2' };
  await makeRecord(admin, 'limits', { ...limit, filter: { kind: 'or', filters: [currency, condition] } });

  const { body } = await admin.send(`/v1/imports/${id}/undo`, { method: 'POST' });
  expect(body.warnings).toMatchObject([{ code: 'instruments-kept' }]);
  expect(body.warnings[0].detail).toContain(`${apple.id}): A limit names it.`);
  expect(body.warnings[0].detail).not.toContain(ibm.id);
  expect((await listInstruments(admin)).map(({ id: one }) => one)).toEqual([apple.id]);
});
