// Compares the reports of this checkout with those of a former release: `node bench/reports/compare.ts ../former-checkout`. Each side
// has a database of its own with the same data, and both are asked in turns, so that what slows the machine down slows both. Prints
// the median and the least time of each report, and new ÷ old. The least says more where the machine does other work too.
// `--quick` asks little, to see that it works; `SIZES=10000` compares ledgers of that many transactions alone, and `ONLY=lots,holdings`
// these reports alone.

import { fork } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { Keyring } from '../../src/signing/keyring.ts';
import { startEmbeddedPostgres } from '../../src/store/postgres/embedded/embedded-postgres.ts';

const [former] = process.argv.slice(2).filter((argument) => !argument.startsWith('--'));
if (former === undefined) throw new Error('Name the checkout of a former release, with its packages installed.');
const isQuick = process.argv.includes('--quick');
const sizes = isQuick ? [1_000] : (process.env['SIZES'] ?? '1000,10000,100000').split(',').map(Number);
const [warmUps, rounds] = isQuick ? [1, 3] : [20, 41];
const only = process.env['ONLY']?.split(',');

interface Side {
  readonly address: string;
  readonly token: string;
  readonly entities: ReadonlyMap<number, string>;
  readonly last: string;
  remove(): Promise<void>;
}

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
  const all = [
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
  return all.filter(([name = '']) => only?.includes(name) ?? true);
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

async function timed(side: Side, size: number, report: readonly string[]): Promise<number> {
  const began = performance.now();
  await ask(side, size, report);
  return performance.now() - began;
}

/** The times of both sides, the least first. */
async function measure(sides: readonly [Side, Side], size: number, report: readonly string[]): Promise<number[][]> {
  for (let round = 0; round < warmUps; round++) for (const side of sides) await ask(side, size, report);
  const times: [number[], number[]] = [[], []];
  for (let round = 0; round < rounds; round++) {
    // The one that was second goes first.
    for (const index of round % 2 === 0 ? ([0, 1] as const) : ([1, 0] as const))
      times[index].push(await timed(sides[index], size, report));
  }
  return times.map((one) => one.toSorted((a, b) => a - b));
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
    '| transactions | report | old ms | new ms | new ÷ old | least: old ms | new ms | new ÷ old |\n',
  );
  process.stdout.write('|---|---|---|---|---|---|---|---|\n');
  for (const size of sizes) {
    await checkSameData([old, now], size);
    for (const report of reports(now.last)) {
      const [before = [], after = []] = await measure([old, now], size, report);
      const figures = [Math.floor(rounds / 2), 0].flatMap((place) => {
        const [oldMs = NaN, newMs = NaN] = [before[place], after[place]];
        return [oldMs, newMs, newMs / oldMs];
      });
      const cells = figures.map((one, index) => one.toFixed(index % 3 === 2 ? 2 : 1));
      process.stdout.write(`| ${size} | ${report[0]} | ${cells.join(' | ')} |\n`);
    }
  }
} finally {
  await Promise.all([old.remove(), now.remove()]);
}
