// The entry of the process: reads the settings, starts the service, prints its addresses, and stops it on a signal.

import { readConfig, type Config } from './app/config.ts';
import { callbackAddress } from './actions/access/sign-in.ts';
import { startDevelopmentProviders, type DevelopmentProviders } from './app/development/provider-process.ts';
import { connectDemoIfPossible } from './app/development/sandbox/connect-demo.ts';
import { startSandbox, type SandboxProcess } from './app/development/sandbox/sandbox-process.ts';
import { bindListeners } from './app/listeners.ts';
import { describeStartError } from './app/start-error.ts';
import { startService } from './app/start-service.ts';
import { fail, stopOnSignal } from './app/start/stop-on-signal.ts';
import { needsBanks, needsProviders, welcomeLines } from './app/start/welcome.ts';
import { chooseSmallHeap } from './kit/memory/heap-growth.ts';

/** Starts identity providers for trying out, if none are configured. Without their library, the service starts without sign-in. */
async function startProvidersIfNeeded(config: Config): Promise<DevelopmentProviders | undefined> {
  return needsProviders(config) ? startDevelopmentProviders(config).catch(() => undefined) : undefined;
}

/** Starts the banks that the demo is connected to. The service does without them if they do not start. */
async function startSandboxIfNeeded(config: Config): Promise<SandboxProcess | undefined> {
  return needsBanks(config) ? startSandbox(config).catch(() => undefined) : undefined;
}

async function main(): Promise<void> {
  const hasStarted = stopOnSignal(process);
  const settings = readConfig(process.env);
  if (settings.workThreads === 0) chooseSmallHeap();
  // First, so that nothing is created and no other port is taken by a start that fails on its own.
  const listeners = await bindListeners(settings);
  const sandboxStart = startSandboxIfNeeded(settings);
  const development = await startProvidersIfNeeded(settings);
  const config = development === undefined ? settings : { ...settings, identityProviders: development.providers };
  const service = await startService(config, { listeners });
  hasStarted(service);
  await development?.serve(callbackAddress(service));
  const sandbox = await sandboxStart;
  const lines = welcomeLines({ config, service, providers: development?.origin, banks: sandbox?.origin });
  process.stdout.write(lines.map((line) => `${line}\n`).join(''));
  if (sandbox) await connectDemoIfPossible(service.context, sandbox.origin, process.stderr);
}

main().catch((error: unknown) => fail(process, describeStartError(error)));
