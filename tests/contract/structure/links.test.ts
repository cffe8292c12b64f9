// Links between accounts, depositories and portfolios: replaced as whole sets, from either end, within one client.

import fc from 'fast-check';
import { beforeAll, describe, expect, test } from 'vitest';
import type { Caller, Reply } from '../../setup/http/caller.ts';
import { reportedRefusal } from '../../setup/structure/client-document.ts';
import { workspaceForThisFile } from '../../setup/node/test-service.ts';
import { countAuditEntries } from '../../setup/database/sql.ts';
import {
  accountObject,
  accountsOfDepository,
  accountsOfPortfolio,
  creationRequest,
  depositoriesOfAccount,
  depositoriesOfPortfolio,
  depositoryObject,
  faultsOf,
  makeRecord,
  makeAccounts,
  makeDepositories,
  makeHousehold,
  replacementRequest,
  sendBehindLock,
  readLinkSet,
  linkSetPointer,
  unknownId,
  type LinkEnd,
  type Household,
  type WritingWire,
} from '../../setup/structure/structure-document.ts';

const service = workspaceForThisFile();
let admin: Caller;
let household: Household;
let other: Household;
let candidateIds: Record<'account' | 'depository', string[]>;

beforeAll(async () => {
  ({ admin } = service);
  household = await makeHousehold(admin);
  other = await makeHousehold(admin, 'Zeisig');
  candidateIds = {
    account: await makeAccounts(admin, household, 4),
    depository: await makeDepositories(admin, household, 4),
  };
});

const ends = [depositoriesOfAccount, accountsOfDepository, accountsOfPortfolio, depositoriesOfPortfolio];
const wires: readonly WritingWire[] = ['JSON:API', 'v1'];
const table = ends.flatMap((end) => wires.map((wire) => [`${end.type}: its ${end.field}`, wire, end] as const));

function create(wire: WritingWire, end: LinkEnd, ids?: readonly string[]): Promise<Reply> {
  return admin.post(...creationRequest(wire, end, { household, ids }));
}

async function createId(end: LinkEnd, ids: readonly string[]): Promise<string> {
  return (await create('v1', end, ids)).body.id;
}

function replace(wire: WritingWire, end: LinkEnd, id: string, ids: readonly string[]): Promise<Reply> {
  return admin.patch(...replacementRequest(wire, end, { id, ids }));
}

/** The link set on both wires, which must agree. */
async function readSet(end: LinkEnd, id: string): Promise<string[]> {
  const onV1 = readLinkSet('v1', end, await admin.get(`/v1/${end.plural}/${id}`));
  expect(readLinkSet('JSON:API', end, await admin.get(`/api/v2/${end.plural}/${id}`))).toEqual(onV1);
  return onV1;
}

describe.each(table)('%s on %s', (_what, wire, end) => {
  test('can be set at creation or later, and are shown in the same order however they were sent', async () => {
    const [a, b, c] = candidateIds[end.to] as [string, string, string];
    const made = await create(wire, end, [c, a]);
    expect([made.status, readLinkSet(wire, end, made)]).toEqual([201, [a, c]]);
    const later = await create(wire, end);
    const id = wire === 'v1' ? later.body.id : later.body.data.id;
    expect(readLinkSet(wire, end, later)).toEqual([]);
    const filled = await replace(wire, end, id, [c, b, a]);
    expect([filled.status, readLinkSet(wire, end, filled)]).toEqual([200, [a, b, c]]);
    expect(await readSet(end, id)).toEqual([a, b, c]);
  });

  test('are replaced as a whole: omitted links are removed, and an empty set removes all', async () => {
    const [a, b, c, d] = candidateIds[end.to] as [string, string, string, string];
    const id = await createId(end, [a, b]);
    for (const ids of [[b, c, d], [a], [], [d]]) {
      const reply = await replace(wire, end, id, ids);
      expect([reply.status, readLinkSet(wire, end, reply)]).toEqual([200, ids]);
      expect(await readSet(end, id)).toEqual(ids);
    }
  });

  test('sent again in another order do not change the record', async () => {
    const [a, b, c] = candidateIds[end.to] as [string, string, string];
    const id = await createId(end, [a, b, c]);
    const lines = await countAuditEntries(service.database);
    expect(readLinkSet(wire, end, await replace(wire, end, id, [c, a, b]))).toEqual([a, b, c]);
    expect(await countAuditEntries(service.database)).toBe(lines);
  });

  test('contain each record once', async () => {
    const [a, b] = candidateIds[end.to] as [string, string];
    const id = await createId(end, [a]);
    const detail = `${wire === 'v1' ? end.v1Field : end.field} must not repeat an id.`;
    const fault = { status: 422, code: 'invalid-attribute', detail, pointer: linkSetPointer(wire, end) };
    expect(faultsOf(await replace(wire, end, id, [b, a, b]))).toEqual([fault]);
    expect(faultsOf(await create(wire, end, [b, b]))).toEqual([fault]);
    expect(await readSet(end, id)).toEqual([a]);
  });

  test('cannot refer to records of another client or to missing records', async () => {
    const [a, b] = candidateIds[end.to] as [string, string];
    const [foreign] =
      end.to === 'account' ? await makeAccounts(admin, other, 1) : await makeDepositories(admin, other, 1);
    const id = await createId(end, [a]);
    const pointer = linkSetPointer(wire, end, 1);
    const different = {
      status: 422,
      code: 'different-client',
      detail: `The ${end.to} belongs to another client than the ${end.type}.`,
      pointer,
    };
    const missing = { status: 404, code: `${end.to}-not-found`, detail: `There is no such ${end.to}.`, pointer };
    const wrong = end.to === 'account' ? candidateIds.depository[0]! : candidateIds.account[0]!;
    const lines = await countAuditEntries(service.database);
    for (const [stranger, refusal] of [
      [foreign!, different],
      [unknownId, missing],
      [wrong, missing],
    ] as const) {
      expect(reportedRefusal(await replace(wire, end, id, [b, stranger]))).toEqual(refusal);
      expect(reportedRefusal(await create(wire, end, [b, stranger]))).toEqual(refusal);
    }
    expect(await readSet(end, id)).toEqual([a]);
    expect(await countAuditEntries(service.database)).toBe(lines);
  });
});

describe('an account over several depositories', () => {
  const plainAccount = { name: 'CHF', externalIdentifier: null, ccyCode: 'CHF', excludeFromReporting: false };
  const plainDepository = { name: 'Depository', externalIdentifier: null };

  test.each(wires)('written from its end on %s is read from both ends on both wires', async (wire) => {
    const [account, another] = (await makeAccounts(admin, household, 2)) as [string, string];
    const [one, two] = (await makeDepositories(admin, household, 2)) as [string, string];
    await replace(wire, accountsOfDepository, one, [another]);
    await replace(wire, depositoriesOfAccount, account, [one, two]);
    const linked = { legalEntity: household.legalEntity, depositories: [one, two] };
    const shown = accountObject(account, plainAccount, linked);
    expect((await admin.get(`/api/v2/accounts/${account}`)).body).toEqual({ data: shown });
    const data = depositoryObject(one, plainDepository, [account, another]);
    expect((await admin.get(`/api/v2/depositories/${one}`)).body).toEqual({ data });
    expect(await readSet(accountsOfDepository, two)).toEqual([account]);
    expect(await readSet(depositoriesOfAccount, another)).toEqual([one]);
    const list = await admin.get(`/api/v2/legal-entities/${household.legalEntity}/accounts`);
    expect(list.body.data).toContainEqual(shown);
  });

  test.each(wires)("written from the depositories' end on %s is the same set of the account", async (wire) => {
    const [account, another] = (await makeAccounts(admin, household, 2)) as [string, string];
    const [one, two] = (await makeDepositories(admin, household, 2)) as [string, string];
    await replace(wire, accountsOfDepository, two, [account, another]);
    await replace(wire, accountsOfDepository, one, [account]);
    expect(await readSet(depositoriesOfAccount, account)).toEqual([one, two]);
    await replace(wire, accountsOfDepository, two, [another]);
    expect(await readSet(depositoriesOfAccount, account)).toEqual([one]);
    await replace(wire, depositoriesOfAccount, another, []);
    expect(await readSet(accountsOfDepository, two)).toEqual([]);
  });

  test('may be split over depositories of another legal entity of the same client', async () => {
    const sister = await makeRecord(admin, 'legal-entities', { name: 'Sister', client_id: household.client });
    const [depository] = await makeDepositories(admin, { ...household, legalEntity: sister }, 1);
    const id = await createId(depositoriesOfAccount, [depository!]);
    expect(await readSet(depositoriesOfAccount, id)).toEqual([depository]);
  });

  test("a depository's tag changes when the account's end writes the link, and the old one is refused", async () => {
    const [account] = await makeAccounts(admin, household, 1);
    const [depository] = await makeDepositories(admin, household, 1);
    const path = `/v1/depositories/${depository}`;
    const before = (await admin.get(path)).headers.get('etag')!;
    await replace('v1', depositoriesOfAccount, account!, [depository!]);
    const after = (await admin.get(path, { 'if-none-match': before })).headers.get('etag')!;
    expect(after).not.toBe(before);
    const refused = await admin.patch(path, { account_ids: [] }, { 'if-match': before });
    expect(reportedRefusal(refused)).toMatchObject({ status: 412, code: 'precondition-failed' });
    expect(await readSet(depositoriesOfAccount, account!)).toEqual([depository]);
    expect((await admin.patch(path, { account_ids: [] }, { 'if-match': after })).status).toBe(200);
    expect(await readSet(depositoriesOfAccount, account!)).toEqual([]);
  });
});

describe('portfolios', () => {
  test('an account may belong to several, and is removed from them one by one', async () => {
    const [account] = await makeAccounts(admin, household, 1);
    const inBoth = [await createId(accountsOfPortfolio, [account!]), await createId(accountsOfPortfolio, [account!])];
    for (const id of inBoth) expect(await readSet(accountsOfPortfolio, id)).toEqual([account]);
    expect(readLinkSet('v1', accountsOfPortfolio, await replace('v1', accountsOfPortfolio, inBoth[0]!, []))).toEqual(
      [],
    );
    expect(await readSet(accountsOfPortfolio, inBoth[1]!)).toEqual([account]);
  });

  test('accounts and depositories are two sets: one is replaced without the other', async () => {
    const id = await createId(accountsOfPortfolio, candidateIds.account);
    await replace('JSON:API', depositoriesOfPortfolio, id, candidateIds.depository.slice(0, 2));
    await replace('v1', accountsOfPortfolio, id, candidateIds.account.slice(1, 2));
    expect(await readSet(accountsOfPortfolio, id)).toEqual(candidateIds.account.slice(1, 2));
    expect(await readSet(depositoriesOfPortfolio, id)).toEqual(candidateIds.depository.slice(0, 2));
  });
});

test.each(wires)('a line of the audit log holds the sets before and after a change on %s', async (wire) => {
  const [a, b, c] = candidateIds.depository as [string, string, string];
  const { id, institution: _, ...account } = (await create('v1', depositoriesOfAccount, [a, b])).body;
  await replace(wire, depositoriesOfAccount, id, [c, b]);
  const { data } = (await admin.get(`/v1/audit-log?subject_id=${id}`)).body;
  expect(data.map(({ act, before, after }: any) => ({ act, before, after }))).toEqual([
    { act: 'change', before: { id, ...account }, after: { id, ...account, depository_ids: [b, c] } },
    { act: 'create', before: null, after: { id, ...account } },
  ]);
});

describe('at the same time', () => {
  function sendTogether(account: string, changes: readonly (() => Promise<Reply>)[]): Promise<Reply[]> {
    const lock = `SELECT FROM account WHERE id = '${account}' FOR UPDATE`;
    return sendBehindLock({ database: service.database, lock, waiting: changes.length }, changes);
  }

  test('of two replacements under the same tag one succeeds', async () => {
    const [a, b, c] = candidateIds.depository as [string, string, string];
    const made = await create('v1', depositoriesOfAccount, [a]);
    const headers = { 'if-match': made.headers.get('etag')! };
    const path = `/v1/accounts/${made.body.id}`;
    const changes = [b, c].map((id) => () => admin.patch(path, { depository_ids: [id] }, headers));
    const replies = await sendTogether(made.body.id, changes);
    expect(replies.map(({ status }) => status).toSorted()).toEqual([200, 412]);
    expect(replies.map(({ text }) => text)).toContain((await admin.get(path)).text);
  });

  test('in the audit log each replacement begins with the result of the previous one', async () => {
    const [a, b, c] = candidateIds.depository as [string, string, string];
    const id = await createId(depositoriesOfAccount, [a]);
    const changes = [b, c].map((one) => () => replace('v1', depositoriesOfAccount, id, [one]));
    expect((await sendTogether(id, changes)).map(({ status }) => status)).toEqual([200, 200]);
    const [last, first] = (await admin.get(`/v1/audit-log?subject_id=${id}`)).body.data;
    expect(first.before.depository_ids).toEqual([a]);
    expect(last.before.depository_ids).toEqual(first.after.depository_ids);
    expect(await readSet(depositoriesOfAccount, id)).toEqual(last.after.depository_ids);
  });

  type Write = readonly [end: LinkEnd, id: string, ids: readonly string[]];

  /** The expected links after consecutive writes, each as a pair of account and depository. */
  function linksAfter(links: readonly string[], writes: readonly Write[]): string[] {
    const result = writes.reduce((present, [end, id, ids]) => {
      const made = ids.map((far) => (end.type === 'account' ? `${id} ${far}` : `${far} ${id}`));
      return [...present.filter((link) => !link.split(' ').includes(id)), ...made];
    }, links);
    return result.toSorted();
  }

  async function readLinks(accounts: readonly string[]): Promise<string[]> {
    const sets = await Promise.all(accounts.map((id) => readSet(depositoriesOfAccount, id)));
    return sets.flatMap((set, index) => set.map((id) => `${accounts[index]} ${id}`)).toSorted();
  }

  test('two writers, one at each end, have the same result as one after the other', async () => {
    const accounts = await makeAccounts(admin, household, 2);
    const depositories = await makeDepositories(admin, household, 2);
    const [account, depository] = [accounts[0]!, depositories[0]!];
    const writing = fc.record({
      before: fc.subarray(accounts),
      split: fc.subarray(depositories),
      settling: fc.subarray(accounts),
      wires: fc.constantFrom(wires, wires.toReversed()),
    });
    const round = fc.asyncProperty(writing, async ({ before, split, settling, wires: [one, other] }) => {
      await replace('v1', accountsOfDepository, depository, before);
      const links = await readLinks(accounts);
      const fromAccount: Write = [depositoriesOfAccount, account, split];
      const fromDepository: Write = [accountsOfDepository, depository, settling];
      const replies = await Promise.all([replace(one!, ...fromAccount), replace(other!, ...fromDepository)]);
      expect(replies.map(({ status }) => status)).toEqual([200, 200]);
      const orders = [
        [fromAccount, fromDepository],
        [fromDepository, fromAccount],
      ];
      const left = await readLinks(accounts);
      expect(orders.map((order) => linksAfter(links, order))).toContainEqual(left);
      for (const id of depositories) {
        const seen = accounts.filter((one) => left.includes(`${one} ${id}`));
        expect(await readSet(accountsOfDepository, id)).toEqual(seen);
      }
    });
    await fc.assert(round, { numRuns: 40, endOnFailure: true });
  });
});
