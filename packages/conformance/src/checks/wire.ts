// How the service speaks: tokens, problems, lists, repeated writes, conditional reads, exact digits.

import { randomUUID } from 'node:crypto';
import { expectEqual, expectTrue, inArea, Skipped, type Check, type CheckOfArea, type World } from '../check.ts';

const unknownId = 'ffffffffffff0000000000aa';

const tokens: readonly CheckOfArea[] = [
  {
    title: 'client credentials are exchanged as JSON, as a form, and by HTTP Basic',
    async run({ api, clientId, clientSecret }) {
      const fields = { grant_type: 'client_credentials', client_id: clientId, client_secret: clientSecret };
      const basic = `Basic ${Buffer.from(`${encodeURIComponent(clientId)}:${encodeURIComponent(clientSecret)}`).toString('base64')}`;
      const form = { 'content-type': 'application/x-www-form-urlencoded' };
      const answers = [
        await api.post('/oauth/token', fields, { token: null }),
        await api.send('POST', '/oauth/token', {
          raw: new URLSearchParams(fields).toString(),
          headers: form,
          token: null,
        }),
        await api.send('POST', '/oauth/token', {
          raw: 'grant_type=client_credentials',
          headers: { ...form, authorization: basic },
          token: null,
        }),
      ];
      for (const { status, body } of answers) {
        expectEqual('status', status, 200);
        expectEqual('token_type', String(body.token_type).toLowerCase(), 'bearer');
        expectTrue('expires_in is positive', body.expires_in > 0, body.expires_in);
      }
    },
  },
  {
    title: 'a wrong secret is 401 with the error invalid_client of RFC 6749',
    async run({ api, clientId }) {
      const body = { grant_type: 'client_credentials', client_id: clientId, client_secret: 'x'.repeat(40) };
      const answer = await api.post('/oauth/token', body, { token: null });
      expectEqual('status', answer.status, 401);
      expectEqual('error', answer.body.error, 'invalid_client');
    },
  },
  {
    title: 'a request without a token, and one with a forged token, are 401 with WWW-Authenticate',
    async run({ api }) {
      for (const token of [null, 'a.b.c']) {
        const { status, headers } = await api.get('/v1/clients', { token });
        expectEqual('status', status, 401);
        expectTrue('WWW-Authenticate says Bearer', headers.get('www-authenticate')?.startsWith('Bearer') === true);
      }
    },
  },
];

const problems: readonly CheckOfArea[] = [
  {
    title: 'refusals are problems (RFC 9457) with a code, a status, a detail and a request id',
    async run({ api }) {
      const refused = [
        await api.get(`/v1/clients/${unknownId}`),
        await api.get('/v1/no-such-path'),
        await api.post('/v1/clients', { name: 7 }),
        await api.send('POST', '/v1/clients', { raw: '{', headers: { 'content-type': 'application/json' } }),
      ];
      expectEqual(
        'statuses',
        refused.map(({ status }) => status),
        [404, 404, 422, 400],
      );
      for (const { headers, body, status } of refused) {
        expectTrue('is application/problem+json', /problem\+json/.test(headers.get('content-type') ?? ''));
        expectEqual('status member', body.status, status);
        expectTrue('has code and detail', typeof body.code === 'string' && typeof body.detail === 'string', body);
        expectTrue('has X-Request-Id', (headers.get('x-request-id') ?? '') !== '');
      }
    },
  },
  {
    title: 'every fault of a body is listed with the place it is at',
    async run({ api }) {
      const { body } = await api.post('/v1/accounts', { name: 7, currency: 'franc' });
      const pointers = (body.errors ?? []).map(({ pointer }: { pointer?: string }) => pointer);
      for (const place of ['/name', '/currency', '/entity_id'])
        expectTrue(`names ${place}`, pointers.includes(place), pointers);
    },
  },
  {
    title: 'an unknown member and an unknown parameter are refused, not ignored',
    async run({ api }) {
      expectEqual('member', (await api.post('/v1/clients', { name: 'x', colour: 'red' })).status, 422);
      expectEqual('parameter', (await api.get('/v1/clients?colour=red')).status, 400);
    },
  },
  {
    title: 'a body of ten thousand brackets is refused',
    async run({ api }) {
      const raw = '['.repeat(10_000);
      const { status } = await api.send('POST', '/v1/clients', {
        raw,
        headers: { 'content-type': 'application/json' },
      });
      expectTrue('is a refusal', status >= 400 && status < 500, status);
    },
  },
];

async function makeAccounts({ api, legalEntity }: World, count: number): Promise<string[]> {
  const ids: string[] = [];
  for (let number = 1; number <= count; number++)
    ids.push(await api.create('accounts', { entity_id: legalEntity, name: `Page ${number}`, currency: 'CHF' }));
  return ids;
}

const lists: readonly CheckOfArea[] = [
  {
    title: 'pages together hold every record once, whatever their size',
    async run(world) {
      const made = await makeAccounts(world, 7);
      const { api, legalEntity } = world;
      const seen: string[] = [];
      let cursor = '';
      do {
        const { body } = await api.get(`/v1/accounts?entity_id=${legalEntity}&limit=3${cursor}`);
        seen.push(...body.data.map(({ id }: { id: string }) => id));
        cursor = body.has_more ? `&cursor=${encodeURIComponent(body.next_cursor)}` : '';
      } while (cursor !== '');
      expectEqual('each once', new Set(seen).size, seen.length);
      expectTrue(
        'all of them',
        made.every((id) => seen.includes(id)),
      );
    },
  },
  {
    title: 'a forged cursor, and a limit out of bounds, are 400',
    async run({ api }) {
      for (const query of ['cursor=forged', 'limit=0', 'limit=1000000'])
        expectEqual(query, (await api.get(`/v1/accounts?${query}`)).status, 400);
    },
  },
];

const writes: readonly CheckOfArea[] = [
  {
    title: 'a write that is sent twice with one Idempotency-Key happens once and is answered alike',
    async run({ api, legalEntity }) {
      const headers = { 'idempotency-key': randomUUID() };
      const body = { entity_id: legalEntity, name: 'Once', currency: 'EUR' };
      const [first, second] = [
        await api.post('/v1/accounts', body, { headers }),
        await api.post('/v1/accounts', body, { headers }),
      ];
      expectEqual('statuses', [first.status, second.status], [201, 201]);
      expectEqual('the same record', second.body.id, first.body.id);
      const other = await api.post('/v1/accounts', { ...body, name: 'Twice' }, { headers });
      expectEqual('another body with the key', other.status, 409);
    },
  },
  {
    title: 'a read with the entity tag is 304, and a change with an old one is 412',
    async run({ api, account }) {
      const read = await api.get(`/v1/accounts/${account}`);
      const etag = read.headers.get('etag') ?? '';
      expectTrue('has an ETag', etag !== '');
      const again = await api.get(`/v1/accounts/${account}`, { headers: { 'if-none-match': etag } });
      expectEqual('read again', again.status, 304);
      const changed = await api.patch(
        `/v1/accounts/${account}`,
        { name: 'Changed' },
        { headers: { 'if-match': etag } },
      );
      expectEqual('changed', changed.status, 200);
      const late = await api.patch(`/v1/accounts/${account}`, { name: 'Late' }, { headers: { 'if-match': etag } });
      expectEqual('changed with the old tag', late.status, 412);
    },
  },
  {
    title: 'amounts keep every digit, sent as text or as a number',
    async run({ api, account }) {
      const amount = '1234567890.123456789012345678';
      const fields = `"type":"deposit","account_id":"${account}","date":"2024-01-02"`;
      for (const digits of [`"${amount}"`, amount]) {
        const raw = `{${fields},"amount":${digits}}`;
        const made = await api.send('POST', '/v1/transactions', {
          raw,
          headers: { 'content-type': 'application/json' },
        });
        expectEqual('status', made.status, 201);
        const read = await api.get(`/v1/transactions/${made.body.id}`);
        expectEqual('amount', read.body.amount, amount);
        expectEqual('deleted', (await api.send('DELETE', `/v1/transactions/${made.body.id}`)).status, 204);
      }
    },
  },
];

const surfaces: readonly CheckOfArea[] = [
  {
    title: 'the same client is read on JSON:API, Plain and v1',
    async run({ api, client }) {
      const [v1, plain] = [await api.get(`/v1/clients/${client}`), await api.get(`/v2/clients/${client}`)];
      const jsonApi = await api.get(`/api/v2/clients/${client}`, { headers: { accept: 'application/vnd.api+json' } });
      if (plain.status === 404 || jsonApi.status === 404)
        throw new Skipped('JSON:API or Plain is served at an address of its own here.');
      expectEqual('names', [plain.body.name, jsonApi.body.data.attributes.name], [v1.body.name, v1.body.name]);
    },
  },
  {
    title: 'the API describes itself: OpenAPI 3.1 at /openapi.json, with every path of the contract',
    async run({ api }) {
      const { status, body } = await api.get('/openapi.json', { token: null });
      expectEqual('status', status, 200);
      expectTrue('is 3.1', String(body.openapi).startsWith('3.1.'), body.openapi);
      const wanted = [
        '/v1/clients',
        '/v1/transactions/bulk',
        '/v1/holdings',
        '/v1/performance',
        '/v1/explain',
        '/v1/webhooks',
      ];
      expectEqual(
        'missing paths',
        wanted.filter((path) => body.paths[path] === undefined),
        [],
      );
      return { operations: String(Object.values(body.paths).flatMap((path) => Object.keys(path as object)).length) };
    },
  },
  {
    title: 'answers state the request budget and carry the security headers',
    async run({ api }) {
      const { headers } = await api.get('/v1/clients?limit=1');
      expectTrue('RateLimit', (headers.get('ratelimit') ?? '') !== '');
      expectTrue('RateLimit-Policy', (headers.get('ratelimit-policy') ?? '') !== '');
      expectEqual('X-Content-Type-Options', headers.get('x-content-type-options'), 'nosniff');
    },
  },
];

export const wireChecks: readonly Check[] = [
  ...inArea('tokens', tokens),
  ...inArea('problems', problems),
  ...inArea('lists', lists),
  ...inArea('writes', writes),
  ...inArea('surfaces', surfaces),
];
