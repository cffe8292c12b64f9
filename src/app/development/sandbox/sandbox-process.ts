// Starts the sandbox custodian in a child process that ends with this one.

import { fork, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { putFolder } from '../../../kit/files/folders.ts';

export type MessageFromSandbox =
  | { readonly kind: 'listening'; readonly origin: string }
  | { readonly kind: 'failed'; readonly reason: string };

export interface SandboxProcess {
  readonly origin: string;
  stop(): Promise<void>;
}

const script = fileURLToPath(new URL('sandbox-custodian.ts', import.meta.url));

/** The port is free at first and then remembered, since addresses of the sandbox are stored with consents. */
function portFile(dataDir: string): string {
  return join(dataDir, 'sandbox-custodian.port');
}

async function findRememberedPort(dataDir: string): Promise<number | undefined> {
  const text = await readFile(portFile(dataDir), 'utf8').catch(() => '');
  return /^\d{1,5}\n$/.test(text) ? Number(text) : undefined;
}

export async function startSandbox({ dataDir }: { readonly dataDir: string }): Promise<SandboxProcess> {
  await putFolder(dataDir);
  const formerPort = await findRememberedPort(dataDir);
  const child = fork(script, [], {
    stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
    execArgv: [],
    // Passes on no settings of the service, which hold secrets.
    env: {
      PATH: process.env['PATH'],
      NODE_ENV: process.env['NODE_ENV'],
      SANDBOX_PORTS: formerPort === undefined ? '0' : `${formerPort},0`,
      SANDBOX_STATE: join(dataDir, 'sandbox-custodian.json'),
    },
  });
  child.on('error', () => {});
  const origin = await waitForOrigin(child);
  await writeFile(portFile(dataDir), `${new URL(origin).port}\n`);
  return {
    origin,
    async stop() {
      if (child.exitCode !== null || child.signalCode !== null) return;
      const ended = once(child, 'exit');
      child.kill('SIGKILL');
      await ended;
    },
  };
}

async function waitForOrigin(child: ChildProcess): Promise<string> {
  const exited = once(child, 'exit').then(() => {
    throw new Error('The sandbox custodian ended before it was ready.');
  });
  exited.catch(() => {});
  const [message] = (await Promise.race([once(child, 'message'), exited])) as [MessageFromSandbox];
  if (message.kind === 'failed') throw new Error(message.reason);
  return message.origin;
}
