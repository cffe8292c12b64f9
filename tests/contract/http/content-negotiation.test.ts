// Content negotiation of request bodies and answers: media types, charsets, encodings.

import { beforeAll, describe, expect, test } from 'vitest';
import {
  errorCodeOf,
  jsonMediaType,
  jsonApiMediaType,
  problemMediaType,
  contentTypeOf,
} from '../../setup/http/answer.ts';
import type { Caller } from '../../setup/http/caller.ts';
import { newClientDocument } from '../../setup/structure/client-document.ts';
import { rawHead, sendRaw } from '../../setup/http/raw-request.ts';
import { workspaceForThisFile } from '../../setup/node/test-service.ts';
import { countAuditEntries } from '../../setup/database/sql.ts';

const service = workspaceForThisFile();
let admin: Caller;
let id: string;

beforeAll(async () => {
  ({ admin } = service);
  id = await admin.makeClient('Negotiated');
});

/** Each wire: a list, a body that creates a client, its media type and that of its refusals. */
const wires = [
  {
    wire: 'JSON:API',
    list: '/api/v2/clients',
    body: newClientDocument('X'),
    type: jsonApiMediaType,
    problemType: jsonApiMediaType,
  },
  { wire: 'v1', list: '/v1/clients', body: { name: 'X' }, type: jsonMediaType, problemType: problemMediaType },
] as const;
const readWires = [
  ...wires,
  { wire: 'Plain', list: '/v2/clients', type: jsonMediaType, problemType: jsonMediaType },
] as const;

describe('answers', () => {
  test.each(readWires)(
    '$wire answers exactly in $type, and refuses in $problemType',
    async ({ list, type, problemType }) => {
      expect(contentTypeOf(await admin.get(list))).toBe(type);
      expect(contentTypeOf(await admin.get(`${list}/${id}`))).toBe(type);
      expect(contentTypeOf(await admin.get(`${list}/unknown`))).toBe(problemType);
      expect(contentTypeOf(await admin.withToken(null).get(list))).toBe(problemType);
      expect(contentTypeOf(await admin.get(`${list}?unknown=1`))).toBe(problemType);
    },
  );

  test.each(wires)('$wire answers writes in the same type', async ({ list, body, type, problemType }) => {
    expect(contentTypeOf(await admin.post(list, body))).toBe(type);
    expect(contentTypeOf(await admin.post(list, {}))).toBe(problemType);
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
    const actual = answers.map((reply) =>
      reply.status === 200 ? [contentTypeOf(reply)] : [contentTypeOf(reply), errorCodeOf(reply)],
    );
    expect(actual).toEqual(rows.map(([, status]) => (status === 200 ? [type] : [problemType, 'not-acceptable'])));
  });

  test.each([
    [`${jsonApiMediaType};profile="https://example.com/x"`, 200],
    [`${jsonApiMediaType};profile="https://example.com/a;b https://example.com/c"`, 200],
    [`${jsonApiMediaType};charset=utf-8`, 406],
    [`${jsonApiMediaType};ext="https://jsonapi.org/ext/atomic"`, 406],
    [`${jsonApiMediaType};charset=utf-8, ${jsonApiMediaType}`, 200],
    [`${jsonApiMediaType};charset=utf-8, ${jsonApiMediaType};profile="https://example.com/x"`, 200],
    // JSON:API 1.1: if every instance of its media type has other parameters, the answer is 406.
    [`${jsonApiMediaType};charset=utf-8, */*`, 406],
    ['application/json', 406],
  ])('on JSON:API %s gets %i', async (accept, status) => {
    expect((await admin.get('/api/v2/clients', { accept })).status).toBe(status);
  });

  test.each(['/v1/clients', '/v2/clients'])(
    'on %s a charset may be requested, and the answer is in UTF-8',
    async (path) => {
      expect((await admin.get(path, { accept: 'application/json; charset=utf-8' })).status).toBe(200);
      expect((await admin.get(path, { accept: 'application/json; charset="UTF-8"' })).status).toBe(200);
      expect((await admin.get(path, { accept: 'application/json; charset=latin1' })).status).toBe(406);
      expect((await admin.get(path, { accept: jsonApiMediaType })).status).toBe(406);
    },
  );

  test('a refusal names the header', async () => {
    const detail = `The response is only available as ${jsonApiMediaType}. Accept this media type.`;
    const { errors } = (await admin.get('/api/v2/clients', { accept: 'text/html' })).body;
    expect(errors).toMatchObject([{ status: '406', code: 'not-acceptable', detail, source: { header: 'Accept' } }]);
  });

  test('a write that cannot be answered is not made', async () => {
    const lines = await countAuditEntries(service.database);
    expect((await admin.post('/v1/clients', { name: 'X' }, { accept: 'text/html' })).status).toBe(406);
    expect(await countAuditEntries(service.database)).toBe(lines);
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
      [type === jsonMediaType ? jsonApiMediaType : jsonMediaType, 415],
    ];
    for (const [contentType, status] of rows) {
      const headers = contentType === undefined ? {} : { 'content-type': contentType };
      const reply = await sendAsIs(list, bytesOf(body), headers);
      expect([contentType, reply.status]).toEqual([contentType, status]);
      expect(reply.headers.get('content-type')).toBe(status === 201 ? type : problemType);
      expect(reply.body.includes('unsupported-media-type')).toBe(status === 415);
    }
  });

  /** Sends without the content type that a client library would add. */
  function sendAsIs(path: string, body: Uint8Array, headers: Record<string, string>) {
    const own = { authorization: `Bearer ${admin.token}`, 'content-length': String(body.length) };
    return sendRaw(admin.address, rawHead('POST', path, { ...own, ...headers }), body);
  }

  test.each([
    ['/v1/clients', { name: 'X' }, 'application/json; charset=utf-8', 201],
    ['/v1/clients', { name: 'X' }, 'application/json;charset="UTF-8"', 201],
    ['/v1/clients', { name: 'X' }, 'application/json; version=1', 415],
    ['/api/v2/clients', newClientDocument('X'), `${jsonApiMediaType}; charset=utf-8`, 415],
    ['/api/v2/clients', newClientDocument('X'), `${jsonApiMediaType}; ext="https://jsonapi.org/ext/atomic"`, 415],
    ['/api/v2/clients', newClientDocument('X'), `${jsonApiMediaType}; profile="https://example.com/a;b"`, 201],
  ])('%s %o as %s gets %i', async (path, body, contentType, status) => {
    expect((await admin.post(path, body, { 'content-type': contentType })).status).toBe(status);
  });

  test('a refusal names the header', async () => {
    const detail = 'Send the body with the Content-Type application/json.';
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
  ])('a body with Content-Encoding %s gets %i', async (encoding, status) => {
    const reply = await admin.post('/v1/clients', { name: 'X' }, { 'content-encoding': encoding });
    const header = reply.body.errors?.[0].header;
    expect([reply.status, header]).toEqual([status, status === 415 ? 'Content-Encoding' : undefined]);
  });

  test('a body is required where the operation has one, and ignored elsewhere', async () => {
    expect(errorCodeOf(await admin.send('/v1/clients', { method: 'POST' }))).toBe('malformed-json');
    const gone = await admin.makeClient('Gone');
    const junk = { method: 'DELETE', raw: '<not json>', headers: { 'content-type': 'text/xml' } };
    expect((await admin.send(`/v1/clients/${gone}`, junk)).status).toBe(204);
  });
});
