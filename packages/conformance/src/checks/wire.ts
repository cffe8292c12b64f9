// How the service speaks: problems, lists, repeated writes, conditional reads, exact digits.

import { randomUUID } from 'node:crypto';
import { inArea, type Check, type CheckOfArea, type World } from '../check.ts';
import { expectEqual, expectTrue, Skipped } from '../outcome.ts';

const unknownId = 'ffffffffffff0000000000aa';

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
    title: 'a refused body uses its Idempotency-Key up, and the replayed refusal names the first request',
    async run({ api, legalEntity }) {
      const headers = { 'idempotency-key': randomUUID() };
      const body = { entity_id: legalEntity, name: 'Refused', currency: 'no currency' };
      const [first, second] = [
        await api.post('/v1/accounts', body, { headers }),
        await api.post('/v1/accounts', body, { headers }),
      ];
      expectEqual('statuses', [first.status, second.status], [422, 422]);
      expectEqual('the id in the body', second.body.request_id, first.body.request_id);
      expectEqual('the id in the header', second.headers.get('x-request-id'), first.body.request_id);
      const corrected = await api.post('/v1/accounts', { ...body, currency: 'EUR' }, { headers });
      expectEqual('another body with the key', corrected.status, 409);
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
    title: 'a method that a path does not have is 405, and Allow names those that it has',
    needs: [],
    async run({ api }) {
      for (const path of ['/v1/clients', '/v2/clients', '/api/v2/clients']) {
        const { status, headers } = await api.send('PUT', path);
        if (status === 404) throw new Skipped(`${path} is served at another address.`);
        expectEqual(`PUT ${path}`, status, 405);
        expectTrue('Allow names GET', (headers.get('allow') ?? '').includes('GET'), headers.get('allow'));
      }
    },
  },
  {
    title: 'an answer that the caller cannot read is 406',
    needs: ['read'],
    async run({ api }) {
      expectEqual('status', (await api.get('/v1/clients', { headers: { accept: 'image/png' } })).status, 406);
    },
  },
  {
    title: 'JSON:API and Plain answer with numbers that carry every digit, v1 with the same as text',
    async run({ api, account }) {
      const amount = '1234567890.123456789012345678';
      const body = { type: 'deposit', account_id: account, date: '2024-01-03', amount };
      const { id } = (await api.post('/v1/transactions', body)).body;
      const listed = await api.get(`/api/v2/transactions?accountId=${account}&fromDate=2024-01-03&toDate=2024-01-03`, {
        headers: { accept: 'application/vnd.api+json' },
      });
      await api.send('DELETE', `/v1/transactions/${id}`);
      if (listed.status === 404) throw new Skipped('JSON:API is served at an address of its own here.');
      expectTrue('a number with all digits', listed.text.includes(`"amount":${amount}`), listed.text.slice(0, 600));
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
    needs: [],
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
    needs: [],
    async run({ api }) {
      const { headers } = await api.get('/v1/clients?limit=1');
      expectTrue('RateLimit', (headers.get('ratelimit') ?? '') !== '');
      expectTrue('RateLimit-Policy', (headers.get('ratelimit-policy') ?? '') !== '');
      expectEqual('X-Content-Type-Options', headers.get('x-content-type-options'), 'nosniff');
      expectTrue('nobody else keeps it', /no-store|private/.test(headers.get('cache-control') ?? ''));
      if (api.url.startsWith('https:'))
        expectTrue('Strict-Transport-Security', (headers.get('strict-transport-security') ?? '') !== '');
    },
  },
];

export const wireChecks: readonly Check[] = [
  ...inArea('problems', problems),
  ...inArea('lists', lists),
  ...inArea('writes', writes),
  ...inArea('surfaces', surfaces),
];
