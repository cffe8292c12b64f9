// Starts the identity providers for development in a child process that ends with this one.

import { fork, type ChildProcess } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { putFolder } from '../../kit/files/folders.ts';
import type { ProviderSettings } from '../../gateways/identity-providers.ts';
import { providerKeys } from '../../model/people/identity.ts';

export type MessageToProvider = {
  readonly kind: 'serve';
  readonly client: { readonly id: string; readonly secret: string };
  readonly redirectUri: string;
};
export type MessageFromProvider =
  | { readonly kind: 'listening'; readonly origin: string }
  | { readonly kind: 'failed'; readonly reason: string };

export interface DevelopmentProviders {
  readonly providers: readonly ProviderSettings[];
  /** Where they listen. */
  readonly origin: string;
  /** Accepts sign-ins that return to this address, and remembers the port for the next start. */
  serve(redirectUri: string): Promise<void>;
  stop(): Promise<void>;
}

const providerScript = fileURLToPath(new URL('identity-provider.ts', import.meta.url));

/** The address is part of an identity, so it should be the same after every start: the port is free at first, and then remembered. */
function portFile(dataDir: string): string {
  return join(dataDir, 'identity-providers.port');
}

async function findRememberedPort(dataDir: string): Promise<number | undefined> {
  const text = await readFile(portFile(dataDir), 'utf8').catch(() => '');
  return /^\d{1,5}\n$/.test(text) ? Number(text) : undefined;
}

async function rememberPort(dataDir: string, origin: string): Promise<void> {
  await putFolder(dataDir);
  await writeFile(portFile(dataDir), `${new URL(origin).port}\n`);
}

export async function startDevelopmentProviders({
  dataDir,
  isProduction,
}: {
  /** Where the port is remembered; without a folder it is another one at every start. */
  readonly dataDir?: string;
  readonly isProduction: boolean;
}): Promise<DevelopmentProviders> {
  if (isProduction) throw new Error('The identity providers for development cannot be started in production.');
  const formerPort = dataDir === undefined ? undefined : await findRememberedPort(dataDir);
  const ports = formerPort === undefined ? [0] : [formerPort, 0];
  const child = fork(providerScript, ports.map(String), {
    stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
    execArgv: [],
    // Passes on no settings, which hold secrets.
    env: { PATH: process.env['PATH'], NODE_ENV: process.env['NODE_ENV'] },
  });
  child.on('error', () => {});
  const origin = await waitForOrigin(child);
  const client = { id: 'holdfast', secret: randomBytes(32).toString('base64url') };
  return {
    origin,
    providers: providerKeys.map((key) => ({
      key,
      issuer: `${origin}/${key}`,
      clientId: client.id,
      clientSecret: client.secret,
      name: `Provider ${key.slice(-1).toUpperCase()} (for trying out)`,
    })),
    async serve(redirectUri) {
      child.send({ kind: 'serve', client, redirectUri } satisfies MessageToProvider);
      // Without the file everything works until the next start, so a folder that cannot be written is no reason to fail.
      if (dataDir !== undefined) await rememberPort(dataDir, origin).catch(() => undefined);
    },
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
    throw new Error('The identity provider for development ended before it was ready.');
  });
  exited.catch(() => {});
  const [message] = (await Promise.race([once(child, 'message'), exited])) as [MessageFromProvider];
  if (message.kind === 'failed') throw new Error(message.reason);
  return message.origin;
}
