import { globSync, readFileSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import { defineConfig } from 'vitest/config';

/** What wants a browser is a run of its own: npm run test:browser. */
const inBrowser = 'tests/browser/**';
const tests = globSync(['src/**/*.test.ts', 'packages/**/*.test.ts', 'tests/**/*.test.ts'], {
  cwd: import.meta.dirname,
  exclude: [inBrowser],
});

/** What meets the database of the tests says so where it asks for a service or a database of its own. */
const meeting = tests.filter((file) =>
  /setup\/(node\/test-service|database\/empty-database)\.ts'|inject\(/.test(
    readFileSync(join(import.meta.dirname, file), 'utf8'),
  ),
);

export default defineConfig({
  test: {
    pool: 'forks',
    // A service is imported once by each worker, not by each of a hundred files: a file leaves nothing behind but what it
    // imported, and its database is its own.
    isolate: false,
    // Each core has one, although vitest would keep one free; the server of the tests has connections for so many.
    maxWorkers: Math.min(availableParallelism(), 6),
    // For tests that hang, on a machine that is busy with other things: no test is to take so long, and none is judged by its time.
    testTimeout: 300_000,
    hookTimeout: 300_000,
    teardownTimeout: 60_000,
    expect: { poll: { timeout: 120_000, interval: 20 } },
    projects: [
      {
        extends: true,
        test: {
          name: 'pure',
          include: ['src/**/*.test.ts', 'packages/**/*.test.ts', 'tests/**/*.test.ts'],
          exclude: [...meeting, inBrowser],
        },
      },
      {
        extends: true,
        test: { name: 'service', include: meeting, globalSetup: ['tests/setup/database/global-setup.ts'] },
      },
    ],
  },
});
