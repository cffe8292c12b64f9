// Filters by the id of a record, and ranges of days: what does not exist is not found, and a range that ends before it starts is refused,
// so that neither looks like "there is nothing".

import { beforeAll, describe, expect, test } from 'vitest';
import { operations } from '../../../src/surfaces/operations.ts';
import type { Caller } from '../../setup/http/caller.ts';
import { workspaceForThisFile } from '../../setup/node/test-service.ts';
import { makeHousehold, makeRecord, unknownId } from '../../setup/structure/structure-document.ts';

const service = workspaceForThisFile();
let admin: Caller;
let entity: string;
let account: string;

beforeAll(async () => {
  ({ admin } = service);
  const { client, legalEntity } = await makeHousehold(admin);
  account = await makeRecord(admin, 'accounts', { entity_id: legalEntity, currency: 'CHF' });
  entity = await makeRecord(admin, 'reporting-entities', { client_id: client, name: 'All' });
});

const lists = operations.filter(({ id, path }) => id.endsWith('.list') && !path.includes('{'));
/** Also of records that are gone, or of other things than records. */
const free = ['subject_id', 'credential_id', 'user_id'];
const filters = lists.flatMap(({ path, query }) =>
  Object.keys(query)
    .filter((name) => /(_id|Id|^instrumentClass)$/.test(name) && !free.includes(name))
    .map((name) => [path, name] as const),
);

describe('a record that does not exist', () => {
  test.each(filters)('%s?%s is not found', async (path, name) => {
    const { status, body } = await admin.get(`${path}?${name}=${unknownId}`);
    expect([status, body.code ?? body.errors[0].code]).toEqual([404, expect.stringMatching(/-not-found$/)]);
  });

  test.each(['instrument_id', 'account_id', 'depository_id'])('lots by %s are not found', async (name) => {
    const lots = `/v1/lots?reporting_entity_id=${entity}&${name}=${unknownId}`;
    for (const path of [lots, `${lots}&format=csv`]) expect((await admin.get(path)).status).toBe(404);
  });

  test('one that exists and has nothing gives an empty list', async () => {
    const empty = [
      `/v1/transactions?account_id=${account}`,
      `/v1/lots?reporting_entity_id=${entity}&account_id=${account}`,
    ];
    for (const path of [...empty, `/api/v2/transactions?accountId=${account}`]) {
      const { status, body } = await admin.get(path);
      expect([path, status, body.data]).toEqual([path, 200, []]);
    }
    expect((await admin.get(`/v1/transactions?account_id=${unknownId}&format=csv`)).status).toBe(404);
  });
});

describe('a range of days', () => {
  const rangeNames = [
    ['from', 'to'],
    ['fromDate', 'toDate'],
    ['start', 'end'],
  ] as const;
  const ranges = operations.flatMap(({ id, method, path, query }) =>
    rangeNames
      .filter((names) => method === 'GET' && names.every((name) => name in query))
      .map(([first, last]) => [id, path, first, last] as const),
  );

  test('is a parameter of many operations', () => {
    expect(ranges.map(([id]) => id)).toEqual(
      expect.arrayContaining(['json-api.transaction.list', 'v1.transaction.list', 'v1.realised-gain.report']),
    );
  });

  test.each(ranges)('of %s must not end before it starts', async (_id, path, first, last) => {
    const filled = path.replaceAll(/\{\w+\}/g, entity);
    const required = path.startsWith('/v1/') ? `&reporting_entity_id=${entity}` : '';
    const figure = path === '/v1/explain' ? '&figure=gain' : '';
    const known = required !== '' && 'reporting_entity_id' in queryOf(path) ? required : '';
    const reply = await admin.get(`${filled}?${first}=2026-02-01&${last}=2026-01-31${known}${figure}`);
    const fault = reply.body.errors?.[0];
    expect([reply.status, fault?.parameter ?? fault?.source?.parameter]).toEqual([400, last]);
  });
});

function queryOf(path: string): object {
  return operations.find((one) => one.method === 'GET' && one.path === path)!.query;
}
