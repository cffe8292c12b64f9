// Entity tags on v1: an unchanged record is not sent again, and a change based on an old version is refused.

import { beforeAll, describe, expect, test } from 'vitest';
import type { Caller } from '../../setup/http/caller.ts';
import { workspaceForThisFile } from '../../setup/node/test-service.ts';

const service = workspaceForThisFile();
let admin: Caller;
let id: string;

beforeAll(async () => {
  ({ admin } = service);
  id = await admin.makeClient('Tagged');
});

async function etagOf(path: string, caller = admin): Promise<string> {
  return (await caller.get(path)).headers.get('etag')!;
}

describe('entity tags', () => {
  test.each(['/v1/clients', '/v1/clients/{id}', '/v1/me', '/v1/applications', '/v1/keys', '/v1/audit-log'])(
    'GET %s has one, the same for the same answer',
    async (template) => {
      const path = template.replace('{id}', id);
      const [first, second] = [await admin.get(path), await admin.get(path)];
      expect(first.headers.get('etag')).toMatch(/^"[\w-]{22}"$/);
      expect(second.headers.get('etag')).toBe(first.headers.get('etag'));
      expect(second.text).toBe(first.text);
      expect(first.headers.get('cache-control')).toBe('private, no-cache');
    },
  );

  test('a different answer has a different one', async () => {
    const own = await admin.makeClient('Changing');
    const [item, list] = [await etagOf(`/v1/clients/${own}`), await etagOf('/v1/clients')];
    await admin.patch(`/v1/clients/${own}`, { name: 'Changed' });
    expect(await etagOf(`/v1/clients/${own}`)).not.toBe(item);
    expect(await etagOf('/v1/clients')).not.toBe(list);
    await admin.patch(`/v1/clients/${own}`, { name: 'Changing' });
    expect(await etagOf(`/v1/clients/${own}`)).toBe(item);
  });

  test('the answers to a creation and a change have the same one as a read', async () => {
    const made = await admin.post('/v1/clients', { name: 'Made' });
    expect(made.headers.get('etag')).toBe(await etagOf(`/v1/clients/${made.body.id}`));
    const changed = await admin.patch(`/v1/clients/${made.body.id}`, { name: 'Changed' });
    expect(changed.headers.get('etag')).toBe(await etagOf(`/v1/clients/${made.body.id}`));
    const application = await admin.post('/v1/applications', { name: 'With a secret' });
    expect(application.headers.get('etag')).toBe(await etagOf(`/v1/applications/${application.body.id}`));
  });

  test.each(['/v1/clients/{id}', '/v1/nothing'])('a missing record has none: %s', async (template) => {
    const reply = await admin.get(template.replace('{id}', '0'.repeat(24)), { 'if-none-match': '*' });
    expect([reply.status, reply.headers.get('etag')]).toEqual([404, null]);
  });
});

describe('If-None-Match', () => {
  const forms: [what: string, header: (tag: string) => string, status: number][] = [
    ['the tag', (tag) => tag, 304],
    ['the weak tag', (tag) => `W/${tag}`, 304],
    ['a list with it', (tag) => `"other", ${tag} , W/"third"`, 304],
    ['a list without spaces', (tag) => `"other",${tag}`, 304],
    ['a star', () => '*', 304],
    ['another tag', () => '"other"', 200],
    ['a list without it', () => '"one", W/"two"', 200],
    ['the tag without quotes', (tag) => tag.slice(1, -1), 200],
    ['nothing', () => '', 200],
  ];

  test.each(forms)('%s', async (_what, header, status) => {
    for (const path of [`/v1/clients/${id}`, '/v1/me']) {
      const tag = await etagOf(path);
      const reply = await admin.get(path, { 'if-none-match': header(tag) });
      expect([reply.status, reply.headers.get('etag')]).toEqual([status, tag]);
      expect(reply.text === '').toBe(status === 304);
    }
  });

  test('a 304 has no body and no headers about one', async () => {
    const tag = await etagOf(`/v1/clients/${id}`);
    const reply = await admin.get(`/v1/clients/${id}`, { 'if-none-match': tag });
    expect(reply.text).toBe('');
    expect(['content-type', 'content-length'].map((name) => reply.headers.get(name))).toEqual([null, null]);
    expect(reply.headers.get('cache-control')).toBe('private, no-cache');
    expect(reply.headers.get('x-request-id')).toMatch(/./);
  });

  test('HEAD works the same way', async () => {
    const tag = await etagOf(`/v1/clients/${id}`);
    const headRequest = { method: 'HEAD', headers: { 'if-none-match': tag } };
    expect((await admin.send(`/v1/clients/${id}`, headRequest)).status).toBe(304);
    const other = await admin.send(`/v1/clients/${id}`, { method: 'HEAD', headers: { 'if-none-match': '"other"' } });
    expect([other.status, other.headers.get('etag'), other.text]).toEqual([200, tag, '']);
  });

  test('a list that has grown is sent again', async () => {
    const tag = await etagOf('/v1/clients?limit=100');
    expect((await admin.get('/v1/clients?limit=100', { 'if-none-match': tag })).status).toBe(304);
    await admin.makeClient('One more');
    expect((await admin.get('/v1/clients?limit=100', { 'if-none-match': tag })).status).toBe(200);
  });

  test('a tag gives no access: without the right to read there is no 304', async () => {
    const tag = await etagOf(`/v1/clients/${id}`);
    const stranger = await service.openWorkspace();
    const writer = await admin.becomeApplication({ rights: ['write'] });
    expect((await stranger.get(`/v1/clients/${id}`, { 'if-none-match': tag })).status).toBe(404);
    expect((await writer.get(`/v1/clients/${id}`, { 'if-none-match': tag })).status).toBe(403);
    expect((await admin.withToken(null).get(`/v1/clients/${id}`, { 'if-none-match': tag })).status).toBe(401);
  });

  test.each(['/api/v2/clients', '/v2/clients'])('%s always gets the whole answer', async (path) => {
    const reply = await admin.get(path, { 'if-none-match': '*' });
    expect([reply.status, reply.headers.get('etag')]).toEqual([200, null]);
  });
});

describe('If-Match', () => {
  const forms: [what: string, header: (tag: string) => string, isMet: boolean][] = [
    ['the tag', (tag) => tag, true],
    ['a list with it', (tag) => `"other", ${tag}`, true],
    ['a star', () => '*', true],
    ['another tag', () => '"other"', false],
    ['the weak tag', (tag) => `W/${tag}`, false],
    ['the tag without quotes', (tag) => tag.slice(1, -1), false],
    ['nothing', () => '', false],
  ];

  test.each(forms)('a change under %s', async (_what, header, isMet) => {
    const own = await admin.makeClient('Before');
    const path = `/v1/clients/${own}`;
    const reply = await admin.patch(path, { name: 'After' }, { 'if-match': header(await etagOf(path)) });
    expect(reply.status).toBe(isMet ? 200 : 412);
    expect((await admin.get(path)).body.name).toBe(isMet ? 'After' : 'Before');
  });

  test.each(forms)('a deletion under %s', async (_what, header, isMet) => {
    const path = `/v1/clients/${await admin.makeClient('Before')}`;
    const reply = await admin.delete(path, { 'if-match': header(await etagOf(path)) });
    expect(reply.status).toBe(isMet ? 204 : 412);
    expect((await admin.get(path)).status).toBe(isMet ? 404 : 200);
  });

  test('a refusal names the header', async () => {
    const reply = await admin.patch(`/v1/clients/${id}`, { name: 'X' }, { 'if-match': '"stale"' });
    const detail =
      'The record has changed since it was read. Read it again and repeat the change with its new entity tag.';
    expect(reply.body).toEqual({
      type: `${service.addresses.baseUrl}/docs/errors#precondition-failed`,
      title: 'Precondition failed',
      status: 412,
      detail,
      code: 'precondition-failed',
      request_id: reply.headers.get('x-request-id'),
      errors: [{ code: 'precondition-failed', detail, header: 'If-Match' }],
    });
  });

  test('a record that has changed since it was read is not overwritten', async () => {
    const path = `/v1/clients/${await admin.makeClient('Read')}`;
    const tag = await etagOf(path);
    await admin.patch(path, { name: 'Changed by another' });
    expect((await admin.patch(path, { name: 'Mine' }, { 'if-match': tag })).status).toBe(412);
    expect((await admin.delete(path, { 'if-match': tag })).status).toBe(412);
    expect((await admin.patch(path, { name: 'Mine' }, { 'if-match': await etagOf(path) })).status).toBe(200);
  });

  test.each(['*', '"any"'])('on a missing record, %s gets 404', async (header) => {
    const path = `/v1/clients/${'0'.repeat(24)}`;
    expect((await admin.patch(path, { name: 'X' }, { 'if-match': header })).status).toBe(404);
    expect((await admin.delete(path, { 'if-match': header })).status).toBe(404);
  });

  test('a tag read by a token bound to a client is valid for that token', async () => {
    const own = await admin.makeClient('Own', id);
    const scoped = await admin.becomeApplication({ scoped_to: own });
    const tag = await etagOf(`/v1/clients/${own}`, scoped);
    expect(tag).not.toBe(await etagOf(`/v1/clients/${own}`));
    expect((await scoped.patch(`/v1/clients/${own}`, { name: 'Mine' }, { 'if-match': tag })).status).toBe(200);
  });

  test.each(['applications', 'keys'])('works on %s as well', async (plural) => {
    const jwk = {
      kty: 'EC',
      crv: 'P-256',
      x: 'f83OJ3D2xF1Bg8vub9tLe1gHMzV76e8Tus9uPHvRVEU',
      y: 'x_FEzRu9m36HLN_tue659LNpXW6pCyStikYjKIWI5a0',
    };
    const made = await admin.post(`/v1/${plural}`, plural === 'keys' ? { label: 'K', jwk } : { name: 'A' });
    const path = `/v1/${plural}/${made.body.id}`;
    const field = plural === 'keys' ? 'label' : 'name';
    expect((await admin.patch(path, { [field]: 'X' }, { 'if-match': '"stale"' })).status).toBe(412);
    const changed = await admin.patch(path, { [field]: 'X' }, { 'if-match': made.headers.get('etag')! });
    expect(changed.status).toBe(200);
    expect((await admin.delete(path, { 'if-match': made.headers.get('etag')! })).status).toBe(412);
    expect((await admin.delete(path, { 'if-match': changed.headers.get('etag')! })).status).toBe(204);
  });
});

describe('concurrent writers', () => {
  test('of eight changes under the same tag one succeeds', async () => {
    const path = `/v1/clients/${await admin.makeClient('Raced')}`;
    const tag = await etagOf(path);
    const names = ['a', 'b', 'c', 'd', 'e', 'f', 'g', 'h'];
    const replies = await Promise.all(names.map((name) => admin.patch(path, { name }, { 'if-match': tag })));
    expect(replies.map(({ status }) => status).toSorted()).toEqual([200, ...names.slice(1).map(() => 412)]);
    const winner = replies.find(({ status }) => status === 200)!;
    expect((await admin.get(path)).text).toBe(winner.text);
  });

  test('of a change and a deletion under the same tag one succeeds', async () => {
    for (let round = 0; round < 10; round++) {
      const path = `/v1/clients/${await admin.makeClient('Raced')}`;
      const tag = await etagOf(path);
      const [change, deletion] = await Promise.all([
        admin.patch(path, { name: 'Changed' }, { 'if-match': tag }),
        admin.delete(path, { 'if-match': tag }),
      ]);
      expect([
        [200, 412],
        [404, 204],
      ]).toContainEqual([change.status, deletion.status]);
    }
  });
});
