// Tests of the chart with Helm: a run of their own, since not every machine has one. `HELM` is its path.

import { fileURLToPath } from 'node:url';
import { defineConfig } from 'vitest/config';

export default defineConfig({
  root: fileURLToPath(new URL('../..', import.meta.url)),
  test: {
    name: 'chart',
    // Node.js runs the sources as it does in production.
    experimental: { viteModuleRunner: false, nodeLoader: false },
    include: ['tests/chart/*.test.ts'],
    // Only stops tests that hang, as in the other runs.
    testTimeout: 300_000,
  },
});
