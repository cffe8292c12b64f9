// Very many rows in one request: three formats, all or nothing or row by row, safe to repeat, and bounded for any input.

import { once } from 'node:events';
import { connect } from 'node:net';
import pg from 'pg';
import { beforeAll, describe, expect, test, vi } from 'vitest';
import type { Caller, Reply } from '../../setup/http/caller.ts';
import { reportedRefusal } from '../../setup/structure/client-document.ts';
import { rawHead, sendRaw } from '../../setup/http/raw-request.ts';
import { dailyRows, makeSeriesInstrument, toCsv, toJsonLines } from '../../setup/instruments/series-document.ts';
import { serviceForThisFile } from '../../setup/node/test-service.ts';
import { countAuditEntries, runSql } from '../../setup/database/sql.ts';
import { faultsOf, makeRecord } from '../../setup/structure/structure-document.ts';

const service = serviceForThisFile();
let admin: Caller;

beforeAll(async () => {
  ({ admin } = service);
});

const types = { json: 'application/json', lines: 'application/x-ndjson', csv: 'text/csv' } as const;
type Format = keyof typeof types;
const formats = Object.keys(types) as Format[];

const writers: Record<Format, (rows: readonly object[]) => string> = {
  json: (rows) => JSON.stringify({ data: rows }),
  lines: toJsonLines,
  csv: toCsv,
};

interface BulkOptions {
  readonly format?: Format;
  readonly search?: string;
  readonly headers?: Readonly<Record<string, string>>;
}

function send(instrumentId: string, raw: string | Uint8Array, options: BulkOptions = {}): Promise<Reply> {
  const { format = 'json', search = '', headers = {} } = options;
  const address = `/v1/instruments/${instrumentId}/prices/bulk${search}`;
  return admin.send(address, { method: 'POST', raw, headers: { 'content-type': types[format], ...headers } });
}

async function listPoints(instrumentId: string): Promise<[date: string, value: string, source: string][]> {
  const rows = await runSql<{ date: string; value: string; source: string }>(
    service.database,
    `SELECT date::text, trim_scale(value)::text AS value, source FROM series_point
     WHERE instrument_id = $1 AND known_until IS NULL ORDER BY date, source`,
    [instrumentId],
  );
  return rows.map(({ date, value, source }) => [date, value, source]);
}

async function countPoints(instrumentId: string): Promise<number> {
  const [row] = await runSql<{ count: number }>(
    service.database,
    'SELECT count(*)::int AS count FROM series_point WHERE instrument_id = $1',
    [instrumentId],
  );
  return row!.count;
}

const bulkResult = (accepted: number, written = accepted): object => ({ accepted, refused: 0, written, errors: [] });

describe('the three formats are equivalent', () => {
  test.each(formats)('%s', async (format) => {
    const instrumentId = await makeSeriesInstrument(admin);
    const rows = [
      { date: '2026-01-06', value: '12345678901234567890.123456789012345678', source: 'custodian' },
      { date: '2026-01-05', value: '-1.5', source: 'manual' },
    ];
    const reply = await send(instrumentId, writers[format](rows), { format });
    expect([reply.status, reply.body]).toEqual([200, bulkResult(2)]);
    expect(await listPoints(instrumentId)).toEqual([
      ['2026-01-05', '-1.5', 'manual'],
      ['2026-01-06', '12345678901234567890.123456789012345678', 'custodian'],
    ]);
  });

  test.each([
    ['json', '{"data":[]}', 0],
    ['json', ' { "data" : [ {"value":1e1,"date":"2026-01-05"} ] }\r\n', 1],
    ['lines', '\n{"date":"2026-01-05","value":10}\r\n\n', 1],
    ['lines', '{"date":"2026-01-05","value":10}', 1],
    ['csv', 'date,value\n', 0],
    ['csv', '\ufeffvalue,source,date\r\n"10",,"2026-01-05"', 1],
  ] as const)('%s: %j', async (format, raw, count) => {
    const instrumentId = await makeSeriesInstrument(admin);
    expect((await send(instrumentId, raw, { format })).body).toEqual(bulkResult(count));
    expect(await listPoints(instrumentId)).toEqual([['2026-01-05', '10', 'manual']].slice(0, count));
  });

  test('another media type or a compressed body gets 415', async () => {
    const instrumentId = await makeSeriesInstrument(admin);
    for (const type of ['text/plain', 'application/vnd.api+json', 'text/csv; charset=latin1']) {
      expect((await send(instrumentId, 'date,value\n', { headers: { 'content-type': type } })).status).toBe(415);
    }
    expect((await send(instrumentId, '{"data":[]}', { headers: { 'content-encoding': 'gzip' } })).status).toBe(415);
    expect(
      (
        await send(instrumentId, 'date,value\n', {
          headers: { 'content-type': 'text/csv; charset=UTF-8; header=present' },
        })
      ).status,
    ).toBe(200);
  });
});

describe('stored versions', () => {
  test('a body sent twice writes nothing the second time; with other values both versions are kept', async () => {
    const instrumentId = await makeSeriesInstrument(admin);
    const rows = dailyRows('2020-01-01', 500);
    const lines = await countAuditEntries(service.database);
    expect((await send(instrumentId, toCsv(rows), { format: 'csv' })).body).toEqual(bulkResult(500));
    expect((await send(instrumentId, toCsv(rows), { format: 'csv' })).body).toEqual(bulkResult(500, 0));
    expect(await countAuditEntries(service.database)).toBe(lines + 1);
    service.clock.advance(1_000);
    const changed = rows.map((row, index) => (index % 5 === 0 ? { ...row, value: '7' } : row));
    expect((await send(instrumentId, toCsv(changed), { format: 'csv' })).body).toEqual(bulkResult(500, 100));
    expect(await countPoints(instrumentId)).toBe(600);
    expect((await listPoints(instrumentId)).filter(([, value]) => value === '7')).toHaveLength(100);
  });

  test('of several rows for the same day the last one counts, wherever they are in the body', async () => {
    const instrumentId = await makeSeriesInstrument(admin);
    const again = { date: '1950-01-01', value: '3' };
    const rows = [
      { date: '1950-01-01', value: '1' },
      { date: '1950-01-01', value: '2' },
      ...dailyRows('1950-01-02', 9_000),
      again,
    ];
    expect((await send(instrumentId, toCsv(rows), { format: 'csv' })).body).toMatchObject({
      accepted: 9_003,
      refused: 0,
    });
    expect((await listPoints(instrumentId))[0]).toEqual(['1950-01-01', '3', 'manual']);
    expect(await listPoints(instrumentId)).toHaveLength(9_001);
  });

  test('one audit log entry covers all rows', async () => {
    const instrumentId = await makeSeriesInstrument(admin);
    await send(instrumentId, JSON.stringify({ data: dailyRows('2020-01-01', 3) }));
    const [line] = (await admin.get(`/v1/audit-log?subject_id=${instrumentId}&act=change`)).body.data;
    expect(line).toMatchObject({
      subject_type: 'instrument',
      before: null,
      after: { prices: { accepted: 3, written: 3 } },
    });
  });
});

describe('bad rows', () => {
  const good = { date: '2026-01-05', value: '1' };
  const rows = [
    good,
    { date: '2026-02-30', value: 'x' },
    'no object',
    { value: '2' },
    { date: '2026-01-06', value: '3', surplus: 1 },
    { date: '2026-01-07', value: '4' },
  ];
  const faults = [
    [1, '/date', 'invalid-attribute', 'date must be a day that exists.'],
    [1, '/value', 'invalid-attribute', 'value must be a decimal such as -1234.5.'],
    [2, '', 'invalid-attribute', 'The row must be an object.'],
    [3, '/date', 'missing-attribute', 'date is required.'],
    [4, '/surplus', 'unknown-attribute', 'There is no field "surplus" that can be set here.'],
  ] as const;

  test.each(['json', 'lines'] as const)('%s: all or nothing, each fault with its pointer', async (format) => {
    const instrumentId = await makeSeriesInstrument(admin);
    for (const search of ['', '?mode=all-or-nothing']) {
      const reply = await send(instrumentId, writers[format](rows as object[]), { format, search });
      expect([reply.status, reply.body.code, reply.body.detail]).toEqual([
        422,
        'invalid-document',
        'The request has 5 faults.',
      ]);
      const line = (index: number): string => (format === 'lines' ? `Line ${index + 1}: ` : '');
      expect(reply.body.errors).toEqual(
        faults.map(([index, at, code, detail]) => ({
          code,
          detail: line(index) + detail,
          pointer: `/data/${index}${at}`,
        })),
      );
    }
    expect(await countPoints(instrumentId)).toBe(0);
  });

  test.each(['json', 'lines'] as const)('%s: row by row, the others are written', async (format) => {
    const instrumentId = await makeSeriesInstrument(admin);
    const reply = await send(instrumentId, writers[format](rows as object[]), { format, search: '?mode=per-row' });
    expect([reply.status, reply.body]).toEqual([
      200,
      {
        accepted: 2,
        refused: 4,
        written: 2,
        errors: faults.map(([index, at, code, detail]) => ({
          index,
          ...(format === 'lines' ? { line: index + 1 } : {}),
          code,
          detail,
          pointer: `/data/${index}${at}`,
        })),
      },
    ]);
    expect(await listPoints(instrumentId)).toEqual([
      ['2026-01-05', '1', 'manual'],
      ['2026-01-07', '4', 'manual'],
    ]);
  });

  test('unreadable rows fail alone in row-by-row mode', async () => {
    const instrumentId = await makeSeriesInstrument(admin);
    const lines =
      '{"date":"2026-01-05","value":1}\n{"date":\n{"date":"2026-01-06","value":2,"value":3}\n{"date":"2026-01-07","value":4}\n';
    const twice = 'The member "value" appears twice at offset 31.';
    expect(reportedRefusal(await send(instrumentId, lines, { format: 'lines' }))).toEqual({
      status: 400,
      code: 'malformed-json',
      detail: 'Row 1: Line 2: The text ends early at offset 8.',
      pointer: '/data/1',
    });
    const partial = await send(instrumentId, lines, { format: 'lines', search: '?mode=per-row' });
    expect(partial.body).toMatchObject({ accepted: 2, refused: 2 });
    expect(partial.body.errors[1]).toEqual({
      index: 2,
      line: 3,
      code: 'malformed-json',
      detail: twice,
      pointer: '/data/2/value',
    });
    const csv = 'date,value\n2026-01-05,1\n2026-01-06,2,3\n2026-01-07\n2026-01-08,4\n';
    expect(reportedRefusal(await send(instrumentId, csv, { format: 'csv' }))).toEqual({
      status: 400,
      code: 'malformed-csv',
      detail: 'Row 1: Line 3: The row has 3 fields, but the header has 2.',
      pointer: '/data/1',
    });
    expect((await send(instrumentId, csv, { format: 'csv', search: '?mode=per-row' })).body).toMatchObject({
      accepted: 2,
      refused: 2,
      errors: [
        { index: 1, line: 3 },
        { index: 2, line: 4 },
      ],
    });
  });

  test('one in the middle of 30,000 rolls them all back, or is skipped', async () => {
    const instrumentId = await makeRecord(admin, 'instruments', { type: 'stock-instrument', name: 'Long story' });
    const all = dailyRows('1926-12-01', 30_000).map((row) => ({ ...row }));
    const [head, tail] = [all.slice(0, 15_000), all.slice(15_000)];
    const csv = toCsv([...head, { date: '2026-11-31', value: '1' }, ...tail]);
    const refused = await send(instrumentId, csv, { format: 'csv' });
    expect(faultsOf(refused)).toEqual([
      {
        status: 422,
        code: 'invalid-attribute',
        detail: 'Line 15002: date must be a day that exists.',
        pointer: '/data/15000/date',
      },
    ]);
    expect(await countPoints(instrumentId)).toBe(0);
    const partial = await send(instrumentId, csv, { format: 'csv', search: '?mode=per-row' });
    expect(partial.body).toMatchObject({ accepted: 30_000, refused: 1, written: 30_000 });
    expect(partial.body.errors).toMatchObject([{ index: 15_000, line: 15_002 }]);
    expect(await countPoints(instrumentId)).toBe(30_000);
  });

  test('of very many faults the first are listed, and of rows all are counted', async () => {
    const instrumentId = await makeSeriesInstrument(admin);
    const csv = toCsv(Array.from({ length: 3_000 }, () => ({ date: 'x', value: '1' })));
    const refused = await send(instrumentId, csv, { format: 'csv' });
    expect(refused.body.detail).toBe('The request has more than 100 faults; the first 100 are listed.');
    expect(refused.body.errors).toHaveLength(100);
    const { body } = await send(instrumentId, csv, { format: 'csv', search: '?mode=per-row' });
    expect([body.refused, body.errors.length]).toEqual([3_000, 1_000]);
    expect(body.errors.at(-1)).toMatchObject({ index: 999, line: 1_001 });
  });

  test.each(['per-row', 'dry-run', 'all-or-nothing'])(
    'in mode %s, the database hears of the transaction while rows are read of which none is written',
    async (mode) => {
      const instrumentId = await makeSeriesInstrument(admin);
      const tripsFor = async (count: number): Promise<number> => {
        const refused = Array.from({ length: mode === 'all-or-nothing' ? 1 : count }, () => ({
          date: 'x',
          value: '1',
        }));
        const rows = [...refused, ...dailyRows('2000-01-01', count - refused.length)];
        const query = vi.spyOn(pg.Client.prototype, 'query');
        const reply = await send(instrumentId, toCsv(rows), { format: 'csv', search: `?mode=${mode}` });
        const trips = query.mock.calls.length;
        query.mockRestore();
        expect(reply.body.refused ?? reply.status).toBe(mode === 'all-or-nothing' ? 422 : count);
        return trips;
      };
      await tripsFor(1);
      const short = await tripsFor(1);
      expect((await tripsFor(20_001)) - short).toBeGreaterThanOrEqual(10);
    },
  );

  test('exactly as many faults as are listed are all there are', async () => {
    const instrumentId = await makeSeriesInstrument(admin);
    const bad = (length: number): string => toCsv(Array.from({ length }, () => ({ date: 'x', value: '1' })));
    const details = [];
    for (const length of [100, 101])
      details.push((await send(instrumentId, bad(length), { format: 'csv' })).body.detail);
    expect(details).toEqual([
      'The request has 100 faults.',
      'The request has more than 100 faults; the first 100 are listed.',
    ]);
  });

  test('a row with very many faults does not hide those of others', async () => {
    const instrumentId = await makeSeriesInstrument(admin);
    const surplus = Object.fromEntries(Array.from({ length: 500 }, (_, index) => [`x${index}`, 1]));
    const body = JSON.stringify({ data: [{ date: 'x', value: '1' }, { ...good, ...surplus }, { value: '2' }] });
    const refused = await send(instrumentId, body);
    expect(refused.body.detail).toBe('The request has more than 100 faults; the first 100 are listed.');
    expect(refused.body.errors[0].pointer).toBe('/data/0/date');
    const partial = await send(instrumentId, body, { search: '?mode=per-row' });
    expect([partial.body.refused, partial.body.errors.length]).toEqual([3, 102]);
    expect(partial.body.errors.at(-1).pointer).toBe('/data/2/date');
  });
});

describe('columns of a CSV', () => {
  test.each([
    [
      'date,value,note\n',
      [['unknown-attribute', '/note', 'Unknown column "note". Known columns: date, value, source.']],
    ],
    ['date,source\n', [['missing-attribute', '/value', 'The column value is required.']]],
    ['date,value,value\n', [['invalid-attribute', '/value', 'The column "value" appears twice.']]],
    [
      'Date,Value\n',
      [
        ['unknown-attribute', '/Date', 'Unknown column "Date". Known columns: date, value, source.'],
        ['unknown-attribute', '/Value', 'Unknown column "Value". Known columns: date, value, source.'],
        ['missing-attribute', '/date', 'The column date is required.'],
        ['missing-attribute', '/value', 'The column value is required.'],
      ],
    ],
    [
      '__proto__,date,value\n',
      [['unknown-attribute', '/__proto__', 'Unknown column "__proto__". Known columns: date, value, source.']],
    ],
  ])('%j', async (csv, expected) => {
    const instrumentId = await makeSeriesInstrument(admin);
    for (const search of ['', '?mode=per-row']) {
      const reply = await send(instrumentId, csv, { format: 'csv', search });
      const reportedFaults = faultsOf(reply).map(({ code, pointer, detail }) => [code, pointer, detail]);
      expect([reply.status, reportedFaults]).toEqual([422, expected]);
    }
  });
});

describe('a body of very many empty rows', () => {
  const rowCount = 100_000;
  const body = `{"data":[${'{},'.repeat(rowCount - 1)}{}]}`;

  /** Sends the body and counts what others are answered meanwhile. */
  async function sendBesideOthers(path: string): Promise<{ reply: Reply; answeredMeanwhile: number }> {
    const neighbour = await service.openWorkspace();
    const bulk = { isAnswered: false };
    const headers = { 'content-type': 'application/json' };
    const sent = admin.send(path, { method: 'POST', raw: body, headers }).finally(() => (bulk.isAnswered = true));
    let answeredMeanwhile = 0;
    while (!bulk.isAnswered) {
      expect((await neighbour.get('/healthz')).status).toBe(200);
      if (!bulk.isAnswered) answeredMeanwhile++;
    }
    return { reply: await sent, answeredMeanwhile };
  }

  test.each(['/v1/transactions/bulk', '/v1/fx-rates/bulk'])('%s: is not read to its end', async (path) => {
    const { reply } = await sendBesideOthers(path);
    expect([reply.status, reply.body.detail]).toEqual([
      422,
      'The request has more than 100 faults; the first 100 are listed.',
    ]);
    expect(reply.body.errors).toHaveLength(100);
  });

  test.each(['/v1/transactions/bulk', '/v1/fx-rates/bulk'])(
    '%s: row by row, others are answered between its batches',
    async (path) => {
      const { reply, answeredMeanwhile } = await sendBesideOthers(`${path}?mode=per-row`);
      expect(reply.body).toMatchObject({ accepted: 0, refused: rowCount });
      expect(reply.body.errors).toHaveLength(1_000);
      expect(answeredMeanwhile).toBeGreaterThan(20);
    },
  );
});

test('a CSV header with very many columns is refused by its first ones', async () => {
  const instrumentId = await makeSeriesInstrument(admin);
  const names = Array.from({ length: 10_000 }, (_, index) => `c${index}`).join(',');
  const reply = await send(instrumentId, `${names}\n`, { format: 'csv' });
  expect([reply.status, reply.body.errors.length]).toEqual([422, 100]);
  expect(reply.body.detail).toBe('The request has more than 100 faults; the first 100 are listed.');
});

describe('hostile bodies are refused, and leave nothing', () => {
  const bytes = (...parts: (string | number[])[]): Uint8Array =>
    Buffer.concat(parts.map((part) => Buffer.from(part as string)));
  const open = '{"data":[{"date":"2026-01-05","value":1}';

  test.each([
    ['json', 'ten million brackets', '['.repeat(10_000_000), 'malformed-json'],
    ['json', 'a million brackets in a row', `${open},${'['.repeat(1_000_000)}`, 'malformed-json'],
    ['json', 'a row of two million characters', `${open},"${'x'.repeat(2_000_000)}"]}`, 'malformed-json'],
    ['json', 'no end', open, 'malformed-json'],
    ['json', 'half a row at the end', `${open},{"date":"2026`, 'malformed-json'],
    ['json', 'another member', `{"rows":[]}`, 'malformed-json'],
    ['json', 'a bare array', `[{"date":"2026-01-05","value":1}]`, 'malformed-json'],
    ['json', 'more behind it', `${open}]}${open}]}`, 'malformed-json'],
    ['json', 'a byte order mark', `\ufeff${open}]}`, 'malformed-json'],
    ['json', 'bytes that are no UTF-8', bytes(`${open},{"date":"`, [0xff], '"}]}'), 'malformed-request'],
    ['json', 'a character cut in two', bytes(`${open}]}`, [0xe2, 0x82]), 'malformed-request'],
    ['lines', 'a line of 2 MB', `{"date":"2026-01-05","value":1}\n${'x'.repeat(2_000_000)}`, 'malformed-json'],
    ['lines', 'half a line at the end', '{"date":"2026-01-05","value":1}\n{"date":"20', 'malformed-json'],
    ['csv', 'a line of 2 MB', `date,value\n2026-01-05,1\n${'x'.repeat(2_000_000)}`, 'malformed-csv'],
    ['csv', 'quotes that never end', `date,value\n2026-01-05,1\n"${'x\n'.repeat(100_000)}`, 'malformed-csv'],
    ['csv', 'a quote in the midst', 'date,value\n2026-01-05,1"5\n', 'malformed-csv'],
    ['csv', 'nothing', '\n', 'malformed-csv'],
    ['csv', 'UTF-16', Buffer.from('\ufeffdate,value\n', 'utf16le'), 'malformed-request'],
  ] as const)('%s: %s', async (format, _what, body, code) => {
    const instrumentId = await makeSeriesInstrument(admin);
    const reply = await send(instrumentId, body, { format });
    expect([reply.status, reply.body.code]).toEqual([400, code]);
    expect(await countPoints(instrumentId)).toBe(0);
  });

  test('row by row, a body that cannot be parsed to its end is refused completely', async () => {
    const instrumentId = await makeSeriesInstrument(admin);
    const search = '?mode=per-row';
    expect((await send(instrumentId, `${open},{"date":"2026`, { search })).body.code).toBe('malformed-json');
    const unclosed = 'date,value\n2026-01-05,1\n"';
    expect((await send(instrumentId, unclosed, { format: 'csv', search })).body.code).toBe('malformed-csv');
    expect(await countPoints(instrumentId)).toBe(0);
  });

  test.each(formats)('%s without a body gets 400', async (format) => {
    const instrumentId = await makeSeriesInstrument(admin);
    const path = `/v1/instruments/${instrumentId}/prices/bulk`;
    const reply = await admin.send(path, { method: 'POST', headers: { 'content-type': types[format] } });
    expect([reply.status, reply.body.code]).toEqual([400, 'malformed-request']);
  });

  test('an aborted upload writes nothing', async () => {
    const instrumentId = await makeSeriesInstrument(admin);
    const headers = {
      authorization: `Bearer ${admin.token}`,
      'content-type': 'application/x-ndjson',
      'content-length': '1000000',
    };
    const head = rawHead('POST', `/v1/instruments/${instrumentId}/prices/bulk`, headers);
    const before = service.log.length;
    const { hostname, port } = new URL(admin.address);
    const socket = connect(Number(port), hostname);
    socket.write(head + toJsonLines(dailyRows('2020-01-01', 100)), () => socket.destroy());
    await once(socket, 'close');
    // The next bulk request runs once the previous one is over: a tenant's heavy work is queued.
    expect((await send(instrumentId, 'date,value\n', { format: 'csv' })).status).toBe(200);
    expect(await countPoints(instrumentId)).toBe(0);
    expect(service.log.slice(before).filter((line) => line.includes('"defect"'))).toEqual([]);
  });

  test('more than 256 MiB is refused before it is sent', async () => {
    const instrumentId = await makeSeriesInstrument(admin);
    const headers = {
      authorization: `Bearer ${admin.token}`,
      'content-type': 'text/csv',
      'content-length': String(256 * 1024 * 1024 + 1),
    };
    const reply = await sendRaw(admin.address, rawHead('POST', `/v1/instruments/${instrumentId}/prices/bulk`, headers));
    expect([reply.status, JSON.parse(reply.body).code]).toEqual([413, 'body-too-large']);
  });
});

describe('an Idempotency-Key', () => {
  test('makes a large body safe to repeat, and is tied to that body', async () => {
    const instrumentId = await makeSeriesInstrument(admin);
    const csv = toCsv(dailyRows('1950-01-01', 45_000).map((row) => ({ ...row, source: 'reference' })));
    expect(csv.length).toBeGreaterThan(1024 * 1024);
    const options = { format: 'csv', headers: { 'idempotency-key': 'prices of a long time' } } as const;
    const first = await send(instrumentId, csv, options);
    expect(first.body).toEqual(bulkResult(45_000));
    const again = await send(instrumentId, csv, options);
    expect([again.status, again.text, again.headers.get('idempotent-replayed')]).toEqual([200, first.text, 'true']);
    const other = await send(instrumentId, csv.slice(0, -2), options);
    expect([other.status, other.body.code]).toEqual([409, 'idempotency-key-reused']);
    expect(await countPoints(instrumentId)).toBe(45_000);
  });

  test('that was used is a conflict whatever the other body is', async () => {
    const instrumentId = await makeSeriesInstrument(admin);
    const headers = { 'idempotency-key': 'prices once' };
    const used = { format: 'csv', headers } as const;
    expect((await send(instrumentId, 'date,value\n2026-01-05,1\n', used)).status).toBe(200);
    const others = [
      send(instrumentId, 'date,value\nx,1\n', used),
      send(instrumentId, 'nothing like it', used),
      send(instrumentId, '{"data":', { headers }),
      send(instrumentId, 'date,value\n', { ...used, search: '?mode=neither' }),
      send(instrumentId, 'date,value\n', { headers: { ...headers, 'content-type': 'text/plain' } }),
      send(instrumentId, 'date,value\n', { ...used, headers: { ...headers, 'content-encoding': 'gzip' } }),
    ];
    for (const { status, body } of await Promise.all(others))
      expect([status, body.code]).toEqual([409, 'idempotency-key-reused']);
    const again = await send(instrumentId, 'date,value\n2026-01-05,1\n', used);
    expect([again.status, again.headers.get('idempotent-replayed')]).toEqual([200, 'true']);
    expect(await countPoints(instrumentId)).toBe(1);
  });

  test('also stores a refusal caused by the rows', async () => {
    const instrumentId = await makeSeriesInstrument(admin);
    const options = { format: 'csv', headers: { 'idempotency-key': 'bad prices' } } as const;
    const first = await send(instrumentId, 'date,value\nx,1\n', options);
    const again = await send(instrumentId, 'date,value\nx,1\n', options);
    expect([first.status, again.status, again.headers.get('idempotent-replayed')]).toEqual([422, 422, 'true']);
  });
});

test('two large bodies for one series wait for each other', async () => {
  const instrumentId = await makeSeriesInstrument(admin);
  const rows = dailyRows('1960-01-01', 6_000);
  const other = rows.map((row) => ({ ...row, value: '5' }));
  const replies = await Promise.all(
    [rows, other, rows].map((body) => send(instrumentId, toCsv(body), { format: 'csv' })),
  );
  expect(replies.map(({ status, body }) => [status, body.accepted])).toEqual(
    [rows, other, rows].map(() => [200, 6_000]),
  );
  expect(await listPoints(instrumentId)).toHaveLength(6_000);
});
