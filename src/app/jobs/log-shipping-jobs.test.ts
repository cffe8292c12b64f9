// Tests that lines shipped to standard output are whole lines among those of the service's own log, whatever standard output is.

import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { text } from 'node:stream/consumers';
import { expect, test } from 'vitest';
import { serviceForThisTest } from '../../../tests/setup/node/test-service.ts';

/** Writes lines of both kinds at once, and says on standard error when those that are shipped were taken. */
const program = `
import { makeLog } from './src/app/start/service-log.ts';
import { appendToLog } from './src/app/jobs/log-shipping-jobs.ts';
const log = makeLog('info');
const append = appendToLog(log);
const line = (number) => JSON.stringify({ log: 'audit', number, note: 'x'.repeat(20_000) });
for (let batch = 0; batch < 5; batch++) {
  for (let one = 0; one < 100; one++) log.info({ one, note: 'y'.repeat(300) }, 'a request');
  await append([line(2 * batch), line(2 * batch + 1)].map((text) => text + '\\n').join(''));
}
process.stderr.write('taken');
`;

test('a pipe gets whole lines of both, in the order of the numbers, and has taken them when the batch is acknowledged', async () => {
  const child = spawn(process.execPath, ['--input-type=module', '--eval', program], {
    cwd: new URL('../../../', import.meta.url).pathname,
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const [written, said] = await Promise.all([text(child.stdout), text(child.stderr), once(child, 'exit')]);
  const lines = written
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line));
  const shipped = lines.filter(({ log }) => log === 'audit').map(({ number }) => number);
  expect([said, shipped, lines.length]).toEqual(['taken', [0, 1, 2, 3, 4, 5, 6, 7, 8, 9], 510]);
});

test('the audit log is shipped to standard output with SHIP_TO_FILE=-', async () => {
  const service = await serviceForThisTest({ settings: { ROLE: 'all', SHIP_TO_FILE: '-' } });
  await service.admin.makeClient('Lindqvist');
  const shipped = () =>
    service.log.map((line) => JSON.parse(line)).filter(({ log, act }) => log === 'audit' && act === 'create');
  await expect.poll(() => shipped().length, { timeout: 60_000 }).toBeGreaterThan(0);
});
