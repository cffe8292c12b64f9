// An accounting method that a custodian enforces counts for what it keeps, from the moment it is set; reports as known before keep the
// former one.

import { expect, test } from 'vitest';
import { makeRecord } from '../../setup/structure/structure-document.ts';
import { makeCustodyHousehold } from '../../setup/custody/custody-household.ts';
import { serviceForThisFile } from '../../setup/node/test-service.ts';

const service = serviceForThisFile();

test('AVERAGE of the custodian replaces FIFO of the client, and what was known before stays to the byte', async () => {
  const { admin } = service;
  const home = await makeCustodyHousehold(admin);
  const stock = await makeRecord(admin, 'instruments', {
    type: 'stock-instrument',
    name: 'Amsel',
    currency: 'EUR',
    listing_currency: 'EUR',
  });
  const entity = await makeRecord(admin, 'reporting-entities', { client_id: home.client, name: 'All' });
  await makeRecord(admin, 'portfolios', { reporting_entity_id: entity, account_ids: [home.account] });
  const book = async (fields: object) => {
    const reply = await admin.post('/v1/transactions', { account_id: home.account, instrument_id: stock, ...fields });
    expect([reply.status, reply.text]).toEqual([201, expect.any(String)]);
  };
  await book({ type: 'buy', date: '2026-01-05', quantity: '10', price: '10', amount: '-100' });
  await book({ type: 'buy', date: '2026-01-06', quantity: '10', price: '20', amount: '-200' });
  await book({ type: 'sell', date: '2026-01-07', quantity: '10', price: '30', amount: '300' });
  const path = `/v1/realised-gains?reporting_entity_id=${entity}&from=2026-01-01&to=2026-01-31`;
  const gains = async (more = ''): Promise<any[]> =>
    (await admin.get(path + more)).body.data.map(({ cost, gain }: any) => [cost, gain]);
  expect(await gains()).toEqual([['100', '200']]);
  const before = new Date(service.clock.now()).toISOString();
  const known = await admin.get(`${path}&known_at=${before}`);
  service.clock.advance(60_000);
  const changed = await admin.patch(`/v1/admin/custodians/${home.custodian}`, { accounting_method: 'AVERAGE' });
  expect([changed.status, changed.body.accounting_method]).toEqual([200, 'AVERAGE']);
  // 10 of the 20 units that cost 300.
  expect(await gains()).toEqual([['150', '150']]);
  expect((await admin.get(`${path}&known_at=${before}`)).text).toBe(known.text);
  expect((await admin.get(`/v1/custodians/${home.custodian}`)).body.accounting_method).toBe('AVERAGE');
  const changes = await admin.get(`/v1/restatements?reporting_entity_id=${entity}&from_known_at=${before}`);
  expect(changes.text).toContain('custodian');
  service.clock.advance(60_000);
  await admin.patch(`/v1/admin/custodians/${home.custodian}`, { accounting_method: 'SPECIFIC_ID' });
  const unnamed = await admin.post('/v1/transactions', {
    account_id: home.account,
    instrument_id: stock,
    type: 'sell',
    date: '2026-01-08',
    quantity: '1',
    price: '30',
    amount: '30',
  });
  expect([unnamed.status, unnamed.text]).toEqual([422, expect.stringContaining('lots')]);
});
