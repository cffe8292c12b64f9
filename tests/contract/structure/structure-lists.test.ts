// Lists of structure records on v1: filters alone and combined, pages, entity tags, and repeated writes.

import { beforeAll, describe, expect, test } from 'vitest';
import type { Caller, Reply } from '../../setup/http/caller.ts';
import { reportedRefusal } from '../../setup/structure/client-document.ts';
import { comparableAnswer, newIdempotencyKey, idempotencyHeader } from '../../setup/http/repeated-request.ts';
import { workspaceForThisFile } from '../../setup/node/test-service.ts';
import { countAuditEntries } from '../../setup/database/sql.ts';
import { makeRecord, makeHousehold, testNow, unknownId } from '../../setup/structure/structure-document.ts';

const service = workspaceForThisFile();
let caller: Caller;
/** The ids of the records by short names; each type is numbered in the order of creation. */
const ids: Record<string, string> = {};

/** `{a0}` → the id of account 0. */
function fillIds(text: string): string {
  return text.replaceAll(/\{(\w+)\}/g, (_, name: string) => ids[name]!);
}

function fillAll(fields: object): object {
  return JSON.parse(fillIds(JSON.stringify(fields)));
}

async function add(name: string, plural: string, fields: object): Promise<void> {
  ids[name] = await makeRecord(caller, plural, fillAll(fields));
}

beforeAll(async () => {
  caller = await service.openWorkspace();
  const [household, other] = [await makeHousehold(caller), await makeHousehold(caller, 'Zeisig')];
  Object.assign(ids, { c0: household.client, l0: household.legalEntity, r0: household.reportingEntity });
  Object.assign(ids, { c1: other.client, l1: other.legalEntity, r1: other.reportingEntity });
  await add('l2', 'legal-entities', { name: 'Amsel Trust', client_id: '{c0}' });
  await add('r2', 'reporting-entities', { name: 'Amsel liquid', client_id: '{c0}' });
  await add('b0', 'custodians', { name: 'Bank A' });
  await add('b1', 'custodians', { name: 'Bank B' });
  await add('d0', 'depositories', { legal_entity_id: '{l0}', external_identifier: 'D-1' });
  await add('d1', 'depositories', { legal_entity_id: '{l2}', external_identifier: 'D-2' });
  await add('d2', 'depositories', { legal_entity_id: '{l1}', external_identifier: 'D-1' });
  const inFrancs = { entity_id: '{l0}', currency: 'CHF' };
  const hidden = { exclude_from_reporting: true };
  await add('a0', 'accounts', {
    ...inFrancs,
    external_identifier: 'X-1',
    institution: '{b0}',
    depository_ids: ['{d0}'],
  });
  await add('a1', 'accounts', { ...inFrancs, currency: 'EUR', ...hidden, depository_ids: ['{d0}', '{d1}'] });
  await add('a2', 'accounts', { ...inFrancs, entity_id: '{l2}', external_identifier: 'X-1', institution: '{b1}' });
  await add('a3', 'accounts', { ...inFrancs, entity_id: '{l1}', institution: '{b0}', depository_ids: ['{d2}'] });
  await add('a4', 'accounts', { ...inFrancs, ...hidden, external_identifier: 'X-2', depository_ids: ['{d1}'] });
  const inView = { reporting_entity_id: '{r0}' };
  await add('p0', 'portfolios', { ...inView, account_ids: ['{a0}', '{a2}'], depository_ids: ['{d0}', '{d1}'] });
  await add('p1', 'portfolios', { reporting_entity_id: '{r2}', account_ids: ['{a0}'] });
  await add('p2', 'portfolios', { reporting_entity_id: '{r1}', account_ids: ['{a3}'], depository_ids: ['{d2}'] });
});

function nameOf(id: string): string {
  return Object.keys(ids).find((name) => ids[name] === id) ?? id;
}

function namesIn({ status, body }: Reply): string {
  expect(status).toBe(200);
  return body.data.map(({ id }: { id: string }) => nameOf(id)).join(' ');
}

const filters: Record<string, readonly string[]> = {
  'legal-entities': ['client_id'],
  accounts: [
    'external_identifier',
    'currency',
    'exclude_from_reporting',
    'entity_id',
    'client_id',
    'custodian_id',
    'depository_id',
    'portfolio_id',
    'q',
  ],
  depositories: ['external_identifier', 'legal_entity_id', 'client_id', 'account_id', 'portfolio_id'],
  'reporting-entities': ['client_id'],
  portfolios: ['reporting_entity_id', 'client_id', 'account_id', 'depository_id'],
  custodians: ['name'],
};
const plurals = Object.keys(filters);

describe('filters', () => {
  test.each(plurals)('/v1/%s takes these and no others', async (plural) => {
    const { paths } = (await caller.get('/openapi.json')).body;
    const parameters: { name?: string }[] = paths[`/v1/${plural}`].get.parameters;
    const named = parameters.flatMap(({ name }) => name ?? []);
    expect(named).toEqual(['cursor', 'limit', ...filters[plural]!]);
    expect(reportedRefusal(await caller.get(`/v1/${plural}?id=${unknownId}`))).toMatchObject({
      status: 400,
      code: 'unknown-parameter',
    });
  });

  test.each([
    ['legal-entities', '', 'l0 l1 l2'],
    ['legal-entities', 'client_id={c0}', 'l0 l2'],
    ['legal-entities', 'client_id={c1}', 'l1'],
    ['accounts', '', 'a0 a1 a2 a3 a4'],
    ['accounts', 'external_identifier=X-1', 'a0 a2'],
    ['accounts', 'external_identifier=x-1', ''],
    ['accounts', 'currency=CHF', 'a0 a2 a3 a4'],
    ['accounts', 'currency=EUR', 'a1'],
    ['accounts', 'currency=JPY', ''],
    ['accounts', 'exclude_from_reporting=true', 'a1 a4'],
    ['accounts', 'exclude_from_reporting=false', 'a0 a2 a3'],
    ['accounts', 'entity_id={l0}', 'a0 a1 a4'],
    ['accounts', 'entity_id={l2}', 'a2'],
    ['accounts', 'client_id={c0}', 'a0 a1 a2 a4'],
    ['accounts', 'client_id={c1}', 'a3'],
    ['accounts', 'custodian_id={b0}', 'a0 a3'],
    ['accounts', 'depository_id={d0}', 'a0 a1'],
    ['accounts', 'depository_id={d1}', 'a1 a4'],
    ['accounts', 'portfolio_id={p0}', 'a0 a2'],
    ['accounts', 'portfolio_id={p2}', 'a3'],
    ['accounts', 'currency=CHF&exclude_from_reporting=true', 'a4'],
    ['accounts', 'entity_id={l0}&currency=CHF&exclude_from_reporting=false', 'a0'],
    ['accounts', 'client_id={c0}&custodian_id={b0}', 'a0'],
    ['accounts', 'depository_id={d0}&portfolio_id={p0}', 'a0'],
    ['accounts', 'depository_id={d1}&currency=EUR', 'a1'],
    ['accounts', 'depository_id={d1}&portfolio_id={p0}', ''],
    ['accounts', 'client_id={c1}&entity_id={l0}', ''],
    ['depositories', '', 'd0 d1 d2'],
    ['depositories', 'external_identifier=D-1', 'd0 d2'],
    ['depositories', 'legal_entity_id={l2}', 'd1'],
    ['depositories', 'client_id={c0}', 'd0 d1'],
    ['depositories', 'account_id={a1}', 'd0 d1'],
    ['depositories', 'account_id={a2}', ''],
    ['depositories', 'portfolio_id={p0}', 'd0 d1'],
    ['depositories', 'portfolio_id={p1}', ''],
    ['depositories', 'external_identifier=D-1&client_id={c1}', 'd2'],
    ['depositories', 'account_id={a0}&portfolio_id={p0}&legal_entity_id={l0}', 'd0'],
    ['depositories', 'account_id={a4}&external_identifier=D-1', ''],
    ['reporting-entities', '', 'r0 r1 r2'],
    ['reporting-entities', 'client_id={c0}', 'r0 r2'],
    ['portfolios', '', 'p0 p1 p2'],
    ['portfolios', 'reporting_entity_id={r2}', 'p1'],
    ['portfolios', 'client_id={c0}', 'p0 p1'],
    ['portfolios', 'account_id={a0}', 'p0 p1'],
    ['portfolios', 'account_id={a1}', ''],
    ['portfolios', 'depository_id={d1}', 'p0'],
    ['portfolios', 'account_id={a0}&depository_id={d0}', 'p0'],
    ['portfolios', 'account_id={a0}&reporting_entity_id={r2}&client_id={c0}', 'p1'],
    ['portfolios', 'account_id={a3}&client_id={c0}', ''],
    ['custodians', '', 'b0 b1'],
    ['custodians', 'name=Bank B', 'b1'],
    ['custodians', 'name=Bank C', ''],
  ])('of %s, %o finds %o', async (plural, query, names) => {
    expect(namesIn(await caller.get(`/v1/${plural}?${fillIds(query)}`))).toBe(names);
  });

  test('found records are shown completely', async () => {
    const { body } = await caller.get(
      fillIds('/v1/accounts?depository_id={d1}&exclude_from_reporting=true&currency=EUR'),
    );
    const account = {
      id: ids['a1'],
      name: 'EUR',
      external_identifier: null,
      currency: 'EUR',
      exclude_from_reporting: true,
      institution: null,
      created_at: testNow,
      entity_id: ids['l0'],
      client_id: ids['c0'],
      custodian_id: null,
      depository_ids: [ids['d0'], ids['d1']],
    };
    expect(body).toEqual({ data: [account], has_more: false });
  });

  const byId = plurals.flatMap((plural) =>
    filters[plural]!.filter((name) => name.endsWith('_id')).map((name) => [plural, name] as const),
  );

  test.each(byId)('of %s by a missing %s, or another tenant’s, are refused: there is none', async (plural, name) => {
    for (const id of [unknownId, ids[name.startsWith('client') ? 'l0' : 'c0']]) {
      const { status, body } = await caller.get(`/v1/${plural}?${name}=${id}`);
      expect([status, body.errors[0].parameter]).toEqual([404, name]);
    }
    const every = Object.values(ids);
    const replies = await Promise.all(every.map((id) => service.admin.get(`/v1/${plural}?${name}=${id}`)));
    expect(replies.map(({ status }) => status)).toEqual(every.map(() => 404));
  });

  test.each([
    ...byId.flatMap(([plural, name]) =>
      ['x', '', 'null', unknownId.toUpperCase()].map(
        (value) => [plural, name, value, 'must be an id of 24 hexadecimal characters'] as const,
      ),
    ),
    ...['chf', 'ABC', 'XXX', ''].map(
      (code) => ['accounts', 'currency', code, 'must be an ISO 4217 currency code, such as EUR'] as const,
    ),
    ...['yes', '1', 'TRUE', ''].map(
      (word) => ['accounts', 'exclude_from_reporting', word, 'must be true or false'] as const,
    ),
    ['accounts', 'external_identifier', '', 'must not be empty'],
    ['depositories', 'external_identifier', 'D'.repeat(201), 'must have at most 200 characters'],
    ['custodians', 'name', '', 'must not be empty'],
    ['accounts', 'currency', 'CHF&currency=CHF', 'must be sent once'],
    ['accounts', 'limit', '101', 'must be a whole number from 1 to 100'],
    ['portfolios', 'limit', '0', 'must be a whole number from 1 to 100'],
  ] as const)('/v1/%s?%s=%s gets 400, naming the parameter', async (plural, parameter, value, why) => {
    const { status, body } = await caller.get(`/v1/${plural}?${parameter}=${value}`);
    const detail = `${parameter} ${why}.`;
    expect([status, body.errors]).toEqual([400, [{ code: 'invalid-parameter', detail, parameter }]]);
  });
});

describe('pages', () => {
  test.each([
    ['accounts', '', 'a0 a1 a2 a3 a4'],
    ['accounts', 'currency=CHF', 'a0 a2 a3 a4'],
    ['accounts', 'client_id={c0}&exclude_from_reporting=true', 'a1 a4'],
    ['accounts', 'depository_id={d0}', 'a0 a1'],
    ['depositories', 'portfolio_id={p0}', 'd0 d1'],
    ['portfolios', 'account_id={a0}', 'p0 p1'],
  ])('of %s by %o, one item per page, are the whole list in order', async (plural, query, names) => {
    const seen: string[] = [];
    for (let cursor = ''; ;) {
      const page = await caller.get(`/v1/${plural}?limit=1&${fillIds(query)}${cursor}`);
      seen.push(namesIn(page));
      if (!page.body.has_more) break;
      cursor = `&cursor=${page.body.next_cursor}`;
    }
    expect(seen.join(' ')).toBe(names);
  });

  test('a cursor continues only with the filters it was issued for, in any order', async () => {
    const first = await caller.get(fillIds('/v1/accounts?limit=1&currency=CHF&entity_id={l0}'));
    const cursor = `cursor=${first.body.next_cursor}`;
    expect(namesIn(first)).toBe('a0');
    expect(namesIn(await caller.get(fillIds(`/v1/accounts?${cursor}&entity_id={l0}&limit=100&currency=CHF`)))).toBe(
      'a4',
    );
    for (const query of [
      '',
      'currency=CHF',
      'currency=EUR&entity_id={l0}',
      'currency=CHF&entity_id={l2}',
      'currency=CHF&entity_id={l0}&exclude_from_reporting=true',
      'currency=CHF&client_id={l0}',
    ]) {
      const reply = await caller.get(fillIds(`/v1/accounts?${cursor}&${query}`));
      expect(reportedRefusal(reply)).toMatchObject({ status: 400, code: 'cursor-invalid' });
    }
  });

  test.each(plurals)('of /v1/%s have an entity tag: an unchanged list is not sent again', async (plural) => {
    const [first] = (await caller.get(`/v1/${plural}?limit=1`)).body.data;
    const paths = [`/v1/${plural}?limit=1`, `/v1/${plural}/${first.id}`];
    const tags = (await Promise.all(paths.map((path) => caller.get(path)))).map(({ headers }) => headers.get('etag')!);
    const getAll = () => Promise.all(paths.map((path, index) => caller.get(path, { 'if-none-match': tags[index]! })));
    for (const [index, again] of (await getAll()).entries()) {
      expect([again.status, again.text, again.headers.get('etag')]).toEqual([304, '', tags[index]]);
    }
    await caller.patch(paths[1]!, { name: `${first.name}, renamed` });
    expect((await getAll()).map(({ status }) => status)).toEqual([200, 200]);
  });
});

describe('an account written again under its Idempotency-Key', () => {
  test.each([
    ['POST', '/v1/accounts', { entity_id: '{l0}', currency: 'SEK' }, { entity_id: '{l0}', currency: 'NOK' }, 201],
    ['PATCH', '/v1/accounts/{own}', { depository_ids: ['{d0}'] }, { depository_ids: [] }, 200],
    ['DELETE', '/v1/accounts/{own}', undefined, undefined, 204],
  ] as const)(
    '%s happens once, and with another request it is a conflict',
    async (method, path, body, other, status) => {
      await add('own', 'accounts', { entity_id: '{l0}', currency: 'SEK' });
      await add('next', 'accounts', { entity_id: '{l0}', currency: 'SEK' });
      const headers = idempotencyHeader(newIdempotencyKey());
      const send = (sent: object | undefined, to = path as string) =>
        caller.send(fillIds(to), { method, headers, ...(sent ? { body: fillAll(sent) } : {}) });
      const first = await send(body);
      const lines = await countAuditEntries(service.database);
      const replay = await send(body);
      expect(first.status).toBe(status);
      expect(comparableAnswer(replay)).toEqual(comparableAnswer(first));
      expect([first, replay].map((reply) => reply.headers.get('idempotent-replayed'))).toEqual([null, 'true']);
      const clash = method === 'DELETE' ? await send(undefined, '/v1/accounts/{next}') : await send(other);
      expect(reportedRefusal(clash)).toMatchObject({ status: 409, code: 'idempotency-key-reused' });
      expect(await countAuditEntries(service.database)).toBe(lines);
    },
  );
});
