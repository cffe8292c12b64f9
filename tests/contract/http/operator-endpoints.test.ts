// Endpoints and behaviour for operators: health, readiness, metrics, request ids, internal errors without details, nodes that
// start at the same time.

import { beforeAll, describe, expect, test } from 'vitest';
import { readConfig } from '../../../src/app/config.ts';
import { readRelease } from '../../../src/app/release.ts';
import { startService } from '../../../src/app/start-service.ts';
import { Keyring } from '../../../src/signing/keyring.ts';
import { databaseTimeouts } from '../../setup/database/database-timeouts.ts';
import { Caller } from '../../setup/http/caller.ts';
import { emptyDatabaseForThisTest } from '../../setup/database/empty-database.ts';
import {
  workspaceForThisFile,
  serviceForThisTest,
  startTestService,
  type TestService,
} from '../../setup/node/test-service.ts';
import { runSql } from '../../setup/database/sql.ts';

const service = workspaceForThisFile();
let stranger: Caller;

beforeAll(async () => {
  stranger = service.admin.withToken(null);
});

describe('health and readiness', () => {
  test.each([
    ['/healthz', { status: 'alive' }],
    ['/readyz', { status: 'ready' }],
  ])('%s answers without a token', async (path, body) => {
    const reply = await stranger.get(path);
    expect([reply.status, reply.headers.get('content-type'), reply.body]).toEqual([200, 'application/json', body]);
  });

  test('a worker serves only the operator endpoints', async () => {
    const database = await emptyDatabaseForThisTest();
    const settings = { PORT: '0', ROLE: 'worker', DATABASE_URL: database.url, LOG_LEVEL: 'silent' };
    const config = readConfig({ ...settings, ENCRYPTION_KEY: Keyring.generate() });
    const worker = await startService(config, { databaseTimeouts });
    const caller = new Caller(worker.addresses.baseUrl, null);
    const paths = ['/healthz', '/readyz', '/metrics', '/v1/clients', '/oauth/token'];
    const statuses = paths.map(async (path) => (await caller.get(path)).status);
    expect(await Promise.all(statuses)).toEqual([200, 200, 200, 404, 404]);
    await worker.stop();
  });
});

describe('the release', () => {
  test('a stranger learns its name and nothing else', async () => {
    const { version } = await readRelease();
    expect((await stranger.get('/version')).body).toEqual({ release: version });
  });

  test('its details are at the address of the metrics, if that is another', async () => {
    const { metricsUrl, admin } = await serviceForThisTest({ settings: { METRICS_PORT: '0' } });
    const { version, commit = null, node, migrationLevel } = await readRelease();
    const operator = new Caller(metricsUrl!, null);
    const details = { release: version, commit, node, migration: migrationLevel };
    expect((await operator.get('/version')).body).toEqual(details);
    expect((await operator.get('/metrics')).text).toContain(`holdfast_build_info{release="${version}",`);
    expect((await admin.get('/version')).body).toEqual({ release: version });
    expect((await admin.get('/metrics')).status).toBe(404);
  });
});

describe('metrics', () => {
  async function count(line: string): Promise<number> {
    const { text } = await stranger.get('/metrics');
    const found = text.split('\n').find((each) => each.startsWith(`${line} `));
    return Number(found?.slice(line.length) ?? 0);
  }

  test('are in the text format of Prometheus', async () => {
    const reply = await stranger.get('/metrics');
    expect(reply.status).toBe(200);
    expect(reply.headers.get('content-type')).toMatch(/^text\/plain; version=0\.0\.4/);
    expect(reply.text).toContain('# TYPE holdfast_http_requests_total counter');
    expect(reply.text).toContain('process_cpu_seconds_total');
  });

  test.each([
    ['/v1/clients', 'operation="v1.client.list",method="GET",status="200"'],
    ['/v1/clients/0000000000000000000000ff', 'operation="v1.client.read",method="GET",status="404"'],
    ['/nowhere/in/particular', 'operation="none",method="GET",status="404"'],
  ])('count a request for %s by its operation, not its address', async (path, labels) => {
    const line = `holdfast_http_requests_total{${labels}}`;
    const before = await count(line);
    await service.admin.get(path);
    expect(await count(line)).toBe(before + 1);
  });

  test('measure how long an operation takes', async () => {
    const line =
      'holdfast_http_request_seconds_count{operation="v1.client.list",route="/v1/clients",status_class="2xx"}';
    const before = await count(line);
    await service.admin.get('/v1/clients');
    expect(await count(line)).toBe(before + 1);
    const { text } = await stranger.get('/metrics');
    const steps = text.matchAll(
      /^holdfast_http_request_seconds_bucket\{le="([^"]+)",operation="v1.client.list",.*"2xx"/gm,
    );
    expect([...steps].map(([, step]) => step).join(' ')).toBe(
      '0.0025 0.005 0.01 0.025 0.05 0.1 0.25 0.5 1 2.5 5 10 +Inf',
    );
  });
});

describe('request ids', () => {
  test.each(['a', 'req-1', 'A.b_c:d-9', 'x'.repeat(128)])('a well-formed one is returned: %s', async (id) => {
    const reply = await service.admin.get('/v1/me', { 'x-request-id': id });
    expect(reply.headers.get('x-request-id')).toBe(id);
  });

  test.each(['', 'x'.repeat(129), 'with space', 'semi;colon', 'ümlaut', '"quoted"', '<script>'])(
    'a malformed one is replaced: %s',
    async (id) => {
      const sent = Buffer.from(id, 'latin1').toString('latin1');
      const reply = await service.admin.get('/v1/me', { 'x-request-id': sent });
      expect(reply.headers.get('x-request-id')).toMatch(/^[0-9a-f]{24}$/);
    },
  );

  test('every request without one gets its own', async () => {
    const ids = await Promise.all(
      Array.from({ length: 10 }, async () => (await stranger.get('/healthz')).headers.get('x-request-id')),
    );
    expect(new Set(ids).size).toBe(10);
  });

  test('a refusal and the audit log carry it', async () => {
    const refused = await service.admin.get('/v1/clients/none', { 'x-request-id': 'refused-1' });
    expect([refused.headers.get('x-request-id'), refused.body.request_id]).toEqual(['refused-1', 'refused-1']);
    await service.admin.post('/v1/clients', { name: 'Logged' }, { 'x-request-id': 'made-1' });
    const { body } = await service.admin.get('/v1/audit-log?limit=1');
    expect(body.data[0].request_id).toBe('made-1');
  });
});

describe('a defect', () => {
  const title = 'Internal error';
  const detail = 'The service has failed. Report the request id to the operator.';

  function errorsBody(broken: TestService) {
    const about = `${broken.addresses.baseUrl}/docs/errors#internal`;
    return { errors: [{ id: 'broken-1', status: '500', code: 'internal', links: { about }, title, detail }] };
  }

  const wires: [path: string, mediaType: string, body: (broken: TestService) => unknown][] = [
    ['/api/v2/clients', 'application/vnd.api+json', errorsBody],
    ['/v2/clients', 'application/json', errorsBody],
    [
      '/v1/clients',
      'application/problem+json',
      ({ addresses }) => ({
        type: `${addresses.baseUrl}/docs/errors#internal`,
        title,
        status: 500,
        detail,
        code: 'internal',
        request_id: 'broken-1',
      }),
    ],
  ];

  test('answers 500 with the request id and nothing else on every wire, and is logged and counted', async () => {
    const broken = await serviceForThisTest();
    await runSql(broken.database, 'ALTER TABLE client RENAME TO lost');
    for (const [path, mediaType, body] of wires) {
      const reply = await broken.admin.get(path, { 'x-request-id': 'broken-1' });
      expect([reply.status, reply.headers.get('content-type'), reply.headers.get('x-request-id')]).toEqual([
        500,
        mediaType,
        'broken-1',
      ]);
      expect(reply.body).toEqual(body(broken));
    }
    const defects = broken.log.map((line) => JSON.parse(line)).filter(({ msg }) => msg === 'defect');
    expect(defects).toHaveLength(3);
    for (const defect of defects) {
      expect(defect).toMatchObject({
        level: 50,
        requestId: 'broken-1',
        error: { type: 'DatabaseError', code: '42P01' },
      });
    }
    expect((await broken.admin.get('/metrics')).text).toContain('\nholdfast_defects_total 3\n');
  });

  test('in a token request answers the same way', async () => {
    const broken = await serviceForThisTest();
    await runSql(broken.database, 'ALTER TABLE signing_key RENAME TO lost');
    const body = {
      grant_type: 'client_credentials',
      client_id: broken.first.clientId,
      client_secret: broken.first.clientSecret,
    };
    const reply = await broken.admin.withToken(null).post('/oauth/token', body);
    expect([reply.status, reply.body.code, reply.body.detail]).toEqual([500, 'internal', detail]);
  });

  test('rolls back the change it happened in', async () => {
    const broken = await serviceForThisTest();
    await runSql(broken.database, 'ALTER TABLE audit_entry RENAME TO lost');
    expect((await broken.admin.post('/v1/clients', { name: 'Half' }, { 'idempotency-key': 'once' })).status).toBe(500);
    expect(await runSql(broken.database, 'SELECT FROM client')).toEqual([]);
    await runSql(broken.database, 'ALTER TABLE lost RENAME TO audit_entry');
    expect((await broken.admin.post('/v1/clients', { name: 'Whole' }, { 'idempotency-key': 'once' })).status).toBe(201);
  });
});

test('nodes that start at the same time on an empty database create one workspace, and both serve it', async () => {
  const database = await emptyDatabaseForThisTest();
  const nodes = await Promise.all([1, 2, 3].map(() => startTestService({ database })));
  try {
    expect(nodes.filter(({ firstApplication }) => firstApplication !== undefined)).toHaveLength(1);
    expect(await runSql(database, 'SELECT name FROM workspace')).toEqual([{ name: 'Workspace' }]);
    const id = await nodes[0]!.admin.makeClient('Shared');
    const replies = await Promise.all(nodes.map(({ admin }) => admin.get(`/v1/clients/${id}`)));
    expect(replies.map(({ status }) => status)).toEqual([200, 200, 200]);
  } finally {
    await Promise.all(nodes.map((node) => node.stop()));
  }
});
