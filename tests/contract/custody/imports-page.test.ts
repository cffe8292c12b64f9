// Runs docs/imports.md in a shell, from its first command to its last, and compares the answers with those that it shows.

import { execFile } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect, onTestFinished, test } from 'vitest';
import { contains, listCommands, readPage, type ShownCommand } from '../../setup/docs/shown-answers.ts';
import { serviceForThisFile } from '../../setup/node/test-service.ts';

const service = serviceForThisFile();

/** One shell runs all commands, as a reader would, and marks where the output of each ends. */
async function runAll(commands: readonly ShownCommand[]): Promise<readonly string[]> {
  const folder = await mkdtemp(join(tmpdir(), 'imports-page-'));
  onTestFinished(() => rm(folder, { recursive: true }));
  const end = '--- the next command ---';
  const script = commands.map(({ command }) => `${command}\necho '${end}'\n`).join('');
  const { admin, addresses } = service;
  const { stdout } = await promisify(execFile)(
    'bash',
    ['-eu', '-o', 'pipefail', '-c', script.replaceAll('http://127.0.0.1:8080', addresses.baseUrl)],
    { cwd: folder, env: { ...process.env, TOKEN: admin.token ?? '' } },
  );
  return stdout.split(`${end}\n`);
}

function isShown({ answer }: ShownCommand, output: string): boolean {
  if (answer === undefined) return true;
  return answer.format === 'text' ? output === answer.text : contains(JSON.parse(output), JSON.parse(answer.text));
}

test('every command of the page about imports works, and answers what the page shows', async () => {
  const commands = listCommands(await readPage('docs/imports.md'));
  const outputs = await runAll(commands);
  const wrong = commands.flatMap((one, index) =>
    isShown(one, outputs[index]!) ? [] : [{ command: one.command, shown: one.answer?.text, output: outputs[index] }],
  );
  expect(wrong).toEqual([]);
  expect(commands.filter(({ answer }) => answer !== undefined).length).toBeGreaterThan(12);
});
