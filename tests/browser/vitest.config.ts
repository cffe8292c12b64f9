// Tests in a real browser: a run of their own, since not every machine has one.

import { availableParallelism } from 'node:os';
import { fileURLToPath } from 'node:url';
import { defineConfig } from 'vitest/config';
import { LongestFirst } from '../setup/order/longest-first.ts';

export default defineConfig({
  root: fileURLToPath(new URL('../..', import.meta.url)),
  test: {
    name: 'browser',
    pool: 'forks',
    // Each worker imports the service and starts Chromium once, not once for each file.
    isolate: false,
    // Node.js runs the sources as it does in production.
    experimental: { viteModuleRunner: false, nodeLoader: false },
    // A page waits for its service, and the service for the page: two take turns on a core.
    maxWorkers: Math.min(availableParallelism() + 1, 6),
    include: ['tests/browser/*.test.ts'],
    sequence: { sequencer: LongestFirst },
    globalSetup: ['tests/setup/database/global-setup.ts'],
    // Only stop tests that hang, as in the other run.
    testTimeout: 300_000,
    hookTimeout: 300_000,
    expect: { poll: { timeout: 120_000, interval: 20 } },
  },
});
