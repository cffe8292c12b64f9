// The entry of the process: reads the settings, starts the service, prints its addresses, and stops it on a signal.

import { readConfig, type Config } from './app/config.ts';
import type { DemoApplication, FirstApplication } from './actions/access/bootstrap.ts';
import type { PrintedLink } from './actions/people/administrator.ts';
import { mailFolder } from './app/jobs/mail-jobs.ts';
import { callbackAddress } from './actions/access/sign-in.ts';
import { startDevelopmentProviders, type DevelopmentProviders } from './app/development/provider-process.ts';
import { connectDemo } from './app/development/sandbox/connect-demo.ts';
import { startSandbox, type SandboxProcess } from './app/development/sandbox/sandbox-process.ts';
import { bindListeners } from './app/listeners.ts';
import { describeStartError } from './app/start-error.ts';
import { startService, type Service } from './app/start-service.ts';

const stopMsMax = 14_000;

function print(line: string): void {
  process.stdout.write(`${line}\n`);
}

function fail(message: string): never {
  process.stderr.write(`${message}\n`);
  process.exit(1);
}

/** Quotes text for the shell. */
function shellQuoted(text: string): string {
  return `'${text.replaceAll("'", String.raw`'\''`)}'`;
}

function tokenCall(baseUrl: string, clientId: string, clientSecret: string): string {
  const body = JSON.stringify({ grant_type: 'client_credentials', client_id: clientId, client_secret: clientSecret });
  return `TOKEN=$(curl -s ${baseUrl}/oauth/token -H 'content-type: application/json' -d ${shellQuoted(body)} | sed 's/.*"access_token":"\\([^"]*\\)".*/\\1/')`;
}

function showApplication(title: string, { clientId, clientSecret }: FirstApplication): void {
  print(`\n${title} Save its secret, it is shown only once:`);
  print(`  client_id      ${clientId}`);
  print(`  client_secret  ${clientSecret}`);
}

/** A secret that the operator has set is not repeated: what a process prints is often kept. */
function showChosenApplication(title: string, { clientId }: FirstApplication): void {
  print(`\n${title} Its secret is that of BOOTSTRAP_CLIENT_SECRET:`);
  print(`  client_id      ${clientId}`);
}

function showLink(title: string, { link }: PrintedLink): void {
  print(`${title} with this link, which works once, within a day:`);
  print(`  ${link}`);
}

interface Started {
  readonly config: Config;
  readonly service: Service;
  readonly development: DevelopmentProviders | undefined;
  readonly sandbox: SandboxProcess | undefined;
}

function printWelcome({ config, service, development, sandbox }: Started): void {
  const { addresses, metricsUrl, firstApplication, demoApplication, firstLink, demoLink } = service;
  const { baseUrl, legacyUrl, authUrl } = addresses;
  print(`Holdfast is running at ${baseUrl}`);
  print(`  API reference  ${baseUrl}/docs`);
  if (legacyUrl !== baseUrl) print(`  JSON:API       ${legacyUrl}`);
  if (authUrl !== baseUrl) print(`  tokens, flow B ${authUrl}`);
  if (metricsUrl !== undefined) print(`  metrics        ${metricsUrl}/metrics`);
  print(`  sign in        ${baseUrl}/sign-in ${signInProviders(config)}`);
  if (development) print(`  providers      ${development.origin} (for trying out: they sign in anyone)`);
  if (sandbox) print(`  banks          ${sandbox.origin} (for trying out: the demo is connected to them)`);
  print(`  data           ${config.databaseUrl === undefined ? config.dataDir : 'see DATABASE_URL'}`);
  print(`  mail           ${config.mail.smtp === undefined ? mailFolder(config) : 'see SMTP_URL'}`);
  const isChosen = config.bootstrap !== undefined;
  const showFirst = isChosen ? showChosenApplication : showApplication;
  if (firstApplication) showFirst('A workspace and an admin application were created.', firstApplication);
  if (firstLink) showLink('Become its administrator', firstLink);
  if (demoApplication) showApplication('A demo family office was created in its own workspace.', demoApplication);
  if (demoLink) showLink('Become its administrator', demoLink);
  const application = demoApplication ?? (isChosen ? undefined : firstApplication);
  print('\nGet a token:');
  print(
    `  ${tokenCall(baseUrl, application?.clientId ?? '<client_id>', application?.clientSecret ?? '<client_secret>')}`,
  );
  if (demoApplication) showDemoCalls(baseUrl, demoApplication);
  else showFirstCalls(baseUrl);
}

function signInProviders({ identityProviders }: Config): string {
  const names = identityProviders.map(({ name }) => name);
  return names.length === 0 ? '(no identity provider is configured)' : `with ${names.join(', ')}`;
}

const bearer = '-H "authorization: Bearer $TOKEN"';

function showFirstCalls(baseUrl: string): void {
  const body = `-H 'content-type: application/json' -d '{"name":"Lindqvist Family"}'`;
  print('Create a client, then read it:');
  print(`  curl -s ${baseUrl}/v1/clients ${bearer} ${body}`);
  print(`  curl -s ${baseUrl}/v1/clients ${bearer}\n`);
}

function showDemoCalls(baseUrl: string, { reportingEntityId }: DemoApplication): void {
  const query = `reporting_entity_id=${reportingEntityId}`;
  print('See what the family holds, and its performance since the start of the year:');
  print(`  curl -s "${baseUrl}/v1/holdings?${query}&by=class" ${bearer}`);
  print(`  curl -s "${baseUrl}/v1/performance?${query}&detail=summary" ${bearer}\n`);
}

/** On SIGTERM and SIGINT, finishes the requests in progress and exits; gives up on what hangs. */
function stopOnSignal(service: Service): void {
  let isStopping = false;
  const stop = (): void => {
    if (isStopping) return;
    isStopping = true;
    setTimeout(() => process.exit(1), stopMsMax).unref();
    service.stop().then(
      () => process.exit(0),
      (error: unknown) => fail(`The service did not stop cleanly: ${String(error)}`),
    );
  };
  process.on('SIGTERM', stop);
  process.on('SIGINT', stop);
}

/** Starts identity providers for trying out, if none are configured. Without their library, the service starts without sign-in. */
async function startProvidersIfNeeded(config: Config): Promise<DevelopmentProviders | undefined> {
  if (config.isProduction || config.role === 'worker' || config.identityProviders.length > 0) return undefined;
  return startDevelopmentProviders(config).catch(() => undefined);
}

function reportUnconnected(error: unknown): void {
  process.stderr.write(`The demo could not be connected to its banks: ${String(error)}\n`);
}

/** Starts the banks that the demo is connected to. The service does without them if they do not start. */
async function startSandboxIfNeeded(config: Config): Promise<SandboxProcess | undefined> {
  if (config.isProduction || config.role !== 'all' || config.demo === 'off' || config.feeds.sandbox === 'off')
    return undefined;
  return startSandbox(config).catch(() => undefined);
}

async function main(): Promise<void> {
  const settings = readConfig(process.env);
  // First, so that nothing is created and no other port is taken by a start that fails on its own.
  const listeners = await bindListeners(settings);
  const sandboxStart = startSandboxIfNeeded(settings);
  const development = await startProvidersIfNeeded(settings);
  const config = development === undefined ? settings : { ...settings, identityProviders: development.providers };
  const service = await startService(config, { listeners });
  await development?.serve(callbackAddress(service));
  stopOnSignal(service);
  const sandbox = await sandboxStart;
  printWelcome({ config, service, development, sandbox });
  if (sandbox) await connectDemo(service.context, sandbox.origin).catch(reportUnconnected);
}

main().catch((error: unknown) => fail(describeStartError(error)));
