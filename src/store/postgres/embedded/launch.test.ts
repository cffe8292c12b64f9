// Tests which complaints of PostgreSQL at its start lead to another try.

import { expect, test } from 'vitest';
import { isBlocked } from './launch.ts';

test.each([
  ['FATAL:  pre-existing shared memory block (key 17, ID 2) is still in use', true],
  ['FATAL:  lock file "postmaster.pid" already exists', true],
  ['FATAL:  lock file "postmaster.pid" is empty', true],
  ['FATAL:  could not create lock file "postmaster.pid": No space left on device', false],
  ['FATAL:  data directory has wrong ownership', false],
])('%s: %s', (line, expected) => {
  expect(isBlocked({ lines: ['LOG:  starting PostgreSQL', line, 'LOG:  database system is shut down'] })).toBe(
    expected,
  );
});
