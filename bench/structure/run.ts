// What structure costs beside plain SQL: 10,000 accounts listed in one answer and in pages, and 10,000 made by 32 callers at
// once. `npm run bench:structure`; with `--quick` a small round that shows that everything works and writes nothing.

import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Keyring } from '../../src/signing/keyring.ts';
import { startEmbeddedPostgres } from '../../src/store/postgres/embedded/embedded-postgres.ts';
import { furnish } from './fixture.ts';
import { report, type Measured, type Sample } from './report.ts';
import { databaseMicroseconds, startTargets, type Targets } from './targets.ts';
import { trialsOn, type Trial, type Way } from './scenarios.ts';

const isQuick = process.argv.includes('--quick');
const rounds = isQuick ? 1 : Number(process.env['ROUNDS'] ?? 3);
const accounts = isQuick ? 1_000 : 10_000;
const callers = 32;

const dataDir = await mkdtemp(join(tmpdir(), 'holdfast-bench-'));
// Rows are swept between measurements, not in the midst of one.
const settings = { max_connections: '150', autovacuum: 'off' };
const postgres = await startEmbeddedPostgres({ dataDir, log: () => {}, settings });
const { user, host, port, database } = postgres.connection;
const databaseUrl = `postgresql://${user}@${encodeURIComponent(host)}:${port}/${database}`;
let targets: Targets | undefined;
try {
  const encryptionKey = Keyring.generate();
  const ground = await furnish({ databaseUrl, encryptionKey, accounts });
  const place = { ...ground, databaseUrl, connections: callers };
  targets = await startTargets({ ...place, encryptionKey });
  const measured: Measured[] = [];
  for (const trial of trialsOn({ ground, place, targets, accounts, callers })) {
    measured.push({ trial, samples: await conduct(trial) });
  }
  const text = report(measured, { rounds, accounts });
  process.stdout.write(text);
  if (!isQuick && process.env['WRITE'] !== 'off') await writeFile(new URL('results.md', import.meta.url), text);
} finally {
  for (const target of Object.values(targets ?? {})) target.stop();
  await postgres.stop();
  await rm(dataDir, { recursive: true, force: true });
}

/** The ways take turns, and who begins changes. The first round warms up. */
async function conduct(trial: Trial): Promise<Map<Way, Sample[]>> {
  const samples = new Map<Way, Sample[]>(trial.ways.map((way) => [way, []]));
  for (const way of trial.ways) await trial.after(await way.perform(trial.warmUp), trial.warmUp);
  for (let round = 0; round < rounds; round++) {
    const inTurn = round % 2 === 0 ? trial.ways : trial.ways.toReversed();
    for (const way of inTurn) samples.get(way)!.push(await measure(trial, way));
  }
  return samples;
}

async function measure({ times, requests, after }: Trial, { target, perform }: Way): Promise<Sample> {
  const [server, ofDatabase] = [await target.cpuMicroseconds(), await databaseMicroseconds(dataDir)];
  const began = performance.now();
  let answers: readonly Buffer[] = [];
  for (let time = 0; time < times; time++) answers = await perform(requests);
  const wallMs = (performance.now() - began) / times;
  const sample = {
    wallMs,
    serverMicroseconds: ((await target.cpuMicroseconds()) - server) / (times * requests),
    databaseMicroseconds: ((await databaseMicroseconds(dataDir)) - ofDatabase) / (times * requests),
  };
  await after(answers, requests);
  return sample;
}
