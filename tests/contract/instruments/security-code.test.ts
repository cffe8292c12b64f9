// The codes of securities: an ISIN or a CUSIP names one instrument of a catalogue, and a second one is refused with the id of the first.

import { beforeAll, expect, test } from 'vitest';
import type { Caller } from '../../setup/http/caller.ts';
import { runSql } from '../../setup/database/sql.ts';
import { workspaceForThisFile } from '../../setup/node/test-service.ts';
import { reportedRefusal } from '../../setup/structure/client-document.ts';
import { makeHousehold, makeRecord, newDocument } from '../../setup/structure/structure-document.ts';

const service = workspaceForThisFile();
let admin: Caller;

beforeAll(async () => {
  admin = await service.openWorkspace();
});

const v1 = '/v1/instruments';
const stock = { type: 'stock-instrument', name: 'Stock' };

/** A refusal that names the first instrument. */
function taken(first: string, [code, pointer]: readonly [string, string]): object {
  return {
    status: 409,
    code: 'instrument-exists',
    detail: `Instrument ${first} of the same catalogue has the ${code} already. Use that instrument, or correct the code.`,
    pointer,
  };
}

test('an ISIN is of one instrument, whatever its type and the wire', async () => {
  const isin = 'CH0012005267';
  const first = await makeRecord(admin, 'instruments', { ...stock, isin });
  const refused = taken(first, [`ISIN ${isin}`, '/isin']);
  expect(reportedRefusal(await admin.post(v1, { ...stock, isin }))).toEqual(refused);
  const fund = { type: 'mutual-fund-instrument', name: 'Fund', isin };
  expect(reportedRefusal(await admin.post(v1, fund))).toEqual(refused);
  const document = newDocument('stock-instrument', { name: 'Stock', isin });
  expect(reportedRefusal(await admin.post('/api/v3/instruments', document))).toEqual({
    ...refused,
    pointer: '/data/attributes/isin',
  });
  const other = await makeRecord(admin, 'instruments', stock);
  expect(reportedRefusal(await admin.patch(`${v1}/${other}`, { isin }))).toEqual(refused);
  // Its own code is no second one.
  expect((await admin.patch(`${v1}/${first}`, { isin, name: 'Renamed' })).status).toBe(200);
  expect((await admin.patch(`${v1}/${first}`, { isin: null })).status).toBe(200);
  expect((await admin.patch(`${v1}/${other}`, { isin })).status).toBe(200);
  await admin.delete(`${v1}/${other}`);
  expect((await admin.patch(`${v1}/${first}`, { isin })).status).toBe(200);
});

test('a CUSIP is of one instrument of a type, also within an ISIN; other identifiers may repeat', async () => {
  const [isin, cusip] = ['US0378331005', '037833100'];
  const first = await makeRecord(admin, 'instruments', { ...stock, external_identifier: cusip });
  const byCusip = taken(first, [`CUSIP ${cusip}`, '/external_identifier']);
  expect(reportedRefusal(await admin.post(v1, { ...stock, external_identifier: cusip }))).toEqual(byCusip);
  expect(reportedRefusal(await admin.post(v1, { ...stock, isin }))).toEqual(taken(first, [`ISIN ${isin}`, '/isin']));
  await admin.patch(`${v1}/${first}`, { external_identifier: null, isin });
  expect(reportedRefusal(await admin.post(v1, { ...stock, external_identifier: cusip }))).toEqual(byCusip);
  expect(reportedRefusal(await admin.post(v1, { ...stock, external_identifier: isin }))).toEqual(
    taken(first, [`ISIN ${isin}`, '/external_identifier']),
  );
  const claim = { type: 'other-instrument', name: 'Claim', external_identifier: cusip };
  expect((await admin.post(v1, claim)).status).toBe(201);
  for (const external_identifier of ['037833101', 'CUST-1', 'CUST-1']) {
    expect((await admin.post(v1, { ...stock, external_identifier })).status).toBe(201);
  }
});

test('every catalogue has its own: the shared one, and that of each reporting entity', async () => {
  const isin = 'LU0323577923';
  const [one, two] = [await makeHousehold(admin, 'Amsel'), await makeHousehold(admin, 'Birke')];
  const ofOne = { ...stock, isin, reporting_entity_id: one.reportingEntity };
  await makeRecord(admin, 'instruments', { ...stock, isin });
  const first = await makeRecord(admin, 'instruments', ofOne);
  await makeRecord(admin, 'instruments', { ...ofOne, reporting_entity_id: two.reportingEntity });
  expect(reportedRefusal(await admin.post(v1, ofOne))).toEqual(taken(first, [`ISIN ${isin}`, '/isin']));
  const stranger = await service.openWorkspace();
  expect((await stranger.post(v1, { ...stock, isin })).status).toBe(201);
});

test('of several at once, one is created', async () => {
  const isin = 'CH0038863350';
  const replies = await Promise.all(Array.from({ length: 6 }, () => admin.post(v1, { ...stock, isin })));
  expect(replies.map(({ status }) => status).toSorted()).toEqual([201, 409, 409, 409, 409, 409]);
});

test('instruments that shared a code before can be changed in everything else', async () => {
  const [isin, fresh] = ['CH0012032048', 'CH0244767585'];
  await makeRecord(admin, 'instruments', { ...stock, isin });
  const second = await makeRecord(admin, 'instruments', { ...stock, isin: fresh });
  await runSql(service.database, `UPDATE instrument SET isin = '${isin}' WHERE id = '${second}'`);
  const changed = await admin.patch(`${v1}/${second}`, { name: 'Renamed', isin });
  expect([changed.status, changed.body.name, changed.body.isin]).toEqual([200, 'Renamed', isin]);
});
