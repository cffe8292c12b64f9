// Runs the commands of a documentation page in one shell, as a reader would, and compares the answers with those that the page shows.

import { execFile } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { contains, listCommands, readPage, type ShownCommand } from './shown-answers.ts';

interface Reader {
  /** The address that the page's `http://127.0.0.1:8080` stands for. */
  readonly baseUrl: string;
  /** What the reader has put into variables before. */
  readonly variables: Readonly<Record<string, string>>;
}

export interface PageRun {
  readonly commands: readonly ShownCommand[];
  /** The commands with another answer than the page shows. */
  readonly wrong: readonly { readonly command: string; readonly shown: string | undefined; readonly output: string }[];
}

export async function runPage(path: string, { baseUrl, variables }: Reader): Promise<PageRun> {
  const commands = listCommands(await readPage(path));
  const end = '--- the next command ---';
  const script = commands.map(({ command }) => `${command}\necho '${end}'\n`).join('');
  const folder = await mkdtemp(join(tmpdir(), 'page-'));
  try {
    const { stdout } = await promisify(execFile)(
      'bash',
      ['-eu', '-o', 'pipefail', '-c', script.replaceAll('http://127.0.0.1:8080', baseUrl)],
      { cwd: folder, env: { ...process.env, ...variables } },
    );
    const outputs = stdout.split(`${end}\n`);
    const wrong = commands.flatMap((one, index) => {
      const output = outputs[index] ?? '';
      return isShown(one, output) ? [] : [{ command: one.command, shown: one.answer?.text, output }];
    });
    return { commands, wrong };
  } finally {
    await rm(folder, { recursive: true });
  }
}

function isShown({ answer }: ShownCommand, output: string): boolean {
  if (answer === undefined) return true;
  return answer.format === 'text' ? output === answer.text : contains(JSON.parse(output), JSON.parse(answer.text));
}
