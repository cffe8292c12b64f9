// What a start prints: the addresses of the service, new credentials once, and calls to try; and what is started beside it for trying out.

import type { DemoApplication, FirstApplication } from '../../actions/access/bootstrap.ts';
import type { PrintedLink } from '../../actions/people/administrator.ts';
import type { Config } from '../config.ts';
import { mailFolder } from '../jobs/mail-jobs.ts';
import type { Service } from '../start-service.ts';

type StartedService = Pick<
  Service,
  'addresses' | 'metricsUrl' | 'firstApplication' | 'demoApplication' | 'firstLink' | 'demoLink'
>;

interface Started {
  readonly config: Config;
  readonly service: StartedService;
  /** The address of the identity providers for trying out. */
  readonly providers: string | undefined;
  /** The address of the banks that the demo is connected to. */
  readonly banks: string | undefined;
}

/** Whether identity providers for trying out are started: outside production, if none are configured. */
export function needsProviders({ isProduction, role, identityProviders }: Config): boolean {
  return !isProduction && role !== 'worker' && identityProviders.length === 0;
}

/** Whether the banks of the demo are started. */
export function needsBanks({ isProduction, role, demo, feeds }: Config): boolean {
  return !isProduction && role === 'all' && demo !== 'off' && feeds.sandbox === 'on';
}

export function welcomeLines(started: Started): string[] {
  return [...addressLines(started), ...credentialLines(started), ...callLines(started)];
}

function addressLines({ config, service, providers, banks }: Started): string[] {
  const { addresses, metricsUrl } = service;
  const { baseUrl, legacyUrl, authUrl } = addresses;
  return [
    `Holdfast is running at ${baseUrl}`,
    `  API reference  ${baseUrl}/docs`,
    ...(legacyUrl === baseUrl ? [] : [`  JSON:API       ${legacyUrl}`]),
    ...(authUrl === baseUrl ? [] : [`  tokens, flow B ${authUrl}`]),
    ...(metricsUrl === undefined ? [] : [`  metrics        ${metricsUrl}/metrics`]),
    `  sign in        ${baseUrl}/sign-in ${signInProviders(config)}`,
    ...(providers === undefined ? [] : [`  providers      ${providers} (for trying out: they sign in anyone)`]),
    ...(banks === undefined ? [] : [`  banks          ${banks} (for trying out: the demo is connected to them)`]),
    `  data           ${config.databaseUrl === undefined ? config.dataDir : 'see DATABASE_URL'}`,
    `  mail           ${config.mail.smtp === undefined ? mailFolder(config) : 'see SMTP_URL'}`,
  ];
}

function signInProviders({ identityProviders }: Config): string {
  const names = identityProviders.map(({ name }) => name);
  return names.length === 0 ? '(no identity provider is configured)' : `with ${names.join(', ')}`;
}

function credentialLines({ config, service }: Started): string[] {
  const { firstApplication, demoApplication, firstLink, demoLink } = service;
  if (config.firstSecretFile !== undefined) return keptSecretLines(config.firstSecretFile, service);
  const describeFirst = config.bootstrap === undefined ? applicationLines : chosenApplicationLines;
  return [
    ...(firstApplication ? describeFirst('A workspace and an admin application were created.', firstApplication) : []),
    ...linkLines(firstLink),
    ...(demoApplication
      ? applicationLines('A demo family office was created in its own workspace.', demoApplication)
      : []),
    ...linkLines(demoLink),
  ];
}

function applicationLines(title: string, { clientId, clientSecret }: FirstApplication): string[] {
  return [
    '',
    `${title} Save its secret, it is shown only once:`,
    `  client_id      ${clientId}`,
    `  client_secret  ${clientSecret}`,
  ];
}

function keptSecretLines(path: string, { firstApplication, demoApplication }: StartedService): string[] {
  const created = [
    ...(firstApplication ? [['A workspace and an admin application were created.', firstApplication] as const] : []),
    ...(demoApplication ? [['A demo family office was created in its own workspace.', demoApplication] as const] : []),
  ];
  return created.flatMap(([title, { clientId }]) => [
    '',
    `${title} Its secret, and the link to become its administrator, are in ${path}:`,
    `  client_id      ${clientId}`,
  ]);
}

/** A secret that the operator has set is not repeated: what a process prints is often kept. */
function chosenApplicationLines(title: string, { clientId }: FirstApplication): string[] {
  return ['', `${title} Its secret is that of BOOTSTRAP_CLIENT_SECRET:`, `  client_id      ${clientId}`];
}

function linkLines(printed: PrintedLink | undefined): string[] {
  if (printed === undefined) return [];
  return ['Become its administrator with this link, which works once, within a day:', `  ${printed.link}`];
}

function callLines({ config, service }: Started): string[] {
  const { firstApplication, demoApplication, addresses } = service;
  const { baseUrl } = addresses;
  const mayPrint = config.firstSecretFile === undefined;
  const first = config.bootstrap === undefined ? firstApplication : undefined;
  const application = mayPrint ? (demoApplication ?? first) : undefined;
  return [
    '',
    'Get a token:',
    `  ${tokenCall(baseUrl, application ?? { clientId: '<client_id>', clientSecret: '<client_secret>' })}`,
    ...(demoApplication ? demoCalls(baseUrl, demoApplication) : firstCalls(baseUrl)),
    '',
  ];
}

function tokenCall(
  baseUrl: string,
  { clientId, clientSecret }: Pick<FirstApplication, 'clientId' | 'clientSecret'>,
): string {
  const body = JSON.stringify({ grant_type: 'client_credentials', client_id: clientId, client_secret: clientSecret });
  return `TOKEN=$(curl -s ${baseUrl}/oauth/token -H 'content-type: application/json' -d ${shellQuoted(body)} | sed 's/.*"access_token":"\\([^"]*\\)".*/\\1/')`;
}

/** Quotes text for the shell. */
function shellQuoted(text: string): string {
  return `'${text.replaceAll("'", String.raw`'\''`)}'`;
}

const bearer = '-H "authorization: Bearer $TOKEN"';

function firstCalls(baseUrl: string): string[] {
  const body = `-H 'content-type: application/json' -d '{"name":"Lindqvist Family"}'`;
  return [
    'Create a client, then read it:',
    `  curl -s ${baseUrl}/v1/clients ${bearer} ${body}`,
    `  curl -s ${baseUrl}/v1/clients ${bearer}`,
  ];
}

function demoCalls(baseUrl: string, { reportingEntityId }: DemoApplication): string[] {
  const query = `reporting_entity_id=${reportingEntityId}`;
  return [
    'See what the family holds, and its performance since the start of the year:',
    `  curl -s "${baseUrl}/v1/holdings?${query}&by=class" ${bearer}`,
    `  curl -s "${baseUrl}/v1/performance?${query}&detail=summary" ${bearer}`,
  ];
}
