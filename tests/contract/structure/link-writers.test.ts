// Concurrent writers of the same links at both of their ends: each replaces its set as a whole, one after the other.

import { beforeAll, expect, test } from 'vitest';
import type { Caller, Reply } from '../../setup/http/caller.ts';
import { runInLockOrder } from '../../setup/database/race.ts';
import { workspaceForThisFile } from '../../setup/node/test-service.ts';
import { makeRecord, makeHousehold } from '../../setup/structure/structure-document.ts';

const service = workspaceForThisFile();
let admin: Caller;
let entity: string;

beforeAll(async () => {
  ({ admin } = service);
  entity = (await makeHousehold(admin)).legalEntity;
});

const newAccount = (): Promise<string> => makeRecord(admin, 'accounts', { entity_id: entity, currency: 'CHF' });
const newDepository = (): Promise<string> => makeRecord(admin, 'depositories', { legal_entity_id: entity });
const accountsOf = async (depository: string): Promise<string[]> =>
  (await admin.get(`/v1/depositories/${depository}`)).body.account_ids;

test('a set is not replaced under a tag from before the other end has written', async () => {
  const [one, other, depository] = [await newAccount(), await newAccount(), await newDepository()];
  const path = `/v1/depositories/${depository}`;
  const tag = (await admin.get(path)).headers.get('etag')!;
  const [linked, replaced] = await runInLockOrder(
    service.database,
    () => admin.patch(`/v1/accounts/${other}`, { depository_ids: [depository] }),
    () => admin.patch(path, { account_ids: [one] }, { 'if-match': tag }),
  );
  expect([linked.status, replaced.status]).toEqual([200, 412]);
  expect(await accountsOf(depository)).toEqual([other]);
});

test('an account that is created with a link while the set is replaced is applied after it', async () => {
  const [one, depository] = [await newAccount(), await newDepository()];
  const [replaced, opened] = await runInLockOrder(
    service.database,
    () => admin.patch(`/v1/depositories/${depository}`, { account_ids: [one] }),
    () => admin.post('/v1/accounts', { entity_id: entity, currency: 'CHF', depository_ids: [depository] }),
  );
  expect([replaced.status, opened.status]).toEqual([200, 201]);
  expect(await accountsOf(depository)).toEqual([one, opened.body.id]);
});

interface Writer {
  readonly end: 'account' | 'depository';
  readonly own: string;
  readonly other: string;
}

/** The links after these writes one after the other, starting with none. */
function expectedAfter(order: readonly Writer[]): string {
  let links: string[] = [];
  for (const { end, own, other } of order) {
    const isOwn = (link: string): boolean => link.split(' ')[end === 'account' ? 0 : 1] === own;
    links = [...links.filter((link) => !isOwn(link)), end === 'account' ? `${own} ${other}` : `${other} ${own}`];
  }
  return links.toSorted().join();
}

function permutations<T>(items: readonly T[]): T[][] {
  if (items.length < 2) return [[...items]];
  return items.flatMap((item, at) => permutations(items.toSpliced(at, 1)).map((rest) => [item, ...rest]));
}

function write({ end, own, other }: Writer): Promise<Reply> {
  return end === 'account'
    ? admin.patch(`/v1/accounts/${own}`, { depository_ids: [other] })
    : admin.patch(`/v1/depositories/${own}`, { account_ids: [other] });
}

test('four writers in a ring end with the result of some sequential order', async () => {
  for (let round = 0; round < 25; round++) {
    const [a, b, c, d] = [await newAccount(), await newAccount(), await newDepository(), await newDepository()];
    const writers: Writer[] = [
      { end: 'account', own: a, other: c },
      { end: 'depository', own: c, other: b },
      { end: 'account', own: b, other: d },
      { end: 'depository', own: d, other: a },
    ];
    const replies = await Promise.all(writers.map(write));
    expect(replies.map(({ status }) => status)).toEqual([200, 200, 200, 200]);
    const links = await Promise.all([c, d].map(async (one) => (await accountsOf(one)).map((each) => `${each} ${one}`)));
    expect(permutations(writers).map(expectedAfter)).toContain(links.flat().toSorted().join());
  }
});
