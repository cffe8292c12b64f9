// Starts the identity providers for development in a child process that ends with this one.

import { fork, type ChildProcess } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
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
  /** Accepts sign-ins that return to this address. */
  serve(redirectUri: string): void;
  stop(): Promise<void>;
}

const providerScript = fileURLToPath(new URL('identity-provider.ts', import.meta.url));

/** Prefers the port after the service's own: the address is part of an identity, so it should be the same after every start. */
function portsAfter(port: number): readonly number[] {
  const following = Array.from({ length: 10 }, (_, index) => port + 1 + index).filter((one) => one <= 65_535);
  return port === 0 ? [0] : [...following, 0];
}

/** `port` is the port of the service. */
export async function startDevelopmentProviders({
  port,
  isProduction,
}: {
  readonly port: number;
  readonly isProduction: boolean;
}): Promise<DevelopmentProviders> {
  if (isProduction) throw new Error('The identity providers for development cannot be started in production.');
  const child = fork(providerScript, portsAfter(port).map(String), {
    stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
    execArgv: [],
    // Passes on no settings, which hold secrets.
    env: { PATH: process.env['PATH'], NODE_ENV: process.env['NODE_ENV'] },
  });
  child.on('error', () => {});
  const origin = await waitForOrigin(child);
  const client = { id: 'holdfast', secret: randomBytes(32).toString('base64url') };
  return {
    providers: providerKeys.map((key) => ({
      key,
      issuer: `${origin}/${key}`,
      clientId: client.id,
      clientSecret: client.secret,
      name: `Provider ${key.slice(-1).toUpperCase()} (for trying out)`,
    })),
    serve: (redirectUri) => void child.send({ kind: 'serve', client, redirectUri } satisfies MessageToProvider),
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
