// Checks that the identity providers for development start on demand, end with their parent, and never run in production.

import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createServer, type AddressInfo } from 'node:net';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { expect, onTestFinished, test } from 'vitest';
import { startDevelopmentProviders } from './provider-process.ts';

const run = promisify(execFile);
const providerScript = fileURLToPath(new URL('identity-provider.ts', import.meta.url));
const starter = new URL('provider-process.ts', import.meta.url).href;

const isServed = (address: string): Promise<boolean> =>
  fetch(address).then(
    () => true,
    () => false,
  );

test('three of them are served on a free port, which is the same after the next start', async () => {
  const dataDir = await mkdtemp(join(tmpdir(), 'holdfast-providers-'));
  const development = await startDevelopmentProviders({ dataDir, isProduction: false });
  onTestFinished(async () => {
    await development.stop();
    await rm(dataDir, { recursive: true });
  });
  await development.serve('http://127.0.0.1:8080/sign-in/callback');
  const issuers = development.providers.map(({ issuer }) => issuer);
  expect(issuers.map((issuer) => issuer.replace(/:\d+\//, ':port/'))).toEqual(
    ['a', 'b', 'c'].map((suffix) => `http://127.0.0.1:port/provider_${suffix}`),
  );
  expect(new URL(issuers[0]!).origin).toBe(development.origin);
  for (const issuer of issuers) {
    const discovery = await (await fetch(`${issuer}/.well-known/openid-configuration`)).json();
    expect(discovery).toMatchObject({ issuer, authorization_endpoint: `${issuer}/auth` });
  }
  expect((await fetch(new URL('/', issuers[0]).href)).status).toBe(404);
  await development.stop();
  const again = await startDevelopmentProviders({ dataDir, isProduction: false });
  // Unless another program has taken the port meanwhile.
  const isTaken = again.origin !== development.origin && (await isServed(development.origin));
  expect(isTaken ? development.origin : again.origin).toBe(development.origin);
  await again.stop();
});

test('a remembered port that is taken meanwhile is left alone, and another free one is used', async () => {
  const dataDir = await mkdtemp(join(tmpdir(), 'holdfast-providers-'));
  const taken = createServer().listen(0, '127.0.0.1');
  await once(taken, 'listening');
  const { port } = taken.address() as AddressInfo;
  await writeFile(join(dataDir, 'identity-providers.port'), `${port}\n`);
  const development = await startDevelopmentProviders({ dataDir, isProduction: false });
  onTestFinished(async () => {
    await development.stop();
    taken.close();
    await rm(dataDir, { recursive: true });
  });
  expect(Number(new URL(development.origin).port)).not.toBe(port);
});

test('they redirect only to the address of the service', async () => {
  const development = await startDevelopmentProviders({ isProduction: false });
  onTestFinished(() => development.stop());
  await development.serve('http://127.0.0.1:8080/sign-in/callback');
  const { issuer, clientId } = development.providers[0]!;
  const query = { client_id: clientId, response_type: 'code', scope: 'openid', redirect_uri: 'http://127.0.0.1:8080/' };
  const answer = await fetch(`${issuer}/auth?${new URLSearchParams(query)}`, { redirect: 'manual' });
  expect(answer.status).toBe(400);
});

test('they start neither in production nor without a parent process', async () => {
  await expect(startDevelopmentProviders({ isProduction: true })).rejects.toThrow('cannot be started in production');
  const message = 'This identity provider signs in anyone without a password: use it for development only.\n';
  await expect(run(process.execPath, [providerScript, '0'])).rejects.toMatchObject({ code: 1, stderr: message });
});

test('they end with their parent process, even if it was killed', async () => {
  const script = `import { startDevelopmentProviders } from '${starter}';
    const { providers, serve } = await startDevelopmentProviders({ isProduction: false });
    await serve('http://127.0.0.1:8080/sign-in/callback');
    console.log(providers[0].issuer);`;
  const parent = spawn(process.execPath, ['--input-type=module-typescript', '--eval', script], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  onTestFinished(() => void parent.kill('SIGKILL'));
  const [line] = (await once(parent.stdout, 'data')) as [Buffer];
  const address = `${line.toString().trim()}/.well-known/openid-configuration`;
  expect(await isServed(address)).toBe(true);
  parent.kill('SIGKILL');
  await expect.poll(() => isServed(address)).toBe(false);
});
