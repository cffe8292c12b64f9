// The last page of every list, exactly full: it says that nothing follows. Generated from the operations, so that no list is left out.

import { beforeAll, expect, test } from 'vitest';
import { operations } from '../../../src/surfaces/operations.ts';
import type { Caller } from '../../setup/http/caller.ts';
import { ExampleWorld, pathToRecord, recordTypeInPath } from '../../setup/http/example-world.ts';
import { isSandboxOnly, makeSandboxClient } from '../../setup/sandbox/sandbox-clients.ts';
import { workspaceForThisFile } from '../../setup/node/test-service.ts';

const service = workspaceForThisFile();
let admin: Caller;
let world: ExampleWorld;
let sandbox: Caller;

beforeAll(async () => {
  ({ admin } = service);
  world = await ExampleWorld.create(admin);
  for (const type of secondRecords.split(' ')) await world.make(type);
  sandbox = await admin.becomeApplication({ rights: ['read', 'write'], environment: 'sandbox' });
  for (let count = 0; count < 2; count++) await makeSandboxClient(sandbox);
});

/** What a list of one record would not tell: whether another page follows. */
const secondRecords =
  'client legal-entity custodian import-profile depository account reporting-entity portfolio user invite instrument price net-asset-value ' +
  'interest-rate index-factor fx-rate transaction import limit historical-holding webhook delivery application key calculation-round feed-run ' +
  'identifier-mapping reconciliation-break';

const lists = operations.filter(({ method, query }) => method === 'GET' && 'cursor' in query && 'limit' in query);

/** Lists of fewer than two rows: a page cannot be cut there. */
const singles: string[] = [];

test.each(lists.map((operation) => [operation.id, operation] as const))(
  '%s: a page with all rows is the last, one with fewer is not',
  async (id, operation) => {
    const { path } = operation;
    const type = recordTypeInPath(path);
    const search = new URLSearchParams(path.startsWith('/v1/') ? world.queryFor(operation) : '');
    const optional = [...search.keys()].filter((name) => operation.query[name]?.required !== true);
    for (const name of optional) search.delete(name);
    // Without a search, the instruments that the service provides are more than a page.
    if (id === 'v1.instrument.list') search.set('q', 'cash u');
    if (id === 'v1.reconciliation.report') search.set('client_id', world.idOf('client'));
    const get = async (limit: number) => {
      search.set('limit', String(limit));
      const address = pathToRecord(path, type === undefined ? '' : world.idOf(type), (above) => world.idOf(above));
      const { status, body, text } = await (isSandboxOnly(operation) ? sandbox : admin).get(`${address}?${search}`);
      expect([status, status === 200 ? '' : text]).toEqual([200, '']);
      return body;
    };
    const { length } = (await get(100)).data;
    if (length < 2) return void singles.push(id);
    const full = await get(length);
    expect([full.data.length, full.has_more, 'next_cursor' in full]).toEqual([length, false, false]);
    const shorter = await get(length - 1);
    expect([shorter.data.length, shorter.has_more]).toEqual([length - 1, true]);
    search.set('cursor', shorter.next_cursor);
    const rest = await get(1);
    expect([rest.data, rest.has_more, 'next_cursor' in rest]).toEqual([full.data.slice(-1), false, false]);
  },
);

test('every list has rows enough', () => {
  expect(lists.length).toBeGreaterThan(30);
  // Nothing was sold. Its pages are cut like those of the other reports.
  // There is one administrator, and the log of requests is written in the background; both are lists as the others are.
  // The import waits for nothing and is of one account; tests of its own cut these lists.
  const ofImport = ['v1.import.waiting', 'v1.import.problems', 'v1.import.accounts'];
  const others = ['v1.realised-gain.report', 'v1.administrator.list', 'v1.request-log.read'];
  expect(singles.toSorted()).toEqual([...ofImport, ...others].toSorted());
});
