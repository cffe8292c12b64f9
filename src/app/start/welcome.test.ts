// A start prints where the service is reached, each new secret once and never one that the operator chose, and calls that can be pasted.

import { describe, expect, test } from 'vitest';
import type { Id } from '../../kit/id.ts';
import { readConfig, type Config } from '../config.ts';
import { needsBanks, needsProviders, welcomeLines } from './welcome.ts';

const baseUrl = 'https://api.example';
const config: Config = { ...readConfig({}), dataDir: '/data' };
const nothingNew = {
  addresses: { baseUrl, legacyUrl: baseUrl, authUrl: baseUrl },
  metricsUrl: undefined,
  firstApplication: undefined,
  demoApplication: undefined,
  firstLink: undefined,
  demoLink: undefined,
};
const started = { config, service: nothingNew, providers: undefined, banks: undefined };

const id = (digit: string): Id => digit.repeat(24) as Id;
const firstApplication = {
  workspaceId: id('1'),
  environment: 'production',
  clientId: 'first',
  clientSecret: "it's",
} as const;
const demoApplication = {
  workspaceId: id('2'),
  environment: 'sandbox',
  clientId: 'demo',
  clientSecret: 'hush',
  reportingEntityId: id('3'),
} as const;
const linkTo = (name: string) => ({ link: `${baseUrl}/invites/${name}`, expiresAt: 0 });

const token = (clientId: string, secret: string): string =>
  `  TOKEN=$(curl -s ${baseUrl}/oauth/token -H 'content-type: application/json' -d '{"grant_type":"client_credentials","client_id":"${clientId}","client_secret":"${secret}"}' | sed 's/.*"access_token":"\\([^"]*\\)".*/\\1/')`;
const firstCalls = [
  'Create a client, then read it:',
  `  curl -s ${baseUrl}/v1/clients -H "authorization: Bearer $TOKEN" -H 'content-type: application/json' -d '{"name":"Lindqvist Family"}'`,
  `  curl -s ${baseUrl}/v1/clients -H "authorization: Bearer $TOKEN"`,
  '',
];
const plain = [
  `Holdfast is running at ${baseUrl}`,
  `  API reference  ${baseUrl}/docs`,
  `  sign in        ${baseUrl}/sign-in (no identity provider is configured)`,
  '  data           /data',
  '  mail           /data/mail',
];

test('secrets that are kept in a file are neither printed nor part of a call', () => {
  const service = {
    ...nothingNew,
    firstApplication,
    demoApplication,
    firstLink: linkTo('first-link'),
    demoLink: linkTo('demo-link'),
  };
  const lines = welcomeLines({ ...started, config: { ...config, firstSecretFile: '/run/first.json' }, service });
  expect(lines.slice(plain.length, plain.length + 6)).toEqual([
    '',
    'A workspace and an admin application were created. Its secret, and the link to become its administrator, are in /run/first.json:',
    '  client_id      first',
    '',
    'A demo family office was created in its own workspace. Its secret, and the link to become its administrator, are in /run/first.json:',
    '  client_id      demo',
  ]);
  expect(lines.join('\n')).not.toMatch(/it's|hush|first-link|demo-link/);
  expect(lines).toContain(token('<client_id>', '<client_secret>'));
});

test('a later start prints no credentials, and a call to fill in', () => {
  expect(welcomeLines(started)).toEqual([
    ...plain,
    '',
    'Get a token:',
    token('<client_id>', '<client_secret>'),
    ...firstCalls,
  ]);
});

test('a first start prints its credentials and a link, and a call that is quoted for the shell', () => {
  const service = { ...nothingNew, firstApplication, firstLink: linkTo('first') };
  expect(welcomeLines({ ...started, service })).toEqual([
    ...plain,
    '',
    'A workspace and an admin application were created. Save its secret, it is shown only once:',
    '  client_id      first',
    "  client_secret  it's",
    'Become its administrator with this link, which works once, within a day:',
    `  ${baseUrl}/invites/first`,
    '',
    'Get a token:',
    token('first', String.raw`it'\''s`),
    ...firstCalls,
  ]);
});

test('a secret that the operator chose is not repeated', () => {
  const bootstrap = { clientId: 'first', clientSecret: "it's" };
  const lines = welcomeLines({
    ...started,
    config: { ...config, bootstrap },
    service: { ...nothingNew, firstApplication },
  });
  expect(lines.join('\n')).not.toContain("it'");
  expect(lines.slice(plain.length)).toEqual([
    '',
    'A workspace and an admin application were created. Its secret is that of BOOTSTRAP_CLIENT_SECRET:',
    '  client_id      first',
    '',
    'Get a token:',
    token('<client_id>', '<client_secret>'),
    ...firstCalls,
  ]);
});

test('with a demo, its credentials come last and its reports are shown', () => {
  const links = { firstLink: linkTo('first'), demoLink: linkTo('demo') };
  const service = { ...nothingNew, firstApplication, demoApplication, ...links };
  const query = `reporting_entity_id=${id('3')}`;
  expect(welcomeLines({ ...started, service }).slice(plain.length + 6)).toEqual([
    '',
    'A demo family office was created in its own workspace. Save its secret, it is shown only once:',
    '  client_id      demo',
    '  client_secret  hush',
    'Become its administrator with this link, which works once, within a day:',
    `  ${baseUrl}/invites/demo`,
    '',
    'Get a token:',
    token('demo', 'hush'),
    'See what the family holds, and its performance since the start of the year:',
    `  curl -s "${baseUrl}/v1/holdings?${query}&by=class" -H "authorization: Bearer $TOKEN"`,
    `  curl -s "${baseUrl}/v1/performance?${query}&detail=summary" -H "authorization: Bearer $TOKEN"`,
    '',
  ]);
});

test('every address that differs has a line, and settings are named instead of shown', () => {
  const addresses = { baseUrl, legacyUrl: 'https://legacy.example', authUrl: 'https://auth.example' };
  const settings = {
    DATABASE_URL: 'postgresql://holdfast:hush@db.example/holdfast',
    ENCRYPTION_KEY: 'a'.repeat(64),
    SMTP_URL: 'smtp://user:hush@mail.example',
    MAIL_FROM: 'no-reply@mail.example',
    PROVIDER_A_ISSUER: 'https://people.example',
    PROVIDER_A_CLIENT_ID: 'holdfast',
    PROVIDER_A_CLIENT_SECRET: 'hush',
    PROVIDER_A_NAME: 'People',
    BASE_URL: baseUrl,
    ALLOW_PUBLIC_DEVELOPMENT: 'on',
  };
  const lines = welcomeLines({
    config: readConfig(settings),
    service: { ...nothingNew, addresses, metricsUrl: 'http://127.0.0.1:9464' },
    providers: 'http://127.0.0.1:1',
    banks: 'http://127.0.0.1:2',
  });
  expect(lines.slice(0, 10)).toEqual([
    `Holdfast is running at ${baseUrl}`,
    `  API reference  ${baseUrl}/docs`,
    '  JSON:API       https://legacy.example',
    '  tokens, flow B https://auth.example',
    '  metrics        http://127.0.0.1:9464/metrics',
    `  sign in        ${baseUrl}/sign-in with People`,
    '  providers      http://127.0.0.1:1 (for trying out: they sign in anyone)',
    '  banks          http://127.0.0.1:2 (for trying out: the demo is connected to them)',
    '  data           see DATABASE_URL',
    '  mail           see SMTP_URL',
  ]);
  expect(lines.join('\n')).not.toContain('hush');
});

describe('for trying out', () => {
  const provider = { ...config, identityProviders: [{ name: 'A' }] } as unknown as Config;

  test.each<[string, Config, boolean]>([
    ['by default', config, true],
    ['on a node that only serves requests', { ...config, role: 'api' }, true],
    ['on a node without pages', { ...config, role: 'worker' }, false],
    ['in production', { ...config, isProduction: true }, false],
    ['with a provider that is configured', provider, false],
  ])('identity providers are started %s: %s', (_when, own, expected) => {
    expect(needsProviders(own)).toBe(expected);
  });

  test.each<[string, Config, boolean]>([
    ['by default', config, true],
    ['with a demo that is asked for', { ...config, demo: 'on' }, true],
    ['without a demo', { ...config, demo: 'off' }, false],
    ['on a node that only serves requests', { ...config, role: 'api' }, false],
    ['on a node that only works', { ...config, role: 'worker' }, false],
    ['in production', { ...config, isProduction: true }, false],
    ['where they are switched off', { ...config, feeds: { ...config.feeds, sandbox: 'off' } }, false],
  ])('the banks of the demo are started %s: %s', (_when, own, expected) => {
    expect(needsBanks(own)).toBe(expected);
  });
});
