// Limits on Plain and v1: their fields, bounds and filters, and that a new limit flags its client's figures.

import { beforeAll, describe, expect, test } from 'vitest';
import type { Caller, Reply } from '../../setup/http/caller.ts';
import { reportedRefusal } from '../../setup/structure/client-document.ts';
import { workspaceForThisFile } from '../../setup/node/test-service.ts';
import { countAuditEntries, runSql } from '../../setup/database/sql.ts';
import {
  immutableFaults,
  faultsOf,
  missingFaults,
  makeRecord,
  makeHousehold,
  makeRecords,
  testNow,
  unknownField,
  unknownId,
  type Household,
} from '../../setup/structure/structure-document.ts';
import { cashId } from '../../setup/instruments/built-in-ids.ts';

const service = workspaceForThisFile();
let admin: Caller;
let household: Household;
let other: Household;

beforeAll(async () => {
  ({ admin } = service);
  household = await makeHousehold(admin);
  other = await makeHousehold(admin, 'Bussard');
});

const equity = { kind: 'condition', field: 'instrument_class.path', operator: 'starts_with', value: ['Equities'] };
const noBounds = { min_pct: null, max_pct: null, min_amount: null, max_amount: null };

function proportional(fields: object = {}): object {
  return { client_id: household.client, kind: 'proportional', max_pct: '0.30', filter: equity, ...fields };
}

function absolute(fields: object = {}): object {
  const { client } = household;
  return { client_id: client, kind: 'absolute', max_amount: '1000000', filter: equity, ...fields };
}

/** A whole v1 limit that was created with nothing but its bounds. */
function v1Limit(id: string, kind: string, bounds: object): object {
  const all = { ...noBounds, ...bounds };
  const fixed = { name: 'Limit', filter: equity, created_at: testNow };
  return { id, kind, ...all, bounds: all, client_id: household.client, reporting_entity_id: null, ...fixed };
}

async function dirtyCauses(client: string): Promise<unknown> {
  const [flag] = await runSql<{ causes: string[] }>(
    service.database,
    'DELETE FROM round_mark WHERE client_id = $1 RETURNING causes',
    [client],
  );
  return flag?.causes;
}

describe('creating', () => {
  test('on Plain it is created as in the specification, and shown with its bounds and its filter', async () => {
    const sent = { client_id: household.client, kind: 'proportional', max_pct: 0.3, filter: equity };
    const reply = await admin.post('/v2/limits', sent);
    const { id } = reply.body;
    expect(reply.status).toBe(201);
    expect(reply.headers.get('location')).toBeNull();
    const bounds = { ...noBounds, max_pct: 0.3 };
    expect(reply.body).toEqual({
      id,
      kind: 'proportional',
      ...bounds,
      bounds,
      filter: equity,
      client_id: household.client,
    });
    expect((await admin.get(`/v1/limits/${id}`)).body).toEqual(v1Limit(id, 'proportional', { max_pct: '0.3' }));
  });

  test('on v1 it has a name and may be for one reporting entity', async () => {
    const own = { name: 'At most 30 % in equity', reporting_entity_id: household.reportingEntity };
    const reply = await admin.post('/v1/limits', proportional(own));
    const { id } = reply.body;
    expect([reply.status, reply.headers.get('location')]).toEqual([
      201,
      `${service.addresses.baseUrl}/v1/limits/${id}`,
    ]);
    expect(reply.body).toEqual({ ...v1Limit(id, 'proportional', { max_pct: '0.3' }), ...own });
    const read = await admin.get(`/v1/limits/${id}`);
    expect([read.text, read.headers.get('etag')]).toEqual([reply.text, reply.headers.get('etag')]);
  });

  test.each([
    ['equal', proportional, { min_pct: '0.3', max_pct: '0.30' }],
    ['equal', absolute, { min_amount: '-5', max_amount: '-5' }],
    ['the widest', proportional, { min_pct: '-1', max_pct: '1' }],
  ] as const)('two bounds may be %s', async (_how, limitWith, bounds) => {
    const { status, body } = await admin.post('/v1/limits', limitWith(bounds));
    expect(status).toBe(201);
    expect((await admin.get(`/v1/limits/${body.id}`)).status).toBe(200);
  });

  test('every digit of a bound is kept', async () => {
    const digits = { min_amount: '-12345678901234567890.123456789012345678', max_amount: '0.000000000000000001' };
    const { body } = await admin.post('/v1/limits', absolute(digits));
    expect((await admin.get(`/v1/limits/${body.id}`)).body).toEqual(v1Limit(body.id, 'absolute', digits));
    const { text } = await admin.get(`/v2/clients/${household.client}/limits`);
    expect(text).toContain(`"min_amount":${digits.min_amount},"max_amount":${digits.max_amount}`);
  });

  test.each([
    ['next to the other fields', { min_pct: '0.1', max_pct: '0.3' }],
    ['in bounds', { max_pct: undefined, bounds: { min_pct: '0.1', max_pct: '0.3' } }],
    ['partly there and partly in bounds', { max_pct: '0.3', bounds: { min_pct: 0.1 } }],
    [
      'in both places with the same values',
      { min_pct: 0.1, bounds: { min_pct: '0.10', max_pct: '0.30', max_amount: null } },
    ],
  ])('its bounds can be sent %s', async (_where, bounds) => {
    const { status, body } = await admin.post('/v1/limits', proportional(bounds));
    expect([status, body]).toEqual([201, v1Limit(body.id, 'proportional', { min_pct: '0.1', max_pct: '0.3' })]);
  });

  const fractions = 'must be a fraction from -1 to 1: 0.30 stands for 30 %, and 30 for 3,000 %.';
  const ofProportional = 'Bounds of proportional limits are fractions of the whole: min_pct and max_pct.';
  const ofAbsolute = 'Bounds of absolute limits are amounts: min_amount and max_amount.';

  test.each([
    ['30 for 30 %', () => proportional({ max_pct: 30 }), '/max_pct', `max_pct ${fractions}`],
    ['a bound below −100 %', () => proportional({ min_pct: '-1.01' }), '/min_pct', `min_pct ${fractions}`],
    [
      '30 in bounds',
      () => proportional({ max_pct: undefined, bounds: { max_pct: 30 } }),
      '/bounds/max_pct',
      `bounds.max_pct ${fractions}`,
    ],
    ['an amount for a proportional limit', () => proportional({ max_amount: '5' }), '/max_amount', ofProportional],
    [
      'an amount for a proportional limit',
      () => proportional({ bounds: { min_amount: 5 } }),
      '/bounds/min_amount',
      ofProportional,
    ],
    ['a share for an absolute limit', () => absolute({ min_pct: '0.1' }), '/min_pct', ofAbsolute],
    ['a share for an absolute limit', () => absolute({ bounds: { max_pct: '0.1' } }), '/bounds/max_pct', ofAbsolute],
    [
      'bounds in the wrong order',
      () => proportional({ min_pct: '0.31' }),
      '/min_pct',
      'min_pct must not be above max_pct: 0.31 is more than 0.3.',
    ],
    [
      'bounds in the wrong order',
      () => absolute({ bounds: { min_amount: '1000000.01' } }),
      '/bounds/min_amount',
      'min_amount must not be above max_amount: 1000000.01 is more than 1000000.',
    ],
    [
      'two values for one bound',
      () => proportional({ bounds: { max_pct: '0.31' } }),
      '/bounds/max_pct',
      'max_pct is sent twice with two values: 0.3 and, in bounds, 0.31.',
    ],
    [
      'two values for one bound',
      () => proportional({ bounds: { max_pct: null, min_pct: 0 } }),
      '/bounds/max_pct',
      'max_pct is sent twice with two values: 0.3 and, in bounds, null.',
    ],
  ])('refused: %s', async (_what, body, pointer, detail) => {
    for (const path of ['/v1/limits', '/v2/limits']) {
      expect(faultsOf(await admin.post(path, body()))).toEqual([
        { status: 422, code: 'invalid-attribute', detail, pointer },
      ]);
    }
  });

  test('a value of its filter has at most 200 characters, of whatever script', async () => {
    const tagged = (length: number) =>
      proportional({ filter: { ...equity, field: 'tags', operator: 'in', value: ['🙂'.repeat(length)] } });
    expect((await admin.post('/v1/limits', tagged(200))).status).toBe(201);
    expect(faultsOf(await admin.post('/v1/limits', tagged(201)))).toMatchObject([
      { status: 422, pointer: '/filter/value/0', detail: expect.stringContaining('must have at most 200 characters') },
    ]);
  });

  test.each([
    ['proportional', { max_pct: undefined }, 'min_pct or max_pct', '/max_pct'],
    ['proportional', { max_pct: null, bounds: {} }, 'min_pct or max_pct', '/max_pct'],
    ['absolute', { max_pct: undefined }, 'min_amount or max_amount', '/max_amount'],
  ])('a %s limit has at least one bound', async (kind, fields, names, pointer) => {
    const detail = `${names} is required: a limit has at least one bound.`;
    const fault = { status: 422, code: 'missing-attribute', detail, pointer };
    expect(faultsOf(await admin.post('/v1/limits', proportional({ kind, ...fields })))).toEqual([fault]);
  });

  test.each([
    [{ ...equity, field: 'colour' }, 'invalid-attribute', '/filter/field'],
    [{ ...equity, operator: 'like' }, 'invalid-attribute', '/filter/operator'],
    [{ kind: 'or', filters: [equity, { ...equity, value: [] }] }, 'invalid-attribute', '/filter/filters/1/value'],
    [{ kind: 'and', filters: [equity], value: 1 }, 'unknown-attribute', '/filter/value'],
    [{ kind: 'and' }, 'missing-attribute', '/filter/filters'],
    [{ ...equity, field: 'instrument.id', operator: 'in', value: ['Nestlé'] }, 'invalid-attribute', '/filter/value'],
    [{ ...equity, field: 'instrument_class.id', operator: 'equals', value: 'x' }, 'invalid-attribute', '/filter/value'],
    [{ ...equity, field: 'custodian', operator: 'equals', value: 'UBS' }, 'invalid-attribute', '/filter/value'],
    [{ ...equity, field: 'instrument.type', operator: 'in', value: ['stock'] }, 'invalid-attribute', '/filter/value/0'],
    [{ ...equity, field: 'issuer_country', operator: 'in', value: ['ch'] }, 'invalid-attribute', '/filter/value/0'],
    [{ ...equity, field: 'currency', operator: 'in', value: ['EURO'] }, 'invalid-attribute', '/filter/value/0'],
    [{ ...equity, value: ['x'.repeat(201)] }, 'invalid-attribute', '/filter/value/0'],
  ])('invalid filter: %j', async (filter, code, pointer) => {
    for (const path of ['/v1/limits', '/v2/limits']) {
      expect(faultsOf(await admin.post(path, proportional({ filter })))).toEqual([
        { status: 422, code, pointer, detail: expect.any(String) },
      ]);
    }
  });

  test('filters nest ten deep, and a single text is accepted as a list', async () => {
    const portfolio = await makeRecord(admin, 'portfolios', { reporting_entity_id: household.reportingEntity });
    const named = [
      { ...equity, field: 'instrument.id', operator: 'in', value: [cashId('CHF')] },
      { ...equity, field: 'instrument.type', operator: 'not_in', value: ['cash-instrument', 'stock-instrument'] },
      { ...equity, field: 'portfolio.id', operator: 'contains', value: [portfolio] },
    ];
    const swiss = { ...equity, field: 'issuer_country', operator: 'equals', value: 'CH' };
    const nested = (depth: number): object =>
      depth === 1 ? swiss : { kind: depth % 2 === 0 ? 'and' : 'or', filters: [nested(depth - 1), ...named] };
    const { status, body } = await admin.post('/v1/limits', proportional({ filter: nested(10) }));
    expect(status).toBe(201);
    const accepted = JSON.parse(JSON.stringify(nested(10)).replace('"value":"CH"', '"value":["CH"]'));
    expect(body.filter).toEqual(accepted);
    const listed = (await admin.get(`/v2/clients/${household.client}/limits`)).body.data;
    expect(listed.find(({ id }: { id: string }) => id === body.id).filter).toEqual(accepted);
    const [first] = faultsOf(await admin.post('/v1/limits', proportional({ filter: nested(11) })));
    expect(first).toMatchObject({ status: 422, pointer: `/filter${'/filters/0'.repeat(10)}` });
  });

  test('required fields must be sent, and unknown fields are refused', async () => {
    expect(faultsOf(await admin.post('/v1/limits', {}))).toEqual(missingFaults('/kind', '/filter', '/client_id'));
    expect(faultsOf(await admin.post('/v2/limits', {}))).toEqual(missingFaults('/kind', '/filter', '/client_id'));
    const reply = await admin.post('/v2/limits', proportional({ name: 'X', reporting_entity_id: unknownId }));
    expect(faultsOf(reply)).toEqual(
      ['name', 'reporting_entity_id'].map((name) => unknownField('field', name, `/${name}`)),
    );
  });

  test('its client and its reporting entity must exist and belong together', async () => {
    const missing = {
      status: 404,
      code: 'client-not-found',
      detail: 'There is no such client.',
      pointer: '/client_id',
    };
    for (const path of ['/v1/limits', '/v2/limits']) {
      expect(reportedRefusal(await admin.post(path, proportional({ client_id: unknownId })))).toEqual(missing);
    }
    expect(
      reportedRefusal(await admin.post('/v1/limits', proportional({ reporting_entity_id: unknownId }))),
    ).toMatchObject({
      status: 404,
      code: 'reporting-entity-not-found',
      pointer: '/reporting_entity_id',
    });
    const foreign = proportional({ reporting_entity_id: other.reportingEntity });
    expect(reportedRefusal(await admin.post('/v1/limits', foreign))).toEqual({
      status: 422,
      code: 'different-client',
      detail: 'The reporting entity belongs to another client than the limit.',
      pointer: '/reporting_entity_id',
    });
  });
});

describe('lists', () => {
  let client: string;
  let entity: string;
  let ids: string[];

  beforeAll(async () => {
    const own = await makeHousehold(admin, 'Dohle');
    client = own.client;
    entity = own.reportingEntity;
    ids = await makeRecords(admin, 'limits', [
      proportional({ client_id: client }),
      absolute({ client_id: client, reporting_entity_id: entity }),
      proportional({ client_id: client, reporting_entity_id: entity }),
    ]);
  });

  const idsOf = ({ body }: Reply): string[] => body.data.map(({ id }: { id: string }) => id);

  test.each([
    ['', [0, 1, 2]],
    ['&kind=proportional', [0, 2]],
    ['&kind=absolute', [1]],
    ['&reporting_entity_id=ENTITY', [1, 2]],
    ['&reporting_entity_id=ENTITY&kind=proportional', [2]],
  ])('of v1 can be filtered by client and %s', async (query, expected) => {
    const reply = await admin.get(`/v1/limits?client_id=${client}${query.replace('ENTITY', entity)}`);
    expect(idsOf(reply)).toEqual(expected.map((index) => ids[index]));
    expect(reply.body.has_more).toBe(false);
  });

  test('of v1 have pages', async () => {
    const first = await admin.get(`/v1/limits?client_id=${client}&limit=2`);
    const second = await admin.get(`/v1/limits?client_id=${client}&limit=2&cursor=${first.body.next_cursor}`);
    expect([...idsOf(first), ...idsOf(second)]).toEqual(ids);
  });

  test('of Plain contain all limits of an existing client', async () => {
    const reply = await admin.get(`/v2/clients/${client}/limits`);
    expect(Object.keys(reply.body)).toEqual(['data']);
    expect(idsOf(reply)).toEqual(ids);
    expect((await admin.get(`/v2/clients/${await admin.makeClient('Bare')}/limits`)).body).toEqual({ data: [] });
    expect(reportedRefusal(await admin.get(`/v2/clients/${unknownId}/limits`))).toMatchObject({
      code: 'client-not-found',
    });
  });
});

describe('changing and deleting', () => {
  test('bounds, filter, name and reporting entity change; the rest is fixed', async () => {
    const id = await makeRecord(admin, 'limits', proportional());
    const path = `/v1/limits/${id}`;
    const cash = { ...equity, value: ['Cash'] };
    const changes = { name: 'Cash', min_pct: '0.05', filter: cash, reporting_entity_id: household.reportingEntity };
    const after = { ...v1Limit(id, 'proportional', { min_pct: '0.05', max_pct: '0.3' }), ...changes };
    expect((await admin.patch(path, changes)).body).toEqual(after);
    expect((await admin.patch(path, { bounds: { max_pct: '0.4' }, min_pct: null })).body).toMatchObject({
      bounds: { ...noBounds, max_pct: '0.4' },
      min_pct: null,
      max_pct: '0.4',
    });
    const fixed = { kind: 'absolute', client_id: other.client, created_at: '2020-01-01T00:00:00Z' };
    expect(faultsOf(await admin.patch(path, fixed))).toEqual(immutableFaults('/kind', '/client_id', '/created_at'));
    const { body } = await admin.get(path);
    const lines = await countAuditEntries(service.database);
    expect((await admin.patch(path, body)).body).toEqual(body);
    expect(await countAuditEntries(service.database)).toBe(lines);
  });

  test.each([
    [{ max_pct: null }, '/max_pct', 'min_pct or max_pct is required: a limit has at least one bound.'],
    [{ min_pct: '0.31' }, '/min_pct', 'min_pct must not be above max_pct: 0.31 is more than 0.3.'],
    [
      { max_amount: '1' },
      '/max_amount',
      'Bounds of proportional limits are fractions of the whole: min_pct and max_pct.',
    ],
    [
      { max_pct: '3' },
      '/max_pct',
      'max_pct must be a fraction from -1 to 1: 0.30 stands for 30 %, and 30 for 3,000 %.',
    ],
  ])('%j is refused', async (change, pointer, detail) => {
    const id = await makeRecord(admin, 'limits', proportional());
    const before = await admin.get(`/v1/limits/${id}`);
    expect(faultsOf(await admin.patch(`/v1/limits/${id}`, change))).toMatchObject([{ status: 422, pointer, detail }]);
    expect((await admin.get(`/v1/limits/${id}`)).text).toBe(before.text);
  });

  test('a caller with an outdated state can neither change nor delete', async () => {
    const path = `/v1/limits/${await makeRecord(admin, 'limits', proportional())}`;
    const etag = (await admin.get(path)).headers.get('etag')!;
    expect((await admin.patch(path, { name: 'A' }, { 'if-match': etag })).status).toBe(200);
    expect((await admin.patch(path, { name: 'B' }, { 'if-match': etag })).status).toBe(412);
    expect((await admin.delete(path, { 'if-match': etag })).status).toBe(412);
    expect((await admin.get(path)).body.name).toBe('A');
  });

  test('a second deletion gets 404', async () => {
    const path = `/v1/limits/${await makeRecord(admin, 'limits', proportional())}`;
    expect((await admin.delete(path)).status).toBe(204);
    const missing = { status: 404, code: 'limit-not-found', detail: 'There is no such limit.', pointer: undefined };
    expect(reportedRefusal(await admin.delete(path))).toEqual(missing);
    expect(reportedRefusal(await admin.get(path))).toEqual(missing);
  });

  test('a client with limits cannot be deleted, nor a reporting entity with limits', async () => {
    const { client, reportingEntity } = await makeHousehold(admin, 'Elster');
    const id = await makeRecord(
      admin,
      'limits',
      proportional({ client_id: client, reporting_entity_id: reportingEntity }),
    );
    const remain = (one: string, what: string): string => `The ${one} cannot be deleted while these remain: ${what}.`;
    expect(reportedRefusal(await admin.delete(`/v1/reporting-entities/${reportingEntity}`))).toMatchObject({
      code: 'reporting-entity-in-use',
      detail: remain('reporting entity', '1 limit of its own'),
    });
    await admin.patch(`/v1/limits/${id}`, { reporting_entity_id: null });
    expect((await admin.delete(`/v1/reporting-entities/${reportingEntity}`)).status).toBe(204);
    expect(reportedRefusal(await admin.delete(`/v1/clients/${client}`))).toMatchObject({
      code: 'client-has-live-data',
      detail: remain('client', '1 legal entity'),
    });
  });

  test('a change that affects compliance flags the client for a round, a new name does not', async () => {
    const { client } = await makeHousehold(admin, 'Falke');
    await dirtyCauses(client);
    const id = await makeRecord(admin, 'limits', proportional({ client_id: client }));
    expect(await dirtyCauses(client)).toEqual(['limit']);
    await admin.patch(`/v1/limits/${id}`, { name: 'Renamed' });
    expect(await dirtyCauses(client)).toBeUndefined();
    await admin.patch(`/v1/limits/${id}`, { max_pct: '0.2' });
    expect(await dirtyCauses(client)).toEqual(['limit']);
    await admin.delete(`/v1/limits/${id}`);
    expect(await dirtyCauses(client)).toEqual(['limit']);
  });
});
