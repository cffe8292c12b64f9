// Mapping profiles on v1: shared by all clients of a workspace, with the shipped ones behind them in every list.

import { beforeAll, describe, expect, test } from 'vitest';
import { runSql } from '../../setup/database/sql.ts';
import type { Caller } from '../../setup/http/caller.ts';
import { reportedRefusal } from '../../setup/structure/client-document.ts';
import { workspaceForThisFile } from '../../setup/node/test-service.ts';
import { faultsOf, makeRecord, makeHousehold, testNow, unknownId } from '../../setup/structure/structure-document.ts';

const service = workspaceForThisFile();
let admin: Caller;

beforeAll(() => {
  ({ admin } = service);
});

const columns = { date: ['Buchungstag'], amount: ['Betrag'] };
const body = { name: 'Seefeld, movements', content: 'transactions', columns };

const noColumns = Object.fromEntries(
  (
    'date settlement_date reference type status account depository part currency amount gross_amount debit credit direction balance isin cusip sedol ' +
    'ticker mic code instrument_name quantity price fees taxes fees_currency taxes_currency accrued_interest exchange_rate counter_account counter_amount ' +
    'counter_currency value cost comment'
  )
    .split(' ')
    .map((name) => [name, null]),
);

const noConstants = { account: null, institution: null, currency: null, type: null, series: null };

function profileWith(fields: object): object {
  return {
    delimiter: 'detect',
    decimal_mark: 'point',
    date_order: 'year-month-day',
    header: 'named',
    recognised_by: [],
    types: [],
    texts: [],
    signs: 'as-stated',
    costs: 'unsigned',
    direction_words: null,
    pending_words: [],
    constants: noConstants,
    ignored_lines: [],
    ignored_words: [],
    ignored_columns: [],
    is_shipped: false,
    created_at: testNow,
    ...fields,
  };
}

async function listAll(path: string): Promise<any[]> {
  const found: any[] = [];
  for (let cursor = ''; ;) {
    const { body: page } = await admin.get(`${path}${cursor}`);
    found.push(...page.data);
    if (!page.has_more) return found;
    cursor = `${path.includes('?') ? '&' : '?'}cursor=${encodeURIComponent(page.next_cursor)}`;
  }
}

describe('a profile of the workspace', () => {
  test('is created with what it says and defaults for the rest, read, changed and deleted', async () => {
    const created = await admin.post('/v1/import-profiles', body);
    const { id } = created.body;
    const expected = profileWith({ ...body, id, columns: { ...noColumns, ...columns } });
    expect([created.status, created.body]).toEqual([201, expected]);
    expect((await admin.get(`/v1/import-profiles/${id}`)).body).toEqual(expected);
    const types = [{ word: 'Zins*', type: 'interest', action: null, direction: 'out', moves: null, cancels: null }];
    const changes = {
      decimal_mark: 'comma',
      date_order: 'day-month-year',
      ignored_columns: ['Mandatsreferenz', 'Kategorie*'],
      types,
      constants: { ...noConstants, currency: 'CHF' },
    };
    const changed = await admin.patch(`/v1/import-profiles/${id}`, changes);
    expect([changed.status, changed.body]).toEqual([200, { ...expected, ...changes }]);
    const removed = await admin.delete(`/v1/import-profiles/${id}`);
    expect(removed.status).toBe(204);
    expect(reportedRefusal(await admin.get(`/v1/import-profiles/${id}`)).code).toBe('import-profile-not-found');
  });

  test.each([
    ['no column for the date', { columns: { amount: ['Betrag'] } }, 'columns'],
    ['no column for an amount', { columns: { date: ['Datum'] } }, 'columns'],
    ['prices without an identifier', { content: 'prices', columns: { date: ['Date'], price: ['Price'] } }, 'columns'],
    [
      'rates without a base',
      { content: 'fx-rates', columns: { date: ['Date'], exchange_rate: ['Rate'], counter_currency: ['To'] } },
      'columns',
    ],
    ['directions without their words', { columns: { ...columns, direction: ['Soll/Haben'] } }, 'direction_words'],
    ['an action of a buy', { types: [{ word: 'Kauf', type: 'buy', action: 'split' }] }, 'types'],
    ['an unknown column field', { columns: { ...columns, colour: ['Farbe'] } }, 'columns/colour'],
    ['a name of a column where the file has none', { header: 'none' }, 'columns'],
    [
      'a condition that names no column of a file without a header',
      { header: 'none', columns: { date: ['#1'], amount: ['#2'] }, recognised_by: ['CH93*'] },
      'recognised_by',
    ],
    ['a pattern with an unknown field', { texts: [{ column: 'Text', pattern: 'Kauf {colour}' }] }, 'texts'],
    ['a pattern that reads nothing', { texts: [{ column: 'Text', pattern: 'Kauf' }] }, 'texts'],
    ['an unknown type', { types: [{ word: 'Kauf', type: 'purchase' }] }, 'types/0/type'],
  ])('with %s is refused with its place', async (_what, fields, pointer) => {
    const faults = faultsOf(await admin.post('/v1/import-profiles', { ...body, ...fields }));
    expect(faults.map((fault: any) => fault.pointer)).toEqual([`/${pointer}`]);
  });

  test('is checked again when it changes', async () => {
    const id = await makeRecord(admin, 'import-profiles', body);
    const reply = await admin.patch(`/v1/import-profiles/${id}`, { content: 'prices' });
    expect(faultsOf(reply).map((fault: any) => fault.pointer)).toEqual(['/columns', '/columns']);
    await admin.delete(`/v1/import-profiles/${id}`);
  });

  test('is read by a token of one client, which cannot create or change one', async () => {
    const { client } = await makeHousehold(admin);
    const scoped = await admin.becomeApplication({ rights: ['read', 'write', 'admin'], scoped_to: client });
    const id = await makeRecord(admin, 'import-profiles', body);
    expect((await scoped.get(`/v1/import-profiles/${id}`)).status).toBe(200);
    for (const reply of [
      await scoped.post('/v1/import-profiles', body),
      await scoped.patch(`/v1/import-profiles/${id}`, { name: 'X' }),
      await scoped.delete(`/v1/import-profiles/${id}`),
    ]) {
      expect([reply.status, reply.body.code]).toEqual([403, 'outside-reach']);
    }
    await admin.delete(`/v1/import-profiles/${id}`);
  });
});

describe('shipped profiles', () => {
  test('are listed behind those of the workspace, the same in every workspace, whatever the size of the page', async () => {
    const other = await service.openWorkspace();
    const shipped = await listAll('/v1/import-profiles?limit=100');
    expect(shipped.length).toBeGreaterThan(20);
    expect(shipped.every((one) => one.is_shipped && one.id.startsWith('ffffffffffffffff10'))).toBe(true);
    expect((await other.get('/v1/import-profiles?limit=100')).body.data).toEqual(shipped);
    const id = await makeRecord(admin, 'import-profiles', body);
    const all = await listAll('/v1/import-profiles?limit=7');
    expect(all.map((one) => one.id)).toEqual([id, ...shipped.map((one) => one.id)]);
    await admin.delete(`/v1/import-profiles/${id}`);
  });

  test('cannot be changed or deleted, but can be copied', async () => {
    const [first] = await listAll('/v1/import-profiles');
    const path = `/v1/import-profiles/${first.id}`;
    expect((await admin.get(path)).body).toEqual(first);
    expect((await admin.patch(path, { name: first.name })).status).toBe(200);
    for (const reply of [await admin.patch(path, { name: 'Mine' }), await admin.delete(path)]) {
      expect([reply.status, reply.body.code]).toEqual([409, 'import-profile-read-only']);
    }
    const { id: _id, created_at: _at, is_shipped: _shipped, ...fields } = first;
    const copied = await admin.post('/v1/import-profiles', { ...fields, name: 'Mine' });
    expect([copied.status, copied.body]).toEqual([
      201,
      { ...first, id: copied.body.id, name: 'Mine', is_shipped: false, created_at: testNow },
    ]);
    await admin.delete(`/v1/import-profiles/${copied.body.id}`);
    expect((await admin.get('/v1/import-profiles/ffffffffffffffff10ffffff')).status).toBe(404);
    expect((await admin.get(`/v1/import-profiles/${unknownId}`)).status).toBe(404);
  });
});

test('a workspace has at most 200 profiles of its own, and another one is not concerned', async () => {
  const full = await service.openWorkspace();
  const first = await makeRecord(full, 'import-profiles', body);
  const [row = {}] = await runSql(service.database, 'SELECT * FROM import_profile WHERE id = $1', [first]);
  const names = Object.keys(row);
  const copied = names.map((name) => (name === 'id' ? `lpad(n::text, 24, '0')` : `p.${name}`)).join(', ');
  await runSql(
    service.database,
    `INSERT INTO import_profile (${names.join(', ')}) SELECT ${copied} FROM import_profile p, generate_series(1, 198) n WHERE p.id = $1`,
    [first],
  );
  expect((await full.post('/v1/import-profiles', body)).status).toBe(201);
  const refused = await full.post('/v1/import-profiles', body);
  expect([refused.status, refused.body.code]).toEqual([409, 'too-many-import-profiles']);
  expect(refused.body.detail).toContain('at most 200');
  expect((await full.delete(`/v1/import-profiles/${first}`)).status).toBe(204);
  expect((await full.post('/v1/import-profiles', body)).status).toBe(201);
  const own = await makeRecord(admin, 'import-profiles', body);
  await admin.delete(`/v1/import-profiles/${own}`);
});
