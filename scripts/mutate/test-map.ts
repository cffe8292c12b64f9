// The map from functions to the test files that call them. It is made by running the tests once and kept between runs: a test file runs
// again when it has changed.

import { spawn } from 'node:child_process';
import { hash } from 'node:crypto';
import { once } from 'node:events';
import { existsSync, globSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Mutant } from './mutants.ts';

/** What one test file called. */
export interface CalledFunctions {
  readonly test: string;
  /** How long it ran. */
  readonly ms: number;
  /** Names of functions by source file. */
  readonly functions: Readonly<Record<string, readonly string[]>>;
}

interface MapEntry extends CalledFunctions {
  readonly digest: string;
}

export class TestMap {
  readonly #entries: readonly CalledFunctions[];

  constructor(entries: readonly CalledFunctions[]) {
    this.#entries = entries.toSorted((one, other) => one.ms - other.ms);
  }

  /**
   * The test files that call the function of a mutant, the fastest first. For what a module does when it is loaded, those that call
   * anything in the file.
   */
  testsFor({ file, functions }: Pick<Mutant, 'file' | 'functions'>): readonly CalledFunctions[] {
    const touching = this.#entries.filter((entry) => file in entry.functions);
    for (const name of functions) {
      const calling = touching.filter((entry) => entry.functions[file]?.includes(name));
      if (calling.length > 0) return calling;
    }
    return touching;
  }
}

/** Only these are run: a test of the repository's texts or of a browser notices no change of behaviour. */
const testPatterns = [
  'src/**/*.test.ts',
  'packages/**/*.test.ts',
  'tests/contract/**/*.test.ts',
  'tests/ledgers/**/*.test.ts',
];

/** Reads the map, after running the test files that it lacks. Runs in `root`, a copy of the repository. */
export async function makeTestMap(
  root: string,
  file: string,
  { only, environment, log }: { only: readonly string[]; environment: NodeJS.ProcessEnv; log: (line: string) => void },
): Promise<TestMap> {
  const known = new Map<string, MapEntry>(existsSync(file) ? JSON.parse(readFileSync(file, 'utf8')) : []);
  const tests = globSync(testPatterns, { cwd: root }).filter((test) => only.some((part) => test.includes(part)));
  const digests = new Map(tests.map((test) => [test, hash('sha256', readFileSync(join(root, test)))]));
  const missing = tests.filter((test) => known.get(test)?.digest !== digests.get(test));
  if (missing.length > 0) {
    log(`Runs ${missing.length} of ${tests.length} test files once, to see what each calls.`);
    for (const entry of await runForCoverage(root, missing, environment)) {
      known.set(entry.test, { ...entry, digest: digests.get(entry.test) ?? '' });
    }
    writeFileSync(file, JSON.stringify([...known]));
  }
  return new TestMap([...known.values()].filter(({ test }) => digests.has(test)));
}

/** What each of these test files called. One that fails without any mutant is left out: it could not tell a mutant. */
async function runForCoverage(
  root: string,
  tests: readonly string[],
  environment: NodeJS.ProcessEnv,
): Promise<CalledFunctions[]> {
  const directory = join(root, '.mutate-coverage');
  const report = join(directory, 'report.json');
  mkdirSync(directory, { recursive: true });
  const command = [
    'vitest',
    'run',
    '--config',
    'scripts/mutate/vitest.config.ts',
    '--reporter=json',
    `--outputFile=${report}`,
  ];
  const child = spawn('npx', [...command, ...tests], {
    cwd: root,
    env: { ...environment, MUTATE_COVERAGE: join(directory, 'calls') },
    stdio: 'ignore',
  });
  await once(child, 'exit');
  const { testResults } = JSON.parse(readFileSync(report, 'utf8')) as {
    testResults: { name: string; status: string }[];
  };
  const failed = new Set(testResults.filter(({ status }) => status !== 'passed').map(({ name }) => name));
  const calls = join(directory, 'calls');
  const entries = readdirSync(calls).map(
    (name) => JSON.parse(readFileSync(join(calls, name), 'utf8')) as CalledFunctions,
  );
  rmSync(directory, { recursive: true });
  return mergeCalled(entries).filter(({ test }) => !failed.has(join(root, test)));
}

/** One entry for each test file: what it called itself, and in its work threads. */
export function mergeCalled(entries: readonly CalledFunctions[]): CalledFunctions[] {
  return [...Map.groupBy(entries, ({ test }) => test)].map(([test, ofTest]) => {
    const names = Map.groupBy(
      ofTest.flatMap(({ functions }) => Object.entries(functions)),
      ([file]) => file,
    );
    const functions = [...names].map(([file, called]) => [file, [...new Set(called.flatMap(([, some]) => some))]]);
    return { test, ms: Math.max(...ofTest.map(({ ms }) => ms)), functions: Object.fromEntries(functions) };
  });
}
