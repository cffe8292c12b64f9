// What a request leaves alone, with two of everything: each operation runs in a tenant that has twins with the same ids, without row-level
// security, and changes rows of the record it names only. Generated from the served operations, so that no statement's condition
// is left out.

import { beforeAll, describe, expect, test } from 'vitest';
import type { Tenant } from '../../../src/model/access/scope.ts';
import type { Id } from '../../../src/kit/id.ts';
import type { Operation } from '../../../src/surfaces/http/operation/operation.ts';
import { operations } from '../../../src/surfaces/operations.ts';
import {
  digestTenantRows,
  listTenantRows,
  makeTwin,
  twinMark,
  type StoredText,
} from '../../setup/database/twin-tenants.ts';
import { Caller, type Reply } from '../../setup/http/caller.ts';
import { ExampleWorld, pathToRecord, recordTypeInPath } from '../../setup/http/example-world.ts';
import { isSandboxOnly } from '../../setup/sandbox/sandbox-clients.ts';
import { serviceForThisFile, startTestService, type TestService } from '../../setup/node/test-service.ts';

const options = { tenantFilters: 'store-only', settings: { BASE_URL: 'http://holdfast.test' } } as const;
const service = serviceForThisFile(options);

/** Beside the records of the examples: a second one of each type, on which no operation is sent. */
const secondRecords =
  'client legal-entity custodian import-profile depository account auth-flow auth-flow-file authority reporting-entity portfolio user invite instrument-class instrument price ' +
  'net-asset-value interest-rate index-factor fx-rate transaction import historical-holding limit calculation-round feed-run webhook delivery application key';

/** Applications have no sessions to end, and those of production no sandbox. */
const ofApplications = operations.filter((one) => one.id !== 'v1.me.end-session' && !isSandboxOnly(one));
const reads = ofApplications.filter(({ mode }) => mode === 'read');
const changes = ofApplications.filter(({ mode, method }) => mode === 'write' && method !== 'DELETE');
const deletions = ofApplications.filter(({ method }) => method === 'DELETE');

let node: TestService;
let caller: Caller;
/** A caller with all rights at a client that has nothing. */
let elsewhere: Caller;
let tenant: Tenant;
let twins: readonly Tenant[];
let world: ExampleWorld;
/** A record for each deletion. */
const doomed = new Map<Operation, string>();
/** What each read answered when there were no twins. */
const answers = new Map<Operation, Reply>();

beforeAll(async () => {
  const { admin } = service;
  tenant = { workspaceId: service.first.workspaceId as Id, environment: 'production' };
  world = await ExampleWorld.create(admin);
  for (const type of secondRecords.split(' ')) await world.make(type);
  for (const operation of deletions) {
    const type = recordTypeInPath(operation.path);
    if (type !== undefined) doomed.set(operation, await world.makeFor(operation));
  }
  const rights = ['read', 'write', 'admin'];
  const bound = await admin.becomeApplication({ rights, scoped_to: await admin.makeClient('Elsewhere') });
  for (const operation of reads) answers.set(operation, await send(admin, operation));
  twins = [
    { workspaceId: '0'.repeat(24) as Id, environment: 'production' },
    { ...tenant, environment: 'sandbox' },
  ];
  for (const twin of twins) await makeTwin(service.database, tenant, twin);
  // Another node, which has cached nothing.
  node = await startTestService({ ...options, database: service.database, clock: service.clock });
  caller = node.admin;
  elsewhere = caller.withToken(bound.token);
  return () => node.stop();
});

function recordIdFor(operation: Operation): string {
  const type = recordTypeInPath(operation.path);
  return doomed.get(operation) ?? (type === undefined || type === 'audit-entry' ? '' : world.idOf(type));
}

function send(from: Caller, operation: Operation): Promise<Reply> {
  const recordId = recordIdFor(operation);
  const path = pathToRecord(operation.path, recordId, (type) => world.idOf(type));
  const body = world.bodyFor(operation, recordId);
  return from.send(path + world.queryFor(operation), { method: operation.method, body });
}

test('a caller of another client changes no record that an operation names, whoever owns it', async () => {
  const before = await listTenantRows(service.database, tenant);
  const accepted: string[] = [];
  for (const operation of [...changes, ...deletions].filter(({ path }) => recordTypeInPath(path) !== undefined))
    if ((await send(elsewhere, operation)).status < 400) accepted.push(operation.id);
  expect(accepted).toEqual([]);
  const left = new Set((await listTenantRows(service.database, tenant)).map(({ text }) => text));
  expect(before.filter(({ table, text }) => !left.has(text) && !counters.has(table))).toEqual([]);
});

/** The rows of all three tenants after the previous operation. */
let stored: { readonly twins: StoredText[][]; readonly own: StoredText[] } | undefined;

function rowsOfTwins(): Promise<StoredText[][]> {
  return Promise.all(twins.map((twin) => digestTenantRows(service.database, twin)));
}

/** Cursors are made anew for each answer, and the audit log grows with what is read. */
function comparable({ status, text }: Reply): unknown {
  return [status, text.replaceAll(/"(?:next_cursor|request_id|id)":"[^"]*"/g, '')];
}

describe.each(['reads', 'changes', 'deletions'] as const)('with twins: %s', (kind) => {
  const listed = { reads, changes, deletions }[kind].filter(({ group }) => group !== 'audit-log');

  test.each(listed.map((operation) => [operation.id, operation] as const))('%s', async (_id, operation) => {
    const before = stored ?? { twins: await rowsOfTwins(), own: await listTenantRows(service.database, tenant) };
    const reply = await send(caller, operation);
    expect([reply.status < (doomed.has(operation) ? 300 : 500), reply.text.includes(twinMark)]).toEqual([true, false]);
    expect(comparable(reply)).toEqual(comparable(answers.get(operation) ?? reply));
    stored = { twins: await rowsOfTwins(), own: await listTenantRows(service.database, tenant) };
    expect(stored.twins).toEqual(before.twins);
    const left = new Set(stored.own.map(({ text }) => text));
    const recordId = recordIdFor(operation);
    const touched = before.own.filter(({ text }) => !left.has(text));
    const named = operation.resource?.type === 'import' ? listImported(before.own, recordId) : [];
    // An authority moves with its auth flow, and its accounts get its custodian.
    const authorityId: string = reply.body?.authority_id ?? recordId;
    const isLinking = operation.id === 'v1.auth-flow.grant';
    const isMeant = ({ table, text }: StoredText): boolean =>
      text.includes(recordId) ||
      text.includes(authorityId) ||
      named.some((id) => table === 'transaction' && text.includes(id)) ||
      (isLinking && ['account', 'record_version'].includes(table));
    const strange = touched.filter((row) => !counters.has(row.table) && !isMeant(row));
    expect(strange).toEqual([]);
  });
});

/** The ids in the rows of an import: among them those of the transactions that it has booked. */
function listImported(rows: readonly StoredText[], importId: string): string[] {
  const own = rows.filter(({ table, text }) => table === 'import_row' && text.includes(importId));
  return own.flatMap(({ text }) => text.match(/transaction,([0-9a-f]{24})/)?.[1] ?? []);
}

/** Tables whose rows count or gather what happens to others. */
const counters = new Set([
  'account_ledger',
  'booking_count',
  'credential',
  'environment',
  'event_order',
  'import_usage',
  'outbox',
  'rate_ledger',
  'round_mark',
  'series_ledger',
  'shared_round_mark',
  'upload_ledger',
  'delivery_queue',
]);
