import { defineConfig } from 'vitest/config';

/** What computes and touches nothing shares its workers; what meets a database has one for each file. */
const pure = ['src/engine/**/*.test.ts', 'src/kit/**/*.test.ts', 'tests/ledgers/**/*.test.ts'];

export default defineConfig({
  test: {
    pool: 'forks',
    testTimeout: 30_000,
    hookTimeout: 60_000,
    projects: [
      { extends: true, test: { name: 'pure', include: pure, isolate: false } },
      {
        extends: true,
        test: {
          name: 'service',
          include: ['src/**/*.test.ts', 'tests/**/*.test.ts'],
          exclude: pure,
          globalSetup: ['tests/setup/database.ts'],
        },
      },
    ],
  },
});
