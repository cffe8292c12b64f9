// Starts a node as the image does: the service as plain JavaScript, in production, in a process of its own.

import { spawn, type ChildProcess } from 'node:child_process';
import { symlink } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { writeJavaScript } from '../deploy/image/write-javascript.ts';
import { freePort } from '../scripts/old-release.ts';
import type { TargetSettings } from './structure/target-messages.ts';

export interface ImageNode {
  readonly address: string;
  readonly processId: number;
  stop(): void;
}

interface ImageNodeOptions {
  readonly settings: TargetSettings;
  /** Of Node.js. */
  readonly flags: readonly string[];
  /** Settings of the C library, beside those of the service. */
  readonly variables?: Readonly<Record<string, string>>;
  /** Where the service is written. */
  readonly folder: string;
}

function environment({ databaseUrl, encryptionKey, connections, workThreads }: TargetSettings): NodeJS.ProcessEnv {
  return {
    PATH: process.env['PATH'],
    NODE_ENV: 'production',
    BASE_URL: 'http://bench.test',
    DATABASE_URL: databaseUrl,
    DATABASE_POOL: String(2 * connections),
    ENCRYPTION_KEY: encryptionKey,
    ...(workThreads === undefined ? {} : { WORK_THREADS: String(workThreads) }),
    BUDGET_PER_MINUTE: '100000000',
    BUDGET_BURST: '100000000',
  };
}

export async function startImageNode({ settings, flags, variables, folder }: ImageNodeOptions): Promise<ImageNode> {
  writeJavaScript(folder);
  await symlink(fileURLToPath(new URL('../node_modules', import.meta.url)), join(folder, 'node_modules'));
  const port = await freePort();
  const env = { ...environment(settings), ...variables, PORT: port, DATA_DIR: folder };
  const child = spawn(process.execPath, [...flags, 'src/main.js'], {
    cwd: folder,
    env,
    stdio: ['ignore', 'ignore', 2],
  });
  const address = `http://127.0.0.1:${port}`;
  await untilReady(child, address);
  return { address, processId: child.pid!, stop: () => void child.kill('SIGKILL') };
}

async function untilReady(child: ChildProcess, address: string): Promise<void> {
  while ((await fetch(`${address}/readyz`).catch(() => undefined))?.status !== 200) {
    if (child.exitCode !== null) throw new Error('The node has ended.');
    await delay(100);
  }
}
