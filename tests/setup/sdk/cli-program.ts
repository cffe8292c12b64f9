// Runs the command line program as a process, as a person or a script does.

import { spawn, type ChildProcess } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll } from 'vitest';

const main = fileURLToPath(new URL('../../../packages/cli/src/main.ts', import.meta.url));

export interface Outcome {
  readonly code: number | null;
  readonly out: string;
  readonly err: string;
  /** The output as JSON. */
  json(): any;
}

export interface RunOptions {
  readonly input?: string;
  readonly env?: Readonly<Record<string, string>>;
  /** Called with the process, to interrupt it or to look at what it writes. */
  readonly onStart?: (child: ChildProcess) => void;
}

export interface CliProgram {
  readonly folder: string;
  run(args: readonly string[], options?: RunOptions): Promise<Outcome>;
}

/** The program with a folder for settings of its own, and nothing of the environment of the tests. */
export function cliForThisFile(): CliProgram {
  const folder = mkdtempSync(join(tmpdir(), 'holdfast-cli-'));
  afterAll(() => rmSync(folder, { recursive: true }));
  const environment = {
    PATH: process.env['PATH'] ?? '',
    NODE_COMPILE_CACHE: process.env['NODE_COMPILE_CACHE'] ?? '',
    HOME: folder,
    XDG_CONFIG_HOME: join(folder, 'config'),
  };
  return {
    folder,
    run: (args, { input = '', env = {}, onStart } = {}) =>
      new Promise((resolve, reject) => {
        const child = spawn(process.execPath, [main, ...args], { env: { ...environment, ...env } });
        let [out, err] = ['', ''];
        child.stdout.on('data', (piece) => (out += piece));
        child.stderr.on('data', (piece) => (err += piece));
        child.on('error', reject);
        child.on('close', (code) => resolve({ code, out, err, json: () => JSON.parse(out) }));
        child.stdin.end(input);
        onStart?.(child);
      }),
  };
}
