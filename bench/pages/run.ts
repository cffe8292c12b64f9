// Measures the pages of the portal over HTTP: the time to the first byte of a page, and of the API calls behind it, in turns. On the demo: ten
// years of a family in five currencies. `npm run bench:pages`; `--quick` only checks that everything works and writes no report.

import { fork } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import http from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pino from 'pino';
import { openSession } from '../../src/actions/access/session.ts';
import { makePrintedLink } from '../../src/actions/people/administrator.ts';
import { acceptInvite } from '../../src/actions/people/invite-acceptance.ts';
import { readConfig } from '../../src/app/config.ts';
import { startService } from '../../src/app/start-service.ts';
import { defined } from '../../src/kit/assert.ts';
import { Keyring } from '../../src/signing/keyring.ts';
import { startEmbeddedPostgres } from '../../src/store/postgres/embedded/embedded-postgres.ts';
import { median } from '../figures.ts';
import { machine } from '../http-load.ts';
import { toTarget } from '../reports/started-target.ts';

const isQuick = process.argv.includes('--quick');
const rounds = isQuick ? 2 : Number(process.env['ROUNDS'] ?? 60);
const warmUps = isQuick ? 1 : Math.ceil(rounds / 2);
/** As many calls at the same time as a page makes. */
const agent = new http.Agent({ keepAlive: true, maxSockets: 32 });
const host = 'bench.test';
const ratioMax = 1.3;

interface Measured {
  readonly name: string;
  readonly calls: number;
  readonly pageMs: readonly number[];
  readonly apiMs: readonly number[];
}

const dataDir = await mkdtemp(join(tmpdir(), 'holdfast-bench-'));
const postgres = await startEmbeddedPostgres({ dataDir, log: () => {} });
const { user, host: databaseHost, port, database } = postgres.connection;
const connection = {
  databaseUrl: `postgresql://${user}@${encodeURIComponent(databaseHost)}:${port}/${database}`,
  encryptionKey: Keyring.generate(),
};
try {
  const { cookie, entity } = await seed();
  const child = fork(new URL('../reports/target.ts', import.meta.url), [JSON.stringify(connection)]);
  const target = toTarget(child, await once(child, 'message'));
  const measured: Measured[] = [];
  for (const [name, path] of pagesOf(entity)) measured.push(await measure(name, `${target.address}${path}`, cookie));
  target.stop();
  const text = report(measured);
  process.stdout.write(text);
  if (!isQuick && process.env['WRITE'] !== 'off') await writeFile(new URL('results.md', import.meta.url), text);
} finally {
  await postgres.stop();
  await rm(dataDir, { recursive: true, force: true });
}

function pagesOf(entity: string): readonly (readonly [name: string, path: string])[] {
  const at = `/entities/${entity}`;
  return [
    ['Overview of an entity', `${at}?as_of=2026-10-30`],
    ['Overview, all years', `${at}?as_of=2026-10-30&period=all`],
    ['Holdings', `${at}/holdings?as_of=2026-10-30`],
    ['Performance', `${at}/performance?as_of=2026-10-30`],
    ['Performance, all years', `${at}/performance?as_of=2026-10-30&period=all`],
    ['Activity', `${at}/activity`],
    ['Limits', `${at}/limits?as_of=2026-10-30`],
  ];
}

/** Creates the demo and signs somebody in who may see all of it. */
async function seed(): Promise<{ readonly cookie: string; readonly entity: string }> {
  const config = readConfig({
    PORT: '0',
    BASE_URL: `http://${host}`,
    DATABASE_URL: connection.databaseUrl,
    ENCRYPTION_KEY: connection.encryptionKey,
    DEMO: 'on',
    SANDBOX_CUSTODIAN: 'off',
    ROLE: 'api',
  });
  const { context, demoApplication, stop } = await startService(config, { log: pino({ level: 'silent' }) });
  const demo = defined(demoApplication, 'this start created the demo');
  const { link } = await makePrintedLink(context, demo);
  const identity = { provider: 'provider_a', issuer: 'https://provider.example', subject: 'bench' } as const;
  const email = { email: 'reader@bench.test', emailVerified: true };
  const accepted = await acceptInvite(context, link.split('/').at(-1) ?? '', { ...identity, ...email });
  if (accepted.outcome !== 'accepted') throw new Error(`Nobody was let in: ${accepted.reason}`);
  const { secret } = await openSession(context, accepted);
  await stop();
  return { cookie: `holdfast_session=${secret}`, entity: demo.reportingEntityId };
}

/** In turns, so that both see the same machine. */
async function measure(name: string, url: string, cookie: string): Promise<Measured> {
  const calls = await callsOf(url, cookie);
  const pageOnce = async (): Promise<number> => (await get(url, cookie)).firstByteMs;
  const apiOnce = async (): Promise<number> =>
    Math.max(...(await Promise.all(calls.map((call) => get(call, cookie)))).map(({ firstByteMs }) => firstByteMs));
  const [pageMs, apiMs]: [number[], number[]] = [[], []];
  for (let round = -warmUps; round < rounds; round++) {
    const [page, api] = [await pageOnce(), await apiOnce()];
    if (round < 0) continue;
    pageMs.push(page);
    apiMs.push(api);
  }
  return { name, calls: calls.length, pageMs, apiMs };
}

/** The calls that the page lists at its end: a reader could make them all at once. */
async function callsOf(url: string, cookie: string): Promise<readonly string[]> {
  const { text } = await get(url, cookie);
  const [, listed = ''] = /<pre tabindex="0">(.*?)<\/pre>/s.exec(text) ?? [];
  const paths = listed.replaceAll('&amp;', '&').matchAll(/^GET\s+(\S+)/gm);
  return [...paths].map(([, path = '']) => new URL(path, url).href);
}

function get(url: string, cookie: string): Promise<{ readonly firstByteMs: number; readonly text: string }> {
  const began = performance.now();
  return new Promise((resolve, reject) => {
    const headers = { cookie, host, accept: '*/*' };
    const request = http.get(url, { agent, headers }, (response) => {
      const firstByteMs = performance.now() - began;
      const parts: Buffer[] = [];
      response.on('data', (part: Buffer) => void parts.push(part));
      response.once('error', reject);
      response.once('end', () => {
        if (response.statusCode === 200) resolve({ firstByteMs, text: Buffer.concat(parts).toString() });
        else reject(new Error(`${url} answered ${response.statusCode}.`));
      });
    });
    request.once('error', reject);
  });
}

function report(measured: readonly Measured[]): string {
  const milliseconds = (values: readonly number[]): string =>
    `${median(values).toFixed(1)} (${Math.min(...values).toFixed(1)}–${Math.max(...values).toFixed(1)})`;
  const rows = measured.map(({ name, calls, pageMs, apiMs }) => {
    const ratio = median(pageMs) / median(apiMs);
    return `| ${name} | ${calls} | ${milliseconds(apiMs)} | ${milliseconds(pageMs)} | ${ratio.toFixed(2)} |`;
  });
  return `# bench/pages

Milliseconds from the request to the first byte, one reader, from another process on the same machine, as median (minimum–maximum) of ${rounds} rounds
after ${warmUps} to warm up. Each round requests the page and then, all at once, the API calls that it lists at its end ("the same by API"), with the same
session; "calls" is the time until the last of them has its first byte. The aim is a page that takes at most ${ratioMax} times as long as its calls. Data:
the demo's largest reporting entity, ten years in five currencies.

${machine()}

| page | calls | calls ms | page ms | page ÷ calls |
|---|---|---|---|---|
${rows.join('\n')}
`;
}
