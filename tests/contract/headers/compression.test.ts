// Compressed answers: which encoding a caller gets, what is never compressed, and what it means for entity tags and streams.

import { request, type IncomingMessage } from 'node:http';
import { brotliDecompressSync, gunzipSync, zstdDecompressSync } from 'node:zlib';
import { beforeAll, describe, expect, test } from 'vitest';
import { operations } from '../../../src/surfaces/operations.ts';
import { runSql } from '../../setup/database/sql.ts';
import { serviceForThisFile } from '../../setup/node/test-service.ts';
import { makeAccounts, makeHousehold } from '../../setup/structure/structure-document.ts';

/** Their forms make the sign-in page long enough to be compressed. */
const providers = ['A', 'B', 'C'].flatMap((letter) => [
  [`PROVIDER_${letter}_ISSUER`, `http://127.0.0.1:9/${letter}`],
  [`PROVIDER_${letter}_CLIENT_ID`, 'holdfast'],
  [`PROVIDER_${letter}_CLIENT_SECRET`, 'secret'],
]);
const service = serviceForThisFile({ settings: Object.fromEntries(providers) });

interface Answer {
  readonly status: number;
  readonly headers: IncomingMessage['headers'];
  readonly bytes: Buffer;
}

type Headers = Readonly<Record<string, string>>;

function open(path: string, headers: Headers, { method = 'GET', body = '' } = {}): Promise<IncomingMessage> {
  const { address, token } = service.admin;
  return new Promise((resolve, reject) => {
    const all = { authorization: `Bearer ${token}`, 'content-length': Buffer.byteLength(body), ...headers };
    request(address + path, { method, headers: all, agent: false }, resolve)
      .on('error', reject)
      .end(body);
  });
}

async function get(path: string, headers: Headers = {}, options: Parameters<typeof open>[2] = {}): Promise<Answer> {
  const response = await open(path, headers, options);
  return { status: response.statusCode!, headers: response.headers, bytes: Buffer.concat(await response.toArray()) };
}

const decoders: Readonly<Record<string, (bytes: Buffer) => Buffer>> = {
  zstd: zstdDecompressSync,
  br: brotliDecompressSync,
  gzip: gunzipSync,
};

function decode({ headers, bytes }: Answer): string {
  const encoding = headers['content-encoding'];
  return (encoding === undefined ? bytes : decoders[encoding]!(bytes)).toString();
}

beforeAll(async () => {
  for (let index = 0; index < 20; index++) await service.admin.makeClient(`Client with a long name, number ${index}`);
});

describe('an answer of a kilobyte or more', () => {
  test.each(['/v1/clients', '/v2/clients', '/api/v2/clients', '/openapi.json', '/docs/errors'])(
    '%s is sent in every encoding, and is the same',
    async (path) => {
      const plain = await get(path);
      expect(plain.headers['content-encoding']).toBeUndefined();
      expect(plain.headers['vary']).toBe('Accept-Encoding');
      for (const encoding of ['zstd', 'br', 'gzip']) {
        const answer = await get(path, { 'accept-encoding': encoding });
        expect([answer.status, answer.headers['content-encoding'], answer.headers['vary']]).toEqual([
          200,
          encoding,
          'Accept-Encoding',
        ]);
        expect(answer.headers['content-type']).toBe(plain.headers['content-type']);
        expect(answer.headers['content-length']).toBe(String(answer.bytes.length));
        expect(answer.bytes.length).toBeLessThan(plain.bytes.length / 2);
        expect(decode(answer)).toBe(plain.bytes.toString());
      }
    },
  );

  test.each([
    ['', undefined],
    ['identity', undefined],
    ['deflate', undefined],
    ['gzip', 'gzip'],
    ['GZIP', 'gzip'],
    ['gzip, deflate, br, zstd', 'zstd'],
    ['gzip, deflate, br', 'br'],
    ['br;q=0.5, gzip', 'gzip'],
    ['zstd;q=0, br;q=0, *', 'gzip'],
    ['*', 'zstd'],
    ['*;q=0', undefined],
    ['gzip;q=0', undefined],
    ['gzip;q=0.5, identity', undefined],
    ['gzip;q=0.5, identity;q=0.1', 'gzip'],
    ['gzip;q=nonsense', undefined],
    ['identity;q=0', undefined],
  ])('for Accept-Encoding "%s" is sent as %s', async (header, encoding) => {
    const answer = await get('/v1/clients', { 'accept-encoding': header });
    expect([answer.status, answer.headers['content-encoding']]).toEqual([200, encoding]);
    expect(JSON.parse(decode(answer)).data).toHaveLength(20);
  });

  test('is described by a HEAD as by a GET, without its length', async () => {
    const head = await get('/v1/clients', { 'accept-encoding': 'br' }, { method: 'HEAD' });
    const read = await get('/v1/clients', { 'accept-encoding': 'br' });
    expect([head.status, head.bytes.length, head.headers['content-length']]).toEqual([200, 0, undefined]);
    for (const name of ['content-encoding', 'etag', 'vary', 'content-type'])
      expect(head.headers[name]).toBe(read.headers[name]);
  });
});

test('a short answer is sent as it is', async () => {
  const { headers } = await get('/v1/me', { 'accept-encoding': 'gzip' });
  expect([headers['content-encoding'], headers['vary']]).toEqual([undefined, undefined]);
});

describe('the entity tag of a compressed answer', () => {
  test('is another one, which gets a 304 with itself', async () => {
    const plain = await get('/v1/clients');
    const { etag } = (await get('/v1/clients', { 'accept-encoding': 'br' })).headers;
    expect(etag).toBe(plain.headers.etag!.replace(/"$/, '-br"'));
    for (const tag of [etag!, `W/${etag}`, `"other", ${etag}`]) {
      const again = await get('/v1/clients', { 'accept-encoding': 'br', 'if-none-match': tag });
      expect([again.status, again.headers.etag, again.headers['vary']]).toEqual([304, etag, 'Accept-Encoding']);
    }
  });

  test('allows a change, and refuses one after a change of somebody else', async () => {
    const long = `/v1/clients/${await service.admin.makeClient('x'.repeat(200))}`;
    const body = JSON.stringify({ name: 'y'.repeat(200) });
    const tag = (await get(long)).headers.etag!.replace(/"$/, '-gzip"');
    const change = (): Promise<Answer> =>
      get(long, { 'if-match': tag, 'content-type': 'application/json' }, { method: 'PATCH', body });
    expect((await change()).status).toBe(200);
    expect((await change()).status).toBe(412);
  });

  test.each(['/openapi.json', '/docs', '/docs/reference.js'])('%s is not sent again to who has it', async (path) => {
    const sent = await get(path, { 'accept-encoding': 'gzip' });
    const { etag } = sent.headers;
    expect(decode(sent)).toBe((await get(path)).bytes.toString());
    const again = await get(path, { 'accept-encoding': 'gzip', 'if-none-match': etag! });
    expect([again.status, again.headers.etag, again.bytes.length]).toEqual([304, etag, 0]);
  });
});

describe('an answer with a secret is never compressed', () => {
  const long = 'n'.repeat(200);

  test('neither applications nor webhooks, nor a rotated secret', async () => {
    const create = (path: string, fields: object): Promise<Answer> =>
      get(
        path,
        { 'accept-encoding': 'gzip', 'content-type': 'application/json' },
        { method: 'POST', body: JSON.stringify(fields) },
      );
    const url = `http://127.0.0.1:9/${'u'.repeat(1_500)}`;
    const webhook = await create('/v1/webhooks', { url, events: ['transaction.created'] });
    const rotated = await create(`/v1/webhooks/${JSON.parse(webhook.bytes.toString()).id}/rotate-secret`, {});
    const application = await create('/v1/applications', { name: long });
    for (const { status, headers, bytes } of [webhook, rotated, application]) {
      expect([200, 201]).toContain(status);
      expect([headers['content-encoding'], headers['vary']]).toEqual([undefined, undefined]);
      expect(bytes.toString()).toContain('secret"');
    }
    expect(webhook.bytes.length).toBeGreaterThan(1_024);
  });

  test('every operation whose answer has a secret says so', () => {
    const answering = operations.filter(({ responses }) => /"(client_)?secret":/.test(JSON.stringify(responses)));
    expect(answering.map(({ id }) => id).toSorted()).toEqual([
      'v1.application.create',
      'v1.webhook.create',
      'v1.webhook.rotate-secret',
    ]);
    for (const { answersSecret } of answering) expect(answersSecret).toBe(true);
  });

  test('nor a page, whose forms carry a token', async () => {
    const page = await get('/sign-in', { 'accept-encoding': 'gzip' });
    expect([page.status, page.headers['content-encoding']]).toEqual([200, undefined]);
    expect(page.bytes.length).toBeGreaterThan(1_024);
  });
});

describe('a long answer that is sent in pieces', () => {
  /** More rows than the connection and the compressor hold. */
  async function bookRows(): Promise<string> {
    const household = await makeHousehold(service.admin);
    const [account] = await makeAccounts(service.admin, household, 1);
    await runSql(
      service.database,
      `INSERT INTO transaction (workspace_id, environment, id, sequence, known_from, opened_version, client_id, account_id, kind,
         type, date, amount, currency, value, unexplained, comment, source, created_at)
       SELECT workspace_id, environment, lpad(to_hex(n), 24, '0'), n, created_at, 1, client_id, id, 'flow', 'deposit',
         date '2026-01-05', 1, 'CHF', 0, 0, (SELECT string_agg(md5(n::text || m), '') FROM generate_series(1, 150) m), 'manual', created_at
       FROM account, generate_series(1, 1000) n WHERE id = $1`,
      [account],
    );
    return `/v1/transactions?account_id=${account}`;
  }

  test('is the same in every encoding, begins before it ends, and can be given up', async () => {
    const path = await bookRows();
    const accept = 'text/csv';
    const plain = await get(path, { accept });
    expect(plain.bytes.length).toBeGreaterThan(4_500_000);
    for (const encoding of ['zstd', 'br', 'gzip']) {
      const answer = await get(path, { accept, 'accept-encoding': encoding });
      expect([answer.headers['content-encoding'], answer.headers['content-length']]).toEqual([encoding, undefined]);
      expect(decode(answer) === plain.bytes.toString()).toBe(true);
      const abandoned = await open(path, { accept, 'accept-encoding': encoding });
      abandoned.destroy();
    }
    // Each abandoned one has given back its place among the eight that may run at once.
    const all = await Promise.all(Array.from({ length: 8 }, () => get('/v1/me')));
    expect(all.map(({ status }) => status)).toEqual(Array(8).fill(200));
  });
});
