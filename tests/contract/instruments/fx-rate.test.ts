// Exchange rates: the amount of the quote currency for 1 of the base currency on a day. Shared by the workspace, versioned,
// imported in the format of the European Central Bank.

import { beforeAll, describe, expect, test } from 'vitest';
import type { Caller, Reply } from '../../setup/http/caller.ts';
import { reportedRefusal } from '../../setup/structure/client-document.ts';
import { serviceForThisFile } from '../../setup/node/test-service.ts';
import { runSql } from '../../setup/database/sql.ts';
import { faultsOf, missingFaults, makeHousehold, unknownField } from '../../setup/structure/structure-document.ts';

const service = serviceForThisFile();
let admin: Caller;
const path = '/v1/fx-rates';

beforeAll(async () => {
  ({ admin } = service);
});

const rate = { base: 'EUR', quote: 'CHF', date: '2026-01-05', rate: '0.9385' };

/** The rates of a list in a short form. */
function shownRate({ body }: Reply): string[] {
  return body.data.map((one: typeof rate & { source: string }) =>
    [one.base, one.quote, one.date.slice(5), one.rate, one.source].join(' '),
  );
}

function versionsOf(id: string): Promise<{ rate: string; known: boolean }[]> {
  return runSql(
    service.database,
    `SELECT trim_scale(rate)::text AS rate, known_until IS NULL AS known FROM fx_rate WHERE id = $1 ORDER BY known_from`,
    [id],
  );
}

function sendCsv(caller: Caller, raw: string, search = ''): Promise<Reply> {
  return caller.send(`${path}/bulk${search}`, { method: 'POST', raw, headers: { 'content-type': 'text/csv' } });
}

describe('a rate', () => {
  test('is put, read, overwritten and deleted', async () => {
    const first = await admin.post(path, rate);
    const { id } = first.body;
    expect(first.status).toBe(201);
    expect(first.headers.get('location')).toBe(`${service.addresses.baseUrl}${path}/${id}`);
    expect(first.body).toEqual({ id, ...rate, source: 'manual', known_from: '2026-11-15T12:00:00.000Z' });
    expect((await admin.get(`${path}/${id}`)).text).toBe(first.text);
    service.clock.advance(1_000);
    const same = await admin.post(path, { ...rate, rate: 0.9385, source: 'manual' });
    expect([same.status, same.text]).toEqual([200, first.text]);
    const second = await admin.post(path, { ...rate, rate: '0.94' });
    expect([second.status, second.body]).toEqual([
      200,
      { ...first.body, rate: '0.94', known_from: new Date(service.clock.now()).toISOString() },
    ]);
    expect(await versionsOf(id)).toEqual([
      { rate: '0.9385', known: false },
      { rate: '0.94', known: true },
    ]);
    expect((await admin.delete(`${path}/${id}`, { 'if-match': first.headers.get('etag')! })).status).toBe(412);
    expect((await admin.delete(`${path}/${id}`, { 'if-match': second.headers.get('etag')! })).status).toBe(204);
    expect(reportedRefusal(await admin.delete(`${path}/${id}`))).toMatchObject({
      status: 404,
      code: 'fx-rate-not-found',
    });
    expect((await versionsOf(id)).map(({ known }) => known)).toEqual([false, false]);
  });

  test.each([
    [{}, missingFaults('/base', '/quote', '/date', '/rate')],
    [{ ...rate, quote: 'EUR' }, ['/quote', 'quote must be a different currency from base.']],
    [{ ...rate, base: 'EURO' }, ['/base', 'base must be an ISO 4217 currency code, such as EUR.']],
    [{ ...rate, quote: 'chf' }, ['/quote', 'quote must be an ISO 4217 currency code, such as EUR.']],
    [{ ...rate, rate: '0' }, ['/rate', 'rate must be greater than 0.']],
    [{ ...rate, rate: -1 }, ['/rate', 'rate must be greater than 0.']],
    [{ ...rate, rate: '1,5' }, ['/rate', 'rate must be a decimal such as -1234.5.']],
    [{ ...rate, date: '05.01.2026' }, ['/date', 'date must be a date in the form YYYY-MM-DD.']],
    [{ ...rate, source: 'bank' }, ['/source', 'source must be one of reference, custodian, manual.']],
    [{ ...rate, pair: 'EURCHF' }, [unknownField('field', 'pair', '/pair')]],
  ])('%j is refused', async (body, expected) => {
    const [pointer, detail] = expected as [string, string];
    const fault = { status: 422, code: 'invalid-attribute', detail, pointer };
    expect(faultsOf(await admin.post(path, body))).toEqual(typeof pointer === 'string' ? [fault] : expected);
  });
});

describe('lists', () => {
  let caller: Caller;

  beforeAll(async () => {
    caller = await service.openWorkspace();
    const data = [
      { ...rate, base: 'USD', quote: 'CHF', rate: '0.81', source: 'reference' },
      { ...rate, date: '2026-01-06', rate: '0.94', source: 'reference' },
      { ...rate, source: 'reference' },
      { ...rate, rate: '0.9', source: 'custodian' },
      { ...rate, quote: 'AUD', rate: '1.75', source: 'reference' },
    ];
    await caller.post(`${path}/bulk`, { data });
  });

  test.each([
    [
      '',
      [
        'EUR AUD 01-05 1.75 reference',
        'EUR CHF 01-05 0.9 custodian',
        'EUR CHF 01-06 0.94 reference',
        'USD CHF 01-05 0.81 reference',
      ],
    ],
    ['?base=USD', ['USD CHF 01-05 0.81 reference']],
    ['?base=EUR&quote=CHF&start=2026-01-06', ['EUR CHF 01-06 0.94 reference']],
    ['?quote=CHF&end=2026-01-05', ['EUR CHF 01-05 0.9 custodian', 'USD CHF 01-05 0.81 reference']],
    ['?base=EUR&quote=CHF&source=reference', ['EUR CHF 01-05 0.9385 reference', 'EUR CHF 01-06 0.94 reference']],
    ['?source=manual', []],
  ])('%s can be filtered by base, quote and day', async (search, expected) => {
    expect(shownRate(await caller.get(path + search))).toEqual(expected);
    const walked: string[] = [];
    for (let cursor = ''; ;) {
      const page = await caller.get(`${path}${search}${search === '' ? '?' : '&'}limit=1${cursor}`);
      walked.push(...shownRate(page));
      if (!page.body.has_more) break;
      cursor = `&cursor=${page.body.next_cursor}`;
    }
    expect(walked).toEqual(expected);
  });

  test.each(['?base=XXX', '?start=2026', '?start=2026-01-06&end=2026-01-05', '?pair=EURCHF'])(
    '%s is a 400',
    async (search) => {
      expect((await caller.get(path + search)).status).toBe(400);
    },
  );
});

test('rates are visible to every token of their workspace and written only by callers who see all clients', async () => {
  const { client } = await makeHousehold(admin);
  const scoped = await admin.becomeApplication({ rights: ['read', 'write'], scoped_to: client });
  const { id } = (await admin.post(path, { ...rate, date: '2026-02-02' })).body;
  expect((await scoped.get(`${path}/${id}`)).status).toBe(200);
  expect(shownRate(await scoped.get(`${path}?start=2026-02-02&end=2026-02-02`))).toHaveLength(1);
  const refused = [
    await scoped.post(path, rate),
    await scoped.post(`${path}/bulk`, { data: [rate] }),
    await scoped.delete(`${path}/${id}`),
  ];
  for (const reply of refused) expect(reportedRefusal(reply)).toMatchObject({ status: 403, code: 'outside-reach' });
  const stranger = await service.openWorkspace();
  expect((await stranger.get(`${path}/${id}`)).status).toBe(404);
  expect((await stranger.delete(`${path}/${id}`)).status).toBe(404);
  expect((await stranger.get(path)).body.data).toEqual([]);
});

describe('the reference rates of the European Central Bank', () => {
  const published = [
    'Date,USD,JPY,BGN,CYP,CZK,TRL,ISK,',
    '2026-11-13,1.1604,179.31,1.9558,N/A,24.18,N/A,146.4,',
    '2026-11-12,1.1619,179.65,1.9558,N/A,24.203,N/A,N/A,',
    '1999-01-04,1.1789,133.73,N/A,0.58231,35.107,372274,81.48,',
    '',
  ].join('\n');

  test('are accepted as published, with gaps and trailing comma, and the currencies of then', async () => {
    const caller = await service.openWorkspace();
    const reply = await sendCsv(caller, published);
    expect([reply.status, reply.body]).toEqual([200, { accepted: 15, refused: 0, written: 15, errors: [] }]);
    expect(shownRate(await caller.get(`${path}?end=1999-12-31`))).toEqual([
      'EUR CYP 01-04 0.58231 reference',
      'EUR CZK 01-04 35.107 reference',
      'EUR ISK 01-04 81.48 reference',
      'EUR JPY 01-04 133.73 reference',
      'EUR TRL 01-04 372274 reference',
      'EUR USD 01-04 1.1789 reference',
    ]);
    expect(shownRate(await caller.get(`${path}?quote=ISK&start=2000-01-01`))).toEqual([
      'EUR ISK 11-13 146.4 reference',
    ]);
    expect((await sendCsv(caller, published.replaceAll('\n', '\r\n'))).body).toMatchObject({
      accepted: 15,
      written: 0,
    });
  });

  test('an invalid day or cell is refused with its line', async () => {
    const caller = await service.openWorkspace();
    const broken = published.replace('2026-11-12', '12 November 2026').replace('133.73', 'soon');
    expect(faultsOf(await sendCsv(caller, broken)).map(({ detail, pointer }) => [detail, pointer])).toEqual([
      ...[5, 6, 7, 8].map((row) => ['Line 3: date must be a date in the form YYYY-MM-DD.', `/data/${row}/date`]),
      ['Line 4: rate must be a decimal such as -1234.5.', '/data/10/rate'],
    ]);
    expect((await caller.get(path)).body.data).toEqual([]);
    const partial = await sendCsv(caller, broken, '?mode=per-row');
    expect(partial.body).toMatchObject({ accepted: 10, refused: 5, written: 10 });
    expect(partial.body.errors[4]).toEqual({
      index: 10,
      line: 4,
      code: 'invalid-attribute',
      detail: 'rate must be a decimal such as -1234.5.',
      pointer: '/data/10/rate',
    });
  });

  test('a column that is not a currency is refused', async () => {
    const caller = await service.openWorkspace();
    const [fault] = faultsOf(await sendCsv(caller, 'Date,USX,\n2026-11-13,1.1604,\n'));
    expect(fault!.detail).toBe('Line 2: quote must be an ISO 4217 currency code, such as EUR.');
  });
});
