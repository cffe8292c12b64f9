// The mode that an operator sets for all nodes while they run, or for one node by its settings: what callers, people and load balancers are told.

import { randomBytes } from 'node:crypto';
import { afterEach, describe, expect, onTestFinished, test } from 'vitest';
import { runCommand } from '../../../src/app/admin/run-command.ts';
import { makeReadOnly } from '../../setup/database/full-disk.ts';
import { runSql } from '../../setup/database/sql.ts';
import { insertAdministrator } from '../../setup/people/person-caller.ts';
import { signedInBrowser } from '../../setup/people/signed-in-browser.ts';
import { makeDatabase, serviceForThisFile, startTestService } from '../../setup/node/test-service.ts';

const encryptionKey = randomBytes(32).toString('hex');
const service = serviceForThisFile({ watchMs: 100, settings: { ENCRYPTION_KEY: encryptionKey } });

interface Ended {
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
}

async function setMode(words: readonly string[], database = service.database): Promise<Ended> {
  const printed = { stdout: '', stderr: '' };
  const environment = { DATABASE_URL: database.url, ENCRYPTION_KEY: encryptionKey };
  const code = await runCommand(['mode', ...words], environment, {
    stdout: { write: (text) => (printed.stdout += text) },
    stderr: { write: (text) => (printed.stderr += text) },
  });
  return { code, ...printed };
}

async function follow(...words: readonly string[]): Promise<void> {
  expect((await setMode(words)).stderr).toBe('');
  const expected = words[0] === 'normal' ? 'ready' : words[0];
  await expect
    .poll(async () => (await service.admin.get('/readyz/write')).body.status, { timeout: 10_000 })
    .toBe(expected);
}

afterEach(() => follow('normal'));

const until = '2099-11-20T06:00Z';
const browser = { accept: 'text/html,application/xhtml+xml' };

describe('read-only', () => {
  test('a change is refused with the words of the operator and the end that they expect', async () => {
    await follow('read-only', '--message', 'We move to another data centre', '--until', until);
    const { status, headers, body } = await service.admin.post('/v1/clients', { name: 'Never' });
    expect([status, headers.get('retry-after'), body.code, body.title]).toEqual([
      503,
      '3600',
      'read-only-mode',
      'Read-only for the time being',
    ]);
    expect(body.detail).toBe(
      'The operator has made the service read-only until 2099-11-20 06:00 UTC. We move to another data centre. Everything can be read. Nothing was changed.',
    );
    expect((await service.admin.get('/v1/clients')).status).toBe(200);
    const notice = { message: 'We move to another data centre', until: '2099-11-20T06:00:00.000Z' };
    const ready = await service.admin.get('/readyz');
    expect([ready.status, ready.body]).toEqual([200, { status: 'ready', writes: 'read-only', ...notice }]);
    const writes = await service.admin.get('/readyz/write');
    expect([writes.status, writes.body]).toEqual([503, { status: 'read-only', ...notice }]);
  });

  test('a form is answered by a page that says so, and pages go on', async () => {
    const browser = await signedInBrowser(service, await insertAdministrator(service));
    const form = await browser.open('/console/developers/applications/new');
    await follow('read-only', '--message', 'We move.', '--until', until);
    const page = await browser.press(form, 'Create', { name: 'Never', right_read: 'true' });
    expect([page.status, page.headers.get('retry-after')]).toEqual([503, '3600']);
    expect(page.visibleText).toMatch(
      /Nothing can be changed at the moment .*You can read everything.* We move\. We expect this to end on 20 Nov 2099, 06:00 UTC/,
    );
    expect((await browser.open('/console')).status).toBe(200);
  });
});

describe('maintenance', () => {
  test('every request of the API is refused with the words of the operator, whoever sends it', async () => {
    await follow('maintenance', '--message', 'The database is moved.', '--until', until);
    const { admin } = service;
    const detail =
      'The service is under maintenance until 2099-11-20 06:00 UTC. The database is moved. Nothing was changed.';
    for (const reply of [
      await admin.get('/v1/clients'),
      await admin.post('/v1/clients', { name: 'Never' }),
      await admin.withToken(null).get('/v1/clients'),
      await admin.get('/v1/no-such-path'),
    ])
      expect([reply.status, reply.body.code, reply.body.detail]).toEqual([503, 'maintenance', detail]);
    for (const path of ['/v2/clients', '/api/v2/clients'])
      expect((await admin.get(path)).body.errors).toMatchObject([{ code: 'maintenance', detail }]);
    const token = await admin.withToken(null).post('/oauth/token', { grant_type: 'client_credentials' });
    expect([token.status, token.body]).toEqual([503, { error: 'temporarily_unavailable', error_description: detail }]);
  });

  test('the node is healthy and not ready, and says why; its metrics and the reference are answered', async () => {
    await follow('maintenance', '--message', 'Back soon');
    const { admin } = service;
    expect((await admin.get('/healthz')).body).toEqual({ status: 'alive' });
    for (const path of ['/readyz', '/readyz/write']) {
      const { status, body } = await admin.get(path);
      expect([status, body]).toEqual([503, { status: 'maintenance', message: 'Back soon' }]);
    }
    expect((await admin.get('/version')).status).toBe(200);
    expect((await admin.get('/metrics')).text).toMatch(/^holdfast_writes_possible 0$/m);
    expect((await admin.get('/docs/errors')).text).toContain('maintenance');
  });

  test('people are shown a page in their language that looks again by itself, with its style sheet', async () => {
    await follow('maintenance', '--message', '<b>Back</b> soon', '--until', until);
    const { admin } = service;
    const open = (path: string, language: string) =>
      admin.withToken(null).get(path, { ...browser, 'accept-language': language });
    const german = await open('/', 'de-CH');
    expect([german.status, german.headers.get('retry-after')]).toEqual([503, '3600']);
    expect(german.headers.get('content-security-policy')).toContain("default-src 'none'");
    expect(german.text).toMatch(/<html lang="de">.*<h1>Wartungsarbeiten<\/h1>.*Es geht nichts verloren.*2099/s);
    expect(german.text).toContain('&lt;b&gt;Back&lt;/b&gt; soon');
    expect(german.text).toContain('<meta http-equiv="refresh" content="30" />');
    const english = await open('/no-such-page', 'en');
    expect([english.status, english.text]).toEqual([503, expect.stringContaining('<h1>Under maintenance</h1>')]);
    const [, style = ''] = /href="(\/console\.css[^"]*)"/.exec(english.text) ?? [];
    expect((await open(style, 'en')).headers.get('content-type')).toBe('text/css; charset=utf-8');
  });
});

describe('the setting MODE', () => {
  test('is stricter than what is set for all nodes, and lets a node start on a database that accepts no changes', async () => {
    const database = await makeDatabase();
    onTestFinished(() => database.drop());
    await (await startTestService({ database })).stop();
    await runSql(database, makeReadOnly(database.name));
    const settings = { MODE: 'read-only', MODE_MESSAGE: 'Moving', MODE_UNTIL: until };
    const node = await startTestService({ database, settings });
    onTestFinished(() => node.stop());
    const refused = await node.admin.post('/v1/clients', { name: 'Never' });
    expect([refused.body.code, refused.body.detail]).toEqual(['read-only-mode', expect.stringContaining('Moving.')]);
    expect(await setMode(['maintenance'], database)).toMatchObject({
      code: 1,
      stderr: expect.stringMatching(/^The database accepts no changes, so it cannot keep a mode.*MODE_MESSAGE/),
    });
  });

  test('forbids a start on an empty database, which nothing may be written into', async () => {
    const database = await makeDatabase();
    onTestFinished(() => database.drop());
    await expect(startTestService({ database, settings: { MODE: 'maintenance' } })).rejects.toThrow(
      /The database has no workspace yet, and none can be created now/,
    );
  });
});

describe('holdfast mode', () => {
  test('shows the mode, also for a program', async () => {
    expect((await setMode([])).stdout).toBe('The mode is normal: everything works.\n');
    await setMode(['read-only', '--message', 'Moving', '--until', until]);
    expect((await setMode([])).stdout).toBe(
      'The mode is read-only: changes are refused, everything can be read.\n' +
        '  message  Moving\n  until    2099-11-20 06:00 UTC\nNodes follow within seconds. `holdfast mode normal` ends it.\n',
    );
    expect(JSON.parse((await setMode(['--json'])).stdout)).toEqual({
      mode: 'read-only',
      message: 'Moving',
      until: '2099-11-20T06:00:00.000Z',
    });
  });

  test.each([
    [['slow'], 'There is no mode slow. Name one of normal, read-only, maintenance.'],
    [['read-only', '--until', 'tomorrow'], '--until must be a moment with its time zone, such as 2026-11-20T06:00Z.'],
    [['read-only', '--until', '2001-01-01T00:00Z'], '--until is 2001-01-01 00:00 UTC, which has passed.'],
    [['read-only', '--message', 'two\nlines'], '--message must be one line of at most 500 characters.'],
    [['normal', '--message', 'Hello'], 'In the mode normal nobody is told anything'],
  ])('%j is refused, and changes nothing', async (words, message) => {
    const { code, stderr } = await setMode(words);
    expect([code, stderr]).toEqual([2, expect.stringContaining(message)]);
    expect((await setMode([])).stdout).toBe('The mode is normal: everything works.\n');
  });

  test('what another tool has written as the comment is no mode', async () => {
    await runSql(service.database, `COMMENT ON TABLE schema_migration IS 'which migrations were run'`);
    expect((await setMode([])).stdout).toBe('The mode is normal: everything works.\n');
  });
});
