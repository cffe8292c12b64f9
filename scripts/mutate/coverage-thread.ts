// Runs first in every thread while the map of tests is made: writes down, when a work thread ends, which functions of the service it called.

import { Session } from 'node:inspector';
import { isMainThread } from 'node:worker_threads';
import { counted, testVariable, writeCalled } from './called-functions.ts';

const test = process.env[testVariable];

if (!isMainThread && test !== undefined) {
  const session = new Session();
  session.connect();
  session.post('Profiler.enable');
  session.post('Profiler.startPreciseCoverage', counted);
  process.on('exit', () =>
    session.post('Profiler.takePreciseCoverage', (_error, { result }) => writeCalled(test, 0, result)),
  );
}
