// What a request may say of itself and of the answer it wants: media types, methods, paths, request ids.

import { once } from 'node:events';
import { createServer, type AddressInfo } from 'node:net';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { House } from '../../src/actions/house.ts';
import { openOperations, operations } from '../../src/surfaces/operations.ts';
import { Metrics } from '../../src/surfaces/http/metrics.ts';
import type { Caller, Reply } from '../setup/caller.ts';
import { newClient } from '../setup/client-document.ts';
import { rawHead, sendRaw } from '../setup/raw-request.ts';
import { serviceForThisTest, startTestService, type TestService } from '../setup/service.ts';
import { countAuditLines } from '../setup/sql.ts';

const jsonApi = 'application/vnd.api+json';
const json = 'application/json';
const problem = 'application/problem+json';

let service: TestService;
let admin: Caller;
let id: string;

beforeAll(async () => {
  service = await startTestService();
  ({ admin } = service);
  id = await admin.makeClient('Negotiated');
});
afterAll(() => service.stop());

const typeOf = ({ headers }: Reply): string | null => headers.get('content-type');
const codeOf = ({ body }: Reply): string => body.code ?? body.errors[0].code;

/** Each wire: a list, what a new client is sent as, its media type and that of its refusals. */
const wires = [
  { wire: 'JSON:API', list: '/api/v2/clients', body: newClient('X'), type: jsonApi, problemType: jsonApi },
  { wire: 'v1', list: '/v1/clients', body: { name: 'X' }, type: json, problemType: problem },
] as const;
const readWires = [...wires, { wire: 'Plain', list: '/v2/clients', type: json, problemType: json }] as const;

describe('answers', () => {
  test.each(readWires)(
    '$wire speaks $type, and $problemType when it refuses, exactly',
    async ({ list, type, problemType }) => {
      expect(typeOf(await admin.get(list))).toBe(type);
      expect(typeOf(await admin.get(`${list}/${id}`))).toBe(type);
      expect(typeOf(await admin.get(`${list}/unknown`))).toBe(problemType);
      expect(typeOf(await admin.with(null).get(list))).toBe(problemType);
      expect(typeOf(await admin.get(`${list}?unknown=1`))).toBe(problemType);
    },
  );

  test.each(wires)('$wire answers writes in the same type', async ({ list, body, type, problemType }) => {
    expect(typeOf(await admin.post(list, body))).toBe(type);
    expect(typeOf(await admin.post(list, {}))).toBe(problemType);
  });
});

describe('Accept', () => {
  const everywhere: [accept: string, status: number][] = [
    ['*/*', 200],
    ['application/*', 200],
    ['APPLICATION/*', 200],
    ['text/html, */*;q=0.1', 200],
    ['text/html', 406],
    ['text/*, image/png', 406],
    ['*/*;q=0', 406],
    ['application/*;q=0, */*', 406],
    ['application/xml;q=0.9, text/html', 406],
    ['', 200],
    [',', 406],
    ['nonsense', 406],
    ['*/*;q=nonsense', 406],
  ];

  test.each(readWires)('on $wire', async ({ list, type, problemType }) => {
    const rows: typeof everywhere = [
      ...everywhere,
      [type, 200],
      [type.toUpperCase(), 200],
      [`${type};q=0.001`, 200],
      [`${type} ; q=1`, 200],
      [`text/html, ${type}`, 200],
      [`${type};q=0`, 406],
      [`${type};q=0, */*`, 406],
      [`${type};version=2`, 406],
    ];
    const answers = await Promise.all(rows.map(async ([accept]) => admin.get(list, { accept })));
    expect(answers.map(({ status }, index) => [rows[index]![0], status])).toEqual(rows);
    for (const reply of answers) {
      expect(typeOf(reply)).toBe(reply.status === 200 ? type : problemType);
      if (reply.status === 406) expect(codeOf(reply)).toBe('not-acceptable');
    }
  });

  test.each([
    [`${jsonApi};profile="https://example.com/x"`, 200],
    [`${jsonApi};profile="https://example.com/a;b https://example.com/c"`, 200],
    [`${jsonApi};charset=utf-8`, 406],
    [`${jsonApi};ext="https://jsonapi.org/ext/atomic"`, 406],
    [`${jsonApi};charset=utf-8, ${jsonApi}`, 200],
    [`${jsonApi};charset=utf-8, ${jsonApi};profile="https://example.com/x"`, 200],
    // JSON:API 1.1: if every instance of its media type has other parameters, the answer is 406.
    [`${jsonApi};charset=utf-8, */*`, 406],
    ['application/json', 406],
  ])('on JSON:API %s is a %i', async (accept, status) => {
    expect((await admin.get('/api/v2/clients', { accept })).status).toBe(status);
  });

  test.each(['/v1/clients', '/v2/clients'])('on %s a charset may be asked for, and it is UTF-8', async (path) => {
    expect((await admin.get(path, { accept: 'application/json; charset=utf-8' })).status).toBe(200);
    expect((await admin.get(path, { accept: 'application/json; charset="UTF-8"' })).status).toBe(200);
    expect((await admin.get(path, { accept: 'application/json; charset=latin1' })).status).toBe(406);
    expect((await admin.get(path, { accept: jsonApi })).status).toBe(406);
  });

  test('a refusal says which header it is about', async () => {
    const detail = `The answer can only be given as ${jsonApi}.`;
    const { errors } = (await admin.get('/api/v2/clients', { accept: 'text/html' })).body;
    expect(errors).toMatchObject([{ status: '406', code: 'not-acceptable', detail, source: { header: 'Accept' } }]);
  });

  test('a write that cannot be answered is not made', async () => {
    const lines = await countAuditLines(service.database);
    expect((await admin.post('/v1/clients', { name: 'X' }, { accept: 'text/html' })).status).toBe(406);
    expect(await countAuditLines(service.database)).toBe(lines);
  });
});

describe('Content-Type', () => {
  const bytesOf = (body: unknown): Uint8Array => Buffer.from(JSON.stringify(body));

  test.each(wires)('on $wire', async ({ list, body, type, problemType }) => {
    const rows: [contentType: string | undefined, status: number][] = [
      [type, 201],
      [type.toUpperCase(), 201],
      [undefined, 415],
      ['', 415],
      ['text/plain', 415],
      ['application/x-www-form-urlencoded', 415],
      ['multipart/form-data; boundary=x', 415],
      ['application/jsonp', 415],
      ['*/*', 415],
      ['json', 415],
      [';', 415],
      [`${type}, text/plain`, 415],
      [`${type}; charset=latin1`, 415],
      [type === json ? jsonApi : json, 415],
    ];
    for (const [contentType, status] of rows) {
      const headers = contentType === undefined ? {} : { 'content-type': contentType };
      const reply = await sendAsIs(list, bytesOf(body), headers);
      expect([contentType, reply.status]).toEqual([contentType, status]);
      expect(reply.headers.get('content-type')).toBe(status === 201 ? type : problemType);
      if (status === 415) expect(reply.body).toContain('unsupported-media-type');
    }
  });

  /** Without the content type that a client library would make up. */
  function sendAsIs(path: string, body: Uint8Array, headers: Record<string, string>) {
    const own = { authorization: `Bearer ${admin.token}`, 'content-length': String(body.length) };
    return sendRaw(admin.address, rawHead('POST', path, { ...own, ...headers }), body);
  }

  test.each([
    ['/v1/clients', { name: 'X' }, 'application/json; charset=utf-8', 201],
    ['/v1/clients', { name: 'X' }, 'application/json;charset="UTF-8"', 201],
    ['/v1/clients', { name: 'X' }, 'application/json; version=1', 415],
    ['/api/v2/clients', newClient('X'), `${jsonApi}; charset=utf-8`, 415],
    ['/api/v2/clients', newClient('X'), `${jsonApi}; ext="https://jsonapi.org/ext/atomic"`, 415],
    ['/api/v2/clients', newClient('X'), `${jsonApi}; profile="https://example.com/a;b"`, 201],
  ])('%s %o as %s is a %i', async (path, body, contentType, status) => {
    expect((await admin.post(path, body, { 'content-type': contentType })).status).toBe(status);
  });

  test('a refusal says which header it is about', async () => {
    const detail = 'The body must be sent as application/json.';
    const reply = await admin.post('/v1/clients', { name: 'X' }, { 'content-type': 'text/plain' });
    const at = { code: 'unsupported-media-type', detail, header: 'Content-Type' };
    expect(reply.body).toMatchObject({ status: 415, code: 'unsupported-media-type', detail, errors: [at] });
  });

  test.each([
    ['gzip', 415],
    ['br', 415],
    ['gzip, identity', 415],
    ['identity', 201],
    ['Identity', 201],
  ])('a body with Content-Encoding %s is a %i', async (encoding, status) => {
    const reply = await admin.post('/v1/clients', { name: 'X' }, { 'content-encoding': encoding });
    expect(reply.status).toBe(status);
    if (status === 415) expect(reply.body.errors).toMatchObject([{ header: 'Content-Encoding' }]);
  });

  test('a body is needed where one is taken, and ignored where none is', async () => {
    expect(codeOf(await admin.send('/v1/clients', { method: 'POST' }))).toBe('malformed-json');
    const gone = await admin.makeClient('Gone');
    const junk = { method: 'DELETE', raw: '<not json>', headers: { 'content-type': 'text/xml' } };
    expect((await admin.send(`/v1/clients/${gone}`, junk)).status).toBe(204);
  });
});

describe('methods', () => {
  const addresses = { baseUrl: 'http://base.test', legacyUrl: 'http://base.test', authUrl: 'http://base.test' };
  const open = openOperations({ addresses } as House, new Metrics());
  const served = Map.groupBy([...operations, ...open], ({ path }) => path);
  const paths = [...served].map(([path, list]) => {
    const methods = list.flatMap(({ method }) => (method === 'GET' ? ['GET', 'HEAD'] : [method]));
    return [path, methods] as const;
  });

  test.each(paths)('%s takes %s and answers every other method with 405 and Allow', async (path, methods) => {
    const others = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS', 'TRACE', 'PROPFIND', 'QUERY'];
    for (const method of others.filter((other) => !methods.includes(other))) {
      const head = rawHead(method, path.replaceAll(/\{\w+\}/g, id), { authorization: `Bearer ${admin.token}` });
      const reply = await sendRaw(admin.address, head);
      expect([method, reply.status, reply.headers.get('allow')]).toEqual([method, 405, methods.join(', ')]);
      if (method !== 'HEAD') expect(reply.body).toContain('"method-not-allowed"');
    }
  });

  test.each(operations.filter(({ method }) => method === 'GET').map(({ path }) => path))(
    'HEAD %s is GET without the body',
    async (template) => {
      const path = template.replace('{id}', id);
      const [get, head] = [await admin.get(path), await admin.send(path, { method: 'HEAD' })];
      expect([head.status, head.text]).toEqual([get.status, '']);
      for (const name of ['content-type', 'etag']) expect(head.headers.get(name)).toBe(get.headers.get(name));
      expect(head.headers.get('content-length')).toBe(String(Buffer.byteLength(get.text)));
    },
  );
});

describe('paths', () => {
  const unknown = [
    ['/api/v2/unknown', jsonApi],
    ['/api/v3/unknown', jsonApi],
    ['/api/v9/clients', jsonApi],
    ['/api', jsonApi],
    ['/api/', jsonApi],
    ['/api/v2/clients/', jsonApi],
    ['/api/v2/clients/{id}/', jsonApi],
    ['/api/v2/clients/{id}/unknown', jsonApi],
    ['/api/v2/Clients', jsonApi],
    ['/v2', json],
    ['/v2/unknown', json],
    ['/v3/unknown', json],
    ['/v2/clients/', json],
    ['/v2//clients', json],
    ['/v1/unknown', problem],
    ['/v1/clients/', problem],
    ['/v1/clients/{id}/', problem],
    ['/V1/clients', problem],
    ['//v1/clients', problem],
    ['/', problem],
    ['/unknown', problem],
  ] as const;

  test.each(unknown)('%s is nowhere, and is told so as %s', async (template, type) => {
    const reply = await admin.get(template.replace('{id}', id));
    expect([reply.status, typeOf(reply), codeOf(reply)]).toEqual([404, type, 'path-not-found']);
    expect((await admin.with(null).get(template)).status).toBe(404);
  });

  test.each([
    ['/api/v2/clients/%zz', jsonApi],
    ['/api/v2/clients/%', jsonApi],
    ['/v2/clients/%c3%28', json],
    ['/v1/clients/%ff', problem],
    ['/v1/%zz', problem],
  ])('%s cannot be decoded, and is told so as %s', async (path, type) => {
    const reply = await admin.get(path);
    expect([reply.status, typeOf(reply), codeOf(reply)]).toEqual([400, type, 'malformed-request']);
    expect(reply.headers.get('x-request-id')).toMatch(/^[0-9a-f]{24}$/);
  });

  test('a path that is encoded more than it needs to be is the same path', async () => {
    const encoded = [...id].map((character) => `%${character.charCodeAt(0).toString(16)}`).join('');
    expect((await admin.get(`/v1/clients/${encoded}`)).body.id).toBe(id);
  });
});

describe('request ids', () => {
  test.each(['abc', 'A.b:c-d_9', 'x'.repeat(128)])('%s is taken and given back', async (requestId) => {
    const reply = await admin.get('/v1/clients/unknown', { 'x-request-id': requestId });
    expect([reply.headers.get('x-request-id'), reply.body.request_id]).toEqual([requestId, requestId]);
  });

  test.each(['', 'x'.repeat(129), 'a b', 'a"b', 'é', '<b>'])(
    '%s is not taken: the request gets one of ours',
    async (requestId) => {
      const reply = await admin.get('/v1/clients/unknown', { 'x-request-id': requestId });
      expect(reply.headers.get('x-request-id')).toMatch(/^[0-9a-f]{24}$/);
      expect(reply.body.request_id).toBe(reply.headers.get('x-request-id'));
    },
  );

  test('every answer carries one of its own, and the state of the budget', async () => {
    const replies = await Promise.all([
      admin.get('/v1/clients'),
      admin.get('/v1/unknown'),
      admin.get('/healthz'),
      admin.with(null).get('/api/v2/clients'),
      admin.with(null).post('/oauth/token', {}),
      admin.send('/v2/clients', { method: 'PUT' }),
      admin.get('/v1/clients/%zz'),
    ]);
    expect(new Set(replies.map(({ headers }) => headers.get('x-request-id'))).size).toBe(replies.length);
    for (const { headers } of replies) {
      expect(headers.get('ratelimit')).toMatch(/^"burst";r=\d+;t=\d+$/);
      expect(headers.get('ratelimit-policy')).toBe('"burst";q=1000000;w=10, "minute";q=6000000;w=60');
    }
  });

  test('on JSON:API it is the id of each error', async () => {
    const reply = await admin.get('/api/v2/clients/unknown', { 'x-request-id': 'mine' });
    expect(reply.body.errors[0].id).toBe('mine');
  });
});

describe('hosts', () => {
  async function freePort(): Promise<number> {
    const server = createServer().listen(0, '127.0.0.1');
    await once(server, 'listening');
    const { port } = server.address() as AddressInfo;
    server.close();
    await once(server, 'close');
    return port;
  }

  test('where the addresses differ, each serves its own paths only, whatever the method', async () => {
    const port = await freePort();
    const base = `127.0.0.1:${port}`;
    const addresses = {
      BASE_URL: `http://${base}`,
      LEGACY_URL: 'https://legacy.test',
      AUTH_URL: 'https://auth.test:8443',
    };
    const node = await serviceForThisTest({ settings: { PORT: String(port), ...addresses } });
    const ask = async (host: string, path: string, method = 'GET'): Promise<number> => {
      const headers = { host, authorization: `Bearer ${node.admin.token}` };
      return (await sendRaw(node.admin.address, rawHead(method, path, headers))).status;
    };
    const statuses = async (path: string, method?: string): Promise<number[]> => [
      await ask(base, path, method),
      await ask('legacy.test', path, method),
      await ask('auth.test:8443', path, method),
      await ask('unknown.test', path, method),
    ];
    expect(await statuses('/v1/clients')).toEqual([200, 404, 404, 404]);
    expect(await statuses('/v2/clients')).toEqual([200, 404, 404, 404]);
    expect(await statuses('/api/v2/clients')).toEqual([404, 200, 404, 404]);
    expect(await statuses('/v1/clients', 'PUT')).toEqual([405, 404, 404, 404]);
    expect(await statuses('/api/v2/clients', 'PUT')).toEqual([404, 405, 404, 404]);
    expect(await statuses('/v2/auth/token', 'POST')).toEqual([415, 404, 404, 404]);
    expect(await statuses('/oauth/token', 'POST')).toEqual([415, 404, 415, 404]);
    expect(await statuses('/healthz')).toEqual([200, 200, 200, 200]);
    expect(await ask('LEGACY.test', '/api/v2/clients')).toBe(200);
    expect(await ask('legacy.test:443', '/api/v2/clients')).toBe(200);
    expect(await ask('legacy.test:8443', '/api/v2/clients')).toBe(404);
  });
});
