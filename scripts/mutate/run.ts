// `npm run mutate`: changes the service in small ways and counts how many of the changes its tests notice.

import { execFileSync } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { startEmbeddedPostgres } from '../../src/store/postgres/embedded/embedded-postgres.ts';
import { chooseMutants } from './choose-mutants.ts';
import { describeMutant, listMutants, type Mutant } from './mutants.ts';
import { reasonForEquivalence, rateLines, type Result } from './results.ts';
import { runMutant } from './run-mutant.ts';
import { makeTestMap } from './test-map.ts';

const repository = fileURLToPath(new URL('../../', import.meta.url));

const { values } = parseArgs({
  options: {
    /** How many mutants. */
    count: { type: 'string', default: '40' },
    seed: { type: 'string', default: '1' },
    /** Only mutants of files whose path begins so. */
    folder: { type: 'string', default: 'src/' },
    /** Only tests whose path contains one of these, separated by commas. */
    tests: { type: 'string', default: '' },
    /** How long the tests of one mutant may run without it, in seconds. */
    seconds: { type: 'string', default: '60' },
    /** Where the map from functions to tests is kept. */
    map: { type: 'string', default: join(tmpdir(), 'holdfast-mutate-map.json') },
    /** Prints the chosen mutants and runs nothing. */
    list: { type: 'boolean', default: false },
  },
});

/** Ends the run before its time, with what it has found so far. */
const ending = new AbortController();
for (const name of ['SIGINT', 'SIGTERM'] as const) process.once(name, () => ending.abort());

const print = (line: string): void => void process.stdout.write(`${line}\n`);

/** Left out: the demo's invented data, and identity providers that only development has. */
const unmutated = /\.test\.ts$|^src\/(?:development|actions\/demo)\//;

function listAllMutants(): Mutant[] {
  const tracked = execFileSync('git', ['ls-files', 'src'], { cwd: repository, encoding: 'utf8' }).split('\n');
  const files = tracked.filter(
    (file) => file.endsWith('.ts') && file.startsWith(values.folder) && !unmutated.test(file),
  );
  return files.flatMap((file) => listMutants(file, readSource(file)));
}

const sources = new Map<string, string>();

/** A file as it was when the run began: mutants are places in it. */
function readSource(file: string): string {
  const source = sources.get(file) ?? readFileSync(join(repository, file), 'utf8');
  sources.set(file, source);
  return source;
}

/** Copies what git knows of, as it is now. */
function copyRepository(): string {
  const copy = realpathSync(mkdtempSync(join(tmpdir(), 'holdfast-mutate-')));
  const listed = execFileSync('git', ['ls-files', '--cached', '--others', '--exclude-standard'], { cwd: repository });
  for (const file of String(listed)
    .split('\n')
    .filter((name) => name !== '' && name !== 'node_modules')) {
    mkdirSync(dirname(join(copy, file)), { recursive: true });
    cpSync(join(repository, file), join(copy, file));
  }
  symlinkSync(join(repository, 'node_modules'), join(copy, 'node_modules'));
  return copy;
}

/** One server for all runs, unless one is named. */
async function startDatabase(): Promise<{ url: string; stop: () => Promise<void> }> {
  const named = process.env['TEST_DATABASE_URL'];
  if (named !== undefined) return { url: named, stop: async () => {} };
  const dataDir = mkdtempSync(join(tmpdir(), 'holdfast-mutate-database-'));
  const settings = { fsync: 'off', full_page_writes: 'off', synchronous_commit: 'off', max_connections: '300' };
  const { connection, stop } = await startEmbeddedPostgres({ dataDir, log: () => {}, settings });
  const { user, host, port, database } = connection;
  return {
    url: `postgresql://${user}@${encodeURIComponent(host)}:${port}/${database}`,
    stop: async () => {
      await stop();
      rmSync(dataDir, { recursive: true, force: true });
    },
  };
}

function printChange(mutant: Mutant): void {
  const { before, after } = describeMutant(readSource(mutant.file), mutant);
  print(`    ${before}\n  → ${after}`);
}

function printResult({ mutant, ...result }: Result): void {
  const isKnown = result.equivalence !== undefined;
  print(`${isKnown ? 'equivalent' : result.outcome}  ${mutant.file}:${mutant.line}  ${mutant.kind}`);
  if (!['survived', 'not covered'].includes(result.outcome)) return;
  printChange(mutant);
  print(
    isKnown ? `    ${result.equivalence}` : `    after ${result.tests} of ${result.covering} test files that reach it`,
  );
}

async function main(): Promise<void> {
  const all = listAllMutants();
  const chosen = chooseMutants(all, Number(values.count), Number(values.seed));
  print(`${chosen.length} of ${all.length} mutants of ${values.folder}, seed ${values.seed}`);
  if (values.list) {
    for (const mutant of chosen) {
      print(`${mutant.file}:${mutant.line}  ${mutant.kind}`);
      printChange(mutant);
    }
    return;
  }
  const root = copyRepository();
  const database = await startDatabase();
  const environment = { ...process.env, TEST_DATABASE_URL: database.url };
  const results: Result[] = [];
  try {
    const map = await makeTestMap(root, values.map, { only: values.tests.split(','), environment, log: print });
    for (const mutant of chosen) {
      if (ending.signal.aborted) break;
      const covering = map.testsFor(mutant);
      const budgetMs = Number(values.seconds) * 1_000;
      const run = await runMutant(mutant, covering, { root, environment, budgetMs, signal: ending.signal });
      if (ending.signal.aborted) break;
      const equivalence = reasonForEquivalence(readSource(mutant.file), mutant);
      const result = {
        mutant,
        ...run,
        covering: covering.length,
        ...(equivalence === undefined ? {} : { equivalence }),
      };
      results.push(result);
      printResult(result);
    }
  } finally {
    await database.stop();
    rmSync(root, { recursive: true, force: true });
  }
  for (const line of rateLines(results)) print(line);
}

await main();
