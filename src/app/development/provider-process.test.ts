// Checks that the identity providers for development start on demand, end with their parent, and never run in production.

import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createServer, type AddressInfo } from 'node:net';
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

test('three providers are served next to the service, on the next free port', async () => {
  const taken = createServer().listen(0, '127.0.0.1');
  await once(taken, 'listening');
  const { port } = taken.address() as AddressInfo;
  const development = await startDevelopmentProviders({ port: port - 1, isProduction: false });
  onTestFinished(async () => {
    await development.stop();
    taken.close();
  });
  development.serve('http://127.0.0.1:8080/sign-in/callback');
  const issuers = development.providers.map(({ issuer }) => issuer);
  expect(issuers.map((issuer) => issuer.replace(/:\d+\//, ':port/'))).toEqual(
    ['a', 'b', 'c'].map((suffix) => `http://127.0.0.1:port/provider_${suffix}`),
  );
  expect(Number(new URL(issuers[0]!).port)).not.toBe(port);
  for (const issuer of issuers) {
    const discovery = await (await fetch(`${issuer}/.well-known/openid-configuration`)).json();
    expect(discovery).toMatchObject({ issuer, authorization_endpoint: `${issuer}/auth` });
  }
  expect((await fetch(new URL('/', issuers[0]).href)).status).toBe(404);
});

test('they redirect only to the address of the service', async () => {
  const development = await startDevelopmentProviders({ port: 0, isProduction: false });
  onTestFinished(() => development.stop());
  development.serve('http://127.0.0.1:8080/sign-in/callback');
  const { issuer, clientId } = development.providers[0]!;
  const query = { client_id: clientId, response_type: 'code', scope: 'openid', redirect_uri: 'http://127.0.0.1:8080/' };
  const answer = await fetch(`${issuer}/auth?${new URLSearchParams(query)}`, { redirect: 'manual' });
  expect(answer.status).toBe(400);
});

test('they start neither in production nor without a parent process', async () => {
  await expect(startDevelopmentProviders({ port: 0, isProduction: true })).rejects.toThrow(
    'cannot be started in production',
  );
  const message = 'This identity provider signs in anyone without a password: use it for development only.\n';
  await expect(run(process.execPath, [providerScript, '0'])).rejects.toMatchObject({ code: 1, stderr: message });
});

test('they end with their parent process, even if it was killed', async () => {
  const script = `import { startDevelopmentProviders } from '${starter}';
    const { providers, serve } = await startDevelopmentProviders({ port: 0, isProduction: false });
    serve('http://127.0.0.1:8080/sign-in/callback');
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
