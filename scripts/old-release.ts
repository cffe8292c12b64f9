// Runs an earlier release beside this one: its tag in a folder of its own, with the packages of this checkout.

import { execFile, spawn } from 'node:child_process';
import { mkdtemp, rm, symlink } from 'node:fs/promises';
import { createServer, type AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';

const run = promisify(execFile);
const repository = fileURLToPath(new URL('..', import.meta.url));

export interface Release {
  readonly folder: string;
  remove(): Promise<void>;
}

export async function checkOutRelease(tag: string): Promise<Release> {
  const parent = await mkdtemp(join(tmpdir(), 'holdfast-release-'));
  const folder = join(parent, tag);
  await run('git', ['worktree', 'add', '--detach', '--quiet', folder, tag], { cwd: repository });
  await symlink(join(repository, 'node_modules'), join(folder, 'node_modules'));
  return {
    folder,
    async remove() {
      await run('git', ['worktree', 'remove', '--force', folder], { cwd: repository });
      await rm(parent, { recursive: true, force: true });
    },
  };
}

export async function freePort(): Promise<string> {
  const server = createServer().listen(0, '127.0.0.1');
  await new Promise((listening) => server.once('listening', listening));
  const { port } = server.address() as AddressInfo;
  await new Promise((closed) => server.close(closed));
  return String(port);
}

export interface ReleaseNode {
  readonly address: string;
  /** Stops it as a supervisor does, and returns its exit code. */
  stop(): Promise<number | null>;
}

/** Starts a node of a release in a process of its own and waits until it is ready. */
export async function startNode({ folder }: Release, settings: Readonly<Record<string, string>>): Promise<ReleaseNode> {
  const env = { PATH: process.env['PATH'], LOG_LEVEL: 'warn', SHUTDOWN_GRACE_MS: '0', DEMO: 'off', ...settings };
  const child = spawn(process.execPath, ['src/main.ts'], { cwd: folder, env, stdio: ['ignore', 'pipe', 'pipe'] });
  // A program that fails leaves no node behind.
  process.once('exit', () => child.kill('SIGKILL'));
  let output = '';
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (data: Buffer) => (output += data.toString()));
  const ended = new Promise<number | null>((resolve) => child.once('close', resolve));
  const stop = async (): Promise<number | null> => {
    child.kill('SIGTERM');
    return ended;
  };
  const address = `http://127.0.0.1:${settings['PORT']}`;
  const isReady = async (): Promise<boolean> =>
    (await fetch(`${address}/readyz`).catch(() => undefined))?.status === 200;
  while (!(await isReady())) {
    if (child.exitCode !== null) throw new Error(`The node of ${folder} has ended:\n${output}`);
    await delay(50);
  }
  return { address, stop };
}
