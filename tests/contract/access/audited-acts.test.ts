// Every act leaves a line in the audit log: each served operation that writes, generated from their list, and what such acts do on the
// side.

import { beforeAll, describe, expect, test } from 'vitest';
import { dayMs } from '../../../src/kit/clock.ts';
import type { Operation } from '../../../src/surfaces/http/operation/operation.ts';
import { operations } from '../../../src/surfaces/operations.ts';
import { FullClient, isCustodyStep, sendOperation } from '../../setup/access/client-hierarchy.ts';
import type { Caller, Reply } from '../../setup/http/caller.ts';
import { makeInvite, makeMember, makeUser } from '../../setup/people/members.ts';
import { isSandboxOnly } from '../../setup/sandbox/sandbox-clients.ts';
import { workspaceForThisFile } from '../../setup/node/test-service.ts';

const service = workspaceForThisFile();
let admin: Caller;
let household: FullClient;

beforeAll(async () => {
  ({ admin } = service);
  household = await FullClient.create(admin, 'Audited');
});

type Line = Record<string, any>;

async function newestLineId(): Promise<string> {
  return (await admin.get('/v1/audit-log?limit=1')).body.data[0].id;
}

/** The lines that an act leaves, oldest first, and its answer. */
async function linesOf(act: () => Promise<Reply>): Promise<{ reply: Reply; lines: Line[] }> {
  const before = await newestLineId();
  const reply = await act();
  const { data } = (await admin.get('/v1/audit-log?limit=100')).body;
  return { reply, lines: data.filter((line: Line) => line['id'] > before).toReversed() };
}

let changeCount = 0;

/** Sends other texts and numbers than the record has, since a change to what is so already is none. */
function withOtherValues(body: any): any {
  changeCount++;
  const part = body?.data?.attributes ?? body;
  if (part === undefined) return body;
  for (const name of ['name', 'label', 'first_name', 'firstName', 'comment']) {
    if (typeof part[name] === 'string') part[name] = `${part[name]} ${changeCount}`;
  }
  for (const name of ['max', 'rate', 'value', 'market_value']) {
    if (part[name] !== undefined) part[name] = `0.4${changeCount}`;
  }
  if (part.events !== undefined) part.events = ['transaction.updated'];
  return body;
}

/** Acts on a new record where the act can happen to a record only once. */
function recordFor(operation: Operation): Promise<string> {
  const { id, method, path, resource } = operation;
  if (isCustodyStep(operation)) return household.makeFor(operation);
  if (path.includes('{invite_id}') || id === 'v1.invite.cancel') return household.make('invite');
  const isOnce = method === 'DELETE' || id === 'v1.user.erase' || id === 'v1.delivery.replay';
  if (isOnce && path.includes('{')) return household.make(resource?.type ?? 'user');
  return Promise.resolve(household.recordIdFor({ path } as Operation));
}

/** Uploads a day that the deletion of days then deletes. */
async function uploadDayFor(id: string): Promise<void> {
  if (!/historical-.*\.delete/.test(id) || id === 'v1.historical-holding.delete') return;
  const uploadId = id.startsWith('v1.') ? 'json-api.historical-account-holding.create' : id.replace('delete', 'create');
  const upload = operations.find((one) => one.id === uploadId)!;
  const body = household.bodyFor(upload, '');
  body.data.attributes.date = '2019-03-29';
  await admin.send(upload.path, { method: 'POST', body });
}

async function perform(operation: Operation, recordId: string): Promise<Reply> {
  const { id, method } = operation;
  const path = operation.path.replace(/\{\w+\}/, recordId);
  const body = household.bodyFor(operation, recordId);
  if (id.endsWith('.bulk-across')) return admin.post(path, { data: body.data.map(withOtherValues) });
  if (method !== 'PATCH') return sendOperation(admin, operation, household, recordId);
  if (id === 'v1.identifier-mapping.change') body.instrument_id = await household.make('instrument');
  return admin.send(path, { method: 'PATCH', body: withOtherValues(body) });
}

/** Operations that write nothing here, and why. */
const withoutLine: Readonly<Record<string, string>> = {
  'v1.webhook.replay-dead-letters': 'there is nothing to replay',
  'v1.import.create-missing': 'nothing that the file names is missing',
  'v1.authority.connect-accounts': 'the consent has no account that is not linked',
};

describe('an operation that writes', () => {
  // What the sandbox writes is tested in that environment: sandbox-walls.test.ts.
  const writing = operations
    // An application has no session to end.
    .filter((one) => one.mode === 'write' && !isSandboxOnly(one) && one.id !== 'v1.me.end-session')
    .map((one) => [one.id, one] as const);

  test.each(writing)('%s', async (id, operation) => {
    const recordId = await recordFor(operation);
    await uploadDayFor(id);
    if (id === 'v1.user.enable') await admin.send(`/v1/users/${recordId}/disable`, { method: 'POST' });
    if (id === 'v1.user.disable') await admin.send(`/v1/users/${recordId}/enable`, { method: 'POST' });
    const { reply, lines } = await linesOf(() => perform(operation, recordId));
    expect([id, reply.status < 300, reply.status < 300 ? '' : reply.text]).toEqual([id, true, '']);
    expect(lines.length > 0).toBe(!(id in withoutLine));
    const { credential_id: credential } = (await admin.get('/v1/me')).body;
    expect(new Set(lines.map((line) => line['credential_id']))).toEqual(new Set(lines.length > 0 ? [credential] : []));
  });

  test('there are many', () => {
    expect(writing.length).toBeGreaterThan(90);
  });
});

describe('what an act does on the side', () => {
  const summary = (line: Line): string => `${line['act']} ${line['subject_type']} ${line['subject_id']}`;

  test('the rotation of a secret is in the log, without any secret', async () => {
    const webhook = await household.make('webhook');
    const { reply, lines } = await linesOf(() =>
      admin.send(`/v1/webhooks/${webhook}/rotate-secret`, { method: 'POST' }),
    );
    expect(lines.map(summary)).toEqual([`change webhook ${webhook}`]);
    const until = new Date(service.clock.now() + dayMs).toISOString();
    expect([lines[0]!['before'].previous_secret_until, lines[0]!['after'].previous_secret_until]).toEqual([
      null,
      until,
    ]);
    expect(JSON.stringify(lines)).not.toContain(reply.body.secret);
  });

  test('disabling and enabling a user is a line at each client, with the status before and after', async () => {
    const [one, other] = [await admin.makeClient('One'), await admin.makeClient('Other')];
    const email = 'both@people.example';
    const user = await makeMember(service, one, { email });
    await makeUser(admin, other, { email });
    for (const [act, before, after] of [
      ['disable', ['active', 'invited'], ['disabled', 'disabled']],
      ['enable', ['disabled', 'disabled'], ['active', 'invited']],
    ] as const) {
      const { lines } = await linesOf(() => admin.send(`/v1/users/${user}/${act}`, { method: 'POST' }));
      expect(lines.map(summary)).toEqual([`change user ${user}`, `change user ${user}`]);
      expect(lines.map((line) => line['client_id'])).toEqual([one, other]);
      expect(lines.map((line) => line['before'].status)).toEqual(before);
      expect(lines.map((line) => line['after'].status)).toEqual(after);
    }
  });

  test.each<[cause: string, act: (user: string, client: string) => Promise<Reply>]>([
    ['a newer invite', (user) => admin.post('/v1/invites', { user_id: user })],
    ['the deletion of the user', (user) => admin.delete(`/v1/users/${user}`)],
    ['the deletion of the client', (_user, client) => admin.delete(`/v1/clients/${client}`)],
    ['the erasure of the user', (user) => admin.send(`/v1/users/${user}/erasure`, { method: 'POST' })],
  ])('an invite that is cancelled by %s has its line', async (_cause, act) => {
    const client = await admin.makeClient('Short-lived');
    const user = await makeUser(admin, client);
    const invite = await makeInvite(admin, user);
    const { lines } = await linesOf(() => act(user, client));
    const cancellation = lines.find((line) => line['subject_id'] === invite);
    const at = new Date(service.clock.now()).toISOString();
    expect(cancellation).toMatchObject({ act: 'change', before: { cancelled_at: null }, after: { cancelled_at: at } });
  });

  test('an export of personal data is a line before anything is handed out; a refused one is none', async () => {
    const client = await admin.makeClient('Exported');
    const user = await makeUser(admin, client);
    const { reply, lines } = await linesOf(() => admin.get(`/v1/users/${user}/export`));
    expect(lines.map(summary)).toEqual([`export user ${user}`]);
    expect(reply.body.audit_log.map(summary)).toEqual([`create user ${user}`]);
    const scoped = await admin.becomeApplication({ rights: ['admin'], scoped_to: client });
    const byScoped = await linesOf(() => scoped.get(`/v1/users/${user}/export`));
    expect(byScoped.lines).toMatchObject([{ act: 'export', client_id: client, credential_id: scoped.id }]);
    const reader = await admin.becomeApplication({ rights: ['read'] });
    expect((await linesOf(() => reader.get(`/v1/users/${user}/export`))).lines).toEqual([]);
  });
});
