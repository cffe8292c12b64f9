// Points of time series on all three wires: which source counts on a day, which versions are kept, which days a range includes,
// and who may write.

import { beforeAll, describe, expect, test } from 'vitest';
import type { Caller } from '../../setup/http/caller.ts';
import { reportedRefusal } from '../../setup/structure/client-document.ts';
import {
  allSeriesKinds,
  makeSeriesInstrument,
  newPointDocument,
  pointObject,
  type PointType,
} from '../../setup/instruments/series-document.ts';
import { serviceForThisFile } from '../../setup/node/test-service.ts';
import { countAuditEntries, runSql } from '../../setup/database/sql.ts';
import {
  faultsOf,
  missingFaults,
  makeRecord,
  makeHousehold,
  unknownField,
  unknownId,
  type Household,
} from '../../setup/structure/structure-document.ts';

const service = serviceForThisFile();
let admin: Caller;
let family: Household;
let scoped: Caller;
let baseUrl: string;

beforeAll(async () => {
  ({ admin } = service);
  baseUrl = service.addresses.baseUrl;
  family = await makeHousehold(admin);
  scoped = await admin.becomeApplication({ rights: ['read', 'write'], scoped_to: family.client });
});

const pathsOf = (instrumentId: string, kind: PointType = 'price') => ({
  v1: `/v1/instruments/${instrumentId}/${kind}s`,
  jsonApi: `/api/v3/instruments/${instrumentId}/${kind}s`,
  plain: `/v3/instruments/${instrumentId}/${kind}s`,
});

interface Version {
  readonly id: string;
  readonly value: string;
  readonly from: Date;
  readonly until: Date | null;
}

function versionsOf(instrumentId: string): Promise<Version[]> {
  return runSql<Version>(
    service.database,
    `SELECT id, trim_scale(value)::text AS value, known_from AS "from", known_until AS "until" FROM series_point
     WHERE instrument_id = $1 ORDER BY date, source, known_from`,
    [instrumentId],
  );
}

/** Writes a point of one day from each of these sources. */
async function putEach(
  instrumentId: string,
  values: Record<string, string>,
  date = '2026-01-05',
): Promise<Record<string, string>> {
  const ids: Record<string, string> = {};
  for (const [source, value] of Object.entries(values)) {
    ids[source] = (await admin.post(pathsOf(instrumentId).v1, { date, value, source })).body.id;
  }
  return ids;
}

describe('a point', () => {
  test.each(allSeriesKinds)(
    '%s: put on JSON:API, its source is manual, and it can be read on every wire',
    async (kind) => {
      const instrumentId = await makeSeriesInstrument(admin);
      const { v1, jsonApi, plain } = pathsOf(instrumentId, kind);
      const reply = await admin.post(jsonApi, newPointDocument(kind, { date: '2026-01-05', value: 1 }));
      expect(reply.status).toBe(201);
      const { id } = reply.body.data;
      expect(id).toMatch(/^[0-9a-f]{24}$/);
      expect(reply.headers.get('location')).toBe(`${baseUrl}/api/v3/${kind}s/${id}`);
      expect(reply.body).toEqual({ data: pointObject(kind, id, { date: '2026-01-05', value: 1 }) });
      expect((await admin.get(jsonApi)).body).toEqual({ data: [reply.body.data] });
      const flat = { date: '2026-01-05', source: 'manual', instrument_id: instrumentId };
      expect((await admin.get(plain)).body).toEqual({ data: [{ ...flat, value: 1 }], has_more: false });
      const point = { id, ...flat, value: '1', known_from: '2026-11-15T12:00:00.000Z' };
      expect((await admin.get(v1)).body).toEqual({ data: [point], has_more: false });
      const read = await admin.get(`/v1/${kind}s/${id}`);
      expect([read.status, read.body]).toEqual([200, point]);
    },
  );

  test('keeps every digit that is sent, as a number and as a string', async () => {
    const instrumentId = await makeSeriesInstrument(admin);
    const { v1, jsonApi } = pathsOf(instrumentId);
    const digits = '12345678901234567890.123456789012345678';
    const raw = `{"data":{"type":"price","attributes":{"date":"2026-01-05","value":${digits}}}}`;
    const sent = await admin.send(jsonApi, {
      method: 'POST',
      raw,
      headers: { 'content-type': 'application/vnd.api+json' },
    });
    expect(sent.text).toContain(`"value":${digits}}`);
    expect((await admin.get(v1)).body.data[0].value).toBe(digits);
    expect((await admin.post(v1, { date: '2026-01-06', value: `-${digits}` })).body.value).toBe(`-${digits}`);
  });

  test('put on v1 returns its location, and accepts a source, manual by default', async () => {
    const instrumentId = await makeSeriesInstrument(admin);
    const { v1 } = pathsOf(instrumentId);
    const reply = await admin.post(v1, {
      date: '2026-01-05',
      value: '104.35',
      source: 'custodian',
      instrument_id: instrumentId,
    });
    expect(reply.status).toBe(201);
    expect(reply.headers.get('location')).toBe(`${baseUrl}/v1/prices/${reply.body.id}`);
    const read = await admin.get(`/v1/prices/${reply.body.id}`);
    expect([read.text, read.headers.get('etag')]).toEqual([reply.text, reply.headers.get('etag')]);
    expect(reply.body).toMatchObject({
      date: '2026-01-05',
      value: '104.35',
      source: 'custodian',
      instrument_id: instrumentId,
    });
    expect((await admin.post(v1, { date: '2026-01-05', value: 104 })).body).toMatchObject({
      value: '104',
      source: 'manual',
    });
  });

  test('has an entry in the audit log with its previous value', async () => {
    const instrumentId = await makeSeriesInstrument(admin);
    const { v1 } = pathsOf(instrumentId);
    const { body } = await admin.post(v1, { date: '2026-01-05', value: '1' });
    await admin.post(v1, { date: '2026-01-05', value: '2' });
    await admin.delete(`/v1/prices/${body.id}`);
    const { data } = (await admin.get(`/v1/audit-log?subject_id=${body.id}`)).body;
    const snapshot = {
      id: body.id,
      date: '2026-01-05',
      source: 'manual',
      instrument_id: instrumentId,
      client_id: null,
    };
    const [known, later] = ['2026-11-15T12:00:00.000Z', '2026-11-15T12:00:00.000Z'];
    expect(data.map(({ act, subject_type, before, after }: any) => ({ act, subject_type, before, after }))).toEqual([
      { act: 'delete', subject_type: 'price', before: { ...snapshot, value: '2', known_from: later }, after: null },
      {
        act: 'change',
        subject_type: 'price',
        before: { ...snapshot, value: '1', known_from: known },
        after: { ...snapshot, value: '2', known_from: later },
      },
      { act: 'create', subject_type: 'price', before: null, after: { ...snapshot, value: '1', known_from: known } },
    ]);
  });
});

describe('precedence of sources', () => {
  test('manual before custodian, custodian before reference data', async () => {
    const instrumentId = await makeSeriesInstrument(admin);
    const { v1, jsonApi, plain } = pathsOf(instrumentId);
    const ids = await putEach(instrumentId, { reference: '1', manual: '3', custodian: '2' });
    const seen = async () => [
      (await admin.get(v1)).body.data.map(({ value }: any) => value),
      (await admin.get(plain)).body.data.map(({ source }: any) => source),
      (await admin.get(jsonApi)).body.data.map(({ attributes }: any) => attributes.value),
    ];
    expect(await seen()).toEqual([['3'], ['manual'], [3]]);
    expect((await admin.delete(`/api/v3/prices/${ids['manual']}`)).status).toBe(204);
    expect(await seen()).toEqual([['2'], ['custodian'], [2]]);
    expect((await admin.delete(`/v1/prices/${ids['custodian']}`)).status).toBe(204);
    expect(await seen()).toEqual([['1'], ['reference'], [1]]);
    await putEach(instrumentId, { custodian: '4' });
    expect(await seen()).toEqual([['4'], ['custodian'], [4]]);
  });

  test('v1 can list the points of one source', async () => {
    const instrumentId = await makeSeriesInstrument(admin);
    const { v1 } = pathsOf(instrumentId);
    await putEach(instrumentId, { reference: '1', manual: '3' }, '2026-01-05');
    await putEach(instrumentId, { reference: '2' }, '2026-01-06');
    const valuesOf = async (search: string) => (await admin.get(v1 + search)).body.data.map(({ value }: any) => value);
    expect(await valuesOf('')).toEqual(['3', '2']);
    expect(await valuesOf('?source=reference')).toEqual(['1', '2']);
    expect(await valuesOf('?source=custodian')).toEqual([]);
  });

  test('points of other kinds and other instruments have no effect', async () => {
    const [instrumentId, other] = [await makeSeriesInstrument(admin), await makeSeriesInstrument(admin)];
    await admin.post(pathsOf(instrumentId).v1, { date: '2026-01-05', value: '1', source: 'reference' });
    await admin.post(pathsOf(other).v1, { date: '2026-01-05', value: '2' });
    await admin.post(pathsOf(instrumentId, 'net-asset-value').v1, { date: '2026-01-05', value: '3' });
    const { data } = (await admin.get(pathsOf(instrumentId).v1)).body;
    expect(data.map(({ value }: any) => value)).toEqual(['1']);
    expect((await admin.get(`/v1/net-asset-values/${data[0].id}`)).status).toBe(404);
    expect((await admin.delete(`/api/v3/interest-rates/${data[0].id}`)).status).toBe(404);
  });
});

describe('versions', () => {
  test('an overwritten value is stored with the period in which it was known, under the same id', async () => {
    const instrumentId = await makeSeriesInstrument(admin);
    const { v1, jsonApi } = pathsOf(instrumentId);
    const first = await admin.post(v1, { date: '2026-01-05', value: '1' });
    const before = service.clock.now();
    service.clock.advance(5_000);
    const second = await admin.post(jsonApi, newPointDocument('price', { date: '2026-01-05', value: 2 }));
    expect([second.status, second.body.data.id, second.headers.get('location')]).toEqual([200, first.body.id, null]);
    const moment = new Date(before + 5_000);
    expect(await versionsOf(instrumentId)).toEqual([
      { id: first.body.id, value: '1', from: new Date(before), until: moment },
      { id: first.body.id, value: '2', from: moment, until: null },
    ]);
    expect((await admin.get(`/v1/prices/${first.body.id}`)).body).toMatchObject({
      value: '2',
      known_from: moment.toISOString(),
    });
  });

  test('the same value again adds no version and no audit log entry', async () => {
    const instrumentId = await makeSeriesInstrument(admin);
    const { v1 } = pathsOf(instrumentId);
    const first = await admin.post(v1, { date: '2026-01-05', value: '1.50' });
    service.clock.advance(5_000);
    const lines = await countAuditEntries(service.database);
    const again = await admin.post(v1, { date: '2026-01-05', value: '15e-1' });
    expect([again.status, again.text]).toEqual([200, first.text]);
    expect(await versionsOf(instrumentId)).toHaveLength(1);
    expect(await countAuditEntries(service.database)).toBe(lines);
  });

  test('a deletion closes the last version, and a later write creates another point', async () => {
    const instrumentId = await makeSeriesInstrument(admin);
    const { v1 } = pathsOf(instrumentId);
    const { id } = (await admin.post(v1, { date: '2026-01-05', value: '1' })).body;
    service.clock.advance(5_000);
    expect((await admin.delete(`/v1/prices/${id}`)).status).toBe(204);
    const missing = { status: 404, code: 'price-not-found', detail: 'There is no such price.', pointer: undefined };
    expect(reportedRefusal(await admin.delete(`/v1/prices/${id}`))).toEqual(missing);
    expect(reportedRefusal(await admin.delete(`/api/v3/prices/${id}`))).toEqual(missing);
    expect(reportedRefusal(await admin.get(`/v1/prices/${id}`))).toEqual(missing);
    expect((await versionsOf(instrumentId)).map(({ until }) => until)).toEqual([new Date(service.clock.now())]);
    const next = await admin.post(v1, { date: '2026-01-05', value: '1' });
    expect([next.status, next.body.id === id]).toEqual([201, false]);
    expect((await versionsOf(instrumentId)).map(({ until }) => until === null)).toEqual([false, true]);
  });

  test('changes within one moment follow each other', async () => {
    const instrumentId = await makeSeriesInstrument(admin);
    for (const value of ['1', '2', '3']) await admin.post(pathsOf(instrumentId).v1, { date: '2026-01-05', value });
    const rows = await runSql<{ value: string; micros: string }>(
      service.database,
      `SELECT trim_scale(value)::text AS value, extract(microseconds FROM known_from)::bigint % 1000 AS micros
       FROM series_point WHERE instrument_id = $1 ORDER BY known_from`,
      [instrumentId],
    );
    expect(rows).toEqual(['1', '2', '3'].map((value, index) => ({ value, micros: String(index) })));
  });

  test('ten concurrent writers of one day leave at most ten versions, one of them current', async () => {
    const instrumentId = await makeSeriesInstrument(admin);
    const { v1 } = pathsOf(instrumentId);
    const values = Array.from({ length: 10 }, (_, index) => String(index + 1));
    const replies = await Promise.all(values.map((value) => admin.post(v1, { date: '2026-01-05', value })));
    expect(replies.map(({ status }) => status).toSorted()).toEqual([...Array(9).fill(200), 201]);
    expect(new Set(replies.map(({ body }) => body.id)).size).toBe(1);
    const versions = await versionsOf(instrumentId);
    expect(versions.map(({ value }) => value).toSorted()).toEqual(values.toSorted());
    expect(versions.filter(({ until }) => until === null)).toHaveLength(1);
  });

  test('deleting an instrument deletes its points and no others, and their versions are kept', async () => {
    const instrumentId = await makeSeriesInstrument(admin);
    const other = await makeSeriesInstrument(admin);
    await admin.post(pathsOf(other).v1, { date: '2026-01-05', value: '3' });
    const { id } = (await admin.post(pathsOf(instrumentId).v1, { date: '2026-01-05', value: '1' })).body;
    const known = new Date(service.clock.now()).toISOString();
    service.clock.advance(5_000);
    await admin.post(pathsOf(instrumentId).v1, { date: '2026-01-05', value: '2' });
    service.clock.advance(5_000);
    expect((await admin.delete(`/api/v3/instruments/${instrumentId}`)).status).toBe(204);
    expect((await admin.get(`/v1/prices/${id}`)).status).toBe(404);
    expect((await admin.get(pathsOf(instrumentId).v1)).status).toBe(404);
    const gone = new Date(service.clock.now());
    const versions = (await versionsOf(instrumentId)).map(({ value, until }) => [value, until]);
    expect(versions).toEqual([
      ['1', new Date(gone.getTime() - 5_000)],
      ['2', gone],
    ]);
    expect((await admin.get(`${pathsOf(instrumentId).v1}?known_at=${known}`)).body.data[0].value).toBe('1');
    expect((await versionsOf(other)).map(({ value, until }) => [value, until])).toEqual([['3', null]]);
  });
});

describe('ranges', () => {
  let instrumentId: string;

  beforeAll(async () => {
    instrumentId = await makeSeriesInstrument(admin);
    for (const day of ['02', '05', '06', '09']) await putEach(instrumentId, { reference: `1${day}` }, `2026-01-${day}`);
    await putEach(instrumentId, { manual: '60' }, '2026-01-06');
  });

  test.each([
    ['', ['02', '05', '06', '09']],
    ['?start=2026-01-05', ['05', '06', '09']],
    ['?end=2026-01-05', ['02', '05']],
    ['?start=2026-01-05&end=2026-01-06', ['05', '06']],
    ['?start=2026-01-05&end=2026-01-05', ['05']],
    ['?start=2026-01-07&end=2026-01-08', []],
    ['?start=1900-01-01&end=2200-12-31', ['02', '05', '06', '09']],
  ])('%s includes both ends', async (search, days) => {
    for (const path of [pathsOf(instrumentId).v1, pathsOf(instrumentId).plain]) {
      const { status, body } = await admin.get(path + search);
      expect([status, body.data.map(({ date }: any) => date.slice(8))]).toEqual([200, days]);
    }
  });

  test.each([
    ['?start=2026-02-30', 'start', 'start must be a day that exists.'],
    ['?end=yesterday', 'end', 'end must be a date in the form YYYY-MM-DD.'],
    ['?start=2026-01-06&end=2026-01-05', 'end', 'end must not be before start.'],
  ])('%s is refused', async (search, parameter, detail) => {
    const v1 = await admin.get(pathsOf(instrumentId).v1 + search);
    expect([v1.status, v1.body.errors]).toEqual([400, [{ code: 'invalid-parameter', detail, parameter }]]);
    const plain = await admin.get(pathsOf(instrumentId).plain + search);
    expect(plain.body.errors).toMatchObject([
      { status: '400', code: 'invalid-parameter', detail, source: { parameter } },
    ]);
  });

  test('JSON:API accepts no range', async () => {
    expect(reportedRefusal(await admin.get(`${pathsOf(instrumentId).jsonApi}?start=2026-01-05`))).toMatchObject({
      status: 400,
      code: 'unknown-parameter',
    });
  });

  test('a cursor of v1 continues after the last day of the page, only within its range and source', async () => {
    const { v1 } = pathsOf(instrumentId);
    const walk = async (search: string): Promise<string[]> => {
      const days: string[] = [];
      for (let cursor = ''; ;) {
        const { body } = await admin.get(`${v1}?limit=1${search}${cursor}`);
        days.push(...body.data.map(({ date, source }: any) => `${date.slice(8)} ${source}`));
        if (!body.has_more) return days;
        cursor = `&cursor=${body.next_cursor}`;
      }
    };
    expect(await walk('')).toEqual(['02 reference', '05 reference', '06 manual', '09 reference']);
    expect(await walk('&start=2026-01-05&end=2026-01-06&source=reference')).toEqual(['05 reference', '06 reference']);
    const { next_cursor: cursor } = (await admin.get(`${v1}?limit=1`)).body;
    for (const search of ['&start=2026-01-05', '&source=reference']) {
      expect(reportedRefusal(await admin.get(`${v1}?cursor=${cursor}${search}`))).toMatchObject({
        code: 'cursor-invalid',
      });
    }
    const other = pathsOf(await makeSeriesInstrument(admin)).v1;
    expect(reportedRefusal(await admin.get(`${other}?cursor=${cursor}`))).toMatchObject({ code: 'cursor-invalid' });
    expect(reportedRefusal(await admin.get(`${pathsOf(instrumentId).plain}?cursor=${cursor}`))).toMatchObject({
      code: 'cursor-invalid',
    });
  });
});

describe('above the row cap', () => {
  let instrumentId: string;
  const total = 10_003;

  beforeAll(async () => {
    instrumentId = await makeSeriesInstrument(admin);
    await runSql(
      service.database,
      `WITH ledger AS (INSERT INTO series_ledger SELECT workspace_id, environment, id, NULL, 1 FROM instrument WHERE id = $1)
       INSERT INTO series_point (workspace_id, environment, id, instrument_id, kind, date, source, value, known_from)
       SELECT workspace_id, environment, lpad(to_hex(n) || left(source, 1), 24, '0'), id, 'price', date '1970-01-01' + n, source, n, created_at
       FROM instrument, generate_series(1, $2::int) n, unnest(ARRAY['reference', 'custodian']) source
       WHERE id = $1 AND (source = 'reference' OR n % 2 = 0)`,
      [instrumentId, total],
    );
  });

  test('JSON:API truncates the list by day and returns the total', async () => {
    const { body } = await admin.get(pathsOf(instrumentId).jsonApi);
    expect(body.meta).toEqual({ truncated: true, cap: 10_000, total });
    expect(body.data).toHaveLength(10_000);
    expect([body.data[0].attributes, body.data[9_999].attributes]).toEqual([
      { date: '1970-01-02', value: 1 },
      { date: '1997-05-19', value: 10_000 },
    ]);
  });

  test('the cursor of Plain continues from there', async () => {
    const { body } = await admin.get(pathsOf(instrumentId).plain);
    expect([body.data.length, body.has_more]).toEqual([10_000, true]);
    expect(body.data.slice(0, 2).map(({ source }: any) => source)).toEqual(['reference', 'custodian']);
    const rest = (await admin.get(`${pathsOf(instrumentId).plain}?cursor=${body.next_cursor}`)).body;
    expect(rest.data.map(({ value }: any) => value)).toEqual([10_001, 10_002, 10_003]);
    expect(rest.has_more).toBe(false);
    const days = [...body.data, ...rest.data].map(({ date }: any) => date);
    expect(days).toEqual([...new Set(days)].toSorted());
  });

  test('v1 lists all days, each once', async () => {
    const dates: string[] = [];
    for (let cursor = ''; ;) {
      const { body } = await admin.get(`${pathsOf(instrumentId).v1}?limit=100&start=1996-01-01${cursor}`);
      dates.push(...body.data.map(({ date }: any) => date));
      if (!body.has_more) break;
      cursor = `&cursor=${body.next_cursor}`;
    }
    expect(dates).toHaveLength(508);
    expect(dates).toEqual([...new Set(dates)].toSorted());
  });
});

describe('refusals', () => {
  test('every field that is missing, unknown or wrong has a pointer', async () => {
    const { v1, jsonApi } = pathsOf(await makeSeriesInstrument(admin));
    expect(faultsOf(await admin.post(v1, {}))).toEqual(missingFaults('/date', '/value'));
    expect(faultsOf(await admin.post(jsonApi, newPointDocument('price', {})))).toEqual(
      missingFaults('/data/attributes/date', '/data/attributes/value'),
    );
    const wrong = { date: '2026-02-30', value: 'NaN', source: 'hearsay', known_from: 'x', instrument_id: unknownId };
    const invalid = (pointer: string, detail: string) => ({ status: 422, code: 'invalid-attribute', detail, pointer });
    expect(faultsOf(await admin.post(v1, wrong))).toEqual([
      invalid('/date', 'date must be a day that exists.'),
      invalid('/value', 'value must be a decimal such as -1234.5.'),
      invalid('/source', 'source must be one of reference, custodian, manual.'),
      unknownField('field', 'known_from', '/known_from'),
      invalid('/instrument_id', 'instrument_id must be the one in the path.'),
    ]);
    const document = newPointDocument('price', { date: '1899-12-31', value: 1, source: 'manual' });
    expect(faultsOf(await admin.post(jsonApi, document))).toEqual([
      invalid('/data/attributes/date', 'date must be a date from 1900-01-01 to 2200-12-31.'),
      unknownField('attribute', 'source', '/data/attributes/source'),
    ]);
    expect(
      reportedRefusal(await admin.post(jsonApi, newPointDocument('index-factor', { date: '2026-01-05', value: 1 }))),
    ).toMatchObject({
      status: 409,
      code: 'type-mismatch',
    });
  });

  test.each([
    ['interest-rate', '4.25', 'value must be a decimal fraction from -1 to 2: 4.25 % is 0.0425.'],
    ['interest-rate', '-1.01', 'value must be a decimal fraction from -1 to 2: 4.25 % is 0.0425.'],
    ['index-factor', '0', 'value must be greater than 0.'],
    ['price', '1.0000000000000000001', 'value must have at most 18 digits after the point.'],
    ['net-asset-value', '123456789012345678901', 'value must have at most 20 digits before the point.'],
  ] as const)('a %s of %s', async (kind, value, detail) => {
    const { v1 } = pathsOf(await makeSeriesInstrument(admin), kind);
    expect(faultsOf(await admin.post(v1, { date: '2026-01-05', value }))).toEqual([
      { status: 422, code: 'invalid-attribute', detail, pointer: '/value' },
    ]);
  });

  test.each([
    ['interest-rate', '-0.0075'],
    ['interest-rate', '1.33'],
    ['price', '-37.63'],
    ['net-asset-value', '0'],
  ] as const)('but not a %s of %s', async (kind, value) => {
    const { v1 } = pathsOf(await makeSeriesInstrument(admin), kind);
    expect((await admin.post(v1, { date: '2026-01-05', value })).status).toBe(201);
  });

  test.each(['v1', 'jsonApi', 'plain'] as const)('a missing instrument: %s', async (wire) => {
    const missing = {
      status: 404,
      code: 'instrument-not-found',
      detail: 'There is no such instrument.',
      pointer: undefined,
    };
    for (const instrumentId of [unknownId, 'none']) {
      expect(reportedRefusal(await admin.get(pathsOf(instrumentId)[wire]))).toEqual(missing);
      if (wire === 'plain') continue;
      const body =
        wire === 'v1' ? { date: '2026-01-05', value: 1 } : newPointDocument('price', { date: '2026-01-05', value: 1 });
      expect(reportedRefusal(await admin.post(pathsOf(instrumentId)[wire], body))).toEqual(missing);
    }
  });
});

describe('the series of an instrument type', () => {
  const stock = { type: 'stock-instrument', name: 'Share' };
  const bond = { type: 'bond-instrument', name: 'Bond', coupon: '0.02', maturity: '2034-06-15' };
  const fund = { type: 'mutual-fund-instrument', name: 'Fund' };

  test.each([
    [stock, ['price'], 'An instrument of type stock-instrument has prices, but no net-asset-values.'],
    [
      bond,
      ['price', 'interest-rate'],
      'An instrument of type bond-instrument has prices and interest-rates, but no net-asset-values.',
    ],
    [
      fund,
      ['price', 'net-asset-value'],
      'An instrument of type mutual-fund-instrument has prices and net-asset-values, but no interest-rates.',
    ],
  ])('$type', async (fields, fitting, detail) => {
    const instrumentId = await makeRecord(admin, 'instruments', fields);
    const put = (kind: PointType) => admin.post(pathsOf(instrumentId, kind).v1, { date: '2026-01-05', value: '1' });
    const replies = await Promise.all(allSeriesKinds.map(put));
    expect(replies.map(({ status }) => status)).toEqual(
      allSeriesKinds.map((kind) => (fitting.includes(kind) ? 201 : 422)),
    );
    const refused = replies.find(({ status }) => status === 422)!;
    expect(reportedRefusal(refused)).toEqual({ status: 422, code: 'series-not-of-type', detail, pointer: undefined });
    for (const kind of allSeriesKinds) expect((await admin.get(pathsOf(instrumentId, kind).v1)).status).toBe(200);
  });
});

describe('permissions', () => {
  const outside = {
    status: 403,
    code: 'outside-reach',
    detail: 'A token bound to one client cannot change what all clients share.',
    pointer: undefined,
  };

  test('points of the catalogue can be read by all and written only by callers who see all clients', async () => {
    const instrumentId = await makeSeriesInstrument(admin);
    const { v1, jsonApi, plain } = pathsOf(instrumentId);
    const { id } = (await admin.post(v1, { date: '2026-01-05', value: '1' })).body;
    for (const path of [v1, jsonApi, plain]) expect((await scoped.get(path)).body.data).toHaveLength(1);
    expect((await scoped.get(`/v1/prices/${id}`)).status).toBe(200);
    const rows = [{ date: '2026-01-05', value: '2' }];
    const refused = [
      await scoped.post(v1, rows[0]),
      await scoped.post(jsonApi, newPointDocument('price', rows[0]!)),
      await scoped.post(`${v1}/bulk`, { data: rows }),
      await scoped.delete(`/v1/prices/${id}`),
      await scoped.delete(`/api/v3/prices/${id}`),
    ];
    expect(refused.map(reportedRefusal)).toEqual(refused.map(() => outside));
    expect(await versionsOf(instrumentId)).toHaveLength(1);
  });

  test('points of a private instrument belong to its client', async () => {
    const instrumentId = await makeSeriesInstrument(admin, family.reportingEntity);
    const { v1, jsonApi, plain } = pathsOf(instrumentId);
    const { status, body } = await scoped.post(v1, { date: '2026-01-05', value: '1' });
    expect(status).toBe(201);
    expect((await scoped.post(`${v1}/bulk`, { data: [{ date: '2026-01-06', value: '2' }] })).body.written).toBe(1);
    for (const path of [v1, jsonApi, plain]) expect((await scoped.get(path)).body.data).toHaveLength(2);
    const stranger = await admin.becomeApplication({
      rights: ['read', 'write'],
      scoped_to: (await makeHousehold(admin)).client,
    });
    for (const path of [v1, jsonApi, plain, `/v1/prices/${body.id}`])
      expect((await stranger.get(path)).status).toBe(404);
    const writes = [
      await stranger.post(v1, { date: '2026-01-05', value: '2' }),
      await stranger.post(`${v1}/bulk`, { data: [] }),
      await stranger.delete(`/v1/prices/${body.id}`),
      await stranger.delete(`/api/v3/prices/${body.id}`),
    ];
    expect(writes.map((reply) => reply.status)).toEqual([404, 404, 404, 404]);
    expect(
      await runSql(service.database, 'SELECT DISTINCT client_id FROM series_point WHERE instrument_id = $1', [
        instrumentId,
      ]),
    ).toEqual([{ client_id: family.client }]);
    expect((await scoped.delete(`/v1/prices/${body.id}`)).status).toBe(204);
  });

  test('on Plain a token bound to a client sees points private to that client, but not those of clients below', async () => {
    const child = await admin.makeClient('Child', family.client);
    const view = await makeRecord(admin, 'reporting-entities', { name: 'View', client_id: child });
    const { v1, plain } = pathsOf(await makeSeriesInstrument(admin, view));
    expect((await scoped.post(v1, { date: '2026-01-05', value: '1' })).status).toBe(201);
    expect((await scoped.get(plain)).status).toBe(404);
  });
});
