// Compares the reports of this checkout with those of a former release: `node bench/reports/compare.ts ../former-checkout`. Each side
// has a database of its own with the same data, and both are asked in turns, so that what slows the machine down slows both. Prints
// the processor time and the wall time of each report, as medians, and new ÷ old. `--quick` asks little, to see that it works;
// `SIZES=10000` compares ledgers of that many transactions alone.

import { fork } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { Keyring } from '../../src/signing/keyring.ts';
import { startEmbeddedPostgres } from '../../src/store/postgres/embedded/embedded-postgres.ts';

const [former] = process.argv.slice(2).filter((argument) => !argument.startsWith('--'));
if (former === undefined) throw new Error('Name the checkout of a former release, with its packages installed.');
const isQuick = process.argv.includes('--quick');
const sizes = isQuick ? [1_000] : (process.env['SIZES'] ?? '1000,10000,100000').split(',').map(Number);
const [warmUps, rounds] = isQuick ? [1, 3] : [20, 41];
const clockTicksPerSecond = 100;

interface Side {
  readonly address: string;
  readonly pid: number;
  readonly token: string;
  readonly entities: ReadonlyMap<number, string>;
  readonly last: string;
  remove(): Promise<void>;
}

interface Times {
  readonly wall: number[];
  processorMs: number;
}

const noTimes: Times = { wall: [], processorMs: 0 };

async function startSide(root: string): Promise<Side> {
  const dataDir = await mkdtemp(join(tmpdir(), 'holdfast-bench-'));
  const postgres = await startEmbeddedPostgres({ dataDir, log: () => {}, settings: { autovacuum: 'off' } });
  const { user, host, port, database } = postgres.connection;
  const databaseUrl = `postgresql://${user}@${encodeURIComponent(host)}:${port}/${database}`;
  const connection = JSON.stringify({ databaseUrl, encryptionKey: Keyring.generate() });
  const seeding = fork(new URL('seed-side.ts', import.meta.url), [root, connection, JSON.stringify(sizes)]);
  const [{ token, entities, days }] = await once(seeding, 'message');
  const service = fork(join(root, 'bench/reports/target.ts'), [connection]);
  const [{ address }] = await once(service, 'message');
  return {
    address,
    pid: service.pid!,
    token,
    entities: new Map(entities),
    last: days.last,
    async remove() {
      service.kill('SIGKILL');
      await postgres.stop();
      await rm(dataDir, { recursive: true, force: true });
    },
  };
}

const axes = ['portfolio', 'depository', 'instrument', 'class', 'detailed-class'];

/** Name, path and query of each. */
function reports(last: string): readonly (readonly string[])[] {
  const years = (start: string, more: string): string => `start=${start}&end=${last}${more}`;
  return [
    ['holdings', '/v1/holdings', `as_of=${last}&limit=100`],
    ['lots', '/v1/lots', `as_of=${last}&limit=100`],
    ['realised gains', '/v1/realised-gains', `from=2025-01-01&to=${last}&limit=100`],
    ['data quality', '/v1/data-quality', `as_of=${last}&limit=100`],
    ['one year', '/v1/performance', years('2025-01-01', '')],
    ['ten years', '/v1/performance', years('2016-01-01', '')],
    ...axes.map((axis) => [
      `ten years by ${axis}`,
      '/v1/performance',
      years('2016-01-01', `&by=${axis}&detail=summary`),
    ]),
    ['ten years by all axes', '/v1/performance', years('2016-01-01', `&by=${axes.join(',')}&detail=summary`)],
  ];
}

async function ask(
  { address, token, entities }: Side,
  size: number,
  [, path, query]: readonly string[],
): Promise<string> {
  const url = `${address}${path}?reporting_entity_id=${entities.get(size)}&${query}`;
  // Early releases do not compress.
  const answer = await fetch(url, { headers: { authorization: `Bearer ${token}`, 'accept-encoding': 'identity' } });
  const text = await answer.text();
  if (!answer.ok) throw new Error(`${url} answered ${answer.status}: ${text}`);
  return text;
}

/** What all threads of the service have used so far. */
async function processorMs({ pid }: Side): Promise<number> {
  const fields = (await readFile(`/proc/${pid}/stat`, 'utf8')).split(') ')[1]!.split(' ');
  return ((Number(fields[11]) + Number(fields[12])) * 1_000) / clockTicksPerSecond;
}

async function timed(side: Side, size: number, report: readonly string[]): Promise<number> {
  const began = performance.now();
  await ask(side, size, report);
  return performance.now() - began;
}

async function measure(sides: readonly Side[], size: number, report: readonly string[]): Promise<readonly Times[]> {
  for (let round = 0; round < warmUps; round++) for (const side of sides) await ask(side, size, report);
  const times = sides.map((): Times => ({ wall: [], processorMs: 0 }));
  for (let round = 0; round < rounds; round++) {
    // The one that was second goes first.
    for (const index of round % 2 === 0 ? [0, 1] : [1, 0]) {
      const [side, time] = [sides[index]!, times[index]!];
      const before = await processorMs(side);
      time.wall.push(await timed(side, size, report));
      time.processorMs += (await processorMs(side)) - before;
    }
  }
  return times;
}

function median(times: readonly number[]): number {
  return times.toSorted((one, other) => one - other)[Math.floor(times.length / 2)]!;
}

/** Both sides must have the same data: their largest entity is worth the same. */
async function checkSameData([old, now]: readonly [Side, Side], size: number): Promise<void> {
  const query = ['', '/v1/allocation', `as_of=${old.last}&by=currency`];
  const [one, other] = [await ask(old, size, query), await ask(now, size, query)].map(
    (text) => JSON.parse(text).market_value,
  );
  if (one !== other) throw new Error(`The sides have different data: ${one} and ${other}.`);
}

const old = await startSide(resolve(former));
const now = await startSide(resolve(import.meta.dirname, '../..'));
try {
  process.stdout.write(
    '| transactions | report | old ms | new ms | new ÷ old | old processor ms | new processor ms | new ÷ old |\n',
  );
  process.stdout.write('|---|---|---|---|---|---|---|---|\n');
  for (const size of sizes) {
    await checkSameData([old, now], size);
    for (const report of reports(now.last)) {
      const [before = noTimes, after = noTimes] = await measure([old, now], size, report);
      const [wallBefore, wallAfter] = [median(before.wall), median(after.wall)];
      const [usedBefore, usedAfter] = [before.processorMs / rounds, after.processorMs / rounds];
      const figures = [wallBefore, wallAfter, wallAfter / wallBefore, usedBefore, usedAfter, usedAfter / usedBefore];
      const cells = figures.map((one, index) => one.toFixed(index % 3 === 2 ? 2 : 1));
      process.stdout.write(`| ${size} | ${report[0]} | ${cells.join(' | ')} |\n`);
    }
  }
} finally {
  await Promise.all([old.remove(), now.remove()]);
}
