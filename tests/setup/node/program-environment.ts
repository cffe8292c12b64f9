// The environment of a program that a test starts: without the settings of the tests, and with their compile cache, so that the service is
// compiled once and not once for each program.

import { tmpdir } from 'node:os';
import { join } from 'node:path';

export const programEnvironment: Readonly<NodeJS.ProcessEnv> = {
  PATH: process.env['PATH'],
  HOME: process.env['HOME'],
  NODE_COMPILE_CACHE: process.env['NODE_COMPILE_CACHE'] ?? join(tmpdir(), 'holdfast-compile-cache'),
  // While `npm run mutate` sees what each test calls, it looks into programs too.
  MUTATE_COVERAGE: process.env['MUTATE_COVERAGE'],
  get MUTATE_TEST() {
    return process.env['MUTATE_TEST'];
  },
  ...(process.env['MUTATE_COVERAGE'] === undefined ? {} : { NODE_OPTIONS: process.env['NODE_OPTIONS'] }),
};
