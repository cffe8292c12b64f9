// Runs the tests of one mutant in a copy of the repository, and says whether any of them noticed it.

import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { applyMutant, type Mutant } from './mutants.ts';
import type { CalledFunctions } from './test-map.ts';
import type { TestRunner, TestsEnded } from './test-runner.ts';

export type Outcome = 'noticed' | 'too slow' | 'refused by types' | 'survived' | 'not covered';

export interface MutantRun {
  readonly outcome: Outcome;
  /** How many test files may run. */
  readonly tests: number;
  /** The test that noticed it. */
  readonly by?: string;
}

export interface RunOptions {
  /** A copy of the repository, of which this changes one file at a time. */
  readonly root: string;
  readonly runner: TestRunner;
  /** The tests of a mutant together run this long without it. */
  readonly budgetMs: number;
  /** Aborted when the whole run is to end. */
  readonly signal: AbortSignal;
}

/** For the start of the process that runs the tests, on a busy machine. */
const startMs = 60_000;
/** A mutant that makes its tests this much slower is noticed. */
const slowFactor = 5;

export async function runMutant(
  mutant: Mutant,
  covering: readonly CalledFunctions[],
  options: RunOptions,
): Promise<MutantRun> {
  const tests = testsWithin(covering, options.budgetMs);
  if (tests.length === 0) return { outcome: 'not covered', tests: 0 };
  await options.runner.start();
  const path = join(options.root, mutant.file);
  const source = readFileSync(path, 'utf8');
  writeFileSync(path, applyMutant(source, mutant));
  try {
    return await runTests(tests, options);
  } finally {
    writeFileSync(path, source);
  }
}

/** The first of them, without those that would take more time than is left. */
export function testsWithin(covering: readonly CalledFunctions[], budgetMs: number): readonly CalledFunctions[] {
  let sum = 0;
  return covering.filter(({ ms }, index) => {
    const isIn = index === 0 || sum + ms <= budgetMs;
    if (isIn) sum += ms;
    return isIn;
  });
}

/** Those that had no turn within this time. */
export function testsWithout(covering: readonly CalledFunctions[], budgetMs: number): readonly CalledFunctions[] {
  const within = new Set(testsWithin(covering, budgetMs));
  return covering.filter((test) => !within.has(test));
}

async function runTests(tests: readonly CalledFunctions[], options: RunOptions): Promise<MutantRun> {
  const count = { tests: tests.length };
  // Trouble outside of any test, such as a process that did not start in time, only counts if it comes again.
  for (let isAgain = false; ; isAgain = true) {
    const ended = await runOnce(tests, options);
    if (ended === undefined) return { outcome: 'too slow', ...count };
    const { failures, errors } = ended;
    const by = failures[0] ?? (isAgain ? errors[0] : undefined);
    if (by !== undefined) return { outcome: 'noticed', ...count, by };
    if (errors.length === 0) return { outcome: 'survived', ...count };
  }
}

async function runOnce(
  tests: readonly CalledFunctions[],
  { runner, signal }: RunOptions,
): Promise<TestsEnded | undefined> {
  const limit = new AbortController();
  const timer = setTimeout(() => limit.abort(), startMs + slowFactor * Math.max(...tests.map(({ ms }) => ms)));
  const files = tests.map(({ test }) => test);
  // Each file has this time: one that never ends is not waited for as long as all would take.
  const ended = await runner.run(files, AbortSignal.any([signal, limit.signal]), () => void timer.refresh());
  clearTimeout(timer);
  const isStopped = limit.signal.aborted || signal.aborted;
  if (ended === undefined && !isStopped) throw new Error('The tests ended without a result.');
  return ended;
}
