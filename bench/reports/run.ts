// Measures reports over HTTP: holdings, and one and ten years of performance by each axis, for reporting entities with a thousand
// to a million transactions, first after a start and then repeatedly; and how heavy reports slow down light reads. `npm run
// bench:reports`; `--quick` runs a small round that only checks that everything works and writes no report.

import { fork } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import http from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { metricsSharedMs } from '../../src/app/metrics/metrics.ts';
import { Keyring } from '../../src/signing/keyring.ts';
import { startEmbeddedPostgres } from '../../src/store/postgres/embedded/embedded-postgres.ts';
import { bareLoadMs, startBareServer } from './bare-baselines.ts';
import { seedReports, type ReportFixture, type ReportDatabase } from './fixture.ts';
import { reportReports, type LightReadTimes, type ReportMeasurement, type Start } from './report.ts';
import { toTarget, type StartedTarget } from './started-target.ts';

const agent = new http.Agent({ keepAlive: true, maxSockets: 4 });
const isQuick = process.argv.includes('--quick');
/** `SIZES=1000,10000` and `ONLY=holdings` measure only these sizes, and the reports whose names begin so, and write nothing. */
const chosenSizes = process.env['SIZES']?.split(',').map(Number);
const only = process.env['ONLY'] ?? '';
const sizes = chosenSizes ?? (isQuick ? [1_000] : [1_000, 10_000, 100_000, 1_000_000]);
const isWritten = !isQuick && chosenSizes === undefined && only === '' && process.env['WRITE'] !== 'off';
const rounds = isQuick ? 2 : 7;
/** A report faster than this is requested as often as time allows, once to warm up the compiler and once to measure. */
const shortMs = 50;
const shortRounds = { ms: isQuick ? 100 : 3_000, most: 200 };

interface ReportRequest {
  readonly name: string;
  readonly isAlsoCold?: true;
  /** Whether the same bytes are also sent from memory. */
  readonly isAlsoBare?: true;
  path(entity: string): string;
}

const starts: Start[] = [];

const axes = ['portfolio', 'depository', 'instrument', 'class', 'detailed-class'];

function reportRequests({ days: { last } }: ReportFixture): ReportRequest[] {
  const performance = (start: string, by: string, detail: string): ((entity: string) => string) => {
    const axis = by === '' ? '' : `&by=${by}`;
    return (entity) =>
      `/v1/performance?reporting_entity_id=${entity}&start=${start}&end=${last}${axis}&detail=${detail}`;
  };
  return [
    {
      name: 'holdings',
      isAlsoCold: true,
      path: (entity) => `/v1/holdings?reporting_entity_id=${entity}&as_of=${last}&limit=100`,
    },
    { name: 'holdings, Plain', path: (entity) => `/v2/holdings/reporting-entities/${entity}` },
    { name: 'one year', path: performance('2025-01-01', '', 'series') },
    { name: 'ten years', isAlsoCold: true, path: performance('2016-01-01', '', 'series') },
    ...axes.map((axis) => ({ name: `ten years by ${axis}`, path: performance('2016-01-01', axis, 'summary') })),
    { name: 'ten years by all axes', path: performance('2016-01-01', axes.join(','), 'summary') },
    {
      name: 'ten years by all axes, all series',
      isAlsoBare: true,
      path: performance('2016-01-01', axes.join(','), 'series'),
    },
  ];
}

const dataDir = await mkdtemp(join(tmpdir(), 'holdfast-bench-'));
const postgres = await startEmbeddedPostgres({ dataDir, log: () => {}, settings: { autovacuum: 'off' } });
const { user, host, port, database } = postgres.connection;
const connection: ReportDatabase = {
  databaseUrl: `postgresql://${user}@${encodeURIComponent(host)}:${port}/${database}`,
  encryptionKey: Keyring.generate(),
};
try {
  const fixture = await seedReports(connection, sizes);
  const measured: ReportMeasurement[] = [];
  for (const [size, entity] of fixture.entities) measured.push(...(await measureSize(fixture, size, entity)));
  const lightReads = await measureLightReads(fixture, fixture.entities.get(sizes.at(-1)!)!);
  const text = reportReports(measured, lightReads, starts);
  process.stdout.write(text);
  if (isWritten) await writeFile(new URL('results.md', import.meta.url), text);
} finally {
  await postgres.stop();
  await rm(dataDir, { recursive: true, force: true });
}

async function measureSize(fixture: ReportFixture, size: number, entity: string): Promise<ReportMeasurement[]> {
  const found: ReportMeasurement[] = [];
  const warmTarget = await startTarget();
  const loadMs = await bareLoadMs(connection, fixture.clients.get(size)!);
  for (const { name, path, isAlsoCold, isAlsoBare } of reportRequests(fixture)) {
    if (!name.startsWith(only)) continue;
    const cold = isAlsoCold ? await firstAnswer(path(entity), fixture.token) : null;
    const requestOnce = (): Promise<TimedAnswer> => get(warmTarget.address + path(entity), fixture.token);
    const { bytes } = await requestOnce();
    const count = await warmedUp(requestOnce);
    const before = await serverMs(warmTarget);
    const warm = await timesOf(requestOnce, count);
    const server = ((await serverMs(warmTarget)) - before) / count;
    const bareMs = isAlsoBare ? await bareTimes(warmTarget.address + path(entity), fixture.token) : null;
    const coldMs = cold?.milliseconds ?? null;
    found.push({ size, name, coldMs, loadMs: cold && loadMs, warmMs: warm, serverMs: server, bareMs, bytes });
  }
  warmTarget.stop();
  return found;
}

/** Returns how often to measure a report: if it is short, as often as it was requested here. */
async function warmedUp(requestOnce: () => Promise<TimedAnswer>): Promise<number> {
  const first = Math.min(...(await timesOf(requestOnce, 2)));
  if (first >= shortMs) return rounds;
  const until = performance.now() + shortRounds.ms;
  let count = 0;
  for (; count < shortRounds.most && performance.now() < until; count++) await requestOnce();
  return count;
}

async function timesOf(requestOnce: () => Promise<TimedAnswer>, count: number): Promise<number[]> {
  const times: number[] = [];
  for (let round = 0; round < count; round++) times.push((await requestOnce()).milliseconds);
  return times;
}

/** The times of the same bytes from memory. */
async function bareTimes(url: string, token: string): Promise<number[]> {
  const bare = await startBareServer(url, token);
  const requestOnce = (): Promise<TimedAnswer> => get(bare.address, token);
  await requestOnce();
  const times = await timesOf(requestOnce, rounds);
  bare.stop();
  return times;
}

/** The total time that the service has spent on requests, from its metrics. */
async function serverMs({ address }: StartedTarget): Promise<number> {
  await delay(metricsSharedMs);
  const text = await (await fetch(`${address}/metrics`)).text();
  const sums = text.matchAll(/^holdfast_http_request_seconds_sum\{operation="(?!desk)[^}]*\} (?<seconds>\S+)$/gm);
  return [...sums].reduce((sum, { groups }) => sum + Number(groups!['seconds']) * 1_000, 0);
}

/** The first request after a start: the node is ready and the connection is open, but nothing about any entity is loaded. */
async function firstAnswer(path: string, token: string): Promise<TimedAnswer> {
  const target = await startTarget();
  await get(`${target.address}/v1/me`, token);
  const answered = await get(target.address + path, token);
  target.stop();
  return answered;
}

/** Measures light reads, alone and while a large report is computed repeatedly. */
async function measureLightReads(fixture: ReportFixture, entity: string): Promise<LightReadTimes> {
  const target = await startTarget();
  const light = `${target.address}/v1/clients/${fixture.clients.get(sizes[0]!)}`;
  const heavy = reportRequests(fixture).find(({ name }) => name === 'ten years by all axes')!;
  const reads = isQuick ? 200 : 2_000;
  const lightTimes = async (): Promise<number[]> => {
    const times: number[] = [];
    for (let read = 0; read < reads; read++) times.push((await get(light, fixture.token)).milliseconds);
    return times;
  };
  await get(target.address + heavy.path(entity), fixture.token);
  await lightTimes();
  const idle = await lightTimes();
  const aborter = new AbortController();
  let reports = 0;
  const repeatedReports = (async () => {
    for (; !aborter.signal.aborted; reports++) await get(target.address + heavy.path(entity), fixture.token);
  })();
  const busy = await lightTimes();
  aborter.abort();
  await repeatedReports;
  target.stop();
  return { idleMs: idle, busyMs: busy, reports };
}

interface TimedAnswer {
  readonly milliseconds: number;
  readonly bytes: number;
}

function get(url: string, token: string): Promise<TimedAnswer> {
  const began = performance.now();
  return new Promise((resolve, reject) => {
    const request = http.get(url, { agent, headers: { authorization: `Bearer ${token}` } }, (response) => {
      let bytes = 0;
      response.on('data', (piece: Buffer) => (bytes += piece.length));
      response.once('error', reject);
      response.once('end', () => {
        if (response.statusCode === 200) resolve({ milliseconds: performance.now() - began, bytes });
        else reject(new Error(`${url} answered ${response.statusCode}.`));
      });
    });
    request.once('error', reject);
  });
}

async function startTarget(): Promise<StartedTarget> {
  const began = performance.now();
  const child = fork(new URL('target.ts', import.meta.url), [JSON.stringify(connection)]);
  const target = toTarget(child, await once(child, 'message'));
  const listeningMs = performance.now() - began;
  await get(`${target.address}/readyz`, '');
  starts.push({ listeningMs, readyMs: performance.now() - began });
  return target;
}
