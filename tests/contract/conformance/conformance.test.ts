// The public checks of the contract, run against this service, and against one that does nothing right.

import { execFile } from 'node:child_process';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect, onTestFinished, test } from 'vitest';
import { allChecks, runChecks } from '../../../packages/conformance/src/run-checks.ts';
import { RunningClock } from '../../setup/kit/manual-clock.ts';
import { serviceForThisFile } from '../../setup/node/test-service.ts';

const service = serviceForThisFile({ clock: new RunningClock(Date.now()) });

function target() {
  const { clientId, clientSecret } = service.first;
  return { url: service.admin.address, clientId, clientSecret: clientSecret! };
}

test('every check passes on this service', async () => {
  const { results } = await runChecks(target());
  expect(results.filter(({ outcome }) => outcome !== 'passed')).toEqual([]);
  expect(results.length).toBe(allChecks.length);
});

test('a service that answers everything with an empty object fails every check that expects more of it', async () => {
  const server = createServer((request, response) => {
    const isToken = request.url === '/oauth/token';
    response.writeHead(request.method === 'POST' && !isToken ? 201 : 200, { 'content-type': 'application/json' });
    response.end(isToken ? '{"access_token":"x"}' : '{"id":"1"}');
  }).listen(0, '127.0.0.1');
  onTestFinished(() => void server.close());
  await new Promise((resolve) => server.once('listening', resolve));
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const { results } = await runChecks({ url, clientId: 'a', clientSecret: 'b' });
  expect(results.filter(({ outcome }) => outcome === 'passed').map(({ title }) => title)).toEqual([
    'the same question gets the same bytes',
  ]);
});

test('the program writes its report in three forms and ends with 0, and with 2 if it is called wrongly', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'holdfast-conformance-'));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  const { url, clientId, clientSecret } = target();
  const run = (...args: string[]) =>
    promisify(execFile)(process.execPath, ['packages/conformance/src/main.ts', ...args], {
      env: { HOLDFAST_CLIENT_ID: clientId, HOLDFAST_CLIENT_SECRET: clientSecret },
    });
  const files = ['json', 'junit', 'html'].flatMap((form) => [`--${form}`, join(folder, form)]);
  const { stdout } = await run('--url', url, '--area', 'tokens', ...files);
  expect(stdout).toContain('3 passed, 0 failed, 0 skipped');
  expect(JSON.parse(await readFile(join(folder, 'json'), 'utf8'))).toMatchObject({ passed: 3, failed: 0 });
  expect(await readFile(join(folder, 'junit'), 'utf8')).toContain('<testsuite name="holdfast-conformance" tests="3"');
  expect(await readFile(join(folder, 'html'), 'utf8')).toContain('3 passed, 0 failed');
  await expect(run('--area', 'tokens')).rejects.toMatchObject({ code: 2 });
  await expect(run('--url', url, '--area', 'nothing')).rejects.toMatchObject({ code: 2 });
});
