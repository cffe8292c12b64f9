// Checks every setting: its default, the values it accepts, and the error for a wrong one.

import { randomBytes } from 'node:crypto';
import { availableParallelism, totalmem } from 'node:os';
import { resolve } from 'node:path';
import { describe, expect, test } from 'vitest';
import { readConfig, type Config } from './config.ts';
import { SettingFault } from './setting-reader.ts';
import { Keyring } from '../signing/keyring.ts';

type Settings = Readonly<Record<string, string>>;

function faultsOf(settings: Settings): string[] {
  try {
    readConfig(settings);
    return [];
  } catch (error) {
    if (!(error instanceof SettingFault)) throw error;
    return error.message.split('\n');
  }
}

const databaseUrl = 'postgresql://holdfast:hush@db.example:5432/holdfast';
const hexKey = '6b1f9a03d4e85c72a90b3e6df25c84170ce4b79a1d683f5298f0d1237ac6be45';
const base64Key = Buffer.from(hexKey, 'hex').toString('base64');
const bootstrap = { BOOTSTRAP_CLIENT_ID: 'admin', BOOTSTRAP_CLIENT_SECRET: 'a secret' };

const mail: Config['mail'] = {
  smtp: undefined,
  from: { name: 'Holdfast', address: 'holdfast@localhost' },
  limits: { perHour: 200, perDay: 1_000, perAddressHour: 5, perAddressDay: 20 },
};

const workspaceSettings: Config['workspaceSettings'] = {
  requestsPerMinute: 1_000,
  burst: 300,
  storageBytes: null,
  importRows: 20_000_000,
  importBytes: 20_000_000_000,
  importRowsPerDay: null,
  requestLogDays: 7,
  eventDays: 90,
  roundDays: 400,
  limitDays: 3_650,
  auditDays: 3_650,
  unbookedImportDays: 90,
};

const defaultConfig: Config = {
  port: 8080,
  host: '127.0.0.1',
  metrics: undefined,
  databaseUrl: undefined,
  databaseReadUrl: undefined,
  databasePool: 16,
  shutdownGraceMs: 0,
  databaseStatements: 'named',
  databaseRoute: 'workers',
  dataDir: resolve('data'),
  baseUrl: undefined,
  legacyUrl: undefined,
  authUrl: undefined,
  corsOrigins: [],
  trustedProxies: [],
  logLevel: 'info',
  role: 'all',
  mode: { mode: 'normal', message: null, until: null },
  demo: 'when-new',
  workspaceSettings,
  settingFloors: { auditDays: 30 },
  workspaceMetrics: 20,
  budgetInFlight: 8,
  budgetHeavy: 1,
  requestLog: 'on',
  mcpWrites: 'off',
  budgetReports: 4,
  tokenFailuresPerMinute: 20,
  connectionLimits: { perNode: 4_000, perAddress: 250 },
  spoolBytesMax: 4_000_000_000,
  traces: undefined,
  shipping: {
    logs: ['audit'],
    https: undefined,
    file: undefined,
    syslog: undefined,
    otlp: undefined,
    authorities: undefined,
  },
  defaultCurrency: 'EUR' as Config['defaultCurrency'],
  timeZone: 'UTC',
  encryptionKey: undefined,
  previousEncryptionKey: undefined,
  nextEncryptionKey: undefined,
  ledgerMemoryMb: Math.min(
    4_096,
    Math.floor(Math.min(totalmem(), process.constrainedMemory() || Infinity) / 8 / 1_048_576),
  ),
  workThreads: Math.max(1, Math.min(8, availableParallelism() - 1)),
  backupRecipients: [],
  firstSecretFile: undefined,
  bootstrap: undefined,
  isProduction: false,
  allowsPrivateWebhooks: true,
  mail,
  feeds: { intervalMs: 3_600_000, timeoutMs: 30_000, importDir: undefined, importTakenDir: undefined, sandbox: 'on' },
  identityProviders: [],
};

test('without settings the service listens on this machine only, with an embedded database', () => {
  expect(readConfig({})).toEqual(defaultConfig);
});

test('an empty setting counts as not set', () => {
  const names = ['PORT', 'HOST', 'DATABASE_URL', 'DATA_DIR', 'BASE_URL', 'ROLE', 'DEMO', 'ENCRYPTION_KEY', 'NODE_ENV'];
  expect(readConfig(Object.fromEntries(names.map((name) => [name, ''])))).toEqual(defaultConfig);
});

describe('a valid value is accepted', () => {
  const withKey = { DATABASE_URL: databaseUrl, ENCRYPTION_KEY: hexKey };
  const validSettings: [Settings, Partial<Config>][] = [
    [{ PORT: '0' }, { port: 0 }],
    [{ PORT: '65535' }, { port: 65_535 }],
    [{ HOST: '0.0.0.0', ALLOW_PUBLIC_DEVELOPMENT: 'on' }, { host: '0.0.0.0' }],
    [{ METRICS_PORT: '9464' }, { metrics: { host: '127.0.0.1', port: 9464 } }],
    [{ METRICS_PORT: '0', METRICS_HOST: '10.0.0.5' }, { metrics: { host: '10.0.0.5', port: 0 } }],
    [{ HOST: '::1' }, { host: '::1' }],
    [{ HOST: 'node-1.example' }, { host: 'node-1.example' }],
    [withKey, { databaseUrl, encryptionKey: hexKey, demo: 'off' }],
    [
      { DATABASE_URL: 'postgres://h@%2Frun%2Fpg/d', ENCRYPTION_KEY: base64Key },
      { databaseUrl: 'postgres://h@%2Frun%2Fpg/d', encryptionKey: base64Key, demo: 'off' },
    ],
    [{ DATABASE_POOL: '2' }, { databasePool: 2 }],
    [
      { ...withKey, DATABASE_READ_URL: `${databaseUrl}-replica` },
      { databaseUrl, databaseReadUrl: `${databaseUrl}-replica`, encryptionKey: hexKey, demo: 'off' },
    ],
    [{ SHUTDOWN_GRACE_MS: '8000' }, { shutdownGraceMs: 8_000 }],
    [{ DATABASE_STATEMENTS: 'unnamed' }, { databaseStatements: 'unnamed' }],
    [{ DATABASE_ROUTE: 'coordinator' }, { databaseRoute: 'coordinator' }],
    [{ DATA_DIR: '/srv/holdfast' }, { dataDir: '/srv/holdfast' }],
    [{ DATA_DIR: 'elsewhere' }, { dataDir: resolve('elsewhere') }],
    [{ BASE_URL: 'https://api.example/' }, { baseUrl: 'https://api.example' }],
    [{ LEGACY_URL: 'http://legacy.example:8081' }, { legacyUrl: 'http://legacy.example:8081' }],
    [{ AUTH_URL: 'https://auth.example' }, { authUrl: 'https://auth.example' }],
    [{ CORS_ORIGINS: 'https://app.example' }, { corsOrigins: ['https://app.example'] }],
    [
      { CORS_ORIGINS: 'https://App.example:443/, http://localhost:5173' },
      { corsOrigins: ['https://app.example', 'http://localhost:5173'] },
    ],
    [{ TRUSTED_PROXIES: '10.0.0.5, fd00::/8' }, { trustedProxies: ['10.0.0.5', 'fd00::/8'] }],
    [{ LOG_LEVEL: 'silent' }, { logLevel: 'silent' }],
    [{ ROLE: 'api' }, { role: 'api' }],
    [{ ROLE: 'worker' }, { role: 'worker' }],
    [{ DEMO: 'on' }, { demo: 'on' }],
    [{ DEMO: 'off' }, { demo: 'off' }],
    [{ BUDGET_PER_MINUTE: '60' }, { workspaceSettings: { ...workspaceSettings, requestsPerMinute: 60 } }],
    [{ BUDGET_BURST: '10' }, { workspaceSettings: { ...workspaceSettings, burst: 10 } }],
    [{ BUDGET_IN_FLIGHT: '4' }, { budgetInFlight: 4 }],
    [{ BUDGET_HEAVY: '4' }, { budgetHeavy: 4 }],
    [{ REQUEST_LOG: 'off' }, { requestLog: 'off' }],
    [{ MCP_WRITES: 'on' }, { mcpWrites: 'on' }],
    [{ BUDGET_REPORTS: '2' }, { budgetReports: 2 }],
    [{ CONNECTIONS_MAX: '100' }, { connectionLimits: { perNode: 100, perAddress: 250 } }],
    [{ CONNECTIONS_PER_ADDRESS: '7' }, { connectionLimits: { perNode: 4_000, perAddress: 7 } }],
    [{ SPOOL_MEGABYTES_MAX: '500' }, { spoolBytesMax: 500_000_000 }],
    [{ DEFAULT_CURRENCY: 'CHF' }, { defaultCurrency: 'CHF' as Config['defaultCurrency'] }],
    [{ TIME_ZONE: 'Europe/Zurich' }, { timeZone: 'Europe/Zurich' }],
    [{ ENCRYPTION_KEY: hexKey }, { encryptionKey: hexKey }],
    [{ LEDGER_MEMORY_MB: '2048' }, { ledgerMemoryMb: 2048 }],
    [{ WORK_THREADS: '0' }, { workThreads: 0 }],
    [{ EVENT_RETENTION_DAYS: '365' }, { workspaceSettings: { ...workspaceSettings, eventDays: 365 } }],
    [{ ROUND_RETENTION_DAYS: '2' }, { workspaceSettings: { ...workspaceSettings, roundDays: 2 } }],
    [{ LIMIT_RETENTION_DAYS: '730' }, { workspaceSettings: { ...workspaceSettings, limitDays: 730 } }],
    [{ AUDIT_RETENTION_DAYS: '30' }, { workspaceSettings: { ...workspaceSettings, auditDays: 30 } }],
    [{ IMPORT_RETENTION_DAYS: '7' }, { workspaceSettings: { ...workspaceSettings, unbookedImportDays: 7 } }],
    [{ REQUEST_LOG_RETENTION_DAYS: '1' }, { workspaceSettings: { ...workspaceSettings, requestLogDays: 1 } }],
    [
      { STORAGE_MEGABYTES_MAX: '3', IMPORT_ROWS_PER_DAY: '0' },
      { workspaceSettings: { ...workspaceSettings, storageBytes: 3_000_000, importRowsPerDay: 0 } },
    ],
    [
      { AUDIT_RETENTION_DAYS: '365', AUDIT_RETENTION_DAYS_MIN: '365' },
      { workspaceSettings: { ...workspaceSettings, auditDays: 365 }, settingFloors: { auditDays: 365 } },
    ],
    [{ METRICS_WORKSPACES: '0' }, { workspaceMetrics: 0 }],
    [
      { IMPORT_ROWS_MAX: '5', IMPORT_MEGABYTES_MAX: '2' },
      { workspaceSettings: { ...workspaceSettings, importRows: 5, importBytes: 2_000_000 } },
    ],
    [
      { MAIL_FROM: 'post@office.example' },
      { mail: { ...mail, from: { name: 'Holdfast', address: 'post@office.example' } } },
    ],
    [
      { SMTP_URL: 'smtp://mail.example', MAIL_FROM: 'Lindqvist Office <post@office.example>' },
      {
        mail: {
          ...mail,
          smtp: { host: 'mail.example', port: 587, tls: 'required', login: undefined },
          from: { name: 'Lindqvist Office', address: 'post@office.example' },
        },
      },
    ],
    ...(
      [
        ['smtp://u%40x:p%3Aw@mail.example:2525', 'mail.example', 2525, 'required', { user: 'u@x', password: 'p:w' }],
        ['smtps://mail.example', 'mail.example', 465, 'from-the-start', undefined],
        ['smtp://localhost:25', 'localhost', 25, 'none', undefined],
        ['smtp://127.0.0.1', '127.0.0.1', 587, 'none', undefined],
        ['smtp://[::1]', '::1', 587, 'none', undefined],
        ['smtp://10.0.0.1', '10.0.0.1', 587, 'required', undefined],
      ] as const
    ).map(([SMTP_URL, host, port, tls, login]): [Settings, Partial<Config>] => [
      { SMTP_URL, MAIL_FROM: 'holdfast@localhost' },
      { mail: { ...mail, smtp: { host, port, tls, login } } },
    ]),
    [{ MAIL_PER_HOUR: '7' }, { mail: { ...mail, limits: { ...mail.limits, perHour: 7 } } }],
    [{ MAIL_PER_DAY: '7' }, { mail: { ...mail, limits: { ...mail.limits, perDay: 7 } } }],
    [{ MAIL_PER_ADDRESS_HOUR: '7' }, { mail: { ...mail, limits: { ...mail.limits, perAddressHour: 7 } } }],
    [{ MAIL_PER_ADDRESS_DAY: '7' }, { mail: { ...mail, limits: { ...mail.limits, perAddressDay: 7 } } }],
    [bootstrap, { bootstrap: { clientId: 'admin', clientSecret: 'a secret' } }],
    [{ NODE_ENV: 'test' }, { isProduction: false }],
    [
      { NODE_ENV: 'production', ...withKey },
      {
        isProduction: true,
        allowsPrivateWebhooks: false,
        databaseUrl,
        encryptionKey: hexKey,
        mode: { mode: 'normal', message: null, until: null },
        demo: 'off',
        shutdownGraceMs: 5_000,
      },
    ],
    [
      { NODE_ENV: 'production', ALLOW_IN_PRODUCTION: 'private-webhooks', ...withKey },
      { isProduction: true, databaseUrl, encryptionKey: hexKey, demo: 'off', shutdownGraceMs: 5_000 },
    ],
  ];

  test.each(validSettings)('%o', (settings, expected) => {
    expect(readConfig(settings)).toEqual({ ...defaultConfig, ...expected });
  });

  test.each([
    hexKey,
    hexKey.toUpperCase(),
    base64Key,
    base64Key.replace('=', ''),
    Buffer.from(hexKey, 'hex').toString('base64url'),
  ])('the key %s can be used for encryption', (text) => {
    const key = Keyring.fromText(readConfig({ ENCRYPTION_KEY: text }).encryptionKey!);
    const sealed = Keyring.fromText(hexKey).seal('signing-key', 'kept', 'here');
    expect(key.open('signing-key', sealed, 'here').toString()).toBe('kept');
  });
});

describe('an invalid value is refused with the name of the setting and what is expected', () => {
  const origin = 'an http or https address without a path, such as https://api.example.com';
  const origins = 'a comma-separated list of http or https addresses without a path, such as https://app.example.com';
  const networks = 'a comma-separated list of addresses or networks, such as 10.0.0.5 or 10.0.0.0/24';
  const sender = 'an address, with a name or without, such as Holdfast <no-reply@example.com>';
  const invalidSettings: [name: string, value: string, wanted: string][] = [
    ['PORT', '65536', 'a whole number from 0 to 65535'],
    ['PORT', '80a', 'a whole number from 0 to 65535'],
    ['PORT', '-1', 'a whole number from 0 to 65535'],
    ['PORT', '8e3', 'a whole number from 0 to 65535'],
    ['HOST', 'my host', 'an address to listen on, such as 127.0.0.1 or 0.0.0.0'],
    ['HOST', 'http://0.0.0.0', 'an address to listen on, such as 127.0.0.1 or 0.0.0.0'],
    [
      'DATABASE_POOL',
      '1',
      'a whole number from 2 to 1000 (connections of the main thread; each of WORK_THREADS has 4 more)',
    ],
    ['SHUTDOWN_GRACE_MS', '8001', 'a whole number from 0 to 8000'],
    ['DATABASE_STATEMENTS', 'off', 'one of named, unnamed'],
    ['BASE_URL', 'api.example', origin],
    ['BASE_URL', 'https://api.example/v1', origin],
    ['BASE_URL', 'https://api.example/?a=b', origin],
    ['BASE_URL', 'https://user@api.example', origin],
    ['LEGACY_URL', 'ftp://legacy.example', origin],
    ['AUTH_URL', 'https://', origin],
    ['CORS_ORIGINS', '*', origins],
    ['CORS_ORIGINS', 'https://a.example,', origins],
    ['CORS_ORIGINS', 'https://a.example https://b.example', origins],
    ['CORS_ORIGINS', 'https://a.example/path', origins],
    ['CORS_ORIGINS', 'null', origins],
    ['TRUSTED_PROXIES', '0.0.0.0/0', networks],
    ['TRUSTED_PROXIES', '10.0.0.0/33', networks],
    ['TRUSTED_PROXIES', 'proxy.internal', networks],
    ['LOG_LEVEL', 'loud', 'one of fatal, error, warn, info, debug, trace, silent'],
    ['ROLE', 'both', 'one of all, api, worker'],
    ['DEMO', 'yes', 'one of on, off'],
    ['BUDGET_PER_MINUTE', '0', 'a whole number from 1 to 100000000'],
    ['BUDGET_BURST', '1.5', 'a whole number from 1 to 100000000'],
    ['BUDGET_IN_FLIGHT', '0', 'a whole number from 1 to 1000'],
    ['BUDGET_HEAVY', 'two', 'a whole number from 1 to 1000'],
    ['BUDGET_REPORTS', '0', 'a whole number from 1 to 1000'],
    ['TOKEN_FAILURES_PER_MINUTE', '0', 'a whole number from 1 to 1000000'],
    ['DEFAULT_CURRENCY', 'eur', 'an ISO 4217 currency code, such as EUR'],
    ['TIME_ZONE', 'Mars/Olympus', 'a time zone, such as UTC or Europe/Zurich'],
    ['LEDGER_MEMORY_MB', '8', 'a whole number from 16 to 1000000'],
    ['EVENT_RETENTION_DAYS', '1', 'a whole number from 2 to 36500'],
    ['ROUND_RETENTION_DAYS', '1', 'a whole number from 2 to 36500'],
    ['LIMIT_RETENTION_DAYS', '1', 'a whole number from 2 to 36500'],
    ['AUDIT_RETENTION_DAYS', '29', 'a whole number from 30 to 36500'],
    ['IMPORT_RETENTION_DAYS', '0', 'a whole number from 1 to 36500'],
    ['IMPORT_ROWS_MAX', '-1', 'a whole number from 0 to 999999999'],
    ['IMPORT_MEGABYTES_MAX', 'many', 'a whole number from 0 to 999999999'],
    ['BOOTSTRAP_CLIENT_ID', 'an id', '1 to 255 printable characters'],
    ['MAIL_FROM', 'nobody', sender],
    ['MAIL_FROM', 'A <a@b.example>, B <b@b.example>', sender],
    ['MAIL_FROM', 'A\r\nBcc: x@y.example <a@b.example>', sender],
    ['MAIL_PER_HOUR', '0', 'a whole number from 1 to 10000000'],
    ['MAIL_PER_ADDRESS_DAY', 'many', 'a whole number from 1 to 10000000'],
    ['NODE_ENV', 'prod', 'one of development, test, production'],
    [
      'ALLOW_IN_PRODUCTION',
      'everything',
      'a comma-separated list of embedded-database, demo, private-webhooks, guessable-key, plain-log-shipping',
    ],
  ];

  test.each(invalidSettings)('%s=%s', (name, value, wanted) => {
    const rest = name === 'BOOTSTRAP_CLIENT_ID' ? { BOOTSTRAP_CLIENT_SECRET: 'a secret' } : {};
    expect(faultsOf({ ...rest, [name]: value })).toEqual([
      `${name} must be ${wanted}, but is ${JSON.stringify(value)}.`,
    ]);
  });

  const wholeNumbers: [name: string, min: number, max: number][] = [
    ['PORT', 0, 65_535],
    ['METRICS_PORT', 0, 65_535],
    ['BUDGET_PER_MINUTE', 1, 100_000_000],
    ['BUDGET_BURST', 1, 100_000_000],
    ['BUDGET_IN_FLIGHT', 1, 1_000],
    ['BUDGET_HEAVY', 1, 1_000],
    ['BUDGET_REPORTS', 1, 1_000],
    ['TOKEN_FAILURES_PER_MINUTE', 1, 1_000_000],
    ['CONNECTIONS_MAX', 10, 1_000_000],
    ['CONNECTIONS_PER_ADDRESS', 1, 1_000_000],
    ['SPOOL_MEGABYTES_MAX', 10, 999_999_999],
    ['DATABASE_POOL', 2, 1_000],
    ['LEDGER_MEMORY_MB', 16, 1_000_000],
    ['WORK_THREADS', 0, 64],
    ['SHUTDOWN_GRACE_MS', 0, 8_000],
    ['FEED_INTERVAL_MINUTES', 1, 10_080],
    ['FEED_TIMEOUT_SECONDS', 1, 600],
    ['MAIL_PER_HOUR', 1, 10_000_000],
    ['MAIL_PER_DAY', 1, 10_000_000],
    ['MAIL_PER_ADDRESS_HOUR', 1, 10_000_000],
    ['MAIL_PER_ADDRESS_DAY', 1, 10_000_000],
    ['EVENT_RETENTION_DAYS', 2, 36_500],
    ['ROUND_RETENTION_DAYS', 2, 36_500],
    ['LIMIT_RETENTION_DAYS', 2, 36_500],
    ['AUDIT_RETENTION_DAYS', 30, 36_500],
    ['IMPORT_RETENTION_DAYS', 1, 36_500],
    ['REQUEST_LOG_RETENTION_DAYS', 1, 36_500],
    ['STORAGE_MEGABYTES_MAX', 0, 999_999_999],
    ['IMPORT_ROWS_PER_DAY', 0, 999_999_999],
    ['METRICS_WORKSPACES', 0, 200],
    ['IMPORT_ROWS_MAX', 0, 999_999_999],
    ['IMPORT_MEGABYTES_MAX', 0, 999_999_999],
  ];

  test.each(wholeNumbers)('%s is a whole number from %d to %d', (name, min, max) => {
    const faults = [min - 1, min, max, max + 1].map((value) => faultsOf({ [name]: String(value) }).length);
    expect(faults).toEqual([1, 0, 0, 1]);
  });

  test('a network has at least one bit, and at most as many as an address', () => {
    const values = [
      '10.0.0.0/0',
      '10.0.0.0/1',
      '10.0.0.5/32',
      '10.0.0.5/33',
      'fd00::/0',
      'fd00::/1',
      '::1/128',
      '::1/129',
    ];
    const faults = values.map((value) => faultsOf({ TRUSTED_PROXIES: value }).length);
    expect(faults).toEqual([1, 0, 0, 1, 1, 0, 0, 1]);
  });

  const secret: [name: string, value: string, rest: Settings, fault: string][] = [
    [
      'DATABASE_URL',
      'mysql://root:hush@db.example/x',
      { ENCRYPTION_KEY: hexKey },
      'DATABASE_URL must be a PostgreSQL address, such as postgresql://user:password@host:5432/database.',
    ],
    ['ENCRYPTION_KEY', 'hush', {}, 'ENCRYPTION_KEY must be 32 random bytes, as 64 hexadecimal digits or as base64.'],
    [
      'ENCRYPTION_KEY',
      `${hexKey}00`,
      {},
      'ENCRYPTION_KEY must be 32 random bytes, as 64 hexadecimal digits or as base64.',
    ],
    [
      'BOOTSTRAP_CLIENT_SECRET',
      'hush\n',
      { BOOTSTRAP_CLIENT_ID: 'admin' },
      'BOOTSTRAP_CLIENT_SECRET must be 1 to 1024 printable characters.',
    ],
    ...[
      'http://mail.example',
      'smtp://u@mail.example',
      'smtp://u:hush@',
      'smtp://u:hush@mail.example/path',
      'smtp://u:%ff@mail.example',
      'mail.example',
    ].map((value): [string, string, Settings, string] => [
      'SMTP_URL',
      value,
      { MAIL_FROM: 'post@office.example' },
      'SMTP_URL must be a mail server, such as smtp://user:password@mail.example.com:587, or smtps:// for TLS from the start.',
    ]),
  ];

  test.each(secret)('the error for %s does not repeat the secret value', (name, value, rest, fault) => {
    expect(faultsOf({ ...rest, [name]: value })).toEqual([fault]);
  });
});

describe('settings that depend on each other', () => {
  test('an external database requires an encryption key; none is generated', () => {
    expect(faultsOf({ DATABASE_URL: databaseUrl })).toEqual([
      'ENCRYPTION_KEY is required with DATABASE_URL: 32 random bytes, as 64 hexadecimal digits (openssl rand -hex 32).',
    ]);
  });

  test('a replica requires a server that it follows', () => {
    expect(faultsOf({ DATABASE_READ_URL: databaseUrl })).toEqual([
      'DATABASE_READ_URL is set without DATABASE_URL: the embedded database has no replica.',
    ]);
  });

  test.each(Object.entries(bootstrap))('%s alone is refused: both bootstrap settings are needed', (name, value) => {
    expect(faultsOf({ [name]: value })).toEqual([
      'BOOTSTRAP_CLIENT_ID and BOOTSTRAP_CLIENT_SECRET must be set together.',
    ]);
  });

  test('an address for metrics requires a port', () => {
    expect(faultsOf({ METRICS_HOST: '10.0.0.5' })).toEqual(['METRICS_HOST needs METRICS_PORT.']);
  });

  test('a mail server requires a sender address', () => {
    expect(faultsOf({ SMTP_URL: 'smtp://mail.example' })).toEqual([
      'MAIL_FROM is required with SMTP_URL: the address that mail is sent from.',
    ]);
  });

  test('all faults are reported at once, one on each line', () => {
    const settings = {
      PORT: 'x',
      ROLE: 'none',
      DATABASE_URL: databaseUrl,
      BOOTSTRAP_CLIENT_ID: 'admin',
      NODE_ENV: 'production',
      DEMO: 'on',
    };
    expect(faultsOf(settings)).toEqual([
      'PORT must be a whole number from 0 to 65535, but is "x".',
      'ROLE must be one of all, api, worker, but is "none".',
      'BOOTSTRAP_CLIENT_ID and BOOTSTRAP_CLIENT_SECRET must be set together.',
      'ENCRYPTION_KEY is required with DATABASE_URL: 32 random bytes, as 64 hexadecimal digits (openssl rand -hex 32).',
      'DEMO must be off when NODE_ENV is production. To allow it, set ALLOW_IN_PRODUCTION=demo.',
    ]);
  });
});

describe('outside production, an address that can be reached from outside', () => {
  const cases: [Settings, string][] = [
    [{ HOST: '0.0.0.0' }, 'HOST is 0.0.0.0'],
    [{ HOST: '8.8.8.8', NODE_ENV: 'test' }, 'HOST is 8.8.8.8'],
    [{ BASE_URL: 'https://wealth.example.com' }, 'BASE_URL is https://wealth.example.com'],
    [{ AUTH_URL: 'https://auth.example.com' }, 'AUTH_URL is https://auth.example.com'],
  ];
  const reason =
    'which can be reached from outside, and NODE_ENV is not production: anyone could sign in as anyone. Set NODE_ENV=production, or ALLOW_PUBLIC_DEVELOPMENT=on if this is intended.';

  test.each(cases)('is refused: %o', (settings, beginning) => {
    expect(faultsOf(settings)).toEqual([`${beginning}, ${reason}`]);
  });

  test.each(cases)('is accepted if it is intended: %o', (settings) => {
    expect(faultsOf({ ...settings, ALLOW_PUBLIC_DEVELOPMENT: 'on' })).toEqual([]);
  });

  test('is accepted in production', () => {
    const production = { NODE_ENV: 'production', DATABASE_URL: databaseUrl, ENCRYPTION_KEY: hexKey };
    expect(faultsOf({ ...production, HOST: '0.0.0.0', BASE_URL: 'https://wealth.example.com' })).toEqual([]);
  });
});

describe('in production', () => {
  const production = { NODE_ENV: 'production' };
  const embedded =
    'DATABASE_URL is required when NODE_ENV is production. To use the embedded database, set ALLOW_IN_PRODUCTION=embedded-database.';
  const demo = 'DEMO must be off when NODE_ENV is production. To allow it, set ALLOW_IN_PRODUCTION=demo.';
  const cases: [Settings, string[]][] = [
    [{}, [embedded]],
    [{ DEMO: 'on' }, [embedded, demo]],
    [{ ALLOW_IN_PRODUCTION: 'embedded-database' }, []],
    [{ ALLOW_IN_PRODUCTION: 'embedded-database', DEMO: 'on' }, [demo]],
    [{ ALLOW_IN_PRODUCTION: ' embedded-database , demo ', DEMO: 'on' }, []],
    [{ DATABASE_URL: databaseUrl, ENCRYPTION_KEY: hexKey }, []],
    [{ DATABASE_URL: databaseUrl, ENCRYPTION_KEY: hexKey, DEMO: 'on' }, [demo]],
    [
      { DATABASE_URL: 'nonsense', ENCRYPTION_KEY: hexKey },
      ['DATABASE_URL must be a PostgreSQL address, such as postgresql://user:password@host:5432/database.'],
    ],
  ];

  const guessable =
    'ENCRYPTION_KEY must be drawn at random when NODE_ENV is production: its bytes repeat, count up or are text. Make one with `openssl rand -hex 32`. For a database that was created with this key, set ALLOW_IN_PRODUCTION=guessable-key.';
  const counted = Buffer.from(Array.from({ length: 32 }, (_, index) => 200 - 3 * index));
  const text = Buffer.from('correct horse battery staple 123');

  test.each([
    ['zeros', '0'.repeat(64)],
    ['a repeated word', 'deadbeef'.repeat(8)],
    ['a repeated half', hexKey.slice(0, 32).repeat(2)],
    ['bytes that count up', Buffer.from(Array.from({ length: 32 }, (_, index) => index)).toString('hex')],
    ['bytes that count down', counted.toString('base64')],
    ['a sentence', text.toString('base64')],
    ['a sentence as hex', text.toString('hex')],
  ])('a key of %s is refused', (_, key) => {
    const settings = { ...production, DATABASE_URL: databaseUrl, ENCRYPTION_KEY: key };
    expect(faultsOf(settings)).toEqual([guessable]);
    expect(faultsOf({ ...settings, ALLOW_IN_PRODUCTION: 'guessable-key' })).toEqual([]);
    expect(faultsOf({ ...settings, NODE_ENV: 'development' })).toEqual([]);
  });

  test('random keys are accepted', () => {
    for (let count = 0; count < 1_000; count++) {
      const key = randomBytes(32).toString(count % 2 === 0 ? 'hex' : 'base64');
      expect(faultsOf({ ...production, DATABASE_URL: databaseUrl, ENCRYPTION_KEY: key })).toEqual([]);
    }
  });

  test('a bootstrap secret has at least 32 characters', () => {
    const settings = { ...production, DATABASE_URL: databaseUrl, ENCRYPTION_KEY: hexKey, BOOTSTRAP_CLIENT_ID: 'admin' };
    expect(faultsOf({ ...settings, BOOTSTRAP_CLIENT_SECRET: 'x'.repeat(32) })).toEqual([]);
    expect(faultsOf({ ...settings, BOOTSTRAP_CLIENT_SECRET: 'x'.repeat(31) })).toEqual([
      'BOOTSTRAP_CLIENT_SECRET must have at least 32 characters when NODE_ENV is production (openssl rand -base64 32), or be left out: then one is made.',
    ]);
  });

  test.each(cases)('%o', (settings, faults) => {
    expect(faultsOf({ ...production, ...settings })).toEqual(faults);
  });

  test('outside production an exception has no effect', () => {
    expect(readConfig({ ALLOW_IN_PRODUCTION: 'demo' })).toEqual(defaultConfig);
  });
});
