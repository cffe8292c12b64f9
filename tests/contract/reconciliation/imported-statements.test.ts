// What statements say is held comes in with imports: it is compared with the ledger, and withdrawn when the import is undone.

import { expect, test } from 'vitest';
import { runSql } from '../../setup/database/sql.ts';
import type { Caller } from '../../setup/http/caller.ts';
import { runRounds } from '../../setup/limits/rounds.ts';
import { serviceForThisFile } from '../../setup/node/test-service.ts';
import { CamtText } from '../../setup/statements/camt-text.ts';
import { holdingText, semt002 } from '../../setup/statements/semt-text.ts';
import { makeHousehold, makeRecord } from '../../setup/structure/structure-document.ts';

const service = serviceForThisFile();
const camt = new CamtText({ version: 8 });
const iban = 'CH93 0076 2011 6238 5295 7';

const statement = camt.document([
  {
    balances: [camt.balance('OPBD', '1000.00', '2024-03-01'), camt.balance('CLBD', '1150.00', '2024-03-01')],
    entries: [
      camt.entry({ amount: '200.00', direction: 'CRDT', reference: 'A-1' }),
      camt.entry({ amount: '50.00', direction: 'DBIT', reference: 'A-2' }),
    ],
  },
]);

async function openBreaks(admin: Caller, client: string): Promise<any[]> {
  await runRounds(admin.address);
  return (await admin.get(`/v1/reconciliation-breaks?client_id=${client}&state=open`)).body.data;
}

test('the closing balance of an imported statement is a break until the balance before it is known, and goes with its import', async () => {
  const { admin } = service;
  const { client, legalEntity } = await makeHousehold(admin, 'Amsel');
  const account = await makeRecord(admin, 'accounts', {
    entity_id: legalEntity,
    currency: 'CHF',
    external_identifier: iban,
  });
  const headers = { 'content-type': 'application/xml' };
  const query = `client_id=${client}&book=true`;
  const { status, body } = await admin.send(`/v1/imports?${query}`, { method: 'POST', raw: statement, headers });
  expect([status, body.counts.booked]).toEqual([201, 2]);
  const found = {
    class: 'cash',
    account_id: account,
    date: '2024-03-01',
    stated: '1150',
    ledger: '150',
    difference: '1000',
  };
  expect(await openBreaks(admin, client)).toMatchObject([found]);

  const opening = { kind: 'account', account_id: account, date: '2024-02-29', market_value: '1000' };
  const uploaded = await admin.post('/v1/historical-holdings', opening);
  expect(uploaded.status).toBe(201);
  expect(await openBreaks(admin, client)).toEqual([]);
  const { data } = (await admin.get(`/v1/reconciliations?account_id=${account}`)).body;
  expect(data).toMatchObject([{ stated: '1150', ledger: '1150', difference: '0', classes: [] }]);

  await admin.delete(`/v1/historical-holdings/${uploaded.body.id}`);
  expect(await openBreaks(admin, client)).toMatchObject([found]);
  expect((await admin.send(`/v1/imports/${body.id}/undo`, { method: 'POST' })).status).toBe(200);
  expect(await openBreaks(admin, client)).toEqual([]);
  expect((await admin.get(`/v1/reconciliations?account_id=${account}`)).body.data).toEqual([]);
});

test('positions of an imported statement of a depository are reconciled; an instrument that nobody knows is a break', async () => {
  const { admin } = service;
  const { client, legalEntity } = await makeHousehold(admin, 'Fink');
  const owner = { legal_entity_id: legalEntity };
  const depository = await makeRecord(admin, 'depositories', { ...owner, external_identifier: 'DEP-77' });
  const file = semt002(`<BalForAcct>${holdingText()}</BalForAcct>`);
  const headers = { 'content-type': 'application/xml' };
  const query = `client_id=${client}&book=true`;
  const { status } = await admin.send(`/v1/imports?${query}`, { method: 'POST', raw: file, headers });
  expect(status).toBe(201);
  expect(await openBreaks(admin, client)).toMatchObject([
    {
      class: 'unknown-instrument',
      depository_id: depository,
      date: '2024-03-29',
      stated: '10',
      ledger: null,
      named: { isin: 'CH0012032048' },
    },
  ]);
});

test('a file that is checked first and booked later states every balance that it states when it is booked at once', async () => {
  const { admin } = service;
  const days = ['2024-03-01', '2024-03-04', '2024-03-05'];
  const file = camt.document(
    days.map((day, index) => ({
      id: `S-${index}`,
      balances: [camt.balance('OPBD', `${index}00.00`, day), camt.balance('CLBD', `${index + 1}00.00`, day)],
      entries: [camt.entry({ booked: day, reference: `B-${index}` })],
    })),
  );
  const statedAfter = async (name: string, isBookedAtOnce: boolean): Promise<unknown[]> => {
    const { client, legalEntity } = await makeHousehold(admin, name);
    const place = { entity_id: legalEntity, currency: 'CHF', external_identifier: iban };
    const account = await makeRecord(admin, 'accounts', place);
    const headers = { 'content-type': 'application/xml' };
    const query = `client_id=${client}&book=${isBookedAtOnce}`;
    const { body } = await admin.send(`/v1/imports?${query}`, { method: 'POST', raw: file, headers });
    if (!isBookedAtOnce) await admin.send(`/v1/imports/${body.id}/book`, { method: 'POST' });
    return runSql(
      service.database,
      `SELECT date::text, trim_scale(quantity)::text AS stated FROM stated_holding
       WHERE account_id = $1 AND known_until IS NULL ORDER BY date`,
      [account],
    );
  };
  const stated = days.map((date, index) => ({ date, stated: `${index + 1}00` }));
  expect(await statedAfter('Meise', true)).toEqual(stated);
  expect(await statedAfter('Star', false)).toEqual(stated);
});

test('positions of a first statement are differences until what was held before is uploaded, as the guide says', async () => {
  const admin = await service.openWorkspace();
  const { client, legalEntity } = await makeHousehold(admin, 'Gimpel');
  const owner = { legal_entity_id: legalEntity };
  const depository = await makeRecord(admin, 'depositories', { ...owner, external_identifier: 'DEP-77' });
  const terms = { type: 'stock-instrument', name: 'Roche', currency: 'CHF' };
  const instrument = await makeRecord(admin, 'instruments', { ...terms, isin: 'CH0012032048' });
  const file = semt002(`<BalForAcct>${holdingText()}</BalForAcct>`);
  await admin.send(`/v1/imports?client_id=${client}&book=true`, { method: 'POST', raw: file });
  const differences = async (): Promise<any[]> =>
    (await admin.get(`/v1/reconciliations?client_id=${client}&differences_only=true`)).body.data;
  expect(await differences()).toMatchObject([{ kind: 'units', stated: '10', ledger: '0', difference: '10' }]);
  const held = { kind: 'instrument', depository_id: depository, instrument_id: instrument, date: '2024-03-28' };
  expect((await admin.post('/v1/historical-holdings', { ...held, units: '10', market_value: '2500' })).status).toBe(
    201,
  );
  expect(await differences()).toEqual([]);
});
