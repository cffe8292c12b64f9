// What an operator sets for one workspace: it holds on every node within seconds, for that workspace and for no other.

import { request as httpRequest } from 'node:http';
import { beforeEach, describe, expect, test } from 'vitest';
import { measureStorage } from '../../../src/actions/access/storage-quota.ts';
import { deleteExpired } from '../../../src/jobs/expiry.ts';
import { RequestLogWriter } from '../../../src/jobs/request-log-writer.ts';
import { dayMs, minuteMs, secondMs } from '../../../src/kit/clock.ts';
import { Keyring } from '../../../src/signing/keyring.ts';
import { runSql } from '../../setup/database/sql.ts';
import { tenantOf } from '../../setup/events/event-source.ts';
import type { Caller, Reply } from '../../setup/http/caller.ts';
import { operatorOf } from '../../setup/node/operator.ts';
import { serviceForThisFile, serviceForThisTest } from '../../setup/node/test-service.ts';
import { CamtText } from '../../setup/statements/camt-text.ts';
import { makeHousehold, makeRecord } from '../../setup/structure/structure-document.ts';

const encryptionKey = Keyring.generate();
const settings = {
  ENCRYPTION_KEY: encryptionKey,
  BUDGET_PER_MINUTE: '600000',
  BUDGET_BURST: '10000',
  BASE_URL: 'https://api.holdfast.example',
  AUDIT_RETENTION_DAYS_MIN: '60',
};
const service = serviceForThisFile({ settings });
const operator = operatorOf(() => ({ DATABASE_URL: service.database.url, ...settings }));

interface Workspace {
  readonly admin: Caller;
  readonly id: string;
}

/** The one that is limited, and one beside it. */
let limited: Workspace;
let beside: Workspace;

const open = async (): Promise<Workspace> => {
  const admin = await service.openWorkspace();
  return { admin, id: (await tenantOf(admin)).workspaceId };
};

beforeEach(async () => {
  [limited, beside] = [await open(), await open()];
});

const set = (id: string, ...words: readonly string[]) => operator('workspace', 'settings', id, ...words);
const statusOf = ({ status, body }: Reply): unknown[] => [status, body?.code];

/** Nodes learn what was set with their next lease of the budget. */
const afterSeconds = (): void => void service.clock.advance(3 * secondMs);

const settingsOf = async ({ admin }: Workspace): Promise<any> =>
  Object.fromEntries((await admin.get('/v1/usage')).body.settings.map(({ name, ...rest }: any) => [name, rest]));

describe('the request budget', () => {
  test('of one workspace holds on two nodes within seconds, in its headers, and for nobody else', async () => {
    const other = await serviceForThisTest({ settings, database: service.database, clock: service.clock });
    const nodes = [limited.admin, limited.admin.atAddress(other.admin.address)];
    const policies = async (): Promise<unknown[]> =>
      Promise.all(
        nodes.map(async (node) => {
          const { status, headers } = await node.get('/v1/me');
          return [status, headers.get('ratelimit-policy')];
        }),
      );
    const usual = [200, '"burst";q=10000;w=1'];
    expect(await policies()).toEqual([usual, usual]);
    await set(limited.id, '--requests-per-minute', '60', '--burst', '5');
    afterSeconds();
    const replies: Reply[] = [];
    for (let turn = 0; turn < 10; turn++) replies.push(await nodes[turn % 2]!.get('/v1/me'));
    const admitted = replies.filter(({ status }) => status === 200);
    expect(admitted.length).toBeLessThanOrEqual(5);
    expect(admitted.length).toBeGreaterThan(0);
    const refused = replies.findLast(({ status }) => status === 429)!;
    expect(refused.body.detail).toContain('The budget of 60 requests a minute, with bursts of 5, is used up.');
    expect(refused.headers.get('ratelimit-policy')).toBe('"burst";q=5;w=5');
    expect((await beside.admin.get('/v1/me')).headers.get('ratelimit-policy')).toBe('"burst";q=10000;w=1');
    await set(limited.id, '--requests-per-minute', 'default', '--burst', 'default');
    afterSeconds();
    expect(await policies()).toEqual([usual, usual]);
  });

  test('is larger at once for whoever waits for a small one', async () => {
    await set(limited.id, '--requests-per-minute', '1', '--burst', '1');
    afterSeconds();
    const statuses = [await limited.admin.get('/v1/me'), await limited.admin.get('/v1/me')];
    expect(statuses.map(({ status }) => status)).toEqual([200, 429]);
    expect(Number(statuses[1]!.headers.get('retry-after'))).toBeGreaterThan(50);
    await set(limited.id, '--default');
    afterSeconds();
    expect((await limited.admin.get('/v1/me')).status).toBe(200);
  });
});

describe('the storage quota', () => {
  test('refuses what would add, and lets reading, deleting and undoing go on until there is room', async () => {
    const client = await limited.admin.makeClient('Amsel');
    await measureStorage(service.context);
    await set(limited.id, '--storage-megabytes', '0');
    afterSeconds();
    const create = (workspace: Workspace) =>
      workspace.admin.post(
        '/v1/clients',
        { name: 'Buchfink', reference_currency: 'CHF' },
        { 'idempotency-key': 'one' },
      );
    const refused = await create(limited);
    expect(statusOf(refused)).toEqual([409, 'storage-quota-reached']);
    expect(refused.body.detail).toMatch(/take [\d.]+ MB in this environment\. Its quota is 0 MB\./);
    expect(statusOf(await limited.admin.patch(`/v1/clients/${client}`, { name: 'Meise' }))).toEqual(statusOf(refused));
    expect((await create(beside)).status).toBe(201);
    expect((await limited.admin.get('/v1/clients')).body.data).toHaveLength(1);
    expect((await limited.admin.delete(`/v1/clients/${client}`)).status).toBe(204);
    expect((await settingsOf(limited)).storage_bytes).toEqual({
      value: 0,
      source: 'workspace',
      used: expect.any(Number),
    });
    await set(limited.id, '--storage-megabytes', '50');
    afterSeconds();
    expect((await create(limited)).status).toBe(201);
  });

  test('repeats the answer of a request that was answered before it was reached', async () => {
    const create = (key: string) =>
      limited.admin.post('/v1/clients', { name: 'Amsel', reference_currency: 'CHF' }, { 'idempotency-key': key });
    const first = await create('known');
    await measureStorage(service.context);
    await set(limited.id, '--storage-megabytes', '0');
    afterSeconds();
    const [again, other] = [await create('known'), await create('new')];
    expect([again.status, again.body]).toEqual([201, first.body]);
    expect(other.status).toBe(409);
  });

  test('counts what was deleted no more, and what did not change not anew', async () => {
    const clients = await Promise.all(
      ['Amsel', 'Drossel', 'Fink', 'Star'].map((name) => limited.admin.makeClient(name)),
    );
    const measured = async (): Promise<any> => {
      const rows =
        'SELECT measured_at, row_count::int AS rows, bytes::int FROM storage_measure WHERE workspace_id = $1';
      return (await runSql(service.database, rows, [limited.id]))[0];
    };
    await measureStorage(service.context);
    const full = await measured();
    service.clock.advance(10 * minuteMs);
    await measureStorage(service.context);
    expect(await measured()).toEqual(full);
    const budgetRows = full.rows;
    await limited.admin.delete(`/v1/clients/${clients[0]}`);
    await measureStorage(service.context);
    const after = await measured();
    expect(after.measured_at).not.toEqual(full.measured_at);
    expect(budgetRows).toBeGreaterThan(4);
  });
});

describe('imports', () => {
  const camt = new CamtText({ version: 8 });
  const iban = 'CH9300762011623852957';

  async function makeSender({ admin }: Workspace) {
    const { client, legalEntity } = await makeHousehold(admin, 'Amsel');
    await makeRecord(admin, 'accounts', { entity_id: legalEntity, currency: 'CHF', external_identifier: iban });
    return (count: number, prefix: string): Promise<Reply> => {
      const entries = Array.from({ length: count }, (_, index) => camt.entry({ reference: `${prefix}-${index}` }));
      const headers = { 'content-type': 'text/plain' };
      return admin.send(`/v1/imports?client_id=${client}`, {
        method: 'POST',
        raw: camt.document([{ entries }]),
        headers,
      });
    };
  }

  test('of a day have a quota of rows, which begins anew at midnight UTC', async () => {
    const tenant = await tenantOf(limited.admin);
    const [send, sendBeside] = [await makeSender(limited), await makeSender(beside)];
    await set(limited.id, '--import-rows-per-day', '5');
    expect((await send(3, 'A')).status).toBe(201);
    const refused = await send(3, 'B');
    expect(statusOf(refused)).toEqual([429, 'import-day-quota-reached']);
    expect(refused.body.detail).toContain(
      'brought 3 rows today, and this import has at least 3. The workspace may import 5 rows a day.',
    );
    const untilMidnight = dayMs - (service.clock.now() % dayMs);
    expect(Number(refused.headers.get('retry-after'))).toBe(Math.ceil(untilMidnight / secondMs));
    expect((await sendBeside(6, 'A')).status).toBe(201);
    expect((await settingsOf(limited)).import_rows_per_day).toEqual({ value: 5, source: 'workspace', used: 3 });
    // What is deleted was imported all the same.
    const [{ id }] = (await limited.admin.get('/v1/imports')).body.data;
    await limited.admin.delete(`/v1/imports/${id}`);
    expect((await send(3, 'B')).status).toBe(429);
    service.clock.advance(untilMidnight);
    const later = await service.enter(tenant);
    limited = { ...limited, admin: later };
    expect((await settingsOf(limited)).import_rows_per_day.used).toBe(0);
  });

  test('that have no room are refused before their file is received', async () => {
    await set(limited.id, '--import-rows-per-day', '0');
    const { hostname, port } = new URL(limited.admin.address);
    const headers = {
      authorization: `Bearer ${limited.admin.token}`,
      'content-type': 'text/plain',
      'content-length': '900000000',
      expect: '100-continue',
    };
    const answer = await new Promise<{ status: number | undefined; text: string }>((resolve, reject) => {
      const sent = httpRequest({ hostname, port, path: '/v1/imports', method: 'POST', headers });
      sent.on('error', reject);
      sent.on('response', (response) => {
        let text = '';
        response.on('data', (piece: Buffer) => (text += piece.toString()));
        response.on('end', () => {
          resolve({ status: response.statusCode, text });
          sent.destroy();
        });
      });
      sent.flushHeaders();
    });
    expect(answer.status).toBe(429);
    expect(answer.text).toContain('The workspace may import 0 rows a day.');
  });
});

describe('retention', () => {
  const line = {
    method: 'GET',
    route: '/v1/me',
    path: '/v1/me',
    status: 200,
    code: null,
    durationMs: 1,
    credentialId: null,
    userId: null,
    requestId: 'kept',
    traceId: null,
  };

  const logged = async ({ id }: Workspace): Promise<number> => {
    const count = `SELECT count(*)::int FROM request_log WHERE workspace_id = $1 AND request_id = 'kept'`;
    return (await runSql<{ count: number }>(service.database, count, [id]))[0]!.count;
  };

  async function logLine(...workspaces: readonly Workspace[]): Promise<void> {
    const writer = new RequestLogWriter(service.context, { onDropped: () => {} });
    for (const { id } of workspaces) writer.record({ ...line, workspaceId: id as never, environment: 'production' });
    await writer.stop();
  }

  test('of one day for one workspace deletes only there, and only what is older', async () => {
    await logLine(limited, beside);
    await set(limited.id, '--request-log-days', '1');
    service.clock.advance(dayMs);
    await deleteExpired(service.context);
    expect([await logged(limited), await logged(beside)]).toEqual([1, 1]);
    service.clock.advance(1);
    await deleteExpired(service.context);
    expect([await logged(limited), await logged(beside)]).toEqual([0, 1]);
  });

  test('that is longer than the installation’s keeps what others lose', async () => {
    await logLine(limited, beside);
    await set(limited.id, '--request-log-days', '30');
    service.clock.advance(7 * dayMs + 1);
    await deleteExpired(service.context);
    expect([await logged(limited), await logged(beside)]).toEqual([1, 0]);
  });

  test('of very many different lengths is kept by each workspace', async () => {
    const days = Array.from({ length: 24 }, (_, index) => index + 1);
    const workspaces = await Promise.all(days.map(open));
    await logLine(...workspaces);
    for (const [index, { id }] of workspaces.entries()) await set(id, '--request-log-days', String(days[index]));
    service.clock.advance(20 * dayMs + 1);
    await deleteExpired(service.context);
    const counts = await Promise.all(workspaces.map(logged));
    expect(counts).toEqual(days.map((length) => (length > 20 ? 1 : 0)));
  });
});

describe('an operator', () => {
  test('sees what holds and why, changes it, and goes back to what the installation says', async () => {
    const read = async (...words: readonly string[]): Promise<any> => {
      const { code, stdout, stderr } = await set(limited.id, ...words, '--json');
      expect([code, stderr]).toEqual([0, '']);
      const [{ settings: found }] = JSON.parse(stdout);
      return Object.fromEntries(found.map(({ name, ...rest }: any) => [name, rest]));
    };
    expect((await read()).event_days).toEqual({ value: 90, source: 'installation', used: null });
    const changed = await read('--event-days', '2', '--import-megabytes', '3');
    expect([changed.event_days, changed.import_bytes]).toEqual([
      { value: 2, source: 'workspace', used: null },
      { value: 3_000_000, source: 'workspace', used: 0 },
    ]);
    expect((await read('--default', '--event-days', '400')).event_days.value).toBe(400);
    expect((await read()).import_bytes).toEqual({ value: 20_000_000_000, source: 'installation', used: 0 });
    const { data } = (await limited.admin.get('/v1/audit-log?subject_type=workspace')).body;
    expect(data.map(({ before, after }: any) => [before, after])).toEqual([
      [
        { id: limited.id, import_bytes: 3_000_000, event_days: 2 },
        {
          id: limited.id,
          import_bytes: null,
          event_days: 400,
          operator_command: 'workspace settings --default --event-days 400',
        },
      ],
      [
        { id: limited.id, import_bytes: null, event_days: null },
        {
          id: limited.id,
          import_bytes: 3_000_000,
          event_days: 2,
          operator_command: 'workspace settings --event-days 2 --import-megabytes 3',
        },
      ],
    ]);
    const { stdout } = await set(limited.id);
    expect(stdout).toMatch(/^event-days +production +400 +workspace/m);
    expect(stdout).toMatch(/^storage-megabytes +production +none +installation/m);
  });

  test.each([
    [['--event-days', '1'], '--event-days must be a whole number from 2 to 36500 (days), or default. It is "1".'],
    [['--audit-days', '59'], '--audit-days must be a whole number from 60 to 36500 (days), or default. It is "59".'],
    [['--burst', '0'], '--burst must be a whole number from 1 to 100000000 (requests), or default. It is "0".'],
    [['--storage-megabytes', '1e3'], '--storage-megabytes must be a whole number from 0 to 999999999 (megabytes)'],
    [['--request-log-days', '40000'], '--request-log-days must be a whole number from 1 to 36500 (days)'],
  ])('cannot set %j', async (words, message) => {
    const { code, stderr } = await set(limited.id, ...words);
    expect(code).toBe(2);
    expect(stderr).toContain(message);
    expect((await limited.admin.get('/v1/audit-log?subject_type=workspace')).body.data).toEqual([]);
  });

  test('is told of a workspace that does not exist', async () => {
    const { code, stderr } = await set('0000000000000000000000aa', '--burst', '5');
    expect([code, stderr.includes('There is no workspace 0000000000000000000000aa.')]).toEqual([1, true]);
  });

  test('sees in the usage of all what is set for each', async () => {
    await set(limited.id, '--import-rows-per-day', '9', '--storage-megabytes', '7');
    const rows = JSON.parse((await operator('usage', '--json')).stdout);
    const of = (id: string): any => rows.find((row: any) => row.workspace_id === id);
    expect(of(limited.id)).toMatchObject({
      storage_bytes_max: 7_000_000,
      import_rows_today: 0,
      import_rows_per_day: 9,
      own_settings: 'storage_bytes import_rows_per_day',
    });
    expect(of(beside.id)).toMatchObject({ storage_bytes_max: null, import_rows_per_day: null, own_settings: null });
  });
});
