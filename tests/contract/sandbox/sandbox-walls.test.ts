// The walls of tenants and clients around the operations of the sandbox, in that environment: what the tests over all operations check in
// production, where these are refused. Generated from the served operations.

import { beforeAll, describe, expect, test } from 'vitest';
import type { Id } from '../../../src/kit/id.ts';
import type { Tenant } from '../../../src/model/access/scope.ts';
import type { Operation } from '../../../src/surfaces/http/operation/operation.ts';
import { operations } from '../../../src/surfaces/operations.ts';
import { digestTenantRows, listTenantRows, makeTwin, twinMark } from '../../setup/database/twin-tenants.ts';
import type { Caller, Reply } from '../../setup/http/caller.ts';
import { serviceForThisFile } from '../../setup/node/test-service.ts';
import { isSandboxOnly, makeSandboxClient, shortLife } from '../../setup/sandbox/sandbox-clients.ts';

const service = serviceForThisFile({ tenantFilters: 'store-only' });
const inSandbox = operations.filter(isSandboxOnly);
const writes = inSandbox.filter(({ mode }) => mode === 'write');
const aboutOne = inSandbox.filter(({ path }) => path.includes('{id}'));
const allRights = { rights: ['read', 'write', 'admin'], environment: 'sandbox' };

let caller: Caller;
/** Bound to a client that the sandbox has not made. */
let elsewhere: Caller;
let parent: string;
/** No operation is about it. */
let bystander: string;
let tenant: Tenant;
let twin: Tenant;

beforeAll(async () => {
  caller = await service.admin.becomeApplication(allRights);
  parent = await caller.makeClient('Elsewhere');
  elsewhere = await caller.becomeApplication({ ...allRights, scoped_to: parent });
  bystander = (await makeSandboxClient(caller)).id;
  tenant = { workspaceId: service.first.workspaceId as Id, environment: 'sandbox' };
  twin = { workspaceId: '0'.repeat(24) as Id, environment: 'sandbox' };
});

function send(from: Caller, { id, method, path }: Operation, client: string): Promise<Reply> {
  const body = id.endsWith('.advance') ? { days: 1 } : id.endsWith('.create') ? shortLife : undefined;
  return from.send(path.replace('{id}', client), { method, ...(body === undefined ? {} : { body }) });
}

/** What writes count or gather, of whomever. */
const shared = new Set(['audit_entry', 'audit_queue', 'budget', 'client_version', 'idempotency_key', 'sequence']);

describe('of the rows of others an operation changes none', () => {
  beforeAll(() => makeTwin(service.database, tenant, twin));

  test.each(inSandbox.map((one) => [one.id, one] as const))('%s', async (_id, operation) => {
    const { id } = await makeSandboxClient(caller);
    const [twinBefore, ownBefore] = [
      await digestTenantRows(service.database, twin),
      await listTenantRows(service.database, tenant),
    ];
    const reply = await send(caller, operation, id);
    expect([reply.status < 300, reply.text.includes(twinMark)]).toEqual([true, false]);
    expect(await digestTenantRows(service.database, twin)).toEqual(twinBefore);
    const left = new Set((await listTenantRows(service.database, tenant)).map(({ text }) => text));
    const lost = ownBefore.filter(({ table, text }) => !left.has(text) && !shared.has(table));
    expect(lost.filter(({ text }) => text.includes(bystander))).toEqual([]);
  });
});

test.each(aboutOne.map((one) => [one.id, one] as const))(
  '%s: a token of another client cannot tell the client from one that does not exist, and changes nothing',
  async (_id, operation) => {
    const { id } = await makeSandboxClient(caller);
    const replies = [await send(elsewhere, operation, id), await send(elsewhere, operation, 'f'.repeat(24))];
    const [hidden, missing] = replies.map(({ status, body }) => [status, body.code]);
    expect(hidden).toEqual(missing);
    expect(replies[0]!.status).toBeGreaterThanOrEqual(403);
    expect((await caller.get(`/v1/sandbox/clients/${id}`)).body.end_date).toBe(shortLife.end_date);
  },
);

test('a client that is moved below another is seen by the tokens of that, and no longer when it is moved away', async () => {
  const { id } = await makeSandboxClient(caller);
  const seen = async (): Promise<unknown> => [
    (await elsewhere.get(`/v1/sandbox/clients/${id}`)).status,
    (await elsewhere.get('/v1/sandbox/clients')).body.data.map((one: { id: string }) => one.id),
  ];
  expect(await seen()).toEqual([404, []]);
  expect((await caller.patch(`/v1/clients/${id}`, { parent_id: parent })).status).toBe(200);
  expect(await seen()).toEqual([200, [id]]);
  expect((await caller.patch(`/v1/clients/${id}`, { parent_id: null })).status).toBe(200);
  expect(await seen()).toEqual([404, []]);
});

test.each(writes.map((one) => [one.id, one] as const))('%s is in the audit log, by whom', async (_id, operation) => {
  const { id } = await makeSandboxClient(caller);
  const newest = (await caller.get('/v1/audit-log?limit=1')).body.data[0].id;
  expect((await send(caller, operation, id)).status).toBeLessThan(300);
  const { credential_id: credential } = (await caller.get('/v1/me')).body;
  const { data } = (await caller.get('/v1/audit-log?limit=100')).body;
  const lines = data.filter((line: { id: string }) => line.id > newest);
  expect(lines.length).toBeGreaterThan(0);
  expect(new Set(lines.map((line: { credential_id: string }) => line.credential_id))).toEqual(new Set([credential]));
});
