// Runs scripts/prepare/prepare.cjs with the real npm on a small project whose packages are files, so that no registry is needed.

import { execFile, execFileSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { cp, mkdir, mkdtemp, readFile, rm, utimes, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';

const installMessage = 'Installing the packages that package-lock.json names ...\n';
let root = '';

beforeAll(async () => {
  root = await mkdtemp(join(tmpdir(), 'holdfast prepare '));
  await cp(join(import.meta.dirname, '..', 'scripts'), join(root, 'scripts'), { recursive: true });
});

afterAll(() => rm(root, { recursive: true, force: true }));

beforeEach(async () => {
  await rm(join(root, 'node_modules'), { recursive: true, force: true });
  await putProject({ leaf: '1.0.0', tool: '1.0.0' });
});

/** One package that the service needs, one for its tests, and one for another machine. */
async function putProject(versions: { leaf: string; tool: string }): Promise<void> {
  const resolved = (name: string): string => `file:${name}.tgz`;
  for (const [name, version] of Object.entries(versions)) await putTarball(name, version);
  const own = {
    name: 'project',
    version: '1.0.0',
    dependencies: { leaf: resolved('leaf') },
    devDependencies: { tool: resolved('tool') },
    optionalDependencies: { foreign: resolved('foreign') },
  };
  const packages = {
    '': own,
    'node_modules/leaf': { version: versions.leaf, resolved: resolved('leaf') },
    'node_modules/tool': { version: versions.tool, resolved: resolved('tool'), dev: true },
    'node_modules/foreign': { version: '1.0.0', resolved: resolved('foreign'), optional: true, os: ['plan9'] },
  };
  await putJson('package.json', own);
  await putJson('package-lock.json', {
    name: own.name,
    version: own.version,
    lockfileVersion: 3,
    requires: true,
    packages,
  });
}

async function putTarball(name: string, version: string): Promise<void> {
  await mkdir(join(root, 'package'), { recursive: true });
  await putJson('package/package.json', { name, version });
  execFileSync('tar', ['-czf', `${name}.tgz`, 'package'], { cwd: root });
}

async function putJson(path: string, value: unknown): Promise<void> {
  await writeFile(join(root, path), JSON.stringify(value));
}

interface Run {
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
}

function prepare(env: Record<string, string> = {}): Promise<Run> {
  const all = { ...process.env, npm_lifecycle_event: 'prestart', ...env };
  return new Promise((resolve) => {
    execFile(
      process.execPath,
      [join(root, 'scripts', 'prepare', 'prepare.cjs')],
      { env: all },
      (error, stdout, stderr) => resolve({ code: Number(error?.code ?? 0), stdout, stderr }),
    );
  });
}

async function installedVersion(name: string): Promise<string> {
  const text = await readFile(join(root, 'node_modules', name, 'package.json'), 'utf8');
  return (JSON.parse(text) as { version: string }).version;
}

async function putMarker(): Promise<string> {
  const marker = join(root, 'node_modules', 'marker');
  await writeFile(marker, '');
  return marker;
}

const silentRun = { code: 0, stdout: '', stderr: '' };

test('a fresh clone is installed with one line of output, and the next run does nothing', async () => {
  expect(await prepare()).toEqual({ ...silentRun, stdout: installMessage });
  expect(await installedVersion('leaf')).toBe('1.0.0');
  const marker = await putMarker();
  expect(await prepare()).toEqual(silentRun);
  expect(existsSync(marker)).toBe(true);
});

test('packages that were installed by hand are kept if they match the lockfile', async () => {
  await prepare();
  await rm(join(root, 'node_modules', '.prepared'));
  const marker = await putMarker();
  expect(await prepare()).toEqual(silentRun);
  expect(existsSync(marker)).toBe(true);
});

test('an interrupted install is repeated', async () => {
  await prepare();
  await rm(join(root, 'node_modules', '.package-lock.json'));
  expect(await prepare()).toEqual({ ...silentRun, stdout: installMessage });
});

test('a lockfile with another version is installed', async () => {
  await prepare();
  await putProject({ leaf: '1.1.0', tool: '1.0.0' });
  expect(await prepare()).toEqual({ ...silentRun, stdout: installMessage });
  expect(await installedVersion('leaf')).toBe('1.1.0');
});

test('a start does not need the packages of the tests, but a test run does', async () => {
  expect(await prepare({ NODE_ENV: 'production' })).toEqual({ ...silentRun, stdout: installMessage });
  expect(existsSync(join(root, 'node_modules', 'tool'))).toBe(false);
  expect(await prepare()).toEqual(silentRun);
  const test = { NODE_ENV: 'production', npm_lifecycle_event: 'pretest' };
  expect(await prepare(test)).toEqual({ ...silentRun, stdout: installMessage });
  expect(await installedVersion('tool')).toBe('1.0.0');
  expect(await prepare(test)).toEqual(silentRun);
});

test('of several processes in one folder, one installs and the others wait for it', async () => {
  const runs = await Promise.all([prepare(), prepare(), prepare()]);
  expect(runs.map(({ code }) => code)).toEqual([0, 0, 0]);
  expect(runs.map(({ stdout }) => stdout).join('')).toBe(installMessage);
});

test('a lock of a dead process is taken over', async () => {
  await mkdir(join(root, '.prepare-turn'));
  await utimes(join(root, '.prepare-turn'), 0, 0);
  expect(await prepare()).toEqual({ ...silentRun, stdout: installMessage });
  expect(existsSync(join(root, '.prepare-turn'))).toBe(false);
});

test('a machine without npm gets a clear message', async () => {
  const { code, stderr } = await prepare({ npm_execpath: '', PATH: root });
  expect(code).toBe(1);
  expect(stderr).toContain('npm cannot be started');
});

test('a machine that cannot reach the registry gets a clear message with npm’s output', async () => {
  await putJson('package.json', { name: 'project', version: '1.0.0', dependencies: { leaf: '1.0.0' } });
  const packages = { '': { dependencies: { leaf: '1.0.0' } }, 'node_modules/leaf': { version: '1.0.0' } };
  await putJson('package-lock.json', {
    name: 'project',
    version: '1.0.0',
    lockfileVersion: 3,
    requires: true,
    packages,
  });
  const closed = { npm_config_registry: 'http://127.0.0.1:9/', npm_config_fetch_retries: '0' };
  const { code, stderr } = await prepare({ ...closed, npm_config_cache: join(root, 'cache') });
  expect(code).toBe(1);
  expect(stderr).toMatch(/^npm ci failed. The package registry cannot be reached.*\n[^]*ECONNREFUSED/);
});
