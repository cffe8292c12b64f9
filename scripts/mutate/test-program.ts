// A program that runs the test files it is told, one list after the other, and says how each list ended. It starts the tests and their
// database once, not once for each mutant; every list runs in a fresh process, which reads the sources as they are then.

import { relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { createVitest, type Reporter } from 'vitest/node';
import type { TestsEnded } from './test-runner.ts';

const root = fileURLToPath(new URL('../../', import.meta.url));

let failures: string[] = [];
let passed: string[] = [];

const reporter: Reporter = {
  onTestCaseResult(testCase) {
    if (testCase.result().state === 'failed') {
      failures.push(`${relative(root, testCase.module.moduleId)}: ${testCase.fullName}`);
    }
  },
  onTestModuleEnd(module) {
    const file = relative(root, module.moduleId);
    process.send?.('ended one');
    if (module.state() === 'passed') passed.push(file);
    // A file whose hooks fail, or that cannot be loaded, may have no test that fails.
    if (module.state() === 'failed') failures.push(file);
  },
};

const vitest = await createVitest('test', {
  watch: false,
  root,
  config: fileURLToPath(new URL('vitest.config.ts', import.meta.url)),
  reporters: [reporter],
});
await vitest.standalone();
const specifications = await vitest.globTestSpecifications();

async function run(tests: readonly string[]): Promise<TestsEnded> {
  failures = [];
  passed = [];
  const wanted = tests.flatMap((test) =>
    specifications.filter(({ moduleId }) => relative(root, moduleId) === test).slice(0, 1),
  );
  const { unhandledErrors } = await vitest.runTestSpecifications(wanted);
  const errors = unhandledErrors.map((error) => String((error as Error).message));
  return { failures, passed, errors };
}

process.on('message', (tests: string[]) => {
  void run(tests).then((ended) => process.send?.(ended));
});
process.on('disconnect', () => {
  void vitest.close().then(() => process.exit());
});
process.send?.('ready');
