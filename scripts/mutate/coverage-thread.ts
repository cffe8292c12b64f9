// Runs first in every thread and program while the map of tests is made: writes down, when one that a test has started ends, what it called
// of the service.

import { Session } from 'node:inspector';
import { counted, testVariable, writeCalled } from './called-functions.ts';

const test = process.env[testVariable];

if (test !== undefined) {
  const session = new Session();
  session.connect();
  session.post('Profiler.enable');
  session.post('Profiler.startPreciseCoverage', counted);
  process.on('exit', () =>
    session.post('Profiler.takePreciseCoverage', (_error, { result }) => writeCalled(test, 0, result)),
  );
}
