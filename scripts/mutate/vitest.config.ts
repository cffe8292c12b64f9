// The tests as always, with a note of what each file called: for the map from functions to tests.

import { fileURLToPath } from 'node:url';
import { defineConfig, mergeConfig } from 'vitest/config';
import usual from '../../vitest.config.ts';

// The processes that run tests hand it on to their threads.
process.env['NODE_OPTIONS'] = `--import=${new URL('coverage-thread.ts', import.meta.url).href}`;

export default mergeConfig(
  usual,
  defineConfig({
    root: fileURLToPath(new URL('../../', import.meta.url)),
    test: { setupFiles: [fileURLToPath(new URL('coverage-setup.ts', import.meta.url))] },
  }),
);
