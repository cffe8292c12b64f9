import { execFile } from 'node:child_process';
import { openSync } from 'node:fs';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setImmediate } from 'node:timers/promises';
import { promisify } from 'node:util';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { makeLog } from './service-log.ts';

let folder = '';
let file = '';

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'holdfast-log-'));
  file = join(folder, 'log');
});
afterEach(async () => {
  vi.useRealTimers();
  await rm(folder, { recursive: true });
});

async function listMessages(): Promise<string[]> {
  const text = await readFile(file, 'utf8').catch(() => '');
  return text.split('\n').flatMap((line) => (line === '' ? [] : [JSON.parse(line).msg]));
}

async function waitForMessages(count: number): Promise<string[]> {
  for (let turn = 0; turn < 10_000 && (await listMessages()).length < count; turn++) await setImmediate();
  return listMessages();
}

test('lines wait for others, but not for long; a warning is written at once with all that waits', async () => {
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] });
  const log = makeLog('info', openSync(file, 'a'));
  log.debug('not of this level');
  log.info('one');
  log.warn('two');
  expect(await waitForMessages(2)).toEqual(['one', 'two']);
  log.info('three');
  for (let turn = 0; turn < 10; turn++) expect(await listMessages()).toEqual(['one', 'two']);
  vi.advanceTimersByTime(100);
  expect(await waitForMessages(3)).toEqual(['one', 'two', 'three']);
});

test('what waits when the process ends is written', async () => {
  const script = `import { openSync } from 'node:fs';
    import { makeLog } from ${JSON.stringify(new URL('service-log.ts', import.meta.url).href)};
    const log = makeLog('info', openSync(${JSON.stringify(file)}, 'a'));
    log.info('last words');
    setImmediate(() => process.exit(0));`;
  await promisify(execFile)(process.execPath, ['--input-type=module', '--eval', script]);
  expect(await listMessages()).toEqual(['last words']);
});
