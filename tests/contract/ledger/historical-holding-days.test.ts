// Historical holdings by days: deletions of a range, including both ends, and the list of v1 with its filters and pages.

import { beforeAll, describe, expect, test } from 'vitest';
import type { Caller, Reply } from '../../setup/http/caller.ts';
import { reportedRefusal } from '../../setup/structure/client-document.ts';
import { workspaceForThisFile } from '../../setup/node/test-service.ts';
import { countAuditEntries, runSql } from '../../setup/database/sql.ts';
import { makeRecord, unknownId } from '../../setup/structure/structure-document.ts';
import {
  datesOf,
  daysQuery,
  v1Holding,
  uploadKinds,
  jsonApiHoldingPaths,
  linksOf,
  makeUploadHousehold,
  makeUploadInstrument,
  makeHoldings,
  type UploadKind,
  type UploadHousehold,
} from '../../setup/ledger/upload-document.ts';

const service = workspaceForThisFile();
const path = '/v1/historical-holdings';
const days = ['2018-12-31', '2019-01-01', '2019-03-31', '2019-06-30', '2019-07-01'];
const range = ['2019-01-01', '2019-06-30'] as const;
const outside = ['2018-12-31', '2019-07-01'];
let admin: Caller;

beforeAll(() => {
  ({ admin } = service);
});

const holderField = (kind: UploadKind) => (kind === 'instrument' ? 'depository' : 'account');

/** The v1 parameters, and the JSON:API parameters for the same query. */
function v1Query(kind: UploadKind, household: UploadHousehold, [from, to]: readonly [string, string]): string {
  return `${path}?kind=${kind}&${holderField(kind)}_id=${household[holderField(kind)]}&from=${from}&to=${to}`;
}

async function listDates(kind: UploadKind, household: UploadHousehold): Promise<string[]> {
  return datesOf(await admin.get(`${path}?kind=${kind}&${holderField(kind)}_id=${household[holderField(kind)]}`));
}

async function versionOf({ client }: UploadHousehold): Promise<number> {
  const text = 'SELECT version::int FROM upload_ledger WHERE client_id = $1';
  const [row] = await runSql<{ version: number }>(service.database, text, [client]);
  return row?.version ?? 0;
}

const wires = [
  ['JSON:API', daysQuery],
  ['v1', v1Query],
] as const;

describe.each(uploadKinds)('the days of %s holdings', (kind) => {
  test.each(wires)('are deleted on %s, including the first and the last, and no others', async (_wire, queryOf) => {
    const own = await makeUploadHousehold(admin);
    const sibling = { ...own, account: '', depository: '' };
    sibling.account = await makeRecord(admin, 'accounts', { entity_id: own.legalEntity, currency: 'EUR' });
    sibling.depository = await makeRecord(admin, 'depositories', { legal_entity_id: own.legalEntity });
    for (const household of [own, sibling]) {
      for (const each of uploadKinds) await makeHoldings(admin, each, household, days);
    }
    const before = await versionOf(own);
    const reply = await admin.delete(queryOf(kind, own, range));
    expect([reply.status, reply.text, reply.headers.get('content-type')]).toEqual([204, '', null]);
    for (const each of uploadKinds) {
      expect([each, await listDates(each, own)]).toEqual([each, each === kind ? outside : days]);
      expect([each, await listDates(each, sibling)]).toEqual([each, days]);
    }
    expect(await versionOf(own)).toBe(before + 1);
    const { data } = (await admin.get(`/v1/audit-log?subject_id=${own[holderField(kind)]}&limit=1`)).body;
    expect(data).toMatchObject([
      {
        act: 'change',
        subject_type: holderField(kind),
        client_id: own.client,
        before: null,
        after: { [`historical_${kind}_holdings`]: { deleted: 3, from: range[0], to: range[1] } },
      },
    ]);
  });

  test('keep their versions when they are deleted', async () => {
    const own = await makeUploadHousehold(admin);
    const ids = await makeHoldings(admin, kind, own, days);
    await admin.delete(daysQuery(kind, own, range));
    const text = 'SELECT known_until IS NULL AS known FROM historical_holding WHERE id = ANY ($1) ORDER BY date';
    const rows = await runSql<{ known: boolean }>(service.database, text, [ids]);
    expect(rows.map(({ known }) => known)).toEqual([true, false, false, false, true]);
    expect((await admin.get(`${path}/${ids[1]}`)).status).toBe(404);
    expect(await makeHoldings(admin, kind, own, ['2019-03-31'])).not.toEqual([ids[2]]);
  });

  test('may be deleted where there are none: nothing happens', async () => {
    const own = await makeUploadHousehold(admin);
    await makeHoldings(admin, kind, own, days);
    const before = await versionOf(own);
    const lines = await countAuditEntries(service.database);
    for (const [, queryOf] of wires) {
      expect((await admin.delete(queryOf(kind, own, ['2019-01-02', '2019-03-30']))).status).toBe(204);
    }
    expect([await versionOf(own), await countAuditEntries(service.database)]).toEqual([before, lines]);
    expect(await listDates(kind, own)).toEqual(days);
  });

  test('a single day is a range', async () => {
    const own = await makeUploadHousehold(admin);
    await makeHoldings(admin, kind, own, days);
    await admin.delete(daysQuery(kind, own, ['2019-03-31', '2019-03-31']));
    expect(await listDates(kind, own)).toEqual(days.toSpliced(2, 1));
  });
});

test('all instruments of a depository are deleted with its days', async () => {
  const own = await makeUploadHousehold(admin);
  const stone = { ...own, instrument: await makeUploadInstrument(admin) };
  await makeHoldings(admin, 'instrument', own, days);
  await makeHoldings(admin, 'instrument', stone, days);
  await admin.delete(daysQuery('instrument', own, range));
  expect(await listDates('instrument', own)).toEqual(outside.flatMap((day) => [day, day]));
});

describe('parameters of a deletion by days', () => {
  /** The parameter and the message of each fault. */
  function parametersOf({ status, body }: Reply): unknown {
    const faults = body.errors.map((error: any) => [error.parameter ?? error.source.parameter, error.detail]);
    return { status, code: body.code ?? body.errors[0].code, faults };
  }

  const missing = (...names: string[]) => ({
    status: 400,
    code: 'invalid-parameter',
    faults: names.map((name) => [name, `${name} is required.`]),
  });

  test.each(uploadKinds)('%s: every parameter is required, and each that is missing is named', async (kind) => {
    const holderParameter = `${holderField(kind)}Id`;
    const own = await makeUploadHousehold(admin);
    await makeHoldings(admin, kind, own, days);
    expect(parametersOf(await admin.delete(jsonApiHoldingPaths[kind]))).toEqual(
      missing(holderParameter, 'fromDate', 'toDate'),
    );
    const whole = new URL(daysQuery(kind, own, range), admin.address);
    for (const name of [holderParameter, 'fromDate', 'toDate']) {
      const query = new URLSearchParams(whole.search);
      query.delete(name);
      expect(parametersOf(await admin.delete(`${whole.pathname}?${query}`))).toEqual(missing(name));
    }
    expect(await listDates(kind, own)).toEqual(days);
  });

  test('on v1 the kind, the days and the location for that kind are required', async () => {
    const own = await makeUploadHousehold(admin);
    const rest = `from=${range[0]}&to=${range[1]}`;
    expect(parametersOf(await admin.delete(path))).toEqual(missing('kind', 'from', 'to'));
    for (const kind of uploadKinds) {
      const [holderParameter, other] = kind === 'instrument' ? ['depository', 'account'] : ['account', 'depository'];
      const reply = await admin.delete(`${path}?kind=${kind}&${other}_id=${own[other as 'account']}&${rest}`);
      expect(parametersOf(reply)).toEqual({
        status: 400,
        code: 'invalid-parameter',
        faults: [
          [`${holderParameter}_id`, `${holderParameter}_id is required with kind ${kind}.`],
          [`${other}_id`, `${other}_id cannot be sent with kind ${kind}.`],
        ],
      });
    }
  });

  test.each([
    ['fromDate', '2019-02-29', /^fromDate /],
    ['toDate', 'today', /^toDate /],
    ['accountId', 'x', /^accountId must be an id/],
    ['kind', 'fee', /^The parameter "kind" does not exist here\.$/],
  ])('%s=%s is refused', async (name, value, detail) => {
    const query = new URLSearchParams({ accountId: unknownId, fromDate: range[0], toDate: range[1] });
    query.set(name, value);
    const reply = await admin.delete(`${jsonApiHoldingPaths.account}?${query}`);
    expect(parametersOf(reply)).toMatchObject({ status: 400, faults: [[name, expect.stringMatching(detail)]] });
  });

  test('a range that ends before it begins is refused', async () => {
    const own = await makeUploadHousehold(admin);
    const [from, to] = range;
    const refused = (name: string, detail: string) => ({
      status: 400,
      code: 'invalid-parameter',
      faults: [[name, detail]],
    });
    const onJsonApi = await admin.delete(daysQuery('fee', own, [to, from]));
    expect(parametersOf(onJsonApi)).toEqual(refused('toDate', 'toDate must not be before fromDate.'));
    const onV1 = await admin.delete(v1Query('fee', own, [to, from]));
    expect(parametersOf(onV1)).toEqual(refused('to', 'to must not be before from.'));
    expect(parametersOf(await admin.get(`${path}?from=${to}&to=${from}`))).toEqual(
      refused('to', 'to must not be before from.'),
    );
  });

  test.each(uploadKinds)('%s: a missing location or one of another tenant is not found', async (kind) => {
    const holderParameter = holderField(kind);
    const own = await makeUploadHousehold(admin);
    const others = await makeUploadHousehold(admin, 'Bussard');
    await makeHoldings(admin, kind, own, days);
    const stranger = await admin.becomeApplication({ rights: ['read', 'write'], scoped_to: others.client });
    const expected = (name: string) => ({
      status: 404,
      code: `${holderParameter}-not-found`,
      faults: [[name, `There is no such ${holderParameter}.`]],
    });
    const lost = { ...own, [holderParameter]: unknownId };
    const parameters = { 'JSON:API': `${holderParameter}Id`, v1: `${holderParameter}_id` };
    for (const [wire, queryOf] of wires) {
      const replies = [
        await admin.delete(queryOf(kind, lost, range)),
        await stranger.delete(queryOf(kind, own, range)),
        await (await service.openWorkspace()).delete(queryOf(kind, own, range)),
      ];
      for (const reply of replies) expect(parametersOf(reply)).toEqual(expected(parameters[wire]));
    }
    expect(await listDates(kind, own)).toEqual(days);
  });

  test('a token bound to the client deletes its own days', async () => {
    const own = await makeUploadHousehold(admin);
    const scoped = await admin.becomeApplication({ rights: ['write'], scoped_to: own.client });
    for (const kind of uploadKinds) {
      await makeHoldings(admin, kind, own, days);
      expect((await scoped.delete(daysQuery(kind, own, range))).status).toBe(204);
      expect(await listDates(kind, own)).toEqual(outside);
    }
  });

  test('a read-only token cannot delete', async () => {
    const own = await makeUploadHousehold(admin);
    const reader = await admin.becomeApplication({ rights: ['read'] });
    const reply = await reader.delete(daysQuery('fee', own, range));
    expect(reportedRefusal(reply)).toMatchObject({ status: 403, code: 'right-missing' });
  });
});

describe('the list of v1', () => {
  let caller: Caller;
  let own: UploadHousehold;
  let others: UploadHousehold;

  beforeAll(async () => {
    caller = await service.openWorkspace();
    own = await makeUploadHousehold(caller);
    others = await makeUploadHousehold(caller, 'Bussard');
    // Uploaded from the last day to the first: the list is still sorted by day.
    for (const date of days.toReversed()) {
      for (const kind of uploadKinds) await makeHoldings(caller, kind, own, [date]);
    }
    await makeHoldings(caller, 'account', others, ['2019-03-31']);
    const id = await makeRecord(
      caller,
      'historical-holdings',
      v1Holding('fee', own, { date: '2019-05-01', market_value: '1' }),
    );
    await caller.delete(`${path}/${id}`);
  });

  async function found(query: string): Promise<string[]> {
    const { body } = await caller.get(`${path}?limit=100&${query}`);
    return body.data.map(({ date, kind }: Record<string, string>) => `${date} ${kind}`);
  }

  const each = (kinds: readonly string[], some: readonly string[] = days): string[] =>
    some.flatMap((day) => kinds.map((kind) => `${day} ${kind}`));

  test('is sorted by day and then by upload time, without deleted holdings', async () => {
    expect(await found(`client_id=${own.client}`)).toEqual(each(uploadKinds));
    expect(await found('')).toHaveLength(16);
  });

  test.each([
    ['a kind', () => `kind=fee`, () => each(['fee'])],
    ['an account', () => `account_id=${own.account}`, () => each(['account', 'fee'])],
    ['a depository', () => `depository_id=${own.depository}`, () => each(['instrument'])],
    ['an instrument', () => `instrument_id=${own.instrument}`, () => each(['instrument'])],
    ['a client', () => `client_id=${others.client}`, () => ['2019-03-31 account']],
    ['a first day', () => `kind=fee&from=2019-06-30`, () => each(['fee'], days.slice(3))],
    ['a last day', () => `kind=fee&to=2019-01-01`, () => each(['fee'], days.slice(0, 2))],
    [
      'both',
      () => `account_id=${own.account}&from=2019-01-01&to=2019-06-30`,
      () => each(['account', 'fee'], days.slice(1, 4)),
    ],
    ['a kind and a location that do not match', () => `kind=fee&depository_id=${own.depository}`, () => []],
  ])('can be filtered by %s', async (_what, query, expected) => {
    expect(await found(query())).toEqual(expected());
  });

  test.each([1, 2, 7])('can be read completely with %s on a page', async (limit) => {
    const seen: string[] = [];
    for (let cursor = ''; ;) {
      const { body } = await caller.get(`${path}?client_id=${own.client}&limit=${limit}${cursor}`);
      seen.push(...body.data.map(({ date, kind }: Record<string, string>) => `${date} ${kind}`));
      if (!body.has_more) break;
      cursor = `&cursor=${body.next_cursor}`;
    }
    expect(seen).toEqual(each(uploadKinds));
  });

  test('a cursor is valid only for its own range', async () => {
    const { body } = await caller.get(`${path}?limit=1&from=2019-01-01`);
    const other = await caller.get(`${path}?limit=1&from=2018-01-01&cursor=${body.next_cursor}`);
    expect(reportedRefusal(other)).toMatchObject({ status: 400, code: 'cursor-invalid' });
  });

  test('shows a token bound to a client only its own', async () => {
    const scoped = await caller.becomeApplication({ rights: ['read'], scoped_to: others.client });
    expect(datesOf(await scoped.get(path))).toEqual(['2019-03-31']);
    const [[type, id]] = Object.entries(linksOf('account', own)) as [[string, string]];
    expect((await scoped.get(`${path}?${type}_id=${id}`)).status).toBe(404);
  });
});
