// Runs before each test file: leaves out what cannot be shown on Citus, while the tests run there, and nothing else.

import { afterAll, beforeEach } from 'vitest';
import { exceptionsOf, isOnCitus, type Exception } from './exceptions.ts';

if (isOnCitus) {
  const found = new Set<Exception>();
  let own: readonly Exception[] = [];
  beforeEach(({ task, skip }) => {
    own = exceptionsOf(task.file.filepath).filter(({ title }) => title !== undefined);
    const exception = own.find(({ title = '' }) => task.name.includes(title));
    if (exception === undefined) return;
    found.add(exception);
    skip(exception.reason);
  });
  afterAll(() => {
    const missing = own.find((exception) => !found.has(exception));
    if (missing !== undefined) throw new Error(`No test of ${missing.file} has the title “${missing.title}”.`);
  });
}
