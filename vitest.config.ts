import { globSync, readFileSync } from 'node:fs';
import { availableParallelism, tmpdir } from 'node:os';
import { join } from 'node:path';
import { defineConfig } from 'vitest/config';
import { exceptions, isOnCitus } from './tests/setup/citus/exceptions.ts';
import { LongestFirst } from './tests/setup/order/longest-first.ts';

/** Tests that need another program run separately: npm run test:browser and npm run test:chart. */
const separateTests = ['tests/browser/**', 'tests/chart/**'];
const tests = globSync(['src/**/*.test.ts', 'packages/**/*.test.ts', 'tests/**/*.test.ts'], {
  cwd: import.meta.dirname,
  exclude: separateTests,
});

/** The tests that use the test database: they import the setup of a service or of a database. */
const databaseTests = tests.filter((file) =>
  /setup\/(node\/test-service|database\/(empty-database|observed-service|tenants-database))\.ts'|inject\(/.test(
    readFileSync(join(import.meta.dirname, file), 'utf8'),
  ),
);

/** The files that show nothing on Citus. */
const leftOut = new Set(
  exceptions.filter(({ title }) => isOnCitus && title === undefined).map(({ file }) => `tests/contract/${file}`),
);

// Programs and threads that tests start compile the service once, not once each.
process.env['NODE_COMPILE_CACHE'] ??= join(tmpdir(), 'holdfast-compile-cache');

export default defineConfig({
  test: {
    pool: 'forks',
    // Each worker imports the service once, not once for each file. A file leaves nothing behind but its imports, because each has a
    // separate database.
    isolate: false,
    // Node.js runs the sources as it does in production: no transformed copy, which is slower to load and to run.
    experimental: { viteModuleRunner: false, nodeLoader: false },
    // One more than there are cores, since each waits for the database for part of its time. The test database has connections for at
    // most six.
    maxWorkers: Math.min(availableParallelism() + 1, 6),
    // Only stop tests that hang, even on a very busy machine. No test asserts a duration.
    testTimeout: 300_000,
    hookTimeout: 300_000,
    teardownTimeout: 60_000,
    expect: { poll: { timeout: 120_000, interval: 20 } },
    setupFiles: [
      'tests/setup/kit/no-source-maps.ts',
      'tests/setup/kit/generated-cases.ts',
      'tests/setup/citus/skip-exceptions.ts',
    ],
    sequence: { sequencer: LongestFirst },
    projects: [
      {
        extends: true,
        test: {
          name: 'pure',
          include: ['src/**/*.test.ts', 'packages/**/*.test.ts', 'tests/**/*.test.ts'],
          exclude: [...databaseTests, ...separateTests],
        },
      },
      {
        extends: true,
        test: {
          name: 'service',
          include: databaseTests.filter((file) => !leftOut.has(file)),
          globalSetup: ['tests/setup/database/global-setup.ts'],
        },
      },
    ],
  },
});
