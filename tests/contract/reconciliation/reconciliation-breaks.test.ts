// Breaks between statements of custodians and the ledger: found and classified by rounds, noted and accepted by people, closed when they
// go away, and opened again when they come back.

import { beforeAll, describe, expect, test } from 'vitest';
import { checkExplanations } from '../../setup/engine/explained-rows.ts';
import { errorCodeOf } from '../../setup/http/answer.ts';
import type { Caller } from '../../setup/http/caller.ts';
import { insertPerson, signIn } from '../../setup/people/person-caller.ts';
import { makeRecord } from '../../setup/structure/structure-document.ts';
import { serviceForThisFile } from '../../setup/node/test-service.ts';
import {
  bookFor,
  listBreaks,
  makeStatedHousehold,
  state,
  trade,
  unstate,
  type StatedHousehold,
} from '../../setup/reconciliation/stated-household.ts';

const service = serviceForThisFile();
let admin: Caller;
beforeAll(() => {
  ({ admin } = service);
});

const date = '2026-03-31';
const unknown = { isin: 'CH0038863350', name: 'Nestle SA' };

async function findingCodes(caller: Caller, { entity }: StatedHousehold): Promise<string[]> {
  const { body } = await caller.get(`/v1/data-quality?reporting_entity_id=${entity}`);
  return body.data.map(({ code }: { code: string }) => code).filter((code: string) => code.startsWith('break-'));
}

test('a break says what differs, since when, and why probably; it closes by itself and opens again under the same id', async () => {
  const household = await makeStatedHousehold(admin);
  const { client, account, depository, stock } = household;
  await state(admin, household, { date: '2026-03-10', instrument: stock, quantity: '100' });
  await state(admin, household, { date: '2026-03-20', instrument: stock, quantity: '90' });
  await state(admin, household, { date, instrument: stock, quantity: '90' }, { date, quantity: '9099.50' });
  const [cash, units] = (await listBreaks(admin, household)).toSorted((one, other) =>
    one.aspect < other.aspect ? -1 : 1,
  );
  expect(units).toEqual({
    id: expect.any(String),
    class: 'missing-trade',
    state: 'open',
    aspect: 'units',
    date,
    first_date: '2026-03-20',
    age_days: 240,
    stated: '90',
    ledger: '100',
    difference: '-10',
    currency: 'CHF',
    named: expect.objectContaining({ name: 'As the custodian says', isin: null }),
    note: null,
    transaction_ids: [],
    first_seen_at: '2026-11-15T12:00:00.000Z',
    opened_at: '2026-11-15T12:00:00.000Z',
    closed_at: null,
    accepted_by: null,
    accepted_at: null,
    client_id: client,
    account_id: null,
    depository_id: depository,
    instrument_id: stock,
    round_id: expect.any(String),
  });
  expect(cash).toMatchObject({
    class: 'cash',
    stated: '9099.5',
    ledger: '9000',
    difference: '99.5',
    account_id: account,
  });
  expect(await findingCodes(admin, household)).toEqual(['break-missing-trade', 'break-cash']);

  const sale = await trade(admin, household, {
    type: 'sell',
    date: '2026-03-12',
    quantity: '10',
    price: '10',
    fees: '0.5',
  });
  expect(await listBreaks(admin, household, '&state=open')).toEqual([]);
  expect(await findingCodes(admin, household)).toEqual([]);
  expect(await listBreaks(admin, household, '&state=closed')).toHaveLength(2);
  service.clock.advance(60_000);
  await admin.delete(`/v1/transactions/${sale}`);
  const again = await listBreaks(admin, household, `&state=open&depository_id=${depository}`);
  expect(again).toMatchObject([
    { id: units.id, first_seen_at: units.first_seen_at, opened_at: '2026-11-15T12:01:00.000Z' },
  ]);
  const last = await state(admin, household, {
    date,
    instrument: stock,
    quantity: '100',
    statedAt: '2026-12-01T00:00:00Z',
  });
  expect(await listBreaks(admin, household, '&state=open&class=missing-trade')).toEqual([]);
  await unstate(admin, last);
  expect(await listBreaks(admin, household, `&state=open&class=missing-trade&date=${date}`)).toMatchObject([
    { id: units.id },
  ]);
});

test('every class of break is found, and is a finding of data quality with its remedy', async () => {
  const household = await makeStatedHousehold(admin);
  const { stock, account } = household;
  const other = await makeRecord(admin, 'instruments', { type: 'stock-instrument', name: 'Sulzer', currency: 'CHF' });
  const third = await makeRecord(admin, 'instruments', { type: 'stock-instrument', name: 'Lonza', currency: 'CHF' });
  await admin.post(`/v1/instruments/${stock}/prices`, { date, value: '11' });
  const sale = { type: 'sell', date: '2026-03-30', settlement_date: '2026-04-02', quantity: '2', price: '20' };
  await bookFor(admin, household, {
    type: 'buy',
    date: '2026-03-05',
    instrument_id: other,
    quantity: '5',
    price: '20',
  });
  const unsettled = await bookFor(admin, household, { ...sale, instrument_id: other });
  await state(
    admin,
    household,
    { date, instrument: stock, quantity: '101', price: '12' },
    { date, instrument: other, quantity: '5' },
    { date, instrument: third, quantity: '3' },
    { date, instrument: unknown, quantity: '7' },
    { date, quantity: '1' },
  );
  const breaks = await listBreaks(admin, household);
  const found = new Map(breaks.map((one) => [one.class, one]));
  expect([...found.keys()].toSorted()).toEqual([
    'cash',
    'missing-trade',
    'price',
    'quantity',
    'timing',
    'unknown-instrument',
  ]);
  expect(found.get('unknown-instrument')).toMatchObject({
    instrument_id: null,
    named: unknown,
    ledger: null,
    stated: '7',
  });
  expect(found.get('price')).toMatchObject({
    aspect: 'price',
    instrument_id: stock,
    stated: '12',
    ledger: '11',
    difference: '1',
  });
  expect(found.get('timing')).toMatchObject({ instrument_id: other, difference: '2', transaction_ids: [unsettled] });
  expect((await findingCodes(admin, household)).toSorted()).toEqual([
    'break-cash',
    'break-missing-trade',
    'break-price',
    'break-quantity',
    'break-timing',
    'break-unknown-instrument',
  ]);
  const { body } = await admin.get(`/v1/data-quality?reporting_entity_id=${household.entity}&code=break-cash`);
  expect(body.data).toMatchObject([
    {
      severity: 'warning',
      account_id: account,
      date,
      amount: '-8939',
      currency: 'CHF',
      remedy: expect.stringContaining('accept'),
    },
  ]);
  const query = `reporting_entity_id=${household.entity}&sort=effect&explain=true`;
  const { data: sorted } = (await admin.get(`/v1/data-quality?${query}`)).body;
  checkExplanations(sorted);
  const effects = sorted.map(({ code, effect }: any) => `${code} ${effect}`);
  expect(effects.filter((one: string) => one.startsWith('break-'))).toEqual([
    'break-unknown-instrument null',
    'break-cash 8939',
    // 100 units at 11, of which the custodian's price of 12 would add an eleventh.
    'break-price 100',
    // 2 units that were last traded at 20, and one at 11.
    'break-timing 40',
    'break-quantity 11',
    // Nobody has ever paid for the third, and it has no price.
    'break-missing-trade null',
  ]);
  const rounds = await admin.get(`/v1/calculation-rounds?client_id=${household.client}`);
  expect(rounds.body.data[0].causes).toContain('statement');
});

test('an instrument that is unknown is found once its words are mapped, and the break goes away', async () => {
  const household = await makeStatedHousehold(admin);
  const { client, stock } = household;
  await state(admin, household, { date, instrument: { custodianCode: 'VAL-77' }, quantity: '100' });
  const open = await listBreaks(admin, household, '&state=open');
  expect(open.map((one) => one.class).toSorted()).toEqual(['missing-trade', 'unknown-instrument']);
  const mapping = {
    kind: 'instrument',
    scheme: 'custodian-code',
    value: 'VAL-77',
    instrument_id: stock,
    client_id: client,
  };
  expect(await admin.post('/v1/identifier-mappings', mapping)).toMatchObject({ status: 201 });
  expect(await listBreaks(admin, household, '&state=open')).toEqual([]);
});

describe('an accepted break', () => {
  test('names who accepted it and when, is no finding any more, and opens again when the difference becomes another', async () => {
    const household = await makeStatedHousehold(admin);
    const { stock } = household;
    await state(admin, household, { date, instrument: stock, quantity: '90' });
    const [one] = await listBreaks(admin, household);
    const path = `/v1/reconciliation-breaks/${one.id}`;
    const accepted = await admin.patch(path, { state: 'accepted', note: 'Blocked units are not listed.' });
    const { sub } = (await admin.get('/v1/me')).body;
    const expected = { state: 'accepted', note: 'Blocked units are not listed.', accepted_by: sub };
    expect(accepted).toMatchObject({ status: 200, body: { ...expected, accepted_at: expect.any(String) } });
    expect(await findingCodes(admin, household)).toEqual([]);
    await bookFor(admin, household, { type: 'deposit', date: '2026-04-01', amount: '1' });
    expect(await listBreaks(admin, household)).toMatchObject([expected]);
    await state(admin, household, { date: '2026-04-30', instrument: stock, quantity: '89' });
    expect(await listBreaks(admin, household)).toMatchObject([
      { id: one.id, state: 'open', accepted_by: null, accepted_at: null, note: expected.note, first_date: date },
    ]);
    await admin.patch(path, { state: 'accepted' });
    expect((await admin.patch(path, { state: 'open' })).body).toMatchObject({ state: 'open', accepted_by: null });
    expect(await findingCodes(admin, household)).toHaveLength(1);
  });

  test('cannot be closed by hand, and a closed one cannot be accepted', async () => {
    const household = await makeStatedHousehold(admin);
    const importId = await state(admin, household, { date, instrument: household.stock, quantity: '90' });
    const [{ id }] = (await listBreaks(admin, household)) as [{ id: string }];
    const path = `/v1/reconciliation-breaks/${id}`;
    expect(errorCodeOf(await admin.patch(path, { state: 'closed' }))).toBe('invalid-document');
    await unstate(admin, importId);
    expect(await listBreaks(admin, household, '&state=closed')).toMatchObject([{ id, closed_at: expect.any(String) }]);
    const refused = await admin.patch(path, { state: 'accepted' });
    expect([refused.status, errorCodeOf(refused)]).toEqual([409, 'break-closed']);
    expect((await admin.patch(path, { note: 'Was a wrong file.' })).body.note).toBe('Was a wrong file.');
  });
});

test('the tolerance is a setting of the client', async () => {
  const household = await makeStatedHousehold(admin);
  const { client, stock } = household;
  await state(admin, household, { date, instrument: stock, quantity: '100.4' }, { date, quantity: '9000.99' });
  expect(await listBreaks(admin, household)).toHaveLength(2);
  const changed = await admin.patch(`/v1/clients/${client}`, { reconciliation: { units_tolerance: '0.5' } });
  expect(changed.body.reconciliation).toEqual({
    units_tolerance: '0.5',
    cash_tolerance: '1',
    price_tolerance: '0.01',
    settlement_days: 5,
  });
  expect(await listBreaks(admin, household, '&state=open')).toMatchObject([{ class: 'cash' }]);
  await admin.patch(`/v1/clients/${client}`, { reconciliation: { cash_tolerance: 99 } });
  expect(await listBreaks(admin, household, '&state=open')).toEqual([]);
});

test('people see and accept the breaks of places that their reporting entities cover, and no others', async () => {
  const household = await makeStatedHousehold(admin);
  const { client, legalEntity, stock, entity } = household;
  const elsewhere = await makeRecord(admin, 'depositories', { legal_entity_id: legalEntity });
  await state(admin, household, { date, instrument: stock, quantity: '90' });
  await state(admin, { ...household, depository: elsewhere }, { date, instrument: stock, quantity: '5' });
  expect(await listBreaks(admin, household)).toHaveLength(2);
  const admins = await insertPerson(service, { memberships: [{ client, role: 'admin', grants: [entity] }] });
  const person = await signIn(service, admins);
  const visible = await listBreaks(person, household);
  expect(visible).toMatchObject([{ depository_id: household.depository }]);
  const path = `/v1/reconciliation-breaks/${visible[0].id}`;
  expect((await person.patch(path, { state: 'accepted' })).body.accepted_by).toBe(admins);
  const lines = await person.get(`/v1/reconciliations?client_id=${client}`);
  expect(lines.body.data).toMatchObject([{ depository_id: household.depository }]);
  const [hidden] = await listBreaks(admin, household, `&depository_id=${elsewhere}`);
  expect((await person.get(`/v1/reconciliation-breaks/${hidden.id}`)).status).toBe(404);
  const stranger = await insertPerson(service, {
    memberships: [{ client: await admin.makeClient('Other'), role: 'admin' }],
  });
  expect((await (await signIn(service, stranger)).get(path)).status).toBe(404);
});

test('a member without a reporting entity is not told whether an account or depository exists', async () => {
  const household = await makeStatedHousehold(admin);
  const { client, stock } = household;
  await state(admin, household, { date, instrument: stock, quantity: '90' });
  const ungranted = await insertPerson(service, { memberships: [{ client, role: 'advisor', grants: [] }] });
  const person = await signIn(service, ungranted);
  const nobodys = '0123456789abcdef01234567';
  for (const kind of ['account', 'depository'] as const) {
    for (const path of ['/v1/reconciliations', '/v1/reconciliation-breaks']) {
      const [own, unknown] = [household[kind], nobodys].map((id) => person.get(`${path}?${kind}_id=${id}`));
      const answers = (await Promise.all([own, unknown])).map((answer) => [answer?.status, answer?.body.code]);
      const refusal = [404, `${kind}-not-found`];
      expect([path, ...answers]).toEqual([path, refusal, refusal]);
    }
  }
});

test('a member is told of the accounts that a granted reporting entity covers, and no others', async () => {
  const household = await makeStatedHousehold(admin);
  const { client, entity, account, legalEntity } = household;
  const other = await makeRecord(admin, 'accounts', { entity_id: legalEntity, currency: 'CHF', name: 'Other' });
  const granted = await insertPerson(service, { memberships: [{ client, role: 'advisor', grants: [entity] }] });
  const person = await signIn(service, granted);
  const lots = `/v1/lots?reporting_entity_id=${entity}&account_id=`;
  for (const path of ['/v1/reconciliations?account_id=', '/v1/reconciliation-breaks?account_id=', lots]) {
    const statuses = [account, other].map(async (id) => (await person.get(`${path}${id}`)).status);
    expect([path, ...(await Promise.all(statuses))]).toEqual([path, 200, 404]);
  }
});
