// Addresses, queries, headers and bytes that no client library would send: refused properly or cut off, without harm to the
// service.

import { beforeAll, describe, expect, test } from 'vitest';
import type { Caller } from '../../setup/http/caller.ts';
import { rawHead, sendRaw, type RawReply } from '../../setup/http/raw-request.ts';
import { serviceForThisFile } from '../../setup/node/test-service.ts';
import { countAuditEntries } from '../../setup/database/sql.ts';

const service = serviceForThisFile();
let admin: Caller;
let id: string;
let lines: number;

beforeAll(async () => {
  ({ admin } = service);
  id = await admin.makeClient('Still here');
  lines = await countAuditEntries(service.database);
});

const bearer = (): Record<string, string> => ({ authorization: `Bearer ${admin.token}` });

function sendRawRequest(path: string, headers: Record<string, string> = {}, method = 'GET'): Promise<RawReply> {
  return sendRaw(admin.address, rawHead(method, path, { ...bearer(), ...headers }));
}

describe('addresses', () => {
  const hostile = [
    '%00',
    `{id}%00`,
    '..',
    '..%2f..%2fetc%2fpasswd',
    '%2e%2e%2f',
    "'%20OR%20'1'='1",
    '%22;DROP%20TABLE%20client;--',
    '__proto__',
    'constructor',
    'null',
    'undefined',
    '{id}%20',
    '%20{id}',
    '{id}%0a',
    '%F0%9F%92%A3',
    '%E2%80%AE',
    '%EF%BF%BF',
    '*',
    '.',
    '$1',
    '%25',
    'x'.repeat(256),
    'x'.repeat(257),
    'x'.repeat(12_000),
    '%41'.repeat(4_000),
  ];

  test.each(hostile.map((name) => [name.slice(0, 40), name]))(
    'a client with the id %s does not exist',
    async (_short, name) => {
      for (const path of ['/v1/clients/', '/v2/clients/', '/api/v2/clients/']) {
        const reply = await sendRawRequest(path + name.replace('{id}', id));
        expect(reply.status).toBe(404);
        expect(JSON.parse(reply.body)).toBeDefined();
      }
      expect((await sendRawRequest(`/v1/clients/${name.replace('{id}', id)}`, {}, 'DELETE')).status).toBe(404);
    },
  );

  test('an id that PostgreSQL cannot store is not found for a change either', async () => {
    for (const plural of ['clients', 'applications', 'keys']) {
      expect((await admin.patch(`/v1/${plural}/%00`, {})).status).toBe(404);
      expect((await admin.delete(`/v1/${plural}/%00`)).status).toBe(404);
    }
    expect((await admin.delete('/v2/auth/keys/%00')).status).toBe(404);
    expect((await admin.get('/v1/audit-log/%00')).status).toBe(404);
  });

  test.each([
    ['an absolute address', 'http://localhost/v1/me', 200],
    ['a star, which stands for the front page', '*', 303],
    ['only a query', '?', 400],
    ['an address of 10,000 slashes', '/'.repeat(10_000), 404],
    ['bytes beyond ASCII', '/v1/clients/\u00ff\u00fe', 400],
    ['a line of 100,000 characters', `/${'x'.repeat(100_000)}`, 431],
    ['a space', '/v1/me /v1/me', 400],
    ['a control character', '/v1/\u0001', 400],
    ['NUL', '/v1/\0', 400],
    ['nothing', '', 400],
  ])('%s', async (_what, target, status) => {
    expect((await sendRawRequest(target)).status).toBe(status);
  });
});

describe('queries', () => {
  const longValue = 'x'.repeat(10_000);

  test.each([
    ['subject_type=%00', 'invalid-parameter'],
    ['subject_id=a%00b', 'invalid-parameter'],
    [`subject_type=${longValue}`, 'invalid-parameter'],
    [`${longValue}=1`, 'unknown-parameter'],
    ['__proto__=1', 'unknown-parameter'],
    ['constructor[prototype]=1', 'unknown-parameter'],
    ['limit[]=1', 'unknown-parameter'],
    ['=1', 'unknown-parameter'],
    ['limit=1&limit=1', 'invalid-parameter'],
    ['limit=9e999', 'invalid-parameter'],
    ['limit=%FF', 'invalid-parameter'],
    ['limit=%zz', 'invalid-parameter'],
    ['limit=١', 'invalid-parameter'],
    ['cursor=%00', 'invalid-parameter'],
    ['cursor=%F0%9F%92%A3', 'cursor-invalid'],
    [`cursor=${'A'.repeat(1_024)}`, 'cursor-invalid'],
    [`cursor=${'A'.repeat(1_025)}`, 'invalid-parameter'],
    ['limit=1;limit=2', 'invalid-parameter'],
  ])('?%s gets 400', async (query, code) => {
    const reply = await admin.get(`/v1/audit-log?${query}`);
    expect([reply.status, reply.body.code]).toEqual([400, code]);
  });

  test.each(['', '?', '&&&', 'limit=50&'])('?%s is a valid query', async (query) => {
    expect((await admin.get(`/v1/audit-log?${query}`)).status).toBe(200);
  });

  test('thousands of unknown parameters get an answer of bounded size', async () => {
    const query = Array.from({ length: 2_000 }, (_, index) => `p${index}=`).join('&');
    const reply = await admin.get(`/v1/clients?${query}`);
    expect([reply.status, reply.body.code]).toEqual([400, 'unknown-parameter']);
    expect(reply.body.errors).toHaveLength(100);
  });

  test('the bytes of half a surrogate pair are accepted and match nothing', async () => {
    expect((await admin.get('/v1/audit-log?subject_type=%ED%A0%80')).body).toEqual({ data: [], has_more: false });
  });
});

describe('tokens', () => {
  const encoded = (value: unknown): string => Buffer.from(JSON.stringify(value)).toString('base64url');
  const forged = (header: object, claims: object): string => `${encoded(header)}.${encoded(claims)}.${'A'.repeat(86)}`;
  const claims = { workspace_id: '0'.repeat(24), environment: 'production' };

  test.each([
    ['nothing', ''],
    ['a word', 'Bearer'],
    ['a word and a space', 'Bearer '],
    ['another scheme', 'Basic dXNlcjpwYXNz'],
    ['two tokens', 'Bearer a b'],
    ['dots', 'Bearer ..'],
    ['10,000 characters', `Bearer ${'x'.repeat(10_000)}`],
    ['bytes beyond ASCII', 'Bearer \u00ff\u00fe'],
    ['no signature', `Bearer ${forged({ alg: 'none', typ: 'at+jwt', kid: 'x' }, claims).replace(/[^.]+$/, '')}`],
    ['an unknown key', `Bearer ${forged({ alg: 'ES256', typ: 'at+jwt', kid: '0'.repeat(24) }, claims)}`],
    ['NUL as a key', `Bearer ${forged({ alg: 'ES256', typ: 'at+jwt', kid: '\0' }, claims)}`],
    [
      'NUL as a workspace',
      `Bearer ${forged({ alg: 'ES256', typ: 'at+jwt', kid: 'x' }, { ...claims, workspace_id: '\0' })}`,
    ],
    ['half a surrogate pair', `Bearer ${forged({ alg: 'ES256', typ: 'at+jwt', kid: '\ud800' }, claims)}`],
    ['an object as a key', `Bearer ${forged({ alg: 'ES256', typ: 'at+jwt', kid: {} }, claims)}`],
    [
      'a prototype',
      `Bearer ${forged({ alg: 'ES256', typ: 'at+jwt', kid: '__proto__' }, { ...claims, workspace_id: '__proto__' })}`,
    ],
  ])('%s as a token gets 401', async (_what, authorization) => {
    const reply = await sendRaw(admin.address, rawHead('GET', '/v1/me', { authorization }));
    expect([reply.status, reply.headers.get('www-authenticate')]).toEqual([401, 'Bearer error="invalid_token"']);
  });
});

describe('headers', () => {
  test.each([
    ['Accept', 'text/html,'.repeat(1_400), 406],
    ['Accept', `application/json;${'x=y;'.repeat(3_000)}`, 406],
    ['Accept', `${'"'.repeat(7_000)}`, 406],
    ['Accept', `application/json;a="${'\\"'.repeat(6_000)}`, 406],
    ['If-None-Match', '"x",'.repeat(3_500), 200],
    ['X-Request-Id', 'x'.repeat(12_000), 200],
    ['X-Forwarded-For', '127.0.0.1,'.repeat(1_400), 200],
    ['Accept-Version', '1.x', 200],
    ['Upgrade', 'websocket', 200],
    ['Range', 'bytes=0-1', 200],
    ['X-Http-Method-Override', 'DELETE', 200],
    ['Expect', 'nonsense', 417],
    ['X-Long', 'x'.repeat(20_000), 431],
  ])('%s: %.20s… gets %i', async (name, value, status) => {
    const headers = name === 'Upgrade' ? { connection: 'close, upgrade', upgrade: value } : { [name]: value };
    expect((await sendRawRequest('/v1/me', headers)).status).toBe(status);
  });

  const whole = (...sent: string[]): string => sent.map((line) => `${line}\r\n`).join('');
  const request = (...sent: string[]): string =>
    `${whole('GET /v1/me HTTP/1.1', 'Host: localhost', 'Connection: close', ...sent)}\r\n`;

  test.each([
    ['no colon', request('Nonsense')],
    ['a space in a name', request('X y: 1')],
    ['a space before the colon', request('X-Y : 1')],
    ['NUL in a value', request('X-Y: a\0b')],
    ['a control character in a value', request('X-Y: a\u0001b')],
    ['a folded line', request('X-Y: a', ' b')],
    ['a bare line feed', request('X-Y: a\nX-Z: b')],
    ['a bare carriage return', request('X-Y: a\rb')],
    ['two lengths', request('Content-Length: 1', 'Content-Length: 2')],
    ['an invalid length', request('Content-Length: -1')],
    ['a length that is too large', request(`Content-Length: ${'9'.repeat(30)}`)],
    ['a length and chunks', request('Content-Length: 5', 'Transfer-Encoding: chunked')],
    ['a version that does not exist', 'GET /v1/me HTTP/9.9\r\n\r\n'],
    ['a method that does not exist', 'FETCH /v1/me HTTP/1.1\r\n\r\n'],
    ['a method in small letters', 'get /v1/me HTTP/1.1\r\nHost: localhost\r\n\r\n'],
    ['no host', 'GET /v1/me HTTP/1.1\r\nConnection: close\r\n\r\n'],
    ['a TLS handshake', '\u0016\u0003\u0001\u0002\u0000\u0001\u0000\u0001\u00fc\u0003\u0003'],
    ['an HTTP/2 preface', 'PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n'],
  ])('%s is not HTTP', async (_what, text) => {
    const reply = await sendRaw(admin.address, Buffer.from(text, 'latin1'));
    expect(reply.status).toBe(400);
  });

  test('malformed HTTP gets a refusal with a request id', async () => {
    const reply = await sendRaw(admin.address, request('Nonsense'));
    const requestId = reply.headers.get('x-request-id');
    expect(requestId).toMatch(/^[0-9a-f]{24}$/);
    expect(reply.headers.get('content-type')).toBe('application/problem+json');
    expect(reply.headers.get('ratelimit')).toMatch(/^"burst"/);
    expect(JSON.parse(reply.body)).toEqual({
      type: `${service.addresses.baseUrl}/docs/errors#malformed-request`,
      title: 'Malformed request',
      status: 400,
      detail: 'The request cannot be read as HTTP.',
      code: 'malformed-request',
      request_id: requestId,
    });
  });

  test('headers of more than 16 KiB are refused by name', async () => {
    const reply = await sendRaw(admin.address, request(`X-Long: ${'x'.repeat(17 * 1024)}`));
    expect(reply.status).toBe(431);
    expect(JSON.parse(reply.body)).toMatchObject({
      code: 'headers-too-large',
      title: 'Headers too large',
      status: 431,
    });
  });

  test('thousands of headers are cut off or ignored', async () => {
    const many = Object.fromEntries(Array.from({ length: 1_500 }, (_, index) => [`x-${index}`, '1']));
    expect([200, 431]).toContain((await sendRawRequest('/v1/me', many)).status);
  });

  test('a second Authorization header does not count', async () => {
    const text = request(`Authorization: Bearer ${admin.token}`, 'Authorization: Bearer nonsense');
    expect((await sendRaw(admin.address, text)).status).toBe(200);
    const reversed = request('Authorization: Bearer nonsense', `Authorization: Bearer ${admin.token}`);
    expect((await sendRaw(admin.address, reversed)).status).toBe(401);
  });
});

describe('bodies on the wire', () => {
  const head = (headers: Record<string, string>): string =>
    rawHead('POST', '/v1/clients', { ...bearer(), 'content-type': 'application/json', ...headers });
  const body = '{"name":"Never made"}';

  test.each([
    ['an invalid chunk size', { 'transfer-encoding': 'chunked' }, `zz\r\n${body}\r\n0\r\n\r\n`],
    ['a chunk with a wrong size', { 'transfer-encoding': 'chunked' }, `5\r\n${body}\r\n0\r\n\r\n`],
    ['a chunk size that is too large', { 'transfer-encoding': 'chunked' }, `${'f'.repeat(40)}\r\n${body}`],
  ])('%s is not HTTP', async (_what, headers, sent) => {
    expect((await sendRaw(admin.address, head(headers), sent)).status).toBe(400);
  });

  test('bytes after a body are not part of it', async () => {
    const short = await sendRaw(admin.address, head({ 'content-length': '5' }), body);
    expect(short.status).toBe(400);
  });

  test('Expect: 100-continue is answered, and the body is then read', async () => {
    const bad = '{"name":""}';
    const headers = { 'content-length': String(bad.length), expect: '100-continue' };
    const reply = await sendRaw(admin.address, head(headers), bad);
    expect(reply.status).toBe(100);
    expect(reply.body).toContain('HTTP/1.1 422');
  });
});

test('after all of this nothing was written, no error occurred, and the service still works', async () => {
  expect((await admin.get(`/v1/clients/${id}`)).body.name).toBe('Still here');
  expect(await countAuditEntries(service.database)).toBe(lines);
  expect(service.log.filter((line) => line.includes('"defect"'))).toEqual([]);
});
