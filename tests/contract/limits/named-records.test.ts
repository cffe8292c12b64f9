// What the filters of limits name: it must exist when the limit is written, stays while the limit does, and a limit whose record is gone
// says so instead of being compliant.

import { beforeAll, describe, expect, test } from 'vitest';
import type { Caller, Reply } from '../../setup/http/caller.ts';
import { makeStock } from '../../setup/ledger/ledger-household.ts';
import { makeLimitHousehold, type LimitHousehold } from '../../setup/limits/limit-household.ts';
import { runRounds } from '../../setup/limits/rounds.ts';
import { classIdByPath } from '../../setup/instruments/instrument-document.ts';
import { serviceForThisFile } from '../../setup/node/test-service.ts';
import { reportedRefusal } from '../../setup/structure/client-document.ts';
import { faultsOf, makeRecord, unknownId } from '../../setup/structure/structure-document.ts';

const service = serviceForThisFile();
let admin: Caller;
let household: LimitHousehold;
let other: LimitHousehold;

beforeAll(async () => {
  ({ admin } = service);
  household = await makeLimitHousehold(admin);
  other = await makeLimitHousehold(admin, 'Bussard');
});

const naming = (field: string, value: unknown, operator = 'in'): object => ({
  kind: 'condition',
  field,
  operator,
  value: Array.isArray(value) ? value : [value],
});

function createLimit(filter: object, fields: object = {}): Promise<Reply> {
  return admin.post('/v1/limits', {
    client_id: household.client,
    kind: 'absolute',
    max_amount: '5000',
    filter,
    ...fields,
  });
}

async function limitId(filter: object, fields: object = {}): Promise<string> {
  const reply = await createLimit(filter, fields);
  expect([reply.status, reply.body]).toMatchObject([201, {}]);
  return reply.body.id;
}

async function statusOf(id: string): Promise<any> {
  return (await admin.get(`/v1/limits/${id}/status`)).body.reporting_entities[0];
}

/** The present state of a limit, by its shown status. */
const gone = { state: 'not_evaluable', reason: 'names-nothing', current_value: null, matches: null };

describe('a filter', () => {
  test.each([
    ['class id', 'instrument_class.id', 'There is no instrument class'],
    ['instrument', 'instrument.id', 'There is no instrument'],
    ['portfolio', 'portfolio.id', 'There is no portfolio'],
    ['custodian', 'custodian', 'There is no custodian'],
  ])('that names an unknown %s is refused on both wires', async (_what, field, detail) => {
    const filter = { kind: 'and', filters: [naming('currency', 'CHF'), naming(field, ['x', unknownId])] };
    for (const path of ['/v1/limits', '/v2/limits']) {
      const sent = { client_id: household.client, kind: 'absolute', max_amount: 1, filter };
      expect(faultsOf(await admin.post(path, sent))).toEqual(
        ['x', unknownId].map((value, at) => ({
          status: 422,
          code: 'invalid-attribute',
          pointer: `/filter/filters/1/value/${at}`,
          detail: expect.stringContaining(`${detail} "${value}"`),
        })),
      );
    }
  });

  test.each([
    ['starts_with', ['Equity'], 'There is no instrument class "Equity". The nearest is "Equities".'],
    [
      'equals',
      ['Equities', 'Emerging market'],
      'There is no instrument class "Equities / Emerging market". The nearest is "Equities / Emerging markets".',
    ],
    ['in', ['Cash', 'equitys'], 'There is no instrument class "equitys". The nearest is "Equities".'],
    [
      'starts_with',
      ['Emerging markets'],
      'There is no instrument class "Emerging markets". The nearest is "Equities / Emerging markets".',
    ],
  ])('that names an unknown class path with %s %j is refused with the nearest', async (operator, value, detail) => {
    const [fault] = faultsOf(await createLimit(naming('instrument_class.path', value, operator)));
    expect(fault).toMatchObject({ status: 422, detail });
    expect(fault?.pointer).toBe(operator === 'in' ? '/filter/value/1' : '/filter/value');
  });

  test('that names a custodian by its name is told the id', async () => {
    const id = await makeRecord(admin, 'custodians', { name: 'Bank Sonnenberg' });
    const [fault] = faultsOf(await createLimit(naming('custodian', 'Sonnenberg')));
    expect(fault?.detail).toBe(`There is no custodian "Sonnenberg". The nearest is ${id} (Bank Sonnenberg).`);
  });

  test('that names a portfolio or a private instrument of another client is refused as if there were none', async () => {
    const portfolio = faultsOf(await createLimit(naming('portfolio.id', other.portfolio)));
    expect(portfolio).toMatchObject([{ status: 422, code: 'invalid-attribute' }]);
    expect(portfolio[0]?.detail).toContain(`There is no portfolio "${other.portfolio}".`);
    const fund = await makeRecord(admin, 'instruments', {
      type: 'private-market-fund',
      name: 'Club deal',
      currency: 'CHF',
      commitment: '100',
      reporting_entity_id: other.reportingEntity,
    });
    expect(faultsOf(await createLimit(naming('instrument.id', fund)))[0]?.detail).toBe(
      `There is no instrument "${fund}".`,
    );
  });

  test('is checked again when it changes', async () => {
    const id = await limitId(naming('portfolio.id', household.portfolio));
    const change = await admin.patch(`/v1/limits/${id}`, { filter: naming('portfolio.id', unknownId) });
    expect(faultsOf(change)).toMatchObject([{ status: 422, pointer: '/filter/value' }]);
    expect((await admin.patch(`/v1/limits/${id}`, { name: 'Family' })).status).toBe(200);
  });
});

describe('what a limit names', () => {
  test.each([
    ['portfolios', 'portfolio.id', () => ({ reporting_entity_id: household.reportingEntity, name: 'Reserve' })],
    ['instruments', 'instrument.id', () => ({ type: 'stock-instrument', name: 'Roche', currency: 'CHF' })],
    ['custodians', 'custodian', () => ({ name: 'Bank Falkenstein' })],
    ['instrument-classes', 'instrument_class.id', () => ({ name: 'Watches' })],
  ])('(%s) cannot be deleted on v1 until the limit is', async (plural, field, fields) => {
    const record = await makeRecord(admin, plural, fields());
    const limit = await limitId(naming(field, record), { name: 'Little of it' });
    expect(reportedRefusal(await admin.delete(`/v1/${plural}/${record}`))).toMatchObject({
      status: 409,
      code: 'named-by-limits',
      detail: expect.stringContaining(`1 limit names it: “Little of it” (${limit}).`),
    });
    expect((await admin.get(`/v1/${plural}/${record}`)).status).toBe(200);
    await admin.delete(`/v1/limits/${limit}`);
    expect((await admin.delete(`/v1/${plural}/${record}`)).status).toBe(204);
  });

  test.each([
    ['starts_with', ['Equities', 'Frontier']],
    ['in', ['Frontier']],
  ])('(a class by its path, %s %j) cannot be deleted either', async (operator, value) => {
    const record = await makeRecord(admin, 'instrument-classes', {
      name: 'Frontier',
      parent_id: await classIdByPath(admin, 'Equities'),
    });
    const limit = await limitId(naming('instrument_class.path', value, operator));
    expect(reportedRefusal(await admin.delete(`/v1/instrument-classes/${record}`))).toMatchObject({
      status: 409,
      code: 'named-by-limits',
    });
    await admin.delete(`/v1/limits/${limit}`);
    expect((await admin.delete(`/v1/instrument-classes/${record}`)).status).toBe(204);
  });
});

describe('a limit is not evaluable', () => {
  test('once its portfolio is deleted on JSON:API, which has no condition for that', async () => {
    const portfolio = await makeRecord(admin, 'portfolios', {
      reporting_entity_id: household.reportingEntity,
      account_ids: [household.account],
    });
    const id = await limitId(naming('portfolio.id', portfolio, 'equals'));
    expect(await statusOf(id)).toMatchObject({ state: 'compliant', current_value: '1000', matches: 4 });
    expect((await admin.delete(`/api/v2/portfolios/${portfolio}`)).status).toBe(204);
    const status = await statusOf(id);
    expect(status).toMatchObject(gone);
    expect(status.detail).toBe(
      `The filter names "${portfolio}" as portfolio.id, which does not exist or no longer does.`,
    );
  });

  test('once its instrument is deleted on JSON:API; the next round records it', async () => {
    const instrument = await makeStock(admin, 'Roche');
    const id = await limitId(naming('instrument.id', instrument));
    await runRounds(service.addresses.baseUrl);
    expect(await statusOf(id)).toMatchObject({ state: 'compliant', matches: 0, since: expect.any(String) });
    expect((await admin.delete(`/api/v3/instruments/${instrument}`)).status).toBe(204);
    expect(await statusOf(id)).toMatchObject({ ...gone, since: null });
    await runRounds(service.addresses.baseUrl);
    expect(await statusOf(id)).toMatchObject({ ...gone, since: expect.any(String) });
  });

  test('while the class of its path has another name, and counts again when it is named so again', async () => {
    const record = await makeRecord(admin, 'instrument-classes', { name: 'Art' });
    const id = await limitId(naming('instrument_class.path', ['Art'], 'starts_with'));
    await admin.patch(`/v1/instrument-classes/${record}`, { name: 'Fine art' });
    expect(await statusOf(id)).toMatchObject(gone);
    await admin.patch(`/v1/instrument-classes/${record}`, { name: 'Art' });
    expect(await statusOf(id)).toMatchObject({ state: 'compliant', matches: 0 });
  });
});

test('an account that joins a second portfolio is still in the first, whichever the limit names', async () => {
  const id = await limitId(naming('portfolio.id', household.portfolio, 'equals'), { max_amount: '900' });
  expect(await statusOf(id)).toMatchObject({ state: 'breached', current_value: '1000' });
  const second = await makeRecord(admin, 'portfolios', {
    reporting_entity_id: household.reportingEntity,
    account_ids: [household.account],
  });
  expect(await statusOf(id)).toMatchObject({ state: 'breached', current_value: '1000' });
  await admin.patch(`/v1/limits/${id}`, { filter: naming('portfolio.id', second, 'not_in') });
  expect(await statusOf(id)).toMatchObject({ state: 'compliant', current_value: '0', matches: 0 });
});

test('a deleted instrument is named as it was by what was known before', async () => {
  const instrument = await makeStock(admin, 'Sika');
  const id = await limitId(naming('instrument.id', instrument));
  const before = new Date(service.clock.now()).toISOString();
  service.clock.advance(60_000);
  await admin.delete(`/api/v3/instruments/${instrument}`);
  const known = await admin.get(`/v1/limits/${id}/status?known_at=${before}`);
  expect(known.body.reporting_entities[0]).toMatchObject({ state: 'compliant', matches: 0 });
  expect(await statusOf(id)).toMatchObject(gone);
});
