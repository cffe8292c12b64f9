// `npm run mutate`: changes the service in small ways and counts how many of the changes its tests notice.

import { execFileSync } from 'node:child_process';
import { chmodSync, cpSync, mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { startServer } from '../../tests/setup/database/global-setup.ts';
import { chooseMutants } from './choose-mutants.ts';
import { describeMutant, listMutants, type Mutant } from './mutants.ts';
import { refusedByTypes } from './refused-by-types.ts';
import { folderOf, isSurvivor, rateLines, type Result } from './results.ts';
import { runMutant, testsWithout, type RunOptions } from './run-mutant.ts';
import { makeTestMap, type TestMap } from './test-map.ts';
import { TestRunner } from './test-runner.ts';

const repository = fileURLToPath(new URL('../../', import.meta.url));

const { values } = parseArgs({
  options: {
    /** How many mutants. */
    count: { type: 'string', default: '40' },
    /** How many mutants of each folder of `src`, instead. */
    each: { type: 'string' },
    /** Only mutants of this line, as `file:line`. */
    at: { type: 'string' },
    seed: { type: 'string', default: '1' },
    /** Only mutants of files whose path begins with one of these, separated by commas. */
    folder: { type: 'string', default: 'src/' },
    /** Only mutants of these kinds, separated by commas. */
    kinds: { type: 'string', default: '' },
    /** Only tests whose path contains one of these, separated by commas. */
    tests: { type: 'string', default: '' },
    /** How long the tests of one mutant may run without it, in seconds. */
    seconds: { type: 'string', default: '60' },
    /** How long the other tests that reach a survivor may run at the end, in seconds. */
    more: { type: 'string', default: '0' },
    /** Only test files that the map has: none runs for it. */
    known: { type: 'boolean', default: false },
    /** Where the map from places to tests is kept. */
    map: { type: 'string', default: join(tmpdir(), 'holdfast-mutate-map.json') },
    /** Prints the chosen mutants and runs nothing. */
    list: { type: 'boolean', default: false },
  },
});

/** Ends the run before its time, with what it has found so far. */
const ending = new AbortController();
for (const name of ['SIGINT', 'SIGTERM'] as const) process.once(name, () => ending.abort());

const print = (line: string): void => void process.stdout.write(`${line}\n`);

/**
 * Left out: the invented data of the demo and of the sandbox, services that only development has, and what runs in browsers, whose tests need
 * one.
 */
const unmutated = /^src\/(?:app\/development|surfaces\/web\/islands|actions\/(?:demo|sandbox\/(?:personas|market)))\//;

function listSources(): string[] {
  const tracked = execFileSync('git', ['ls-files', 'src'], { cwd: repository, encoding: 'utf8' }).split('\n');
  return tracked.filter((file) => file.endsWith('.ts') && !file.endsWith('.test.ts'));
}

function listAllMutants(): Mutant[] {
  const folders = values.folder.split(',');
  const files = listSources().filter(
    (file) => folders.some((folder) => file.startsWith(folder)) && !unmutated.test(file),
  );
  const kinds = values.kinds.split(',').filter((kind) => kind !== '');
  const all = files.flatMap((file) => listMutants(file, readSource(file)));
  return kinds.length === 0 ? all : all.filter(({ kind }) => kinds.includes(kind));
}

const sources = new Map<string, string>();

/** A file as it was when the run began: mutants are places in it. */
function readSource(file: string): string {
  const source = sources.get(file) ?? readFileSync(join(repository, file), 'utf8');
  sources.set(file, source);
  return source;
}

let importers: Map<string, string[]> | undefined;

function importersOf(file: string): readonly string[] {
  importers ??= readImporters();
  return importers.get(file) ?? [];
}

function readImporters(): Map<string, string[]> {
  const files = listSources();
  const imports = files.flatMap((from) =>
    [...readSource(from).matchAll(/ from '(\.[^']+)'/g)].map(([, to = '']) => ({ from, to: join(dirname(from), to) })),
  );
  return new Map(
    [...Map.groupBy(imports, ({ to }) => to)].map(([to, own]) => [to, own.map(({ from }) => from)] as const),
  );
}

/** Copies what git knows of, as it is now. */
function copyRepository(): string {
  const copy = realpathSync(mkdtempSync(join(tmpdir(), 'holdfast-mutate-')));
  // Some tests run the service as another user.
  chmodSync(copy, 0o755);
  const listed = execFileSync('git', ['ls-files', '--cached', '--others', '--exclude-standard'], { cwd: repository });
  for (const file of String(listed)
    .split('\n')
    .filter((name) => name !== '' && name !== 'node_modules')) {
    mkdirSync(dirname(join(copy, file)), { recursive: true });
    cpSync(join(repository, file), join(copy, file));
  }
  symlinkSync(join(repository, 'node_modules'), join(copy, 'node_modules'));
  // Some tests ask git for the files of the repository.
  for (const command of [
    ['init', '-q'],
    ['add', '-A'],
  ])
    execFileSync('git', command, { cwd: copy, stdio: 'ignore' });
  return copy;
}

/** Chooses from all of them, or as many from each folder. */
function choose(all: readonly Mutant[]): Mutant[] {
  const seed = Number(values.seed);
  if (values.at !== undefined) return all.filter(({ file, line }) => `${file}:${line}` === values.at);
  if (values.each === undefined) return chooseMutants(all, Number(values.count), seed);
  const folders = Map.groupBy(all, ({ file }) => folderOf(file));
  return [...folders].flatMap(([name, own]) => chooseMutants(own, Number(values.each), seedOf(name, seed)));
}

/** Each folder begins with another kind of mutants. */
function seedOf(folder: string, seed: number): number {
  return [...folder].reduce((sum, character) => Math.imul(sum, 31) + character.charCodeAt(0), seed);
}

function printChange(mutant: Mutant): void {
  const { before, after } = describeMutant(readSource(mutant.file), mutant);
  print(`    ${before}\n  → ${after}`);
}

function printResult({ mutant, ...result }: Result): void {
  const by = result.by === undefined ? '' : `  by ${result.by}`;
  print(`${result.outcome}  ${mutant.file}:${mutant.line}  ${mutant.kind}${by}`);
  if (!isSurvivor(result)) return;
  printChange(mutant);
  print(`    after ${result.tests} of ${result.covering} test files that reach it`);
}

/** Only survivors are checked: what a test has noticed needs no second look. */
function markRefused(root: string, results: Result[]): void {
  const survivors = results.filter(isSurvivor);
  const mutants = survivors.map(({ mutant }) => mutant);
  const refused = refusedByTypes(root, mutants);
  for (const [index, result] of results.entries()) {
    if (!refused.has(result.mutant)) continue;
    results[index] = { ...result, outcome: 'refused by types' };
    printResult(results[index]);
  }
}

/** Runs the tests that had no turn for those that survived the first ones. */
async function runMore(results: Result[], map: TestMap, options: Omit<RunOptions, 'budgetMs'>): Promise<void> {
  const budgetMs = Number(values.more) * 1_000;
  for (const [index, result] of results.entries()) {
    const { mutant, tests } = result;
    if (budgetMs === 0 || options.signal.aborted) return;
    if (result.outcome !== 'survived') continue;
    const covering = map.testsFor(mutant, readSource(mutant.file));
    const others = testsWithout(covering, Number(values.seconds) * 1_000);
    const run = await runMutant(mutant, others, { ...options, budgetMs });
    if (options.signal.aborted) return;
    // Nothing else reaches it.
    if (run.outcome === 'not covered') continue;
    results[index] = { ...result, ...run, tests: tests + run.tests };
    printResult(results[index]);
  }
}

async function runAll(chosen: readonly Mutant[]): Promise<Result[]> {
  const root = copyRepository();
  const { server, stop } = await startServer();
  const environment = { ...process.env, TEST_DATABASE_URL: server };
  const runner = new TestRunner(root, environment);
  const results: Result[] = [];
  try {
    const { signal } = ending;
    const only = values.tests.split(',');
    const map = await makeTestMap(root, values.map, {
      only,
      isComplete: !values.known,
      importersOf,
      environment,
      signal,
      log: print,
    });
    for (const mutant of chosen) {
      if (signal.aborted) break;
      const source = readSource(mutant.file);
      const covering = map.testsFor(mutant, source);
      const budgetMs = Number(values.seconds) * 1_000;
      const run = await runMutant(mutant, covering, { root, runner, budgetMs, signal });
      if (signal.aborted) break;
      const result = { mutant, ...run, covering: covering.length };
      results.push(result);
      printResult(result);
    }
    markRefused(root, results);
    await runMore(results, map, { root, runner, signal: ending.signal });
  } finally {
    await runner.stop();
    await stop();
    rmSync(root, { recursive: true, force: true });
  }
  return results;
}

async function main(): Promise<void> {
  const all = listAllMutants();
  const chosen = choose(all);
  print(`${chosen.length} of ${all.length} mutants of ${values.folder}, seed ${values.seed}`);
  if (values.list) {
    for (const mutant of chosen) {
      print(`${mutant.file}:${mutant.line}  ${mutant.kind}`);
      printChange(mutant);
    }
    return;
  }
  for (const line of rateLines(await runAll(chosen))) print(line);
}

await main();
