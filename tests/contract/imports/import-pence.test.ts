// Prices in pence: the instrument that is created is quoted in hundredths of the pound, and no price is taken for pounds.

import { expect, test } from 'vitest';
import { workspaceForThisFile } from '../../setup/node/test-service.ts';
import { makeHousehold, makeRecord } from '../../setup/structure/structure-document.ts';

const service = workspaceForThisFile();

const holdings = `:16R:GENL
:28E:1/ONLY
:20C::SEME//HOLDINGS1
:23G:NEWM
:98A::STAT//20240131
:97A::SAFE//D-1
:16S:GENL
:16R:SUBSAFE
:16R:FIN
:35B:ISIN GB00BH4HKS39
VODAFONE GROUP
:90B::MRKT//ACTU/GBX68,5
:98A::PRIC//20240131
:93B::AGGR//UNIT/100,
:16S:FIN
:16S:SUBSAFE
-
`;
const path = '/v1/imports?book=true&create_instruments=true';

test('a position in pence creates an instrument in pounds whose prices are in hundredths', async () => {
  const admin = await service.openWorkspace();
  const { client, legalEntity } = await makeHousehold(admin, 'Amsel');
  await makeRecord(admin, 'depositories', { legal_entity_id: legalEntity, external_identifier: 'D-1' });
  const { body } = await admin.send(`${path}&client_id=${client}`, { method: 'POST', raw: holdings });
  expect(body.counts).toMatchObject({ rows: 1, unchanged: 1 });
  const { data } = (await admin.get('/v1/instruments?limit=100')).body;
  const created = data.filter(({ name }: any) => name === 'VODAFONE GROUP');
  expect(created).toMatchObject([{ currency: 'GBP', price_unit: 'hundredths' }]);
});

test('prices of a file in pence are booked in pence, and refused for an instrument in pounds', async () => {
  const admin = await service.openWorkspace();
  await makeRecord(admin, 'import-profiles', {
    name: 'Quotes',
    content: 'prices',
    decimal_mark: 'point',
    date_order: 'year-month-day',
    recognised_by: ['Tag', 'Papier', 'Kurs'],
    columns: { date: ['Tag'], isin: ['Papier'], ticker: ['Zeichen'], price: ['Kurs'], currency: ['Waehrung'] },
  });
  const pounds = { type: 'stock-instrument', name: 'Unilever', isin: 'GB00B10RZP78', currency: 'GBP' };
  await makeRecord(admin, 'instruments', pounds);
  const raw = `Tag;Papier;Zeichen;Kurs;Waehrung
2024-01-31;GB00BH4HKS39;VOD;68.5;GBp
2024-01-31;GB00B10RZP78;ULVR;3850;GBX
`;
  const { body } = await admin.send(path, { method: 'POST', raw });
  expect(body.counts).toMatchObject({ rows: 2, booked: 1, refused: 1 });
  const rows = (await admin.get(`/v1/imports/${body.id}/rows`)).body.data;
  expect(rows.map(({ detail }: any) => detail)).toEqual([
    undefined,
    'The price is in hundredths of GBP, and the prices of Unilever are not. Set its price unit to hundredths, or send the price in GBP.',
  ]);
  const [created] = (await admin.get('/v1/instruments?isin=GB00BH4HKS39')).body.data;
  expect(created).toMatchObject({ ticker: 'VOD', currency: 'GBP', listing_currency: 'GBP', price_unit: 'hundredths' });
});
