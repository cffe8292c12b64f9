// The audit log: one entry for every write that happened, none for others, and no caller reads another tenant's entries.

import { beforeAll, describe, expect, test } from 'vitest';
import { minuteMs } from '../../../src/kit/clock.ts';
import type { Caller } from '../../setup/http/caller.ts';
import {
  clientChangeDocument,
  newClientDocument,
  parentRelationship,
  shownFigureSettings,
} from '../../setup/structure/client-document.ts';
import { serviceForThisFile } from '../../setup/node/test-service.ts';
import { countAuditEntries } from '../../setup/database/sql.ts';
import { defaultReconciliation } from '../../setup/structure/default-settings.ts';

const service = serviceForThisFile();
let admin: Caller;
let me: Record<'workspace_id' | 'credential_id' | 'sub', string>;

beforeAll(async () => {
  ({ admin } = service);
  me = (await admin.get('/v1/me')).body;
});

async function listEntries(caller: Caller, query: string): Promise<Record<string, any>[]> {
  const { body, status } = await caller.get(`/v1/audit-log?limit=100&${query}`);
  expect(status).toBe(200);
  return body.data;
}

function nowText(): string {
  return new Date(service.clock.now()).toISOString();
}

describe('the content of an entry', () => {
  test('the life cycle of a client is four entries, newest first, each with author, time, old and new state', async () => {
    const parent = await admin.makeClient('Parent');
    const made = await admin.post(
      '/v1/clients',
      { name: 'Vega', reference_currency: 'CHF' },
      { 'x-request-id': 'making' },
    );
    const { id } = made.body;
    const createdAt = nowText();
    service.clock.advance(minuteMs);
    const renaming = { attributes: { name: 'Vega & Sons' } };
    await admin.send(`/api/v2/clients/${id}`, {
      method: 'PATCH',
      body: clientChangeDocument(id, renaming),
      headers: { 'x-request-id': 'renaming' },
    });
    await admin.patch(
      `/v1/clients/${id}`,
      { parent_id: parent, accounting_method: 'AVERAGE' },
      { 'x-request-id': 'moving' },
    );
    await admin.delete(`/v1/clients/${id}`, { 'x-request-id': 'deleting' });

    const first = {
      id,
      name: 'Vega',
      reference_currency: 'CHF',
      accounting_method: 'FIFO',
      ...shownFigureSettings,
      reconciliation: defaultReconciliation,
      created_at: createdAt,
      parent_id: null,
    };
    const second = { ...first, name: 'Vega & Sons' };
    const third = { ...second, parent_id: parent, accounting_method: 'AVERAGE' };
    const frame = {
      id: expect.stringMatching(/^[0-9a-f]{24}$/),
      subject_type: 'client',
      subject_id: id,
      client_id: id,
    };
    const actor = { credential_id: me.credential_id, subject: me.sub };
    expect(await listEntries(admin, `subject_id=${id}`)).toEqual([
      { ...frame, ...actor, at: nowText(), act: 'delete', request_id: 'deleting', before: third, after: null },
      { ...frame, ...actor, at: nowText(), act: 'change', request_id: 'moving', before: second, after: third },
      { ...frame, ...actor, at: nowText(), act: 'change', request_id: 'renaming', before: first, after: second },
      { ...frame, ...actor, at: createdAt, act: 'create', request_id: 'making', before: null, after: first },
    ]);
  });

  test('a single entry can be read', async () => {
    const id = await admin.makeClient('Alone');
    const [line] = await listEntries(admin, `subject_id=${id}`);
    expect((await admin.get(`/v1/audit-log/${line!['id']}`)).body).toEqual(line);
  });

  test('an application is logged without its secret', async () => {
    const { body } = await admin.post('/v1/applications', { name: 'Secretive', rights: ['read'] });
    const [line] = await listEntries(admin, `subject_id=${body.id}`);
    const { client_secret: secret, ...shown } = body;
    expect(line).toMatchObject({ act: 'create', subject_type: 'application', client_id: null, after: shown });
    expect(JSON.stringify(line)).not.toContain(secret);
  });

  test('changes by the service itself have no author', async () => {
    const lines = await listEntries(admin, 'subject_type=application&act=create');
    expect(lines.at(-1)).toMatchObject({
      subject_id: me.credential_id,
      credential_id: null,
      subject: null,
      request_id: null,
    });
  });
});

describe('the number of entries of a write', () => {
  async function linesLeftBy(write: () => Promise<{ status: number }>): Promise<[status: number, lines: number]> {
    const before = await countAuditEntries(service.database);
    const { status } = await write();
    return [status, (await countAuditEntries(service.database)) - before];
  }

  const makeClient = (): Promise<string> => admin.makeClient('Written');

  test.each([
    ['a creation on JSON:API', 201, async () => admin.post('/api/v2/clients', newClientDocument('X'))],
    ['a creation on v1', 201, async () => admin.post('/v1/clients', { name: 'X' })],
    ['a creation of an application', 201, async () => admin.post('/v1/applications', { name: 'X' })],
  ])('%s adds one', async (_what, status, write) => {
    expect(await linesLeftBy(write)).toEqual([status, 1]);
  });

  test('a change, a move of a whole branch and a deletion add one each', async () => {
    const [id, to] = [await makeClient(), await makeClient()];
    const child = await admin.makeClient('Child', id);
    expect(await linesLeftBy(() => admin.patch(`/v1/clients/${id}`, { name: 'Y' }))).toEqual([200, 1]);
    expect(
      await linesLeftBy(() => admin.patch(`/api/v2/clients/${id}`, clientChangeDocument(id, parentRelationship(to)))),
    ).toEqual([200, 1]);
    expect(await linesLeftBy(() => admin.delete(`/v1/clients/${child}`))).toEqual([204, 1]);
  });

  test('a change without effect adds none', async () => {
    const id = await makeClient();
    const { body } = await admin.get(`/v1/clients/${id}`);
    expect(await linesLeftBy(() => admin.patch(`/v1/clients/${id}`, body))).toEqual([200, 0]);
    expect(await linesLeftBy(() => admin.patch(`/v1/clients/${id}`, {}))).toEqual([200, 0]);
  });

  test('refused writes add none', async () => {
    const id = await makeClient();
    const child = await admin.makeClient('Child', id);
    const reader = await admin.becomeApplication({ rights: ['read'] });
    const refused = [
      [404, () => admin.post('/v1/clients', { name: 'X', parent_id: '0'.repeat(24) })],
      [409, () => admin.patch(`/v1/clients/${id}`, { name: 'X', parent_id: child })],
      [409, () => admin.delete(`/v1/clients/${id}`)],
      [412, () => admin.patch(`/v1/clients/${id}`, { name: 'X' }, { 'if-match': '"stale"' })],
      [422, () => admin.patch(`/v1/clients/${id}`, { name: '' })],
      [403, () => reader.patch(`/v1/clients/${id}`, { name: 'X' })],
      [404, () => admin.delete(`/v1/clients/${'0'.repeat(24)}`)],
      [409, () => admin.patch(`/v1/clients/${id}`, { name: 'X', parent_id: child }, { 'idempotency-key': 'refused' })],
    ] as const;
    for (const [status, write] of refused) expect(await linesLeftBy(write)).toEqual([status, 0]);
    expect((await admin.get(`/v1/clients/${id}`)).body.name).toBe('Written');
  });

  test('reading adds none', async () => {
    expect(await linesLeftBy(() => admin.get('/v1/audit-log'))).toEqual([200, 0]);
  });
});

describe('filters of entries', () => {
  test('each filter excludes other entries', async () => {
    const id = await admin.makeClient('Found');
    const other = await admin.becomeApplication({ rights: ['read', 'write', 'admin'] });
    await other.patch(`/v1/clients/${id}`, { name: 'Found again' });
    const bound = await admin.post('/v1/applications', { name: 'Bound', scoped_to: id });
    const listed = async (query: string): Promise<unknown[]> =>
      (await listEntries(admin, query)).map((line) => [line['act'], line['subject_type']]);

    expect(await listed(`subject_id=${id}`)).toEqual([
      ['change', 'client'],
      ['create', 'client'],
    ]);
    expect(await listed(`subject_id=${id}&act=create`)).toEqual([['create', 'client']]);
    expect(await listed(`credential_id=${other.id}`)).toEqual([['change', 'client']]);
    expect(await listed(`client_id=${id}`)).toEqual([
      ['create', 'application'],
      ['change', 'client'],
      ['create', 'client'],
    ]);
    expect(await listed(`client_id=${id}&subject_type=application`)).toEqual([['create', 'application']]);
    expect(await listed(`subject_id=${bound.body.id}`)).toEqual([['create', 'application']]);
    expect(await listed('subject_type=portfolio')).toEqual([]);
  });

  test.each(['act=rename', 'credential_id=me', 'client_id=1', 'subject_type=', 'who=me', 'act=create&act=delete'])(
    '?%s gets 400',
    async (query) => {
      expect((await admin.get(`/v1/audit-log?${query}`)).status).toBe(400);
    },
  );

  test('the log cannot be written by callers', async () => {
    const [line] = await listEntries(admin, '');
    for (const method of ['POST', 'PATCH', 'DELETE']) {
      const path = method === 'POST' ? '/v1/audit-log' : `/v1/audit-log/${line!['id']}`;
      expect((await admin.send(path, { method, ...(method === 'DELETE' ? {} : { body: {} }) })).status).toBe(405);
    }
  });
});

describe('access to entries', () => {
  test('only an admin can read them', async () => {
    const writer = await admin.becomeApplication({ rights: ['read', 'write'] });
    expect((await writer.get('/v1/audit-log')).status).toBe(403);
  });

  test('an admin of one client sees only the entries of its client and of those below', async () => {
    const above = await admin.makeClient('Above');
    const own = await admin.makeClient('Own', above);
    const child = await admin.makeClient('Child', own);
    const sibling = await admin.makeClient('Sibling', above);
    const scoped = await admin.becomeApplication({ rights: ['read', 'write', 'admin'], scoped_to: own });
    await admin.patch(`/v1/clients/${sibling}`, { name: 'Unseen' });
    await scoped.patch(`/v1/clients/${child}`, { name: 'Seen' });
    const lines = await listEntries(scoped, '');
    expect(lines.map((line) => [line['act'], line['subject_id']])).toEqual([
      ['change', child],
      ['create', scoped.id],
      ['create', child],
      ['create', own],
    ]);
    const [hidden] = await listEntries(admin, `subject_id=${sibling}&act=change`);
    expect((await scoped.get(`/v1/audit-log/${hidden!['id']}`)).status).toBe(404);
    expect((await scoped.get(`/v1/audit-log?client_id=${sibling}`)).status).toBe(404);
  });

  test('records above its client are hidden in them as well', async () => {
    const above = await admin.makeClient('Above');
    const own = await admin.makeClient('Own', above);
    const scoped = await admin.becomeApplication({ rights: ['read', 'admin'], scoped_to: own });
    await admin.patch(`/v1/clients/${own}`, { name: 'Renamed' });
    await admin.patch(`/v1/clients/${own}`, { parent_id: await admin.makeClient('Elsewhere') });
    const lines = await listEntries(scoped, `subject_id=${own}`);
    expect(lines.map(({ before, after }) => [before?.parent_id, after?.parent_id])).toEqual([
      [null, null],
      [null, null],
      [undefined, null],
    ]);
    const read = await scoped.get(`/v1/audit-log/${lines[0]!['id']}`);
    expect(read.body).toEqual(lines[0]);
    expect((await listEntries(admin, `subject_id=${own}`))[1]!['after'].parent_id).toBe(above);
  });

  test("another workspace's and another environment's entries do not exist", async () => {
    const id = await admin.makeClient('Ours');
    const [line] = await listEntries(admin, `subject_id=${id}`);
    const stranger = await service.openWorkspace();
    const sandbox = await admin.becomeApplication({ rights: ['read', 'admin'], environment: 'sandbox' });
    for (const caller of [stranger, sandbox]) {
      expect(await listEntries(caller, `subject_id=${id}`)).toEqual([]);
      expect((await caller.get(`/v1/audit-log/${line!['id']}`)).status).toBe(404);
    }
  });
});
