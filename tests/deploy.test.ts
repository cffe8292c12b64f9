// What deploy/ sets is what the service understands: the image, the compose file and the systemd unit start a node in production.

import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { readConfig } from '../src/app/config.ts';
import { operations } from '../src/surfaces/operations.ts';

const databaseUrl = 'postgresql://holdfast:hush@db.internal:5432/holdfast';
const encryptionKey = '6b1f9a03d4e85c72a90b3e6df25c84170ce4b79a1d683f5298f0d1237ac6be45';

let secrets: string;

beforeAll(async () => {
  secrets = await mkdtemp(join(tmpdir(), 'holdfast-deploy-'));
  await writeFile(join(secrets, 'database_url'), `${databaseUrl}\n`);
  await writeFile(join(secrets, 'encryption_key'), `${encryptionKey}\n`);
});
afterAll(() => rm(secrets, { recursive: true, force: true }));

function deployText(name: string): Promise<string> {
  return readFile(new URL(`../deploy/${name}`, import.meta.url), 'utf8');
}

/** The settings in lines such as `Environment=A=1 B=2` and `ENV A=1 B=2`. */
function assignments(text: string, start: RegExp): Record<string, string> {
  const lines = text.split('\n').filter((line) => start.test(line));
  const words = lines.flatMap((line) => line.replace(start, '').split(' '));
  return Object.fromEntries(words.map((word) => [word.slice(0, word.indexOf('=')), word.slice(word.indexOf('=') + 1)]));
}

test('the unit starts a production node behind a proxy on the same machine, with its secrets as credentials', async () => {
  const unit = await deployText('holdfast.service');
  const settings = assignments(unit.replaceAll('%d', secrets), /^Environment=/);
  expect(readConfig(settings)).toMatchObject({ isProduction: true, host: '127.0.0.1', databaseUrl, encryptionKey });
  for (const name of ['database_url', 'encryption_key']) expect(unit).toContain(`LoadCredential=${name}:`);
});

test('the image with the settings of the compose file starts a production node that is reached by the proxy alone', async () => {
  const image = assignments(await deployText('Containerfile'), /^ENV /);
  const compose = await deployText('compose.yaml');
  const block = /environment: &environment\n((?: {4}.*\n)+)/.exec(compose)?.[1] ?? '';
  const pairs = block.split('\n').flatMap((line) => {
    const [, name, value] = /^ {4}([A-Z_]+): '?(.*?)'?$/.exec(line) ?? [];
    return name === undefined || value === undefined ? [] : [[name, value] as const];
  });
  const settings = Object.fromEntries(
    pairs.map(([name, value]) => [
      name,
      value.replace('/run/secrets', secrets).replace(/\$\{HOST_NAME[^}]*\}/, 'wealth.example.com'),
    ]),
  );
  expect(readConfig({ ...image, ...settings })).toMatchObject({
    isProduction: true,
    host: '0.0.0.0',
    baseUrl: 'https://wealth.example.com',
    metrics: { host: '0.0.0.0', port: 9_464 },
    dataDir: '/data',
    trustedProxies: [/subnet: (\S+) }/.exec(compose)?.[1]],
    databaseUrl,
    encryptionKey,
  });
  expect(compose.match(/ports:.*/g)).toEqual(["ports: ['80:80', '443:443', '443:443/udp']"]);
});

test('a node has longer to stop, under compose and systemd, than it takes at most', async () => {
  const stopMsMax = Number(
    /stopMsMax = ([\d_]+)/.exec(await readFile('src/app/start/stop-on-signal.ts', 'utf8'))?.[1]?.replace('_', ''),
  );
  const [unit, compose] = [await deployText('holdfast.service'), await deployText('compose.yaml')];
  expect(Number(/TimeoutStopSec=(\d+)/.exec(unit)?.[1]) * 1_000).toBeGreaterThan(stopMsMax);
  expect(Number(/stop_grace_period: (\d+)s/.exec(compose)?.[1]) * 1_000).toBeGreaterThan(stopMsMax);
});

test('the proxy asks for readiness for reads and for changes, publishes neither, and sends every operation that only reads to nodes that can read', async () => {
  const proxy = await deployText('Caddyfile');
  expect(proxy.match(/health_uri (\S+)/g)).toEqual(['health_uri /readyz', 'health_uri /readyz/write']);
  expect(proxy).toContain('@operators path /metrics /readyz /readyz/*');
  const [, methods = '', paths = ''] = /@reads expression `method\((.*?)\) \|\| path\((.*?)\)`/.exec(proxy) ?? [];
  const words = (list: string): string[] => [...list.matchAll(/'([^']+)'/g)].map(([, word = '']) => word);
  expect(words(methods)).toEqual(['GET', 'HEAD', 'OPTIONS']);
  const reading = operations.filter(({ method, mode }) => method !== 'GET' && mode === 'read').map(({ path }) => path);
  expect(reading.length).toBeGreaterThan(0);
  expect(reading.filter((path) => !words(paths).includes(path))).toEqual([]);
});
