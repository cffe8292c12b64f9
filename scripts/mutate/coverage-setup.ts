// Runs in every test file while the map of tests is made: writes down which functions of the service the file called.

import { Session } from 'node:inspector/promises';
import { afterAll, beforeAll, expect } from 'vitest';
import { counted, testVariable, writeCalled } from './called-functions.ts';

/** One for each process, which runs several test files: each take returns what was called since the last. */
const shared = globalThis as { mutateSession?: Session };

if (shared.mutateSession === undefined) {
  shared.mutateSession = new Session();
  shared.mutateSession.connect();
  await shared.mutateSession.post('Profiler.enable');
}
const session = shared.mutateSession;
// For each file anew: this ends the optimised code of the files before, in which calls of inlined functions do not count.
await session.post('Profiler.startPreciseCoverage', counted);
const begunAt = performance.now();

beforeAll(() => void (process.env[testVariable] = expect.getState().testPath));

afterAll(async () => {
  const { result } = await session.post('Profiler.takePreciseCoverage');
  writeCalled(expect.getState().testPath!, Math.round(performance.now() - begunAt), result);
});
