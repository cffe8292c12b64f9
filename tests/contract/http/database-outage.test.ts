// The database fails and recovers while a node runs: the answers to callers, and what is stored of their requests.

import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { openSeverableConnection, type SeverableConnection } from '../../setup/database/severable-connection.ts';
import type { TestDatabase } from '../../setup/database/test-database.ts';
import { makeDatabase, startTestService, type TestService } from '../../setup/node/test-service.ts';
import { runSql } from '../../setup/database/sql.ts';

let database: TestDatabase;
let connection: SeverableConnection;
let service: TestService;

beforeAll(async () => {
  database = await makeDatabase();
  connection = await openSeverableConnection(database);
  service = await startTestService({ database: { ...database, url: connection.url } });
});

afterAll(async () => {
  await service.stop();
  await connection.close();
  await database.drop();
});

beforeEach(() => connection.restore());

const detail = 'The database cannot be reached at the moment. Nothing was changed.';
const requestId = { 'x-request-id': 'away-1' };

function problemUrl(): string {
  return `${service.addresses.baseUrl}/docs/errors#database-away`;
}

function errorsBody(): unknown {
  return {
    errors: [
      {
        id: 'away-1',
        status: '503',
        code: 'database-away',
        links: { about: problemUrl() },
        title: 'Database unavailable',
        detail,
      },
    ],
  };
}

function problemBody(): unknown {
  return {
    type: problemUrl(),
    title: 'Database unavailable',
    status: 503,
    detail,
    code: 'database-away',
    request_id: 'away-1',
  };
}

describe('while the database is unavailable', () => {
  const document = { data: { type: 'client', attributes: { name: 'Never' } } };
  const requests: [method: string, path: string, body: unknown, mediaType: string, expected: () => unknown][] = [
    ['GET', '/api/v2/clients', undefined, 'application/vnd.api+json', errorsBody],
    ['POST', '/api/v2/clients', document, 'application/vnd.api+json', errorsBody],
    ['GET', '/v2/clients', undefined, 'application/json', errorsBody],
    ['GET', '/v1/clients', undefined, 'application/problem+json', problemBody],
    ['POST', '/v1/clients', { name: 'Never' }, 'application/problem+json', problemBody],
    ['GET', '/v1/me', undefined, 'application/problem+json', problemBody],
    [
      'POST',
      '/oauth/token',
      { grant_type: 'client_credentials', client_id: 'test-admin', client_secret: 'x' },
      'application/json',
      () => ({ error: 'temporarily_unavailable', error_description: detail }),
    ],
  ];

  test.each(requests)(
    '%s %s answers 503 with Retry-After in the form of its wire',
    async (method, path, body, mediaType, expected) => {
      connection.cut();
      const reply = await service.admin.send(path, { method, body, headers: requestId });
      expect([reply.status, reply.headers.get('content-type'), reply.headers.get('retry-after')]).toEqual([
        503,
        mediaType,
        '2',
      ]);
      expect(reply.body).toEqual(expected());
    },
  );

  test('people get a page with security headers', async () => {
    connection.cut();
    const reply = await service.admin.withToken(null).get('/invites/a-secret', requestId);
    expect([reply.status, reply.headers.get('content-type'), reply.headers.get('retry-after')]).toEqual([
      503,
      'text/html; charset=utf-8',
      '2',
    ]);
    expect(reply.headers.get('content-security-policy')).toContain("default-src 'none'");
    expect(reply.text).toMatch(/<h1>Database unavailable<\/h1>.*away-1/s);
  });

  test('a new token cannot be checked, and is not refused as invalid', async () => {
    const { body } = await service.admin.post('/oauth/token', {
      grant_type: 'client_credentials',
      client_id: service.first.clientId,
      client_secret: service.first.clientSecret,
    });
    connection.cut();
    expect((await service.admin.withToken(body.access_token).get('/v1/clients')).status).toBe(503);
    connection.restore();
    expect((await service.admin.withToken(body.access_token).get('/v1/clients')).status).toBe(200);
  });

  test('a node is healthy but not ready', async () => {
    connection.cut();
    const ready = await service.admin.get('/readyz');
    expect([ready.status, ready.headers.get('retry-after'), ready.body]).toEqual([
      503,
      '2',
      { status: 'database-away' },
    ]);
    expect((await service.admin.get('/healthz')).body).toEqual({ status: 'alive' });
    connection.restore();
    expect((await service.admin.get('/readyz')).body).toEqual({ status: 'ready' });
  });

  test('it is not logged as a defect', () => {
    expect(service.log.filter((each) => each.includes('"defect"'))).toEqual([]);
  });
});

test('after recovery the same node answers, and no request answered with 503 had an effect', async () => {
  const before = (await service.admin.get('/v1/clients')).body.data;
  connection.cut();
  await Promise.all(
    Array.from({ length: 20 }, (_, index) => service.admin.post('/v1/clients', { name: `Never ${index}` })),
  );
  connection.restore();
  expect((await service.admin.get('/v1/clients')).body.data).toEqual(before);
  expect((await service.admin.post('/v1/clients', { name: 'Again' })).status).toBe(201);
});

test('requests in progress when it fails are answered, and each is done completely or not at all', async () => {
  const requests = Array.from({ length: 40 }, (_, index) =>
    service.admin.post('/v1/clients', { name: `Amid ${index}` }),
  );
  await requests[0];
  connection.cut();
  const replies = await Promise.all(requests);
  connection.restore();
  const made = replies.filter(({ status }) => status === 201).map(({ body }) => body.id);
  const lost = replies.filter(({ status }) => status !== 201);
  expect(new Set(lost.map(({ status }) => status))).toEqual(new Set([503]));
  const uncertain = lost.filter(({ body }) => body.detail !== detail).length;
  const stored = await runSql<{ id: string; lines: string }>(
    database,
    `SELECT id, (SELECT count(*) FROM audit_entry a WHERE a.subject_id = c.id) AS lines FROM client c WHERE name LIKE 'Amid %'`,
  );
  expect(new Set(stored.map(({ lines }) => lines))).toEqual(new Set(['1']));
  expect(stored.map(({ id }) => id)).toEqual(expect.arrayContaining(made));
  expect(stored.length - made.length).toBeLessThanOrEqual(uncertain);
});

describe('a commit whose answer is lost', () => {
  const uncertain =
    'The connection to the database was lost during the commit: the change was made completely or not at all. Check whether it is there, or repeat the request with the same Idempotency-Key.';

  test.each(['before', 'after'] as const)(
    '%s it was made: repeating the request with its key makes it once',
    async (moment) => {
      const name = `Cut ${moment}`;
      const send = () => service.admin.post('/v1/clients', { name }, { 'idempotency-key': name });
      await service.admin.get('/v1/clients');
      connection.cutAtCommit(moment);
      const lost = await send();
      expect([lost.status, lost.body.code, lost.body.detail]).toEqual([503, 'database-away', uncertain]);
      connection.restore();
      const repeated = await send();
      expect([repeated.status, repeated.headers.get('idempotent-replayed')]).toEqual([
        201,
        moment === 'after' ? 'true' : null,
      ]);
      expect(await runSql(database, 'SELECT id FROM client WHERE name = $1', [name])).toEqual([
        { id: repeated.body.id },
      ]);
    },
  );
});
