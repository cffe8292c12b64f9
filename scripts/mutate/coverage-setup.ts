// Runs in every test file while the map of tests is made: writes down which functions of the service the file called.

import { Session } from 'node:inspector/promises';
import { afterAll, beforeAll, expect } from 'vitest';
import { counted, testVariable, writeCalled } from './called-functions.ts';

const session = new Session();
session.connect();
await session.post('Profiler.enable');
await session.post('Profiler.startPreciseCoverage', counted);
const begunAt = performance.now();

beforeAll(() => void (process.env[testVariable] = expect.getState().testPath));

afterAll(async () => {
  const { result } = await session.post('Profiler.takePreciseCoverage');
  writeCalled(expect.getState().testPath!, Math.round(performance.now() - begunAt), result);
});
