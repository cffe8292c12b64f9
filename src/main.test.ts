// Checks the program as started by hand or by a supervisor: what it prints, how it ends, and what it refuses.

import { execFile, spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { chmod, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { Browser } from '../tests/setup/people/cookie-browser.ts';
import { emptyDatabaseForThisTest } from '../tests/setup/database/empty-database.ts';
import { runSql } from '../tests/setup/database/sql.ts';
import { Caller } from '../tests/setup/http/caller.ts';
import { makeDataFolder } from '../tests/setup/kit/memory-disk.ts';
import { programEnvironment } from '../tests/setup/node/program-environment.ts';
import { makeDatabase } from '../tests/setup/node/test-service.ts';
import { Keyring } from './signing/keyring.ts';
import { withStartLock } from './store/postgres/start-lock.ts';

const program = fileURLToPath(new URL('main.ts', import.meta.url));
const run = promisify(execFile);

/** For starts that are not about threads, each of which loads the whole service once more. */
const withoutThreads = { WORK_THREADS: '0' };

interface Running {
  readonly child: ChildProcess;
  readonly address: string;
  /** The printed output without the log. */
  readonly printed: string;
}

interface Ended {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

let dataDir: string;
const started: ChildProcess[] = [];

beforeAll(async () => {
  dataDir = await makeDataFolder('holdfast-main');
});

afterAll(async () => {
  for (const child of started) child.kill('SIGKILL');
  await rm(dataDir, { recursive: true, force: true });
});

function spawnProgram(settings: Readonly<Record<string, string>>, account: object = {}): ChildProcess {
  const env = { ...programEnvironment, PORT: '0', DATA_DIR: dataDir, DEMO: 'off', SHUTDOWN_GRACE_MS: '0', ...settings };
  const child = spawn(process.execPath, [program], { env, stdio: ['ignore', 'pipe', 'pipe'], ...account });
  started.push(child);
  return child;
}

async function start(settings: Readonly<Record<string, string>> = {}): Promise<Running> {
  const child = spawnProgram(settings);
  let output = '';
  let errorOutput = '';
  child.stderr!.on('data', (data: Buffer) => (errorOutput += data.toString()));
  await new Promise<void>((resolve, reject) => {
    child.stdout!.on('data', (data: Buffer) => {
      output += data.toString();
      if (/(then read it|since the start of the year):\n.*\n.*\n/.test(output)) resolve();
    });
    child.on('exit', (code) => reject(new Error(`It ended with ${code}: ${errorOutput}`)));
  });
  const printed = output.replace(/^\{.*\}\n/gm, '');
  return { child, printed, address: /running at (\S+)/.exec(printed)![1]! };
}

/** Returns the exit code. */
async function end(child: ChildProcess, signal: NodeJS.Signals): Promise<unknown> {
  child.kill(signal);
  const [code] = await once(child, 'exit');
  return code;
}

/** Root may write anywhere, so it steps down. */
const ordinaryUser = process.getuid?.() === 0 ? { uid: 65_534, gid: 65_534 } : {};

async function runToEnd(settings: Readonly<Record<string, string>>, account: object = {}): Promise<Ended> {
  const child = spawnProgram(settings, account);
  const [stdout, stderr] = [child.stdout!.toArray(), child.stderr!.toArray()];
  const [code] = await once(child, 'exit');
  return { code, stdout: (await stdout).join(''), stderr: (await stderr).join('') };
}

/** Runs the commands that the program printed in a shell. */
async function paste(...calls: readonly string[]): Promise<string> {
  return (await run('sh', ['-c', calls.join('\n')])).stdout;
}

let running: Running;
let calls: string[];

test('a first start prints its address and, once, the credentials of an admin', async () => {
  running = await start();
  expect(running.address).toMatch(/^http:\/\/127\.0\.0\.1:[1-9]\d+$/);
  expect((await fetch(`${running.address}/readyz`)).status).toBe(200);
  const [clientId] = /hfa_[0-9a-f]{24}/.exec(running.printed)!;
  const [secret] = /hfs_[\w-]{43}/.exec(running.printed)!;
  const words = [
    [running.address, 'ADDRESS'],
    [dataDir, 'DATA'],
    [clientId, 'ID'],
    [secret, 'SECRET'],
  ] as const;
  const shown = words.reduce((text, [word, name]) => text.replaceAll(word, name), running.printed);
  expect(
    shown
      .replace(/invites\/[\w-]{67}/, 'invites/…')
      .replace(/127\.0\.0\.1:\d+/, 'PROVIDERS')
      .split('\n'),
  ).toEqual([
    'Holdfast is running at ADDRESS',
    '  API reference  ADDRESS/docs',
    '  sign in        ADDRESS/sign-in with Provider A (for trying out), Provider B (for trying out), Provider C (for trying out)',
    '  providers      http://PROVIDERS (for trying out: they sign in anyone)',
    '  data           DATA',
    '  mail           DATA/mail',
    '',
    'A workspace and an admin application were created. Save its secret, it is shown only once:',
    '  client_id      ID',
    '  client_secret  SECRET',
    'Become its administrator with this link, which works once, within a day:',
    '  ADDRESS/invites/…',
    '',
    'Get a token:',
    expect.stringMatching(/^ {2}TOKEN=\$\(curl -s ADDRESS\/oauth\/token .*"client_id":"ID","client_secret":"SECRET"/),
    'Create a client, then read it:',
    expect.stringMatching(/^ {2}curl -s ADDRESS\/v1\/clients .*"name"/),
    expect.stringMatching(/^ {2}curl -s ADDRESS\/v1\/clients /),
    '',
    '',
  ]);
});

test('a trial start offers an identity provider that needs no account', async () => {
  expect(running.printed).toContain(`sign in        ${running.address}/sign-in with Provider A (for trying out), `);
  const browser = new Browser();
  const page = await browser.press(await browser.open(`${running.address}/sign-in`), /Provider A/);
  expect(page.title).toBe('Sign in at provider_a');
});

test('in production there is no such provider, and the sign-in page says that none is configured', async () => {
  const database = await makeDatabase();
  const own = {
    ...withoutThreads,
    NODE_ENV: 'production',
    DATABASE_URL: database.url,
    ENCRYPTION_KEY: Keyring.generate(),
  };
  const { child, address, printed } = await start(own);
  expect(printed).toContain(`sign in        ${address}/sign-in (no identity provider is configured)\n`);
  expect((await new Browser().open(`${address}/sign-in`)).visibleText).toContain(
    'No identity provider is configured here',
  );
  expect(await end(child, 'SIGTERM')).toBe(0);
  await database.drop();
});

test('a bootstrap secret that the operator has set is never printed', async () => {
  const database = await emptyDatabaseForThisTest();
  const secret = 'chosen-by-the-operator-for-this-test';
  const own = { ...withoutThreads, DATABASE_URL: database.url, ENCRYPTION_KEY: Keyring.generate() };
  const { child, address, printed } = await start({
    ...own,
    BOOTSTRAP_CLIENT_ID: 'the-admin',
    BOOTSTRAP_CLIENT_SECRET: secret,
  });
  expect(printed).toContain('Its secret is that of BOOTSTRAP_CLIENT_SECRET:\n  client_id      the-admin\n');
  expect(printed).not.toContain(secret);
  const { token } = await Caller.withCredentials(address, { clientId: 'the-admin', clientSecret: secret });
  expect(token).not.toBe('');
  await end(child, 'SIGTERM');
});

/** Has a program print how it sets the collector. */
const printingFlags = `import v8 from 'node:v8';
  import { syncBuiltinESMExports } from 'node:module';
  const set = v8.setFlagsFromString;
  v8.setFlagsFromString = (flags) => { process.stderr.write(flags + '\\n'); set(flags); };
  syncBuiltinESMExports();`;

test.each([
  ['without threads', '0', 20],
  ['with one thread', '1', 30],
])(
  'a node %s lets its heap grow by less while it imports, the smaller it is to stay',
  async (_how, threads, percent) => {
    const database = await emptyDatabaseForThisTest();
    const application = { clientId: 'the-admin', clientSecret: 'chosen-by-the-operator-for-this-test' };
    const { child, address } = await start({
      WORK_THREADS: threads,
      DATABASE_URL: database.url,
      ENCRYPTION_KEY: Keyring.generate(),
      BOOTSTRAP_CLIENT_ID: application.clientId,
      BOOTSTRAP_CLIENT_SECRET: application.clientSecret,
      NODE_OPTIONS: `${programEnvironment.NODE_OPTIONS ?? ''} --import=data:text/javascript,${encodeURIComponent(printingFlags)}`,
    });
    let printed = '';
    child.stderr!.on('data', (data: Buffer) => (printed += data.toString()));
    const caller = await Caller.withCredentials(address, application);
    const client = await caller.makeClient('Lindqvist Family');
    const headers = { 'content-type': 'text/csv' };
    await caller.send(`/v1/imports?client_id=${client}`, { method: 'POST', raw: 'no statement', headers });
    await expect.poll(() => /--heap-growing-percent=(\d+)/.exec(printed)?.[1]).toBe(String(percent));
    await end(child, 'SIGTERM');
  },
);

test('the printed calls work in a shell', async () => {
  calls = running.printed.split('\n').filter((line) => /^ {2}(TOKEN=|curl )/.test(line));
  expect(calls).toHaveLength(3);
  const created = JSON.parse(await paste(calls[0]!, calls[1]!));
  expect(created).toMatchObject({ name: 'Lindqvist Family', reference_currency: 'EUR' });
  expect(JSON.parse(await paste(calls[0]!, calls[2]!))).toMatchObject({ data: [created], has_more: false });
});

describe.concurrent('a failed start prints what to fix, and exits with 1', () => {
  test('on data in use by another process, which is left alone', async ({ expect }) => {
    const { code, stdout, stderr } = await runToEnd({});
    expect([code, stdout]).toEqual([1, '']);
    expect(stderr).toContain(`The data folder ${dataDir} is in use by process ${running.child.pid}`);
    expect(stderr.trim().split('\n')).toHaveLength(1);
    expect((await fetch(`${running.address}/readyz`)).status).toBe(200);
  });

  test('on a port in use', async ({ expect }) => {
    const database = await makeDatabase();
    const own = { DATABASE_URL: database.url, ENCRYPTION_KEY: Keyring.generate() };
    const { port } = new URL(running.address);
    const ended = await runToEnd({ ...own, PORT: port });
    await database.drop();
    const stderr = `PORT ${port} is in use by another process on 127.0.0.1. Stop that one, or set PORT to another port.\n`;
    expect(ended).toEqual({ code: 1, stdout: '', stderr });
  });

  // What is printed for other reasons: app/start-error.test.ts.
  test('with a folder that may not be written as DATA_DIR', async ({ expect }) => {
    const folder = await mkdtemp(join(tmpdir(), 'holdfast-refused-'));
    await chmod(folder, 0o500);
    const { code, stdout, stderr } = await runToEnd({ DATA_DIR: `${folder}/deeper` }, ordinaryUser);
    await rm(folder, { recursive: true });
    expect([code, stdout]).toEqual([1, '']);
    expect(stderr).toMatch(new RegExp(`^DATA_DIR is ${folder}/deeper, which cannot be used: [^\\n]+\\n$`));
  });
});

test('SIGTERM ends the program with 0, even with open connections, and its database before it', async () => {
  const databaseRuns = (): boolean => existsSync(join(dataDir, 'postgres', 'postmaster.pid'));
  expect(databaseRuns()).toBe(true);
  expect(await end(running.child, 'SIGTERM')).toBe(0); // a shutdown that takes too long ends with 1
  await expect(fetch(`${running.address}/healthz`)).rejects.toThrow('fetch failed');
  expect(databaseRuns()).toBe(false);
});

test('SIGTERM ends a start with 0 that waits for another node', async () => {
  const database = await emptyDatabaseForThisTest();
  const waiting = `SELECT FROM pg_stat_activity WHERE datname = current_database() AND query ~ 'pg_try_advisory|ROLLBACK' AND pid <> pg_backend_pid()`;
  await withStartLock({ connectionString: database.url }, async () => {
    const child = spawnProgram({
      ...withoutThreads,
      DATABASE_URL: database.url,
      ENCRYPTION_KEY: Keyring.generate(),
    });
    // The first is the lock's own.
    await expect.poll(async () => (await runSql(database, waiting)).length, { timeout: 60_000 }).toBeGreaterThan(1);
    expect(await end(child, 'SIGTERM')).toBe(0);
  });
});

test('a restart keeps data and credentials, and prints no secret', async () => {
  const first = running;
  running = await start(withoutThreads);
  const secret = /client_secret {2}(\S+)/.exec(first.printed)![1]!;
  expect(running.printed).not.toContain(secret);
  expect(running.printed).not.toContain('shown this once');
  expect(running.printed).toContain('"client_id":"<client_id>","client_secret":"<client_secret>"');
  const again = calls.map((call) => call.replaceAll(first.address, running.address));
  expect(JSON.parse(await paste(again[0]!, again[2]!)).data).toMatchObject([{ name: 'Lindqvist Family' }]);
  expect(await end(running.child, 'SIGINT')).toBe(0);
});

test('a start with a demo prints its banks and its application, and connects the one to the others', async () => {
  running = await start({ ...withoutThreads, DEMO: 'on' });
  const { address, printed } = running;
  expect(printed).toMatch(
    /^ {2}banks {10}http:\/\/127\.0\.0\.1:\d+ \(for trying out: the demo is connected to them\)$/m,
  );
  const [, clientId = '', clientSecret = ''] =
    /A demo family office .*\n {2}client_id {6}(\S+)\n {2}client_secret {2}(\S+)/.exec(printed)!;
  const demo = await Caller.withCredentials(address, { clientId, clientSecret });
  const connected = async (): Promise<number> => (await demo.get('/v1/authorities?limit=100')).body.data.length;
  await expect.poll(connected).toBe(5);
  expect(await end(running.child, 'SIGTERM')).toBe(0);
});
