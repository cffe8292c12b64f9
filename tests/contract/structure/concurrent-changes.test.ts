// A change or deletion that waited for another one of the same record sees the result of the other.

import { beforeAll, describe, expect, test } from 'vitest';
import type { Caller, Reply } from '../../setup/http/caller.ts';
import { runInLockOrder } from '../../setup/database/race.ts';
import { workspaceForThisFile } from '../../setup/node/test-service.ts';
import { makeRecord, makeHousehold, makeRecords } from '../../setup/structure/structure-document.ts';

const service = workspaceForThisFile();
let admin: Caller;
let entity: string;
let accounts: readonly string[];

beforeAll(async () => {
  ({ admin } = service);
  entity = (await makeHousehold(admin)).legalEntity;
  const cash = { entity_id: entity, currency: 'CHF' };
  accounts = await makeRecords(admin, 'accounts', [cash, cash]);
});

/** A depository with one account: the first caller unlinks it while the second one waits. */
async function changeWhileUnlinked(second: (path: string, etag: string) => Promise<Reply>): Promise<[Reply, string]> {
  const id = await makeRecord(admin, 'depositories', { legal_entity_id: entity, account_ids: accounts.slice(0, 1) });
  const path = `/v1/depositories/${id}`;
  const etag = (await admin.get(path)).headers.get('etag')!;
  const [, reply] = await runInLockOrder(
    service.database,
    () => admin.patch(path, { account_ids: [] }),
    () => second(path, etag),
  );
  return [reply, id];
}

describe('a write that waited', () => {
  test('is refused when its entity tag is no longer current', async () => {
    const change = (path: string, etag: string): Promise<Reply> =>
      admin.patch(path, { account_ids: accounts }, { 'if-match': etag });
    const deletion = (path: string, etag: string): Promise<Reply> => admin.delete(path, { 'if-match': etag });
    for (const second of [change, deletion]) {
      const [reply, id] = await changeWhileUnlinked(second);
      expect([reply.status, reply.body.code]).toEqual([412, 'precondition-failed']);
      expect((await admin.get(`/v1/depositories/${id}`)).body.account_ids).toEqual([]);
    }
  });

  test('sets the links it names, including existing ones', async () => {
    const changes = { name: 'Custody', account_ids: accounts.slice(0, 1) };
    const [reply, id] = await changeWhileUnlinked((path) => admin.patch(path, changes));
    expect([reply.status, reply.body]).toMatchObject([200, changes]);
    expect((await admin.get(`/v1/depositories/${id}`)).body).toEqual(reply.body);
  });

  test('records the previous state in the audit log', async () => {
    const [reply, id] = await changeWhileUnlinked((path) => admin.delete(path));
    expect(reply.status).toBe(204);
    const [line] = (await admin.get(`/v1/audit-log?subject_id=${id}&act=delete`)).body.data;
    expect(line.before.account_ids).toEqual([]);
  });
});

test('accounts that are created at the same time with the same new institution share one custodian', async () => {
  for (let round = 0; round < 20; round++) {
    const institution = `Bank ${round}`;
    const fields = { entity_id: entity, currency: 'CHF', institution };
    const replies = await Promise.all(Array.from({ length: 8 }, () => admin.post('/v1/accounts', fields)));
    const [first] = replies;
    for (const { status, body } of replies) {
      expect([status, body.institution, body.custodian_id]).toEqual([201, institution, first!.body.custodian_id]);
    }
  }
});
