// Historical holdings on both wires: uploaded for a place and a day, overwritten by their natural key with every version kept,
// and refused if they cannot be true.

import { beforeAll, describe, expect, test } from 'vitest';
import type { Caller } from '../../setup/http/caller.ts';
import { reportedRefusal } from '../../setup/structure/client-document.ts';
import { runInLockOrder } from '../../setup/database/race.ts';
import { serviceForThisFile } from '../../setup/node/test-service.ts';
import { countAuditEntries, runSql } from '../../setup/database/sql.ts';
import {
  immutableFaults,
  faultsOf,
  missingFaults,
  makeRecord,
  newDocument,
  testNow,
  sendBehindLock,
  toOne,
  unknownField,
  unknownId,
} from '../../setup/structure/structure-document.ts';
import {
  holdingValues,
  v1Holding,
  uploadKinds,
  jsonApiHoldingPaths,
  makeUploadHousehold,
  makeUploadInstrument,
  newHoldingDocument,
  type UploadKind,
  type UploadHousehold,
} from '../../setup/ledger/upload-document.ts';

const service = serviceForThisFile();
const path = '/v1/historical-holdings';
const date = '2019-12-31';
let admin: Caller;
let household: UploadHousehold;
let otherHousehold: UploadHousehold;

beforeAll(async () => {
  ({ admin } = service);
  household = await makeUploadHousehold(admin);
  otherHousehold = await makeUploadHousehold(admin, 'Bussard');
});

let years = 1900;

/** A day without uploads. */
function freshDate(): string {
  return `${years++}-06-30`;
}

interface Version {
  readonly market_value: string;
  readonly isKnown: boolean;
}

/** Every version of a holding, oldest first, and whether each ends where the next begins. */
async function listVersions(id: string): Promise<{ versions: Version[]; isWithoutGaps: boolean }> {
  const rows = await runSql<Version & { isJoined: boolean }>(
    service.database,
    `SELECT trim_scale(market_value)::text AS market_value, known_until IS NULL AS "isKnown",
       coalesce(known_until = lead(known_from) OVER (ORDER BY known_from), true) AS "isJoined"
     FROM historical_holding WHERE id = $1 ORDER BY known_from`,
    [id],
  );
  const versions = rows.map(({ market_value, isKnown }) => ({ market_value, isKnown }));
  return { versions, isWithoutGaps: rows.every(({ isJoined }) => isJoined) };
}

interface WriteEffects {
  readonly version: number;
  readonly causes: string[];
}

/** The version of a client's uploads, and the causes for which its figures are flagged. */
async function readWriteEffects({ client }: UploadHousehold): Promise<WriteEffects> {
  const [row] = await runSql<{ version: string | null; causes: string[] | null }>(
    service.database,
    `SELECT l.version, m.causes FROM client c LEFT JOIN upload_ledger l ON l.client_id = c.id
     LEFT JOIN round_mark m ON m.client_id = c.id WHERE c.id = $1`,
    [client],
  );
  return { version: Number(row!.version ?? 0), causes: row!.causes ?? [] };
}

describe('uploaded on JSON:API', () => {
  test.each([
    ['account', { date, marketValue: -1250.5 }, {}],
    ['fee', { date, marketValue: 0 }, {}],
    [
      'instrument',
      {
        date,
        units: -10.25,
        marketValue: 1234.5,
        accruedInterest: 0.25,
        currencyExchangeRate: 1.0854,
        reportingCurrencyCode: 'CHF',
      },
      {},
    ],
    [
      'instrument',
      { date: '2019-12-30', units: 0, marketValue: 0 },
      { accruedInterest: 0, currencyExchangeRate: null, reportingCurrencyCode: null },
    ],
  ] as const)('the %s holding is shown as it was sent, and is the same on v1', async (kind, attributes, filled) => {
    const reply = await admin.post(jsonApiHoldingPaths[kind], newHoldingDocument(kind, household, attributes));
    const { id } = reply.body.data;
    expect([reply.status, reply.headers.get('location')]).toEqual([201, null]);
    const relationships =
      kind === 'instrument'
        ? {
            depository: toOne('depository', household.depository),
            instrument: toOne('other-instrument', household.instrument),
          }
        : { account: toOne('account', household.account) };
    const type = `historical-${kind}-holding`;
    expect(reply.body).toEqual({ data: { type, id, attributes: { ...attributes, ...filled }, relationships } });
    const read = await admin.get(`${path}/${id}`);
    expect(read.body).toMatchObject({
      id,
      kind,
      date: attributes.date,
      client_id: household.client,
      known_from: testNow,
    });
    expect(read.body.market_value).toBe(String(attributes.marketValue));
  });

  test.each(Object.values(jsonApiHoldingPaths))('%s has no list', async (collection) => {
    const reply = await admin.get(collection);
    expect([reply.status, reply.headers.get('allow')]).toEqual([405, 'POST, DELETE']);
  });

  test.each([
    '/api/v3/historical-account-holdings',
    '/api/v2/historical-instrument-holdings',
    '/v2/historical-fee-holdings',
  ])('%s is not served', async (unservedPath) => {
    expect(reportedRefusal(await admin.post(unservedPath, {}))).toMatchObject({ status: 404, code: 'path-not-found' });
  });

  test('every digit of a value is stored', async () => {
    const value = '12345678901234567890.123456789012345678';
    const raw = JSON.stringify(
      newHoldingDocument('account', household, { date: freshDate(), marketValue: 1.5 }),
    ).replace('1.5', value);
    const headers = { 'content-type': 'application/vnd.api+json' };
    const reply = await admin.send(jsonApiHoldingPaths.account, { method: 'POST', raw, headers });
    expect(reply.text).toContain(`"marketValue":${value}`);
    expect((await admin.get(`${path}/${reply.body.data.id}`)).body.market_value).toBe(value);
  });
});

describe('uploaded on v1', () => {
  test.each([
    ['account', { market_value: '-0.01' }],
    ['fee', { market_value: '187.5' }],
    [
      'instrument',
      {
        units: '-3',
        market_value: '-300',
        accrued_interest: '0.000000000000000001',
        currency_exchange_rate: '0.0062',
        reporting_currency_code: 'EUR',
      },
    ],
  ] as const)('the %s holding has the fields of its kind and no others', async (kind, contents) => {
    const requestBody = v1Holding(kind, household, { date: freshDate(), ...contents });
    const reply = await admin.post(path, requestBody);
    const { id } = reply.body;
    expect([reply.status, reply.headers.get('location')]).toEqual([201, `${service.addresses.baseUrl}${path}/${id}`]);
    expect(reply.body).toEqual({ id, ...requestBody, client_id: household.client, known_from: testNow });
    const read = await admin.get(`${path}/${id}`);
    expect([read.text, read.headers.get('etag')]).toEqual([reply.text, reply.headers.get('etag')]);
  });

  test('by default an instrument holding has no accrued interest and the exchange rate of its day', async () => {
    const requestBody = v1Holding('instrument', household, { date: freshDate(), units: '1', market_value: '2' });
    const { body } = await admin.post(path, requestBody);
    expect(body).toMatchObject({ accrued_interest: '0', currency_exchange_rate: null, reporting_currency_code: null });
  });
});

describe.each(uploadKinds)('the natural key of the %s holding', (kind) => {
  const state = (fields: object, at = household) => admin.post(path, v1Holding(kind, at, fields));

  test('uploaded again with another value it keeps its id, and both versions are stored', async () => {
    const day = freshDate();
    const first = await state({ date: day, ...holdingValues(kind, '100') });
    const before = await readWriteEffects(household);
    service.clock.advance(1_000);
    const second = await state({ date: day, ...holdingValues(kind, '250.75') });
    const { id } = first.body;
    const knownFrom = new Date(service.clock.now()).toISOString();
    expect([first.status, second.status]).toEqual([201, 200]);
    expect(second.body).toEqual({ ...first.body, market_value: '250.75', known_from: knownFrom });
    expect(second.headers.get('location')).toBeNull();
    const remaining = [
      { market_value: '100', isKnown: false },
      { market_value: '250.75', isKnown: true },
    ];
    expect(await listVersions(id)).toEqual({ versions: remaining, isWithoutGaps: true });
    const after = await readWriteEffects(household);
    expect(after).toEqual({ version: before.version + 1, causes: ['upload'] });
    const { data } = (await admin.get(`/v1/audit-log?subject_id=${id}`)).body;
    expect(data.map(({ act, subject_type: type }: Record<string, string>) => [act, type])).toEqual([
      ['change', 'historical-holding'],
      ['create', 'historical-holding'],
    ]);
    expect([data[0].before.market_value, data[0].after.market_value, data[0].client_id]).toEqual([
      '100',
      '250.75',
      household.client,
    ]);
  });

  test('uploaded again with the same value, in any notation, nothing changes', async () => {
    const day = freshDate();
    const first = await state({ date: day, ...holdingValues(kind, '100.5') });
    const [lines, effects] = [await countAuditEntries(service.database), await readWriteEffects(household)];
    service.clock.advance(1_000);
    const contents = holdingValues(kind, '100.500');
    const attributes =
      kind === 'instrument' ? { units: 1e1, marketValue: 100.5, accruedInterest: 0 } : { marketValue: '100.50' };
    const replies = [
      await state({ date: day, ...contents }),
      await admin.post(jsonApiHoldingPaths[kind], newHoldingDocument(kind, household, { date: day, ...attributes })),
    ];
    expect(replies.map(({ status }) => status)).toEqual([200, 200]);
    expect(replies[0]!.body).toEqual(first.body);
    expect(replies[1]!.body.data.id).toBe(first.body.id);
    expect((await listVersions(first.body.id)).versions).toEqual([{ market_value: '100.5', isKnown: true }]);
    expect(await countAuditEntries(service.database)).toBe(lines);
    expect(await readWriteEffects(household)).toEqual(effects);
  });

  test('another day or another location is another holding', async () => {
    const [day, next] = [freshDate(), freshDate()];
    const contents = holdingValues(kind, '1');
    const replies = [
      await state({ date: day, ...contents }),
      await state({ date: next, ...contents }),
      await state({ date: day, ...contents }, otherHousehold),
    ];
    expect(replies.map(({ status }) => status)).toEqual([201, 201, 201]);
    expect(new Set(replies.map(({ body }) => body.id)).size).toBe(3);
  });

  test('of five concurrent uploads one is the first, and the versions follow each other', async () => {
    const day = freshDate();
    const values = ['1', '2', '3', '4', '5'];
    const lock = { database: service.database, lock: 'LOCK TABLE audit_entry IN SHARE MODE', waiting: 5 };
    const replies = await sendBehindLock(
      lock,
      values.map((value) => () => state({ date: day, ...holdingValues(kind, value) })),
    );
    expect(replies.map(({ status }) => status).toSorted()).toEqual([200, 200, 200, 200, 201]);
    const { versions, isWithoutGaps } = await listVersions(replies[0]!.body.id);
    expect(versions.map(({ market_value }) => market_value).toSorted()).toEqual(values);
    expect([versions.filter(({ isKnown }) => isKnown).length, isWithoutGaps]).toEqual([1, true]);
  });

  test('a deleted holding does not exist, and a new upload creates another one', async () => {
    const day = freshDate();
    const { id } = (await state({ date: day, ...holdingValues(kind, '7') })).body;
    const before = await readWriteEffects(household);
    const reply = await admin.delete(`${path}/${id}`);
    expect([reply.status, reply.text]).toEqual([204, '']);
    const missing = {
      status: 404,
      code: 'historical-holding-not-found',
      detail: 'There is no such historical holding.',
    };
    for (const again of [await admin.get(`${path}/${id}`), await admin.delete(`${path}/${id}`)]) {
      expect(reportedRefusal(again)).toEqual({ ...missing, pointer: undefined });
    }
    expect((await listVersions(id)).versions).toEqual([{ market_value: '7', isKnown: false }]);
    expect((await readWriteEffects(household)).version).toBe(before.version + 1);
    const restated = await state({ date: day, ...holdingValues(kind, '7') });
    expect([restated.status, restated.body.id === id]).toEqual([201, false]);
  });
});

test('cash and fees of one account and day are two holdings; two instruments of one depository are two', async () => {
  const day = freshDate();
  const stone = { ...household, instrument: await makeUploadInstrument(admin) };
  const bodies = [
    v1Holding('account', household, { date: day, market_value: '1' }),
    v1Holding('fee', household, { date: day, market_value: '2' }),
    v1Holding('instrument', household, { date: day, units: '1', market_value: '3' }),
    v1Holding('instrument', stone, { date: day, units: '1', market_value: '4' }),
  ];
  for (const body of bodies) expect((await admin.post(path, body)).status).toBe(201);
  const { data } = (await admin.get(`${path}?from=${day}&to=${day}`)).body;
  expect(data.map((one: Record<string, string>) => one['market_value'])).toEqual(['1', '2', '3', '4']);
});

describe('changed on v1', () => {
  async function stated(kind: UploadKind, fields: object): Promise<any> {
    const reply = await admin.post(path, v1Holding(kind, household, { date: freshDate(), ...fields }));
    return reply.body;
  }

  test('a change opens the next version, and unchanged fields may be sent along', async () => {
    const before = await stated('instrument', { units: '5', market_value: '50' });
    const effects = await readWriteEffects(household);
    service.clock.advance(1_000);
    const reply = await admin.patch(`${path}/${before.id}`, { ...before, market_value: '55', accrued_interest: '1' });
    const known_from = new Date(service.clock.now()).toISOString();
    expect([reply.status, reply.body]).toEqual([
      200,
      { ...before, market_value: '55', accrued_interest: '1', known_from },
    ]);
    const remaining = [
      { market_value: '50', isKnown: false },
      { market_value: '55', isKnown: true },
    ];
    expect(await listVersions(before.id)).toEqual({ versions: remaining, isWithoutGaps: true });
    expect((await readWriteEffects(household)).version).toBe(effects.version + 1);
    expect((await admin.patch(`${path}/${before.id}`, reply.body)).body).toEqual(reply.body);
    expect((await readWriteEffects(household)).version).toBe(effects.version + 1);
  });

  test('its kind, date, location, instrument and client cannot change', async () => {
    const { id } = await stated('instrument', { units: '5', market_value: '50' });
    const change = {
      kind: 'fee',
      date: '2001-01-01',
      depository_id: otherHousehold.depository,
      instrument_id: otherHousehold.instrument,
      client_id: otherHousehold.client,
    };
    const reply = await admin.patch(`${path}/${id}`, change);
    expect(faultsOf(reply)).toEqual(
      immutableFaults('/kind', '/date', '/depository_id', '/instrument_id', '/client_id'),
    );
  });

  test('a field of another kind is refused', async () => {
    const { id } = await stated('account', { market_value: '5' });
    const detail = 'A record of type historical-account-holding has no such field.';
    expect(faultsOf(await admin.patch(`${path}/${id}`, { units: '1' }))).toEqual([
      { status: 422, code: 'unknown-attribute', detail, pointer: '/units' },
    ]);
  });

  test.each([
    ['fee', { market_value: '5' }, { market_value: '-5' }, '/market_value', 'The fees owed must not be negative.'],
    [
      'instrument',
      { units: '1', market_value: '5' },
      { units: '0' },
      '/market_value',
      'The market value must be 0 if there are no units.',
    ],
    [
      'instrument',
      { units: '1', market_value: '5' },
      { currency_exchange_rate: '2' },
      '/reporting_currency_code',
      'Send the exchange rate and the reporting currency together.',
    ],
  ] as const)('%s: inconsistent fields are refused', async (kind, fields, change, pointer, detail) => {
    const { id } = await stated(kind, fields);
    const reply = await admin.patch(`${path}/${id}`, change);
    expect(faultsOf(reply)).toEqual([{ status: 422, code: 'invalid-attribute', detail, pointer }]);
    expect((await listVersions(id)).versions).toHaveLength(1);
  });

  test('If-Match refuses a change and a deletion after a newer upload', async () => {
    const day = freshDate();
    const first = await admin.post(path, v1Holding('fee', household, { date: day, market_value: '1' }));
    await admin.post(path, v1Holding('fee', household, { date: day, market_value: '2' }));
    const headers = { 'if-match': first.headers.get('etag')! };
    const item = `${path}/${first.body.id}`;
    expect((await admin.patch(item, { market_value: '3' }, headers)).status).toBe(412);
    expect((await admin.delete(item, headers)).status).toBe(412);
    expect((await admin.get(item)).body.market_value).toBe('2');
  });
});

describe('refused on JSON:API, with nothing written', () => {
  const good = { date, units: 1, marketValue: 5 };
  const decimalFault = 'must be a decimal, as a number or a string.';
  const together = 'Send the exchange rate and the reporting currency together.';

  test.each([
    ['account', { date: '2019-02-29' }, 'date', 'date must be a day that exists.'],
    ['account', { date: 20191231 }, 'date', 'date must be a string.'],
    ['account', { marketValue: true }, 'marketValue', `marketValue ${decimalFault}`],
    ['account', { marketValue: null }, 'marketValue', 'marketValue must not be null.'],
    ['fee', { marketValue: '-0.01' }, 'marketValue', 'marketValue must not be less than 0: what is owed is positive.'],
    ['instrument', { units: 'many' }, 'units', 'units must be a decimal such as -1234.5.'],
    ['instrument', { accruedInterest: [] }, 'accruedInterest', `accruedInterest ${decimalFault}`],
    [
      'instrument',
      { currencyExchangeRate: 0, reportingCurrencyCode: 'EUR' },
      'currencyExchangeRate',
      'currencyExchangeRate must be greater than 0.',
    ],
    [
      'instrument',
      { currencyExchangeRate: -1, reportingCurrencyCode: 'EUR' },
      'currencyExchangeRate',
      'currencyExchangeRate must be greater than 0.',
    ],
    [
      'instrument',
      { currencyExchangeRate: 1, reportingCurrencyCode: 'XYZ' },
      'reportingCurrencyCode',
      'reportingCurrencyCode must be an ISO 4217 currency code, such as EUR.',
    ],
    ['instrument', { currencyExchangeRate: 1 }, 'reportingCurrencyCode', together],
    ['instrument', { reportingCurrencyCode: 'EUR' }, 'currencyExchangeRate', together],
    ['instrument', { currencyExchangeRate: null, reportingCurrencyCode: 'EUR' }, 'currencyExchangeRate', together],
    ['instrument', { units: 0 }, 'marketValue', 'The market value must be 0 if there are no units.'],
    [
      'instrument',
      { units: 0, marketValue: 0, accruedInterest: 1 },
      'accruedInterest',
      'The accrued interest must be 0 if there are no units.',
    ],
  ] as const)('%s: %j', async (kind, wrong, field, detail) => {
    const { units, ...rest } = good;
    const attributes = { ...rest, ...(kind === 'instrument' ? { units } : {}), date: freshDate(), ...wrong };
    const lines = await countAuditEntries(service.database);
    const reply = await admin.post(jsonApiHoldingPaths[kind], newHoldingDocument(kind, household, attributes));
    expect(faultsOf(reply)).toEqual([
      { status: 422, code: 'invalid-attribute', detail, pointer: `/data/attributes/${field}` },
    ]);
    expect(await countAuditEntries(service.database)).toBe(lines);
  });

  test.each([
    ['account', ['/data/attributes/date', '/data/attributes/marketValue', '/data/relationships/account']],
    ['fee', ['/data/attributes/date', '/data/attributes/marketValue', '/data/relationships/account']],
    [
      'instrument',
      [
        '/data/attributes/date',
        '/data/attributes/units',
        '/data/attributes/marketValue',
        '/data/relationships/depository',
        '/data/relationships/instrument',
      ],
    ],
  ] as const)('%s: all missing fields are named', async (kind, pointers) => {
    const reply = await admin.post(jsonApiHoldingPaths[kind], newDocument(`historical-${kind}-holding`, {}));
    expect(faultsOf(reply)).toEqual(missingFaults(...pointers));
  });

  test('fields of another kind, and fields set by the service, are unknown', async () => {
    const attributes = { date, marketValue: 1, units: 1, kind: 'account', knownFrom: testNow };
    const reply = await admin.post(jsonApiHoldingPaths.account, newHoldingDocument('account', household, attributes));
    const unknown = ['units', 'kind', 'knownFrom'];
    expect(faultsOf(reply)).toEqual(unknown.map((name) => unknownField('attribute', name, `/data/attributes/${name}`)));
  });

  test('a document of another kind has the wrong type', async () => {
    const reply = await admin.post(
      jsonApiHoldingPaths.fee,
      newHoldingDocument('account', household, { date, marketValue: 1 }),
    );
    expect(reportedRefusal(reply)).toMatchObject({ status: 409, code: 'type-mismatch', pointer: '/data/type' });
  });
});

describe('refused on v1', () => {
  test.each([
    [{ market_value: '1' }, 'missing-attribute', 'kind is required.'],
    [{ kind: 'cash' }, 'invalid-attribute', 'kind must be one of account, fee, instrument.'],
  ])('%j: its kind is required', async (body, code, detail) => {
    expect(faultsOf(await admin.post(path, body))).toContainEqual({ status: 422, code, detail, pointer: '/kind' });
  });

  test.each([
    ['account', ['/date', '/market_value', '/account_id']],
    ['fee', ['/date', '/market_value', '/account_id']],
    ['instrument', ['/date', '/units', '/market_value', '/depository_id', '/instrument_id']],
  ] as const)('%s: all missing fields are named', async (kind, pointers) => {
    expect(faultsOf(await admin.post(path, { kind }))).toEqual(missingFaults(...pointers));
  });

  test('an account holding has no depository', async () => {
    const body = v1Holding('account', household, { date, market_value: '1', depository_id: household.depository });
    expect(faultsOf(await admin.post(path, body))).toEqual([unknownField('field', 'depository_id', '/depository_id')]);
  });
});

describe('access to locations', () => {
  const contents = (kind: UploadKind) => ({
    date: freshDate(),
    ...(kind === 'instrument' ? { units: 1 } : {}),
    marketValue: 1,
  });
  const links = [
    ['account', 'account'],
    ['fee', 'account'],
    ['instrument', 'depository'],
    ['instrument', 'instrument'],
  ] as const;

  test.each(links)('a %s holding of a missing record is refused at its %s', async (kind, link) => {
    const lost = { ...household, [link]: unknownId };
    const missing = { status: 404, code: `${link}-not-found`, detail: `There is no such ${link}.` };
    const onJsonApi = await admin.post(jsonApiHoldingPaths[kind], newHoldingDocument(kind, lost, contents(kind)));
    expect(reportedRefusal(onJsonApi)).toEqual({ ...missing, pointer: `/data/relationships/${link}` });
    const fields = { date: freshDate(), ...holdingValues(kind, '1') };
    const onV1 = await admin.post(path, v1Holding(kind, lost, fields));
    expect(reportedRefusal(onV1)).toEqual({ ...missing, pointer: `/${link}_id` });
  });

  test.each(links.filter(([, link]) => link !== 'instrument'))(
    'a token bound to another client does not find the %s of a %s holding',
    async (kind, link) => {
      const stranger = await admin.becomeApplication({ rights: ['read', 'write'], scoped_to: otherHousehold.client });
      const reply = await stranger.post(jsonApiHoldingPaths[kind], newHoldingDocument(kind, household, contents(kind)));
      expect(reportedRefusal(reply)).toMatchObject({ status: 404, code: `${link}-not-found` });
    },
  );

  test('a token bound to the client uploads, reads, lists, changes and deletes its own, and flags its client', async () => {
    const own = await makeUploadHousehold(admin, 'Drossel');
    const scoped = await admin.becomeApplication({ rights: ['read', 'write'], scoped_to: own.client });
    for (const kind of uploadKinds) {
      const made = await scoped.post(path, v1Holding(kind, own, { date, ...holdingValues(kind, '5') }));
      expect(made.status).toBe(201);
      expect((await scoped.patch(`${path}/${made.body.id}`, { market_value: '6' })).body.market_value).toBe('6');
      const { data } = (await scoped.get(path)).body;
      expect(data.map(({ id }: { id: string }) => id)).toEqual([made.body.id]);
      expect((await scoped.delete(`${path}/${made.body.id}`)).status).toBe(204);
    }
    expect(await readWriteEffects(own)).toEqual({ version: 9, causes: ['upload'] });
    const foreign = await admin.post(path, v1Holding('fee', household, { date: freshDate(), market_value: '5' }));
    const item = `${path}/${foreign.body.id}`;
    for (const reply of [
      await scoped.get(item),
      await scoped.patch(item, { market_value: '6' }),
      await scoped.delete(item),
    ]) {
      expect(reportedRefusal(reply)).toMatchObject({ status: 404, code: 'historical-holding-not-found' });
    }
  });

  test('an instrument that is private to another client is refused', async () => {
    const foreignInstrument = await makeUploadInstrument(admin, {
      reporting_entity_id: otherHousehold.reportingEntity,
    });
    const own = await makeUploadInstrument(admin, { reporting_entity_id: household.reportingEntity });
    const state = (instrument: string) =>
      admin.post(
        jsonApiHoldingPaths.instrument,
        newHoldingDocument('instrument', { ...household, instrument }, contents('instrument')),
      );
    expect(reportedRefusal(await state(foreignInstrument))).toEqual({
      status: 422,
      code: 'different-client',
      detail: 'The instrument belongs to another client than the historical instrument holding.',
      pointer: '/data/relationships/instrument',
    });
    expect((await state(own)).status).toBe(201);
  });

  test('a read-only token can neither upload nor delete', async () => {
    const reader = await admin.becomeApplication({ rights: ['read'] });
    const body = v1Holding('fee', household, { date: freshDate(), market_value: '5' });
    expect(reportedRefusal(await reader.post(path, body))).toMatchObject({ status: 403, code: 'right-missing' });
  });
});

describe('a holding blocks the deletion of its location', () => {
  test.each([
    ['account', 'account', 'accounts', 'account-in-use'],
    ['fee', 'account', 'accounts', 'account-in-use'],
    ['instrument', 'depository', 'depositories', 'depository-in-use'],
    ['instrument', 'instrument', 'instruments', 'instrument-in-use'],
  ] as const)('a %s holding blocks the deletion of its %s until it is deleted', async (kind, link, plural, code) => {
    const own = await makeUploadHousehold(admin, 'Elster');
    const fields = { date, ...holdingValues(kind, '1') };
    const id = await makeRecord(admin, 'historical-holdings', v1Holding(kind, own, fields));
    await admin.post(path, v1Holding(kind, own, { ...fields, ...holdingValues(kind, '2') }));
    expect(reportedRefusal(await admin.delete(`/v1/${plural}/${own[link]}`))).toEqual({
      status: 409,
      code,
      detail: `The ${link} cannot be deleted while these remain: 1 historical holding.`,
      pointer: undefined,
    });
    await admin.delete(`${path}/${id}`);
    expect((await admin.delete(`/v1/${plural}/${own[link]}`)).status).toBe(204);
    expect((await listVersions(id)).versions).toHaveLength(2);
  });

  test.each([
    ['account', 'accounts', 'account-in-use'],
    ['instrument', 'depositories', 'depository-in-use'],
  ] as const)(
    'a %s holding that is being uploaded blocks it, and one that comes too late finds no location',
    async (kind, plural, code) => {
      const location = kind === 'instrument' ? 'depository' : 'account';
      const [remaining, gone] = [await makeUploadHousehold(admin, 'Fink'), await makeUploadHousehold(admin, 'Gimpel')];
      const upload = (at: UploadHousehold) => () =>
        admin.post(path, v1Holding(kind, at, { date, ...holdingValues(kind, '1') }));
      const remove = (at: UploadHousehold) => () => admin.delete(`/v1/${plural}/${at[location]}`);
      const [uploaded, refused] = await runInLockOrder(service.database, upload(remaining), remove(remaining));
      expect([uploaded.status, reportedRefusal(refused).code]).toEqual([201, code]);
      const [removed, late] = await runInLockOrder(service.database, remove(gone), upload(gone));
      expect([removed.status, reportedRefusal(late).code]).toEqual([204, `${location}-not-found`]);
    },
  );
});
