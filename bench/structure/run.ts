// Compares structure requests with plain SQL: 10,000 accounts listed in one answer and in pages, and 10,000 accounts created by
// 32 concurrent callers. `npm run bench:structure`; `--quick` runs a small round that only checks that everything works and
// writes no report.

import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Keyring } from '../../src/signing/keyring.ts';
import { startEmbeddedPostgres } from '../../src/store/postgres/embedded/embedded-postgres.ts';
import { databaseMicroseconds } from '../processor-time.ts';
import { seedStructure } from './fixture.ts';
import { report, type ScenarioMeasurement, type ScenarioSample } from './report.ts';
import { startTargets, type MeasuredTargets } from './targets.ts';
import { scenarios, type Scenario, type Contender } from './scenarios.ts';

const isQuick = process.argv.includes('--quick');
const rounds = isQuick ? 1 : Number(process.env['ROUNDS'] ?? 3);
const accounts = isQuick ? 1_000 : 10_000;
const callers = 32;

const dataDir = await mkdtemp(join(tmpdir(), 'holdfast-bench-'));
// Vacuum runs between measurements, not during one.
const settings = { max_connections: '150', autovacuum: 'off' };
const postgres = await startEmbeddedPostgres({ dataDir, log: () => {}, settings });
const { user, host, port, database } = postgres.connection;
const databaseUrl = `postgresql://${user}@${encodeURIComponent(host)}:${port}/${database}`;
let targets: MeasuredTargets | undefined;
try {
  const encryptionKey = Keyring.generate();
  const fixture = await seedStructure({ databaseUrl, encryptionKey, accounts });
  const sqlOptions = { ...fixture, databaseUrl, connections: callers };
  targets = await startTargets({ ...sqlOptions, encryptionKey });
  const measured: ScenarioMeasurement[] = [];
  for (const scenario of scenarios({ fixture, sqlOptions, targets, accounts, callers })) {
    measured.push({ scenario, samples: await measureInTurns(scenario) });
  }
  const text = report(measured, { rounds, accounts });
  process.stdout.write(text);
  if (!isQuick && process.env['WRITE'] !== 'off') await writeFile(new URL('results.md', import.meta.url), text);
} finally {
  for (const target of Object.values(targets ?? {})) target.stop();
  await postgres.stop();
  await rm(dataDir, { recursive: true, force: true });
}

/** The contenders take turns, and a different one begins each round. The first round is a warm-up. */
async function measureInTurns(scenario: Scenario): Promise<Map<Contender, ScenarioSample[]>> {
  const samples = new Map<Contender, ScenarioSample[]>(scenario.contenders.map((contender) => [contender, []]));
  for (const contender of scenario.contenders)
    await scenario.after(await contender.perform(scenario.warmUp), scenario.warmUp);
  for (let round = 0; round < rounds; round++) {
    const inTurn = round % 2 === 0 ? scenario.contenders : scenario.contenders.toReversed();
    for (const contender of inTurn) samples.get(contender)!.push(await measure(scenario, contender));
  }
  return samples;
}

async function measure({ times, requests, after }: Scenario, { target, perform }: Contender): Promise<ScenarioSample> {
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
