// Runs the tests of one mutant in a copy of the repository, and says whether any of them noticed it.

import { spawn } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { applyMutant, type Mutant } from './mutants.ts';
import type { CalledFunctions } from './test-map.ts';

export type Outcome = 'noticed' | 'too slow' | 'refused by types' | 'survived' | 'not covered';

export interface RunOptions {
  /** A copy of the repository, of which this changes one file at a time. */
  readonly root: string;
  readonly environment: NodeJS.ProcessEnv;
  /** The tests of a mutant are the fastest that together run this long without it. */
  readonly budgetMs: number;
  /** Aborted when the whole run is to end. */
  readonly signal: AbortSignal;
}

/** A first look at the fastest tests finds most mutants, and starting the tests takes longer than running them. */
const firstLook = 3;
const startMs = 120_000;
/** A mutant that makes its tests this much slower is noticed. */
const slowFactor = 5;

export async function runMutant(
  mutant: Mutant,
  covering: readonly CalledFunctions[],
  options: RunOptions,
): Promise<{ outcome: Outcome; tests: number }> {
  const tests = testsWithin(covering, options.budgetMs);
  if (tests.length === 0) return { outcome: 'not covered', tests: 0 };
  const path = join(options.root, mutant.file);
  const source = readFileSync(path, 'utf8');
  writeFileSync(path, applyMutant(source, mutant));
  try {
    for (const part of [tests.slice(0, firstLook), tests.slice(firstLook)]) {
      if (part.length === 0) continue;
      const outcome = await runTests(part, options);
      if (outcome !== 'survived') return { outcome, tests: tests.length };
    }
    const types = await run('npx', ['tsc', '--noEmit'], options, startMs);
    return { outcome: types === 'passed' ? 'survived' : 'refused by types', tests: tests.length };
  } finally {
    writeFileSync(path, source);
  }
}

export function testsWithin(covering: readonly CalledFunctions[], budgetMs: number): readonly CalledFunctions[] {
  let sum = 0;
  return covering.filter(({ ms }, index) => {
    sum += ms;
    return index === 0 || sum <= budgetMs;
  });
}

async function runTests(tests: readonly CalledFunctions[], options: RunOptions): Promise<Outcome> {
  const limitMs = startMs + slowFactor * tests.reduce((sum, { ms }) => sum + ms, 0);
  const files = tests.map(({ test }) => test);
  const result = await run('npx', ['vitest', 'run', '--bail=1', '--reporter=dot', ...files], options, limitMs);
  return result === 'passed' ? 'survived' : result === 'failed' ? 'noticed' : 'too slow';
}

/** Ends the whole group of processes when the time is over or the run is to end. */
function run(
  command: string,
  values: readonly string[],
  { root, environment, signal }: RunOptions,
  limitMs: number,
): Promise<'passed' | 'failed' | 'timed out'> {
  return new Promise((resolve, reject) => {
    const child = spawn(command, values, { cwd: root, env: environment, stdio: 'ignore', detached: true });
    const end = AbortSignal.any([signal, AbortSignal.timeout(limitMs)]);
    const kill = (): void => void process.kill(-child.pid!, 'SIGKILL');
    end.addEventListener('abort', kill);
    child.on('error', reject);
    child.on('exit', (code) => {
      end.removeEventListener('abort', kill);
      resolve(end.aborted ? 'timed out' : code === 0 ? 'passed' : 'failed');
    });
  });
}
