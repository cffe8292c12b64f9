// Limits, data quality, and then and today: what the pages say equals what the API says, in both languages.

import { beforeAll, expect, test } from 'vitest';
import { formatsOf } from '../../../src/surfaces/web/language/formats.ts';
import { makeReportHousehold, type ReportHousehold } from '../../setup/reports/report-household.ts';
import { book, bookedId } from '../../setup/ledger/ledger-household.ts';
import { insertPerson, signIn, type SignedInCaller } from '../../setup/people/person-caller.ts';
import { serviceForThisFile } from '../../setup/node/test-service.ts';

const service = serviceForThisFile();
const formats = formatsOf('en-GB');
const german = { 'accept-language': 'de-CH' };
let household: ReportHousehold;
let viewer: SignedInCaller;
let advisor: SignedInCaller;
let path: string;

beforeAll(async () => {
  household = await makeReportHousehold(service.admin);
  const { client, all, broken } = household;
  path = `/entities/${all}`;
  const person = async (role: 'viewer' | 'advisor'): Promise<SignedInCaller> =>
    signIn(service, await insertPerson(service, { memberships: [{ client, role, grants: [all, broken] }] }));
  [viewer, advisor] = [await person('viewer'), await person('advisor')];
});

test('limits are said in words, with value, room and what counts; others of the client are not there', async () => {
  const { admin } = service;
  const { client, all, other } = household;
  const cash = { kind: 'condition', field: 'currency', operator: 'in', value: ['CHF', 'EUR'] };
  const limit = async (name: string, fields: object): Promise<string> => {
    const reply = await admin.post('/v1/limits', { client_id: client, name, filter: cash, ...fields });
    expect([reply.status, reply.text]).toEqual([201, reply.text]);
    return reply.body.id;
  };
  expect((await advisor.get(`${path}/limits`)).text).toContain('There are no limits yet');
  const proportional = { kind: 'proportional', reporting_entity_id: all };
  const id = await limit('Francs and euros', { ...proportional, max_pct: '0.15' });
  await limit('Own', { kind: 'absolute', min_amount: '100' });
  await limit('Of the others', { ...proportional, reporting_entity_id: other, max_pct: '0.5' });
  const page = await advisor.get(`${path}/limits`);
  const {
    reporting_entities: [status],
  } = (await advisor.get(`/v1/limits/${id}/status`)).body;
  expect(status.state).toBe('breached');
  expect(page.text).toContain('Francs and euros: at most 15.0% of the whole value');
  expect(page.text).toContain('Own: at least CHF\u00A0100.00');
  expect(page.text).toContain('currency CHF or EUR');
  expect(page.text).toContain(formats.share(status.current_value));
  expect(page.text).toContain(formats.share(status.headroom.slice(1)));
  expect(page.text).toContain('Broken');
  expect(page.text).toContain(`explain?figure=limit_value&amp;limit_id=${id}`);
  expect(page.text).not.toContain('Of the others');
  const inGerman = await advisor.get(`${path}/limits`, german);
  expect(inGerman.text).toContain('Francs and euros – höchstens 15.0%');
  expect((await viewer.get(`${path}/limits`)).status).toBe(403);
});

test('each finding says what is wrong and what to do, and leads to the holding and the booking', async () => {
  const { data, counts } = (await advisor.get(`/v1/data-quality?reporting_entity_id=${household.all}`)).body;
  const page = await advisor.get(`${path}/data-quality`);
  const unidentified = data.find((one: any) => one.code === 'unidentified');
  expect(page.text).toContain('Units of an unnamed instrument');
  expect(page.text).toContain(unidentified.detail);
  expect(page.text).toContain(unidentified.remedy);
  expect(page.text).toContain(`${path}/activity/${household.unnamed}`);
  expect([...page.text.matchAll(/<table id="findings-/g)]).toHaveLength(counts.length);
  const inGerman = await advisor.get(`${path}/data-quality`, german);
  expect(inGerman.text).toContain('Die Anlage in diesen Buchungen angeben.');
  expect(inGerman.text).not.toContain(unidentified.remedy);
  const one = await advisor.get(`${path}/data-quality?code=unidentified`);
  expect([...one.text.matchAll(/<table id="findings-/g)]).toHaveLength(1);
  const file = await advisor.get(`${path}/data-quality?table=findings&format=csv`);
  expect(file.text.trim().split('\r\n')).toHaveLength(data.length + 1);
});

test('a figure that was corrected is said as it was then and as it is today, with what made the difference', async () => {
  const { admin, clock } = service;
  const { all, account, stock, bought } = household;
  clock.advance(1_000);
  const knownAt = new Date(clock.now()).toISOString();
  clock.advance(1_000);
  await admin.patch(`/v1/transactions/${bought}`, { quantity: '11', amount: '-770' });
  const added = bookedId(
    await book(admin, 'v1', { type: 'deposit', account_id: account, date: '2026-01-09', amount: '50' }),
  );
  const query = `known_at=${encodeURIComponent(knownAt)}&as_of=2026-03-01`;
  const page = await advisor.get(`${path}/known?${query}`);
  const report = `/v1/restatements?reporting_entity_id=${all}&from_known_at=${encodeURIComponent(knownAt)}&as_of=2026-03-01`;
  const { totals, data } = (await advisor.get(report)).body;
  for (const side of ['before', 'after']) expect(page.text).toContain(formats.money(totals[side].market_value, 'CHF'));
  expect(page.text).toContain(formats.signedMoney(totals.difference.market_value, 'CHF'));
  expect(data.map(({ id, change }: any) => [id, change])).toEqual(
    expect.arrayContaining([
      [bought, 'changed'],
      [added, 'added'],
    ]),
  );
  expect(page.text).toMatch(/Novartis AG[\s\S]*Booking corrected/);
  for (const id of [bought, added]) expect(page.text).toContain(`${path}/activity/${id}?`);
  expect((await advisor.get(`${path}/known?${query}`, german)).text).toContain('Buchung berichtigt');
  const forViewer = await viewer.get(`${path}/known?${query}`);
  expect(forViewer.text).toContain(formats.signedMoney(totals.difference.market_value, 'CHF'));
  expect(forViewer.text).toContain('is shown to advisors');
  expect(forViewer.text).not.toContain(bought);
  expect((await viewer.get(report)).status).toBe(403);
  expect((await advisor.get(`${path}/holdings?${query}`)).text + page.text).toContain('/known?');
  expect(stock).not.toBe('');
});

test('without a moment the page asks for one', async () => {
  const page = await viewer.get(`${path}/known`);
  expect(page.status).toBe(200);
  expect(page.text).toContain('Which moment?');
  expect(page.text).toContain('End of last year');
});

test('people see only those changes that concern the reporting entity', async () => {
  const { admin, clock } = service;
  const from = encodeURIComponent(new Date(clock.now()).toISOString());
  clock.advance(1_000);
  const hidden = await book(admin, 'v1', {
    type: 'deposit',
    account_id: household.hidden,
    date: '2026-01-09',
    amount: '5',
  });
  const report = `/v1/restatements?reporting_entity_id=${household.all}&from_known_at=${from}&as_of=2026-03-01`;
  const changes = async (caller: { get(path: string): Promise<any> }): Promise<string[]> =>
    (await caller.get(report)).body.data.map(({ id }: any) => id);
  expect(await changes(admin)).toContain(bookedId(hidden));
  expect(await changes(advisor)).not.toContain(bookedId(hidden));
});
