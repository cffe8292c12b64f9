// The environment of a program that a test starts: without the settings of the tests, and with their compile cache, so that the service is
// compiled once and not once for each program.

import { tmpdir } from 'node:os';
import { join } from 'node:path';

export const programEnvironment: Readonly<NodeJS.ProcessEnv> = {
  PATH: process.env['PATH'],
  HOME: process.env['HOME'],
  NODE_COMPILE_CACHE: process.env['NODE_COMPILE_CACHE'] ?? join(tmpdir(), 'holdfast-compile-cache'),
};
