// The scope of a credential: its rights on every wire, and administrators bound to one client.

import { beforeAll, describe, expect, test } from 'vitest';
import { makeEcPair, makeRsaPair, publicKeyPem } from '../../setup/access/assertion.ts';
import type { Caller } from '../../setup/http/caller.ts';
import { clientChangeDocument, newClientDocument, reportedRefusal } from '../../setup/structure/client-document.ts';
import { workspaceForThisFile } from '../../setup/node/test-service.ts';

const jwk = makeEcPair().publicKey.export({ format: 'jwk' });
const pem = publicKeyPem(makeRsaPair());

const service = workspaceForThisFile();
let admin: Caller;

beforeAll(async () => {
  ({ admin } = service);
});

describe('the right', () => {
  let id: string;
  beforeAll(async () => {
    id = await admin.makeClient('Rivera Family');
  });

  const reads = ['/v1/clients', '/v2/clients', '/api/v2/clients'];

  function writesOf(caller: Caller): Promise<{ status: number; body: any }>[] {
    return [
      caller.post('/v1/clients', { name: 'New' }),
      caller.patch(`/v1/clients/${id}`, { name: 'Rivera' }),
      caller.delete('/v1/clients/0123456789abcdef01234567'),
      caller.post('/api/v2/clients', newClientDocument('New')),
      caller.patch(`/api/v2/clients/${id}`, clientChangeDocument(id, { attributes: { name: 'Rivera' } })),
      caller.delete('/api/v2/clients/0123456789abcdef01234567'),
    ];
  }

  const missing = (right: string): object => ({
    status: 403,
    code: 'right-missing',
    detail: `This requires the right \`${right}\`, which the application or key does not have.`,
    pointer: undefined,
  });

  test('read reads on every wire and writes on none', async () => {
    const caller = await admin.becomeApplication({ rights: ['read'] });
    for (const path of reads) expect((await caller.get(`${path}/${id}`)).status).toBe(200);
    for (const reply of await Promise.all(writesOf(caller)))
      expect(reportedRefusal(reply as never)).toEqual(missing('write'));
    expect((await admin.get(`/v1/clients/${id}`)).body.name).toBe('Rivera Family');
  });

  test('write allows writing, but not reading', async () => {
    const caller = await admin.becomeApplication({ rights: ['write'] });
    for (const path of reads) {
      for (const address of [path, `${path}/${id}`])
        expect(reportedRefusal(await caller.get(address))).toEqual(missing('read'));
    }
    expect((await Promise.all(writesOf(caller))).map(({ status }) => status)).toEqual([201, 200, 404, 201, 200, 404]);
  });

  test('admin alone manages credentials and sees no data', async () => {
    const caller = await admin.becomeApplication({ rights: ['admin'] });
    expect((await caller.get('/v1/applications')).status).toBe(200);
    for (const path of reads) expect(reportedRefusal(await caller.get(path))).toEqual(missing('read'));
    expect(reportedRefusal(await caller.post('/v1/clients', { name: 'New' }))).toEqual(missing('write'));
  });

  test('of any kind is enough to read one’s own identity', async () => {
    for (const right of ['read', 'write', 'admin']) {
      const caller = await admin.becomeApplication({ rights: [right] });
      expect((await caller.get('/v1/me')).body.rights).toEqual([right]);
    }
  });

  test('is checked before the body and the record', async () => {
    const caller = await admin.becomeApplication({ rights: ['read'] });
    const replies = [await caller.post('/v1/clients', { nonsense: 1 }), await caller.patch('/v1/clients/nothing', {})];
    for (const reply of replies) expect(reportedRefusal(reply)).toEqual(missing('write'));
  });
});

describe('an admin bound to one client', () => {
  let root: string;
  let child: string;
  let other: string;
  let scoped: Caller & { id: string };

  beforeAll(async () => {
    root = await admin.makeClient('Root');
    child = await admin.makeClient('Child', root);
    other = await admin.makeClient('Other');
    scoped = await admin.becomeApplication({ rights: ['read', 'write', 'admin'], scoped_to: root });
  });

  const creations = [
    { path: '/v1/applications', kind: 'application', body: { name: 'Made' } },
    { path: '/v1/keys', kind: 'key', body: { label: 'Made', jwk } },
    { path: '/v2/auth/keys', kind: 'key', body: { label: 'Made', public_key_pem: pem } },
  ];

  test.each(creations)('creates no credential on $path with more access than its own', async ({ path, body }) => {
    for (const reply of [await scoped.post(path, body), await scoped.post(path, { ...body, scoped_to: null })]) {
      expect(reportedRefusal(reply)).toMatchObject({
        status: 403,
        code: 'outside-reach',
        detail: 'A token bound to one client can only create what is bound to that client or to its descendants.',
      });
    }
    const reply = await scoped.post(path, { ...body, scoped_to: other });
    expect(reportedRefusal(reply)).toMatchObject({ status: 404, code: 'client-not-found', pointer: '/scoped_to' });
  });

  test.each(creations)('creates credentials on $path for its own client', async ({ path, body }) => {
    const { status, body: made } = await scoped.post(path, { ...body, scoped_to: root });
    expect([status, made.scoped_to]).toEqual([201, root]);
  });

  test.each(['/v1/applications', '/v1/keys'])('creates credentials on %s for a client below its own', async (path) => {
    const { body } = creations.find((one) => one.path === path)!;
    const { status, body: made } = await scoped.post(path, { ...body, scoped_to: child });
    expect([status, made.scoped_to]).toEqual([201, child]);
  });

  test('sees only its own client on Plain, so it creates no key for a client below it there', async () => {
    const reply = await scoped.post('/v2/auth/keys', { label: 'Made', public_key_pem: pem, scoped_to: child });
    expect(reportedRefusal(reply)).toMatchObject({ status: 404, code: 'client-not-found' });
    const shown = (await scoped.get('/v2/auth/keys')).body.data;
    expect(new Set(shown.map((one: { scoped_to: string }) => one.scoped_to))).toEqual(new Set([root]));
  });

  test.each(creations.slice(0, 2))(
    'sees, renames and deletes on $path only credentials within its own scope',
    async (one) => {
      const make = async (scope: object): Promise<string> =>
        (await admin.post(one.path, { ...one.body, ...scope })).body.id;
      const within = [await make({ scoped_to: root }), await make({ scoped_to: child })];
      const outside = [await make({}), await make({ scoped_to: other })];
      const listed = (await scoped.get(`${one.path}?limit=100`)).body.data.map(({ id }: { id: string }) => id);
      expect(listed).toEqual(expect.arrayContaining(within));
      expect(listed.filter((id: string) => outside.includes(id))).toEqual([]);
      const rename = one.kind === 'key' ? { label: 'Renamed' } : { name: 'Renamed' };
      for (const id of outside) {
        const item = `${one.path}/${id}`;
        const replies = [await scoped.get(item), await scoped.patch(item, rename), await scoped.delete(item)];
        for (const reply of replies)
          expect(reportedRefusal(reply)).toMatchObject({ status: 404, code: `${one.kind}-not-found` });
      }
      for (const id of within) {
        const item = `${one.path}/${id}`;
        const replies = [await scoped.get(item), await scoped.patch(item, rename), await scoped.delete(item)];
        expect(replies.map(({ status }) => status)).toEqual([200, 200, 204]);
      }
    },
  );

  test('creates tokens with access to their client: with those below on v1, only that client on Plain', async () => {
    const below = await scoped.becomeApplication({ scoped_to: child, rights: ['read', 'write', 'admin'] });
    expect((await below.get('/v1/me')).body.scoped_to).toBe(child);
    expect((await below.get(`/v1/clients/${child}`)).status).toBe(200);
    for (const id of [root, other]) expect((await below.get(`/v1/clients/${id}`)).status).toBe(404);
    expect((await scoped.get(`/v1/clients/${child}`)).status).toBe(200);
    expect((await scoped.get(`/v2/clients/${child}`)).status).toBe(404);
    expect((await below.post('/v1/applications', { name: 'Up', scoped_to: root })).status).toBe(404);
  });

  test('sees its own application, and none of the whole workspace', async () => {
    const whole = (await admin.get('/v1/me')).body.credential_id;
    expect((await scoped.get(`/v1/applications/${whole}`)).status).toBe(404);
    expect((await scoped.get(`/v1/applications/${scoped.id}`)).status).toBe(200);
  });
});
