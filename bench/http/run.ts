// Measures the cost of the whole request pipeline: an authenticated, budgeted read of one client on each wire, in processor time
// of the server, compared with bare node:http sending the same bytes and bare Fastify running the same query. `npm run
// bench:http`. `ONLY='Fastify,Holdfast JSON:API'` measures only the targets whose names begin so, and writes nothing.

import { fork, type ChildProcess } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import pg from 'pg';
import pino from 'pino';
import { readConfig } from '../../src/app/config.ts';
import { Keyring } from '../../src/signing/keyring.ts';
import { startService } from '../../src/app/start-service.ts';
import { machine, runLoad } from '../http-load.ts';
import { databaseMicroseconds } from '../processor-time.ts';
import { startEmbeddedPostgres } from '../../src/store/postgres/embedded/embedded-postgres.ts';

const rounds = Number(process.env['ROUNDS'] ?? 5);
const requests = Number(process.env['REQUESTS'] ?? 20_000);
const connections = 16;
const only = (process.env['ONLY'] ?? '').split(',');
/** Lines of the request log and spans are written up to a second after the answers: they belong to the target that has answered. */
const afterworkMs = 1_200;

interface Target {
  readonly name: string;
  readonly kind: string;
  readonly path: string;
}

interface Sample {
  readonly cpuMicroseconds: number;
  readonly databaseMicroseconds: number;
  readonly perSecond: number;
}

const dataDir = await mkdtemp(join(tmpdir(), 'holdfast-bench-'));
const postgres = await startEmbeddedPostgres({ dataDir, log: () => {} });
const { user, host, port, database } = postgres.connection;
const databaseUrl = `postgresql://${user}@${encodeURIComponent(host)}:${port}/${database}`;
const encryptionKey = Keyring.generate();
const children: ChildProcess[] = [];
try {
  const { clientId, token, workspaceId, example } = await seed();
  // Each has a process of its own: one that answers more becomes faster.
  const targets: Target[] = [
    { name: 'node:http, same bytes', kind: 'node:http', path: '/' },
    { name: 'Fastify, same query', kind: 'fastify', path: `/v1/clients/${clientId}` },
    { name: 'Fastify, query of JSON:API', kind: 'fastify for JSON:API', path: `/api/v2/clients/${clientId}` },
    { name: 'Holdfast v1', kind: 'holdfast', path: `/v1/clients/${clientId}` },
    { name: 'Holdfast Plain', kind: 'holdfast for Plain', path: `/v2/clients/${clientId}` },
    { name: 'Holdfast JSON:API', kind: 'holdfast for JSON:API', path: `/api/v2/clients/${clientId}` },
    {
      name: 'Holdfast v1, no row-level security',
      kind: 'holdfast without row-level security',
      path: `/v1/clients/${clientId}`,
    },
    { name: 'Holdfast v1, no request log', kind: 'holdfast without request log', path: `/v1/clients/${clientId}` },
    { name: 'Holdfast v1, every request traced', kind: 'holdfast with traces', path: `/v1/clients/${clientId}` },
    {
      name: 'Holdfast v1, one in a hundred traced',
      kind: 'holdfast with one trace in a hundred',
      path: `/v1/clients/${clientId}`,
    },
  ].filter(({ name }) => only.some((beginning) => name.startsWith(beginning)));
  const started = new Map<string, { child: ChildProcess; address: string }>();
  for (const kind of new Set(targets.map((target) => target.kind))) {
    started.set(kind, await startTarget(kind, [databaseUrl, encryptionKey, example, workspaceId]));
  }
  const samples = new Map<string, Sample[]>(targets.map(({ name }) => [name, []]));
  for (let round = 0; round <= rounds; round++) {
    for (const { name, kind, path } of targets) {
      const { child, address } = started.get(kind)!;
      const sample = await measure(child, `${address}${path}`, token);
      if (round > 0) samples.get(name)!.push(sample); // the first round warms up
    }
  }
  if (only.includes('')) await report(samples);
  else console.table(Object.fromEntries([...samples].map(([name, taken]) => [name, medians(taken)])));
} finally {
  for (const child of children) child.kill('SIGKILL');
  await postgres.stop();
  await rm(dataDir, { recursive: true, force: true });
}

/** Creates a workspace with a hundred clients and a token, and returns one of the clients as its wire writes it. */
async function seed() {
  // The same base URL for all processes, so that the token is valid at each of them.
  const config = readConfig({
    PORT: '0',
    BASE_URL: 'http://bench.test',
    DATABASE_URL: databaseUrl,
    ENCRYPTION_KEY: encryptionKey,
    BUDGET_BURST: '100000',
  });
  const service = await startService(config, { log: pino({ level: 'silent' }) });
  const baseUrl = `http://127.0.0.1:${(service.server.app.server.address() as { port: number }).port}`;
  const { workspaceId, clientId, clientSecret } = service.firstApplication!;
  const credentials = { grant_type: 'client_credentials', client_id: clientId, client_secret: clientSecret };
  const json = { 'content-type': 'application/json' };
  const answer = await fetch(`${baseUrl}/oauth/token`, {
    method: 'POST',
    headers: json,
    body: JSON.stringify(credentials),
  });
  const { access_token: token } = (await answer.json()) as { access_token: string };
  const headers = { ...json, authorization: `Bearer ${token}` };
  let example = '';
  for (let index = 0; index < 100; index++) {
    const body = JSON.stringify({ name: `Client ${index}` });
    example = await (await fetch(`${baseUrl}/v1/clients`, { method: 'POST', headers, body })).text();
  }
  await service.stop();
  await analyse();
  return { clientId: (JSON.parse(example) as { id: string }).id, token, workspaceId, example };
}

/** The server would do this by itself within a minute. Without, it reads all clients to find the children of one. */
async function analyse(): Promise<void> {
  const connection = new pg.Client({ connectionString: databaseUrl });
  await connection.connect();
  await connection.query('ANALYZE');
  await connection.end();
}

async function startTarget(kind: string, extraArguments: string[]): Promise<{ child: ChildProcess; address: string }> {
  const child = fork(new URL('target.ts', import.meta.url), [kind, ...extraArguments]);
  children.push(child);
  const { address } = await nextMessage<{ address: string }>(child);
  return { child, address };
}

function nextMessage<T>(child: ChildProcess): Promise<T> {
  return new Promise((resolve, reject) => {
    const ended = (): void => reject(new Error('A target has ended.'));
    child.once('exit', ended);
    child.once('message', (message) => {
      child.off('exit', ended);
      resolve(message as T);
    });
  });
}

async function cpuOf(child: ChildProcess): Promise<number> {
  const message = nextMessage<{ cpuMicroseconds: number }>(child);
  child.send('cpu');
  return (await message).cpuMicroseconds;
}

async function measure(child: ChildProcess, url: string, token: string): Promise<Sample> {
  const [before, databaseBefore] = [await cpuOf(child), await databaseMicroseconds(dataDir)];
  const seconds = await runLoad({ url, headers: { authorization: `Bearer ${token}` }, requests, connections });
  await delay(afterworkMs);
  return {
    cpuMicroseconds: ((await cpuOf(child)) - before) / requests,
    databaseMicroseconds: ((await databaseMicroseconds(dataDir)) - databaseBefore) / requests,
    perSecond: requests / seconds,
  };
}

function median(values: readonly number[]): number {
  return values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)]!;
}

function medians(samples: readonly Sample[]): Sample {
  const of = (field: keyof Sample): number => median(samples.map((sample) => sample[field]));
  return {
    cpuMicroseconds: of('cpuMicroseconds'),
    databaseMicroseconds: of('databaseMicroseconds'),
    perSecond: of('perSecond'),
  };
}

async function report(samples: ReadonlyMap<string, readonly Sample[]>): Promise<void> {
  const medianOf = (name: string, field: keyof Sample): number => medians(samples.get(name)!)[field];
  const http = medianOf('node:http, same bytes', 'cpuMicroseconds');
  const fastifyCpu = medianOf('Fastify, same query', 'cpuMicroseconds');
  const withDatabase = (name: string): number =>
    medianOf(name, 'cpuMicroseconds') + medianOf(name, 'databaseMicroseconds');
  const ownQuery = (name: string): string =>
    name.includes('JSON:API') ? 'Fastify, query of JSON:API' : 'Fastify, same query';
  const rows = [...samples.keys()].map((name) => {
    const cpu = medianOf(name, 'cpuMicroseconds');
    const cells = [
      cpu.toFixed(1),
      (cpu / http).toFixed(2),
      (cpu / fastifyCpu).toFixed(2),
      medianOf(name, 'databaseMicroseconds').toFixed(1),
      (withDatabase(name) / withDatabase('Fastify, same query')).toFixed(2),
      (withDatabase(name) / withDatabase(ownQuery(name))).toFixed(2),
      medianOf(name, 'perSecond').toFixed(0),
    ];
    return `| ${name} | ${cells.join(' | ')} |`;
  });
  const v1 = medianOf('Holdfast v1', 'cpuMicroseconds');
  const ofV1 = (name: string): string => (medianOf(name, 'cpuMicroseconds') / v1).toFixed(2);
  const unlogged = 'Holdfast v1, no request log';
  const logCost = (key: keyof Sample): string => (medianOf('Holdfast v1', key) - medianOf(unlogged, key)).toFixed(1);
  const text = `# bench/http

One client read, ${requests} requests over ${connections} connections, median of ${rounds} interleaved rounds. "Server" is the processor time of the server process;
the database's is in its own column. JSON:API also lists the ids of a client's children, legal entities and reporting entities: its query is measured with bare
Fastify as well; "both, × own query" compares with that, and the others with the query of v1. The load comes from another process on the same machine, so requests a second are a lower bound.

${machine()}

| | server µs a request | × node:http | × bare Fastify | database µs | both, × bare Fastify | both, × own query | requests/s |
|---|---|---|---|---|---|---|---|
${rows.join('\n')}

The request log, which is on unless told otherwise, costs ${logCost('cpuMicroseconds')} µs of the server and ${logCost('databaseMicroseconds')} µs of the database a request: "Holdfast v1" less "no request log".

Traces on, compared with traces off (server): × ${ofV1('Holdfast v1, every request traced')} with every request recorded and sent to a collector in the same process, × ${ofV1('Holdfast v1, one in a hundred traced')}
with one in a hundred. Off, requests have no span and nothing of OpenTelemetry is loaded.
`;
  process.stdout.write(text);
  if (process.env['WRITE'] !== 'off') await writeFile(new URL('results.md', import.meta.url), text);
}
