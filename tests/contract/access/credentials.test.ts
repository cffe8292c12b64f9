// Applications and keys over HTTP: their life cycle, what is shown and stored of them, and who may create which.

import { randomUUID } from 'node:crypto';
import { beforeAll, describe, expect, test } from 'vitest';
import {
  signAssertion,
  requestToken,
  makeEcPair,
  makeRsaPair,
  publicKeyPem,
  registerEc,
  registerRsa,
} from '../../setup/access/assertion.ts';
import { Caller } from '../../setup/http/caller.ts';
import { reportedRefusal } from '../../setup/structure/client-document.ts';
import { serviceForThisFile } from '../../setup/node/test-service.ts';
import { runSql } from '../../setup/database/sql.ts';
import { dumpDatabase, plainEncodings } from '../../setup/database/database-dump.ts';

const id = expect.stringMatching(/^[0-9a-f]{24}$/);
const jwk = makeEcPair().publicKey.export({ format: 'jwk' });
const pem = publicKeyPem(makeRsaPair());

const service = serviceForThisFile();
let admin: Caller;

beforeAll(async () => {
  ({ admin } = service);
});

function ids(reply: { body: any }): string[] {
  return reply.body.data.map((one: { id?: string; key_id?: string }) => one.id ?? one.key_id);
}

const kinds = [
  { kind: 'application', path: '/v1/applications', name: 'name', body: { name: 'Nightly report' } },
  { kind: 'key', path: '/v1/keys', name: 'label', body: { label: 'Nightly report', jwk } },
] as const;

describe.each(kinds)('$path', ({ kind, path, name, body }) => {
  test('creates, lists, reads, renames and deletes', async () => {
    const made = await admin.post(path, body);
    const { client_secret: _secret, kid: _kid, iss: _iss, sub: _sub, ...shown } = made.body;
    const item = `${path}/${shown.id}`;
    expect([made.status, made.headers.get('location')]).toEqual([201, service.addresses.baseUrl + item]);
    expect((await admin.get(item)).body).toEqual(shown);
    expect((await admin.get(path)).body.data).toContainEqual(shown);
    const renamed = await admin.patch(item, { [name]: 'Weekly report' });
    expect([renamed.status, renamed.body]).toEqual([200, { ...shown, [name]: 'Weekly report' }]);
    expect((await admin.get(item)).body).toEqual(renamed.body);
    const deleted = await admin.delete(item);
    expect([deleted.status, deleted.text]).toEqual([204, '']);
    for (const again of [await admin.delete(item), await admin.get(item), await admin.patch(item, { [name]: 'x' })]) {
      expect(reportedRefusal(again)).toMatchObject({ status: 404, code: `${kind}-not-found` });
    }
    expect(ids(await admin.get(path))).not.toContain(shown.id);
  });

  test('lists oldest first, by pages', async () => {
    const made = [];
    for (let count = 0; count < 3; count++) made.push((await admin.post(path, body)).body.id);
    const listed: string[] = [];
    let query = '?limit=2';
    while (query !== '') {
      const page = await admin.get(path + query);
      listed.push(...ids(page));
      query = page.body.has_more ? `?limit=2&cursor=${encodeURIComponent(page.body.next_cursor)}` : '';
    }
    expect(listed.slice(-3)).toEqual(made);
  });

  test('grants only the rights read and write by default', async () => {
    expect((await admin.post(path, body)).body.rights).toEqual(['read', 'write']);
    expect((await admin.post(path, { ...body, rights: ['admin', 'read'] })).body.rights).toEqual(['read', 'admin']);
  });

  test.each([
    ['no right', { rights: [] }, 'must be a non-empty array.'],
    ['a duplicate right', { rights: ['read', 'read'] }, 'must not repeat a value.'],
    ['an unknown right', { rights: ['read', 'own'] }, 'must be one of read, write, admin.'],
  ])('refuses %s', async (_, more, detail) => {
    const expected = { status: 422, code: 'invalid-document', detail: `rights ${detail}`, pointer: '/rights' };
    expect(reportedRefusal(await admin.post(path, { ...body, ...more }))).toEqual(expected);
  });

  test('never changes rights or the bound client, though their current values may be sent', async () => {
    const [client, other] = [await admin.makeClient('Rivera Family'), await admin.makeClient('Okafor Family')];
    const made = await admin.post(path, { ...body, rights: ['read'], scoped_to: client });
    const item = `${path}/${made.body.id}`;
    for (const [field, value] of [
      ['rights', ['read', 'write']],
      ['scoped_to', other],
      ['scoped_to', null],
    ] as const) {
      const { status, body: expected } = await admin.patch(item, { [field]: value });
      const fault = { code: 'immutable-attribute', detail: expect.any(String), pointer: `/${field}` };
      expect([status, expected.errors]).toEqual([422, [fault]]);
    }
    const { client_secret: _secret, kid: _kid, iss: _iss, sub: _sub, ...present } = made.body;
    const same = await admin.patch(item, present);
    expect([same.status, same.body]).toEqual([200, present]);
  });

  test.each(['read', 'write'])('requires the right admin: %s alone is not enough', async (right) => {
    const caller = await admin.becomeApplication({ rights: [right] });
    const item = `${path}/${(await admin.post(path, body)).body.id}`;
    const replies = [
      await caller.get(path),
      await caller.get(item),
      await caller.post(path, body),
      await caller.patch(item, { [name]: 'Mine' }),
      await caller.delete(item),
    ];
    const detail = 'This requires the right `admin`, which the application or key does not have.';
    for (const reply of replies)
      expect(reportedRefusal(reply)).toMatchObject({ status: 403, code: 'right-missing', detail });
    expect((await admin.get(item)).status).toBe(200);
  });

  test('is not visible to another workspace', async () => {
    const stranger = await service.openWorkspace();
    const item = `${path}/${(await admin.post(path, body)).body.id}`;
    for (const reply of [
      await stranger.get(item),
      await stranger.patch(item, { [name]: 'x' }),
      await stranger.delete(item),
    ]) {
      expect(reportedRefusal(reply)).toMatchObject({ status: 404, code: `${kind}-not-found` });
    }
    expect(ids(await stranger.get(path))).not.toContain(item.split('/').at(-1));
  });
});

describe('/v2/auth/keys', () => {
  test('registers, lists and deletes keys; it cannot read or change a single one', async () => {
    const { body } = await admin.post('/v2/auth/keys', { label: 'Nightly', public_key_pem: pem });
    expect((await admin.get('/v2/auth/keys')).body.data).toContainEqual(body);
    const item = `/v2/auth/keys/${body.key_id}`;
    const replies = [await admin.get(item), await admin.patch(item, { label: 'Weekly' })];
    for (const { status, headers } of replies) expect([status, headers.get('allow')]).toEqual([405, 'DELETE']);
    expect((await admin.delete(item)).status).toBe(204);
    expect(reportedRefusal(await admin.delete(item))).toMatchObject({ status: 404, code: 'key-not-found' });
    expect(ids(await admin.get('/v2/auth/keys'))).not.toContain(body.key_id);
  });

  test('shows the same keys as v1, including those of flow B, and no applications', async () => {
    await registerRsa(admin, makeRsaPair());
    await registerEc(admin);
    const all = ids(await admin.get('/v1/keys?limit=100'));
    expect(ids(await admin.get('/v2/auth/keys'))).toEqual(all);
    const applications = ids(await admin.get('/v1/applications?limit=100'));
    expect(applications.filter((application) => all.includes(application))).toEqual([]);
  });

  test('requires the right admin', async () => {
    const caller = await admin.becomeApplication({ rights: ['read', 'write'] });
    const keyFields = { label: 'Nightly', public_key_pem: pem };
    for (const reply of [await caller.get('/v2/auth/keys'), await caller.post('/v2/auth/keys', keyFields)]) {
      expect(reportedRefusal(reply)).toMatchObject({ status: 403, code: 'right-missing' });
    }
  });
});

test('the last use of an application or key is null at first, then that of its newest token', async () => {
  const { body } = await admin.post('/v1/applications', { name: 'Nightly report' });
  const [rsa, ec] = [await registerRsa(admin), await registerEc(admin)];
  const application = `/v1/applications/${body.id}`;
  const lastUses = async (): Promise<unknown[]> => [
    (await admin.get(application)).body.last_used_at,
    (await admin.get(`/v1/keys/${rsa.kid}`)).body.last_used_at,
    (await admin.get('/v2/auth/keys')).body.data.find((one: { key_id: string }) => one.key_id === ec.kid).last_used_at,
  ];
  const useAll = async (): Promise<void> => {
    const keyFields = { now: service.clock.now(), audience: service.addresses.baseUrl };
    const { client_id: clientId, client_secret: clientSecret } = body;
    await Caller.withCredentials(admin.address, { clientId, clientSecret });
    for (const key of [rsa, ec])
      expect((await requestToken(key, admin, signAssertion(key, keyFields))).status).toBe(200);
  };
  const first = new Date(service.clock.now()).toISOString();
  expect(await lastUses()).toEqual([null, null, null]);
  await useAll();
  expect(await lastUses()).toEqual([first, first, first]);
  service.clock.advance(90_000);
  const later = new Date(service.clock.now()).toISOString();
  expect(await lastUses()).toEqual([first, first, first]);
  await useAll();
  expect(await lastUses()).toEqual([later, later, later]);
});

describe('a secret', () => {
  test('is shown once, in the answer to its application’s creation', async () => {
    const { body } = await admin.post('/v1/applications', { name: 'Nightly report' });
    const { client_secret: secret, ...shown } = body;
    expect(shown).toEqual({
      id,
      name: 'Nightly report',
      rights: ['read', 'write'],
      environment: 'production',
      client_id: `hfa_${shown.id}`,
      created_at: expect.stringMatching(/Z$/),
      last_used_at: null,
      scoped_to: null,
    });
    expect(secret).toMatch(/^hfs_[\w-]{43}$/);
    const replies = [await admin.get(`/v1/applications/${shown.id}`), await admin.get('/v1/applications?limit=100')];
    replies.push(
      await admin.patch(`/v1/applications/${shown.id}`, { name: 'Weekly report' }),
      await admin.get('/v1/audit-log'),
    );
    expect(replies.filter(({ text }) => text.includes(secret))).toEqual([]);
  });

  test('is never stored in plain text: not in a row, an audit entry, a stored answer or the log', async () => {
    const key = { 'idempotency-key': randomUUID() };
    const { body } = await admin.post('/v1/applications', { name: 'Nightly report' }, key);
    const { client_id: clientId, client_secret: clientSecret } = body;
    const caller = await Caller.withCredentials(admin.address, { clientId, clientSecret });
    expect((await admin.post('/v1/applications', { name: 'Nightly report' }, key)).body.client_secret).toBe(
      clientSecret,
    );
    const stored = await dumpDatabase(service.database);
    expect(stored).toContain(clientId);
    for (const secret of [clientSecret, service.first.clientSecret, caller.token!]) {
      const found = plainEncodings(secret).filter(
        (form) => stored.includes(form) || service.log.join('\n').includes(form),
      );
      expect(found).toEqual([]);
    }
    const [row] = await runSql(service.database, 'SELECT * FROM credential WHERE id = $1', [body.id]);
    expect(row).toMatchObject({ secret_salt: expect.any(Buffer), secret_hash: expect.any(Buffer) });
  });

  test('is different for each application, with a different salt and hash', async () => {
    const made = [
      await admin.post('/v1/applications', { name: 'A' }),
      await admin.post('/v1/applications', { name: 'A' }),
    ];
    expect(made[0]!.body.client_secret).not.toBe(made[1]!.body.client_secret);
    const rows = await runSql<{ salt: string; hash: string }>(
      service.database,
      `SELECT encode(secret_salt, 'hex') AS salt, encode(secret_hash, 'hex') AS hash FROM credential WHERE kind = 'application'`,
    );
    expect(new Set(rows.map(({ salt }) => salt)).size).toBe(rows.length);
    expect(new Set(rows.map(({ hash }) => hash)).size).toBe(rows.length);
  });
});
