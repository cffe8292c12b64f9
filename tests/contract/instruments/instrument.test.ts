// Instruments of all eleven types on both wires that write them: their fields, defaults, changes, and permissions.

import { OpenApiReference } from '../../setup/http/openapi-reference.ts';
import { beforeAll, describe, expect, test } from 'vitest';
import type { Caller } from '../../setup/http/caller.ts';
import { reportedRefusal } from '../../setup/structure/client-document.ts';
import {
  classIdByPath,
  defaultClassIds,
  toSnakeCase,
  v1Instrument,
  snakeCaseName,
  instrumentObject,
  minimalAttributes,
  fullAttributes,
  instrumentTypeNames,
  type Attributes,
} from '../../setup/instruments/instrument-document.ts';
import { workspaceForThisFile } from '../../setup/node/test-service.ts';
import { countAuditEntries } from '../../setup/database/sql.ts';
import {
  immutableFaults,
  faultsOf,
  makeRecord,
  makeHousehold,
  newDocument,
  toOne,
  unknownId,
  type Household,
} from '../../setup/structure/structure-document.ts';

const service = workspaceForThisFile();
let admin: Caller;
let family: Household;
let stocks: string;
/** The default class of each type. */
let defaults: Readonly<Record<string, string>>;
let scoped: Caller;

beforeAll(async () => {
  ({ admin } = service);
  family = await makeHousehold(admin);
  stocks = await classIdByPath(admin, 'Equities', 'Developed markets');
  defaults = await defaultClassIds(admin);
  scoped = await admin.becomeApplication({ rights: ['read', 'write'], scoped_to: family.client });
});

function ownDefault(type: string): { readonly instrumentClass: string } {
  return { instrumentClass: defaults[type]! };
}

const v1 = '/v1/instruments';
const v3 = '/api/v3/instruments';

/** Adds the defaults of a type that was created with only the required attributes. */
function withDefaults(type: string, sent: Attributes): Attributes {
  const isBond = type.endsWith('bond-instrument');
  const farLeg = sent['farLeg'] as { date: string } | undefined;
  const own: Attributes = {
    tags: [],
    priceUnit: isBond ? 'per 100' : '1',
    dayCountConvention: isBond ? 'ACT/ACT-ICMA' : 'ACT/365',
    settlementDate: farLeg?.date,
    ...sent,
  };
  return Object.fromEntries(Object.keys(fullAttributes[type]!).map((name) => [name, own[name] ?? null]));
}

describe.each(instrumentTypeNames)('%s', (type) => {
  const sample = fullAttributes[type]!;

  test('has the same attributes on both wires, whichever it was created on', async () => {
    const document = newDocument(type, sample, { instrumentClass: toOne('instrument-class', stocks) });
    const made = await admin.post(v3, document);
    const { id } = made.body.data;
    expect([made.status, made.headers.get('location')]).toEqual([201, `${service.addresses.legacyUrl}${v3}/${id}`]);
    expect(made.body).toEqual({ data: instrumentObject(id, type, sample, stocks) });
    expect((await admin.get(`${v3}/${id}`)).text).toBe(made.text);
    const reference = await OpenApiReference.create(admin);
    const onV1 = await admin.get(`${v1}/${id}`);
    expect([
      ...reference.findViolations('POST', v3, made),
      ...reference.findViolations('GET', `${v3}/${id}`, await admin.get(`${v3}/${id}`)),
      ...reference.findViolations('GET', `${v1}/${id}`, onV1),
    ]).toEqual([]);
    expect(onV1.body).toEqual(v1Instrument(id, type, sample, { instrumentClass: stocks }));

    // Its ISIN can be of one instrument only.
    await admin.delete(`${v1}/${id}`);
    const flatMade = await admin.post(v1, { type, ...toSnakeCase(sample), instrument_class_id: stocks });
    const other = flatMade.body.id;
    expect([flatMade.status, flatMade.headers.get('location')]).toEqual([
      201,
      `${service.addresses.baseUrl}${v1}/${other}`,
    ]);
    expect(flatMade.body).toEqual(v1Instrument(other, type, sample, { instrumentClass: stocks }));
    expect((await admin.get(`${v3}/${other}`)).body).toEqual({ data: instrumentObject(other, type, sample, stocks) });
    await admin.delete(`${v1}/${other}`);
  });

  test('can be created with the required fields only, and shows its defaults', async () => {
    const sent = minimalAttributes[type]!;
    const expected = withDefaults(type, sent);
    const made = await admin.post(v3, newDocument(type, sent));
    expect([made.status, made.body]).toEqual([
      201,
      { data: instrumentObject(made.body.data?.id, type, expected, defaults[type]) },
    ]);
    const flatMade = await admin.post(v1, { type, ...toSnakeCase(sent) });
    expect([flatMade.status, flatMade.body]).toEqual([
      201,
      v1Instrument(flatMade.body.id, type, expected, ownDefault(type)),
    ]);
  });

  test('is changed on v1 field by field, and sending its current values changes nothing', async () => {
    const id = await makeRecord(admin, 'instruments', { type, ...toSnakeCase(minimalAttributes[type]!) });
    const taken = Object.entries<unknown>(toSnakeCase(sample)).filter(([, value]) => value !== null);
    const floats = type === 'index-linked-bond-instrument' ? { reference_rate: null } : {};
    const fixed = type === 'loan-instrument' ? { interest_rate: null } : {};
    const changed = await admin.patch(`${v1}/${id}`, { ...Object.fromEntries(taken), ...floats, ...fixed });
    expect([changed.status, changed.body]).toEqual([200, v1Instrument(id, type, sample, ownDefault(type))]);
    const lines = await countAuditEntries(service.database);
    expect((await admin.patch(`${v1}/${id}`, changed.body)).text).toBe(changed.text);
    expect(await countAuditEntries(service.database)).toBe(lines);
  });

  const foreign = instrumentTypeNames
    .flatMap((other) => Object.entries(fullAttributes[other]!))
    .filter(([name, value]) => !(name in sample) && value !== null);

  test('has no attribute of another type, at creation or later', async () => {
    const strangers = Object.fromEntries(foreign);
    const refused = await admin.post(v3, newDocument(type, { ...sample, ...strangers }));
    const names = Object.keys(strangers);
    const expectedFault = (word: string, name: string, pointer: string): object => ({
      status: 422,
      code: 'unknown-attribute',
      detail: `There is no ${word} "${name}" that can be set here.`,
      pointer,
    });
    expect(faultsOf(refused)).toEqual(
      names.map((name) => expectedFault('attribute', name, `/data/attributes/${name}`)),
    );
    const flatNames = names.map(snakeCaseName);
    expect(faultsOf(await admin.post(v1, { type, ...toSnakeCase({ ...sample, ...strangers }) }))).toEqual(
      flatNames.map((name) => expectedFault('field', name, `/${name}`)),
    );
    const id = await makeRecord(admin, 'instruments', { type, ...toSnakeCase(minimalAttributes[type]!) });
    expect(faultsOf(await admin.patch(`${v1}/${id}`, toSnakeCase(strangers)))).toEqual(
      flatNames.map((name) => ({
        status: 422,
        code: 'unknown-attribute',
        detail: `A record of type ${type} has no such field.`,
        pointer: `/${name}`,
      })),
    );
  });

  test('cannot become another type', async () => {
    const id = await makeRecord(admin, 'instruments', { type, ...toSnakeCase(minimalAttributes[type]!) });
    const other = type === 'other-instrument' ? 'stock-instrument' : 'other-instrument';
    expect(faultsOf(await admin.patch(`${v1}/${id}`, { type: other }))).toEqual(immutableFaults('/type'));
  });
});

describe('the type of a new instrument', () => {
  const list = instrumentTypeNames.join(', ');
  const readable = `${list}, cash-instrument, fees-owed-instrument, unidentified-instrument`;

  test.each([
    ['instrument', `The document is of type "instrument"; one of ${list} belongs here.`],
    ['client', `The document is of type "client"; one of ${list} belongs here.`],
    ['toString', `The document is of type "toString"; one of ${list} belongs here.`],
  ])('%s is not a valid document type', async (type, detail) => {
    const refused = reportedRefusal(await admin.post(v3, newDocument(type, { name: 'X' })));
    expect(refused).toEqual({ status: 409, code: 'type-mismatch', detail, pointer: '/data/type' });
  });

  test.each([
    [{}, 'missing-attribute', 'type is required.'],
    [{ type: null }, 'invalid-attribute', 'type must not be null.'],
    [{ type: 'bond' }, 'invalid-attribute', `type must be one of ${readable}.`],
    [{ type: '__proto__' }, 'invalid-attribute', `type must be one of ${readable}.`],
    [{ type: 7 }, 'invalid-attribute', 'type must be a string.'],
  ])('on v1 %o is not a valid type', async (sent, code, detail) => {
    const expectedFault = { status: 422, code, detail, pointer: '/type' };
    expect(faultsOf(await admin.post(v1, { name: 'X', ...sent }))).toEqual([expectedFault]);
  });
});

test('numbers keep every digit, in decimals and in metadata', async () => {
  const exact = '12345678901234567890.123456789012345678';
  const raw = (body: string): Promise<any> =>
    admin.send(v1, { method: 'POST', raw: body, headers: { 'content-type': 'application/json' } });
  const fund = await raw(`{"type":"private-market-fund","name":"X","currency":"EUR","commitment":${exact}}`);
  expect(fund.body.commitment).toBe(exact);
  expect((await admin.get(`${v3}/${fund.body.id}`)).text).toContain(`"commitment":${exact}`);
  const other = await raw(`{"type":"other-instrument","name":"X","metadata":{"n":[${exact},1.10,1e2,-0.0000001]}}`);
  const metadata = `"metadata":{"n":[${exact},1.1,100,-0.0000001]}`;
  expect(other.text).toContain(metadata);
  expect((await admin.get(`${v3}/${other.body.id}`)).text).toContain(metadata);
  expect((await admin.get(`/v1/audit-log?subject_id=${other.body.id}`)).text).toContain(metadata);
  const lines = await countAuditEntries(service.database);
  const again = `{"metadata":{"n":[${exact},1.1,1e2,-1e-7]}}`;
  await admin.send(`${v1}/${other.body.id}`, {
    method: 'PATCH',
    raw: again,
    headers: { 'content-type': 'application/json' },
  });
  expect(await countAuditEntries(service.database)).toBe(lines);
});

test.each([
  ['30/360', '30/360-BOND'],
  ['actual/actual', 'ACT/ACT-ICMA'],
  ['Act/365 (Fixed)', 'ACT/365'],
  ['30e/360', '30E/360'],
  ['30E/360 (ISDA)', '30E/360-ISDA'],
])('the day count %s is %s', async (spelt, word) => {
  const { body } = await admin.post(v1, {
    type: 'bond-instrument',
    ...toSnakeCase(minimalAttributes['bond-instrument']!),
    day_count_convention: spelt,
  });
  expect(body.day_count_convention).toBe(word);
});

test('a stock without a currency has the currency of its listing', async () => {
  const { body } = await admin.post(v1, {
    type: 'stock-instrument',
    name: 'X',
    listing_currency: 'GBP',
    price_unit: 'hundredths',
  });
  expect([body.currency, body.price_unit]).toEqual(['GBP', 'hundredths']);
});

test('tags are a set: each once, sorted by characters', async () => {
  const id = await makeRecord(admin, 'instruments', {
    type: 'stock-instrument',
    name: 'X',
    tags: ['b', 'a', 'NULL', 'a "b", {c}\\'],
  });
  const tags = ['NULL', 'a', 'a "b", {c}\\', 'b'];
  expect((await admin.get(`${v1}/${id}`)).body.tags).toEqual(tags);
  const lines = await countAuditEntries(service.database);
  expect((await admin.patch(`${v1}/${id}`, { tags: tags.toReversed() })).status).toBe(200);
  expect(await countAuditEntries(service.database)).toBe(lines);
  expect((await admin.patch(`${v1}/${id}`, { tags: [] })).body.tags).toEqual([]);
});

test('its changes are in the audit log with v1 field names', async () => {
  const id = await makeRecord(admin, 'instruments', {
    type: 'private-market-fund',
    ...toSnakeCase(fullAttributes['private-market-fund']!),
  });
  await admin.patch(`${v1}/${id}`, { strategy: null });
  await admin.delete(`${v1}/${id}`);
  const { data } = (await admin.get(`/v1/audit-log?subject_id=${id}`)).body;
  const whole = v1Instrument(id, 'private-market-fund', fullAttributes['private-market-fund']!);
  const after = { ...whole, strategy: null };
  expect(
    data.map(({ act, subject_type, before, after: then }: any) => [act, subject_type, before, then]).toReversed(),
  ).toEqual([
    ['create', 'instrument', null, whole],
    ['change', 'instrument', whole, after],
    ['delete', 'instrument', after, null],
  ]);
});

describe('the catalogue that all clients share', () => {
  const shared = { type: 'stock-instrument', name: 'Shared AG' };
  const outside = {
    status: 403,
    code: 'outside-reach',
    detail: 'A token bound to one client cannot change what all clients share.',
    pointer: undefined,
  };

  test('can be read but not changed by a token that is bound to one client', async () => {
    const id = await makeRecord(admin, 'instruments', shared);
    const read = await scoped.get(`${v1}/${id}`);
    expect([read.status, read.body.name]).toEqual([200, 'Shared AG']);
    expect((await scoped.get(`${v3}/${id}`)).status).toBe(200);
    expect(reportedRefusal(await scoped.patch(`${v1}/${id}`, { name: 'Mine' }))).toEqual(outside);
    expect(reportedRefusal(await scoped.delete(`${v1}/${id}`))).toEqual(outside);
    expect(reportedRefusal(await scoped.delete(`${v3}/${id}`))).toEqual(outside);
    expect(reportedRefusal(await scoped.post(v1, shared))).toEqual(outside);
    expect(reportedRefusal(await scoped.post(v3, newDocument('stock-instrument', { name: 'X' })))).toEqual(outside);
    expect((await admin.get(`${v1}/${id}`)).text).toBe(read.text);
  });

  test('is not visible to another workspace or environment', async () => {
    const id = await makeRecord(admin, 'instruments', shared);
    for (const stranger of [await service.openWorkspace(), await admin.becomeApplication({ environment: 'sandbox' })]) {
      expect((await stranger.get(`${v1}/${id}`)).status).toBe(404);
      expect((await stranger.get(`${v3}/${id}`)).status).toBe(404);
      expect((await stranger.get(`${v1}?limit=1`)).body.data).toMatchObject([{ type: 'cash-instrument' }]);
    }
  });
});

describe('an instrument that is private to a reporting entity', () => {
  const fund = { name: 'Club deal', ccyCode: 'EUR', commitment: 100 };
  const expected = withDefaults('private-market-fund', fund);
  const below = (reportingEntity: string): string => `${v3}/${reportingEntity}/private-instruments`;

  test('is created and listed below it, and on v1 by its id', async () => {
    const { client, reportingEntity } = await makeHousehold(admin, 'Birke');
    const made = await admin.post(below(reportingEntity), newDocument('private-market-fund', fund));
    const { id } = made.body.data;
    expect([made.status, made.headers.get('location')]).toEqual([201, `${service.addresses.legacyUrl}${v3}/${id}`]);
    const document = instrumentObject(id, 'private-market-fund', expected, defaults['private-market-fund']);
    expect(made.body).toEqual({ data: document });
    const place = { reportingEntity, client, ...ownDefault('private-market-fund') };
    expect((await admin.get(`${v1}/${id}`)).body).toEqual(v1Instrument(id, 'private-market-fund', expected, place));
    const second = await admin.post(v1, {
      type: 'other-instrument',
      name: 'Boat',
      reporting_entity_id: reportingEntity,
    });
    expect(second.body).toMatchObject({ reporting_entity_id: reportingEntity, client_id: client });
    const listed = await admin.get(below(reportingEntity));
    expect([listed.status, listed.body.data.map((one: any) => one.id)]).toEqual([200, [id, second.body.id]]);
    expect(listed.body.data[0]).toEqual(document);
    const page = (await admin.get(`${v1}?reporting_entity_id=${reportingEntity}`)).body.data;
    expect(page.map((one: any) => one.id)).toEqual([id, second.body.id]);
    const catalogue = (await admin.get(`${v3}?name=Club%20deal`)).body.data;
    expect(catalogue).toEqual([]);
    expect(faultsOf(await admin.patch(`${v1}/${id}`, { reporting_entity_id: family.reportingEntity }))).toEqual(
      immutableFaults('/reporting_entity_id'),
    );
  });

  test('is created, changed and deleted by a token that is bound to its client', async () => {
    const made = await scoped.post(below(family.reportingEntity), newDocument('private-market-fund', fund));
    const path = `${v1}/${made.body.data.id}`;
    expect((await scoped.patch(path, { name: 'Renamed' })).body.name).toBe('Renamed');
    expect((await scoped.get(`${v1}?q=renamed`)).body.data).toHaveLength(1);
    expect((await scoped.delete(path)).status).toBe(204);
    expect((await scoped.delete(path)).status).toBe(404);
  });

  test('does not exist for other callers', async () => {
    const other = await makeHousehold(admin, 'Ceder');
    const id = await makeRecord(admin, 'instruments', {
      type: 'stock-instrument',
      name: 'Hidden club deal',
      ticker: 'HIDE',
      isin: 'CH0012005267',
      external_identifier: 'HIDDEN-1',
      currency: 'ZAR',
      tags: ['hidden'],
      reporting_entity_id: other.reportingEntity,
    });
    for (const path of [`${v1}/${id}`, `${v3}/${id}`]) {
      expect([path, reportedRefusal(await scoped.get(path)).code]).toEqual([path, 'instrument-not-found']);
      expect([path, reportedRefusal(await scoped.delete(path)).code]).toEqual([path, 'instrument-not-found']);
    }
    expect(reportedRefusal(await scoped.patch(`${v1}/${id}`, { name: 'Mine' })).code).toBe('instrument-not-found');
    for (const query of [
      'q=hidden',
      'tag=hidden',
      'external_identifier=HIDDEN-1',
      'ticker=HIDE',
      'currency=ZAR&type=stock-instrument',
    ]) {
      expect([query, (await scoped.get(`${v1}?${query}`)).body.data]).toEqual([query, []]);
      expect([query, (await admin.get(`${v1}?${query}`)).body.data.length]).toEqual([query, 1]);
    }
    const byEntity = await scoped.get(`${v1}?reporting_entity_id=${other.reportingEntity}`);
    expect(reportedRefusal(byEntity).code).toBe('reporting-entity-not-found');
    const gone = { status: 404, code: 'reporting-entity-not-found', detail: 'There is no such reporting entity.' };
    const path = below(other.reportingEntity);
    expect(reportedRefusal(await scoped.get(path))).toEqual({ ...gone, pointer: undefined });
    expect(reportedRefusal(await scoped.post(path, newDocument('private-market-fund', fund)))).toEqual({
      ...gone,
      pointer: undefined,
    });
    const named = await scoped.post(v1, {
      type: 'other-instrument',
      name: 'X',
      reporting_entity_id: other.reportingEntity,
    });
    expect(reportedRefusal(named)).toEqual({ ...gone, pointer: '/reporting_entity_id' });
  });

  test('keeps its reporting entity and its client', async () => {
    const { client, legalEntity, reportingEntity } = await makeHousehold(admin, 'Dorn');
    const id = await makeRecord(admin, 'instruments', {
      type: 'other-instrument',
      name: 'X',
      reporting_entity_id: reportingEntity,
    });
    await admin.delete(`/v1/legal-entities/${legalEntity}`);
    expect(reportedRefusal(await admin.delete(`/v1/reporting-entities/${reportingEntity}`))).toMatchObject({
      code: 'reporting-entity-in-use',
      detail: 'The reporting entity cannot be deleted while these remain: 1 private instrument.',
    });
    expect(reportedRefusal(await admin.delete(`/v1/clients/${client}`)).detail).toBe(
      'The client cannot be deleted while these remain: 1 private instrument.',
    );
    await admin.delete(`${v1}/${id}`);
    expect((await admin.delete(`/v1/reporting-entities/${reportingEntity}`)).status).toBe(204);
  });
});

describe('its class', () => {
  const gone = { status: 404, code: 'instrument-class-not-found', detail: 'There is no such instrument class.' };

  test('must exist', async () => {
    const stock = { type: 'stock-instrument', name: 'X' };
    const refused = await admin.post(v1, { ...stock, instrument_class_id: unknownId });
    expect(reportedRefusal(refused)).toEqual({ ...gone, pointer: '/instrument_class_id' });
    const document = newDocument(
      'stock-instrument',
      { name: 'X' },
      { instrumentClass: toOne('instrument-class', unknownId) },
    );
    expect(reportedRefusal(await admin.post(v3, document))).toEqual({
      ...gone,
      pointer: '/data/relationships/instrumentClass',
    });
    const id = await makeRecord(admin, 'instruments', { ...stock, instrument_class_id: stocks });
    expect(reportedRefusal(await admin.patch(`${v1}/${id}`, { instrument_class_id: unknownId }))).toEqual({
      ...gone,
      pointer: '/instrument_class_id',
    });
    expect((await admin.patch(`${v1}/${id}`, { instrument_class_id: null })).body.instrument_class_id).toBe(
      defaults['stock-instrument'],
    );
  });
});

test.each(['PATCH', 'PUT'])('%s is not accepted on the frozen track', async (method) => {
  const id = await makeRecord(admin, 'instruments', { type: 'stock-instrument', name: 'X' });
  const { status, headers } = await admin.send(`${v3}/${id}`, { method, body: {} });
  expect([status, headers.get('allow')]).toEqual([405, 'GET, HEAD, DELETE']);
});

describe('the family of assets of the second version', () => {
  test.each([
    ['/api/v2/assets', '/api/v3/instruments'],
    ['/api/v2/assets/', '/api/v3/instruments/'],
    [`/api/v2/assets/${unknownId}/prices?x=1&y=a%2Fb`, `/api/v3/instruments/${unknownId}/prices?x=1&y=a%2Fb`],
    [`/api/v2/asset-classes/${unknownId}`, `/api/v3/instrument-classes/${unknownId}`],
    ['/api/v2/asset-holdings/reporting-entities/x', '/api/v3/instrument-holdings/reporting-entities/x'],
  ])('%s redirects to %s, for every method', async (from, to) => {
    for (const method of ['GET', 'POST', 'DELETE']) {
      const { status, headers, text } = await admin.withToken(null).send(from, { method });
      expect([status, headers.get('location'), text]).toEqual([308, `${service.addresses.legacyUrl}${to}`, '']);
    }
  });

  test.each(['/api/v2/assetsx', '/api/v2/asse', '/v2/assets', '/api/v3/assets'])('%s never existed', async (path) => {
    expect((await admin.get(path)).status).toBe(404);
  });
});
