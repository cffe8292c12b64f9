// Reads the settings from environment variables and checks all of them; the error names every wrong one and what it must be.

import { availableParallelism } from 'node:os';
import { resolve } from 'node:path';
import { readAddresses, type ServiceAddresses } from './address-settings.ts';
import { readFeedSettings, type FeedSettings } from './feed-settings.ts';
import type { ConnectionLimits } from '../surfaces/http/pipeline/caller-connections.ts';
import { readModeSetting } from './mode-setting.ts';
import type { ModeNotice } from '../model/operations/service-mode.ts';
import { readMailSettings, type MailSettings } from './mail-settings.ts';
import type { ProviderSettings } from '../gateways/identity-providers.ts';
import { isPublicHost } from './public-host.ts';
import { readProviderSettings } from './identity-provider-settings.ts';
import { isGuessableKey } from './key-strength.ts';
import { isCurrencyCode, type CurrencyCode } from '../model/currency.ts';
import { plainDestinations, readShippingSettings, type ShippingSettings } from './shipping-settings.ts';
import { readTraceSettings, type TraceSettings } from './tracing/trace-settings.ts';
import { recipientFault } from '../kit/files/age.ts';
import { SettingReader, SettingFault, type EnvironmentVariables } from './setting-reader.ts';
import { availableMemory, usualLedgerMemoryMb, usualWorkThreads } from './thread-counts.ts';
import { readWorkspaceSettings, type WorkspaceSettingDefaults } from './workspace-settings.ts';

const roles = ['all', 'api', 'worker'] as const;
const logLevels = ['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'] as const;
/** Allowed in production only if named in ALLOW_IN_PRODUCTION. */
const productionExceptions = [
  'embedded-database',
  'demo',
  'private-webhooks',
  'guessable-key',
  'plain-log-shipping',
] as const;
/** Nobody guesses a secret of this length that was drawn at random. */
const bootstrapSecretLengthMin = 32;

export interface Config extends ServiceAddresses, WorkspaceSettingDefaults {
  readonly databaseUrl: string | undefined;
  /** A replica of it, which reports are loaded from. */
  readonly databaseReadUrl: string | undefined;
  readonly databasePool: number;
  readonly databaseStatements: 'named' | 'unnamed';
  /** Where workspaces are spread over servers: whether a node connects to that of a workspace, or sends everything through the coordinator. */
  readonly databaseRoute: 'workers' | 'coordinator';
  readonly dataDir: string;
  readonly logLevel: (typeof logLevels)[number];
  readonly role: (typeof roles)[number];
  /** What this node lets be changed, unless the operator has set a stricter mode for all nodes. */
  readonly mode: ModeNotice;
  /** `when-new`: only if this start created the first workspace. */
  readonly demo: 'on' | 'off' | 'when-new';
  readonly budgetInFlight: number;
  readonly budgetHeavy: number;
  readonly budgetReports: number;
  /** Whether each workspace can read what it was asked for. */
  readonly requestLog: 'on' | 'off';
  /** Whether assistants may write. */
  readonly mcpWrites: 'on' | 'off';
  /** Failed token requests of one client id from one address. */
  readonly tokenFailuresPerMinute: number;
  readonly connectionLimits: ConnectionLimits;
  /** The bytes of all large bodies that a node has at the same time. */
  readonly spoolBytesMax: number;
  readonly defaultCurrency: CurrencyCode;
  readonly timeZone: string;
  readonly encryptionKey: string | undefined;
  /** The key that `encryptionKey` replaces, and the one that is to replace it: both only open. At most one of them is set. */
  readonly previousEncryptionKey: string | undefined;
  readonly nextEncryptionKey: string | undefined;
  readonly ledgerMemoryMb: number;
  /** Threads for heavy work; with 0, the main thread does it. */
  readonly workThreads: number;
  /** How long requests are still served after the node has reported that it stops. */
  readonly shutdownGraceMs: number;
  /** How many workspaces have metrics of their own. */
  readonly workspaceMetrics: number;
  /** The public keys that backups are encrypted to. */
  readonly backupRecipients: readonly string[];
  /** Where a first start writes its secrets; undefined where it prints them. */
  readonly firstSecretFile: string | undefined;
  readonly bootstrap: { readonly clientId: string; readonly clientSecret: string } | undefined;
  readonly isProduction: boolean;
  /** Webhooks may be sent to private addresses, and without TLS. */
  readonly allowsPrivateWebhooks: boolean;
  readonly mail: MailSettings;
  readonly feeds: FeedSettings;
  /** The providers that people can sign in with. */
  readonly identityProviders: readonly ProviderSettings[];
  /** Where the audit log and the request log are shipped to. */
  readonly shipping: ShippingSettings;
  /** If undefined, nothing is traced. */
  readonly traces: TraceSettings | undefined;
}

function isTimeZone(name: string): boolean {
  try {
    Intl.DateTimeFormat('en', { timeZone: name });
    return true;
  } catch {
    return false;
  }
}

export function isDatabaseUrl(text: string): boolean {
  return /^postgres(ql)?:\/\//.test(text) && URL.canParse(text);
}

function isEncryptionKey(text: string): boolean {
  return /^[\da-f]{64}$/i.test(text) || /^[\w+/-]{43}=?$/.test(text);
}

function readFirstSecretFile(reader: SettingReader): string | undefined {
  const path = reader.text('FIRST_SECRET_FILE');
  return path === undefined ? undefined : resolve(path);
}

function readBackupRecipients(reader: SettingReader): readonly string[] {
  const recipients = (reader.text('BACKUP_RECIPIENTS') ?? '').split(/[\s,]/).filter((word) => word !== '');
  const faults = recipients.map(recipientFault).filter((fault) => fault !== undefined);
  for (const fault of faults) reader.faults.push(`BACKUP_RECIPIENTS: ${fault}`);
  return recipients;
}

function readBootstrap(reader: SettingReader): Config['bootstrap'] {
  const clientId = reader.checked('BOOTSTRAP_CLIENT_ID', '1 to 255 printable characters', (text) =>
    /^[\x21-\x7e]{1,255}$/.test(text),
  );
  const clientSecret = reader.checked('BOOTSTRAP_CLIENT_SECRET', '1 to 1024 printable characters', (text) =>
    /^[\x20-\x7e]{1,1024}$/.test(text),
  );
  if ((reader.text('BOOTSTRAP_CLIENT_ID') === undefined) !== (reader.text('BOOTSTRAP_CLIENT_SECRET') === undefined)) {
    reader.faults.push('BOOTSTRAP_CLIENT_ID and BOOTSTRAP_CLIENT_SECRET must be set together.');
  }
  return clientId === undefined || clientSecret === undefined ? undefined : { clientId, clientSecret };
}

/** Reads what is allowed in production by exception. */
function readExceptions(reader: SettingReader): readonly string[] {
  const words = (reader.text('ALLOW_IN_PRODUCTION') ?? '').split(',').map((word) => word.trim());
  const allowedExceptions = words.filter((word) => word !== '');
  if (!allowedExceptions.every((word) => productionExceptions.some((one) => one === word)))
    reader.fault('ALLOW_IN_PRODUCTION', `a comma-separated list of ${productionExceptions.join(', ')}`);
  return allowedExceptions;
}

/** Refuses in production what is meant for trying out. */
function checkProduction(reader: SettingReader, config: Config, allowedExceptions: readonly string[]): void {
  if (!config.isProduction) return;
  if (reader.text('DATABASE_URL') === undefined && !allowedExceptions.includes('embedded-database')) {
    reader.faults.push(
      'DATABASE_URL is required when NODE_ENV is production. To use the embedded database, set ALLOW_IN_PRODUCTION=embedded-database.',
    );
  }
  if (config.demo === 'on' && !allowedExceptions.includes('demo')) {
    reader.faults.push('DEMO must be off when NODE_ENV is production. To allow it, set ALLOW_IN_PRODUCTION=demo.');
  }
  const plain = allowedExceptions.includes('plain-log-shipping') ? [] : plainDestinations(config.shipping);
  for (const name of plain)
    reader.faults.push(
      `${name} is not encrypted and not on this machine. Use https:// or tls:// when NODE_ENV is production. To allow it, set ALLOW_IN_PRODUCTION=plain-log-shipping.`,
    );
  checkSecrets(reader, config, allowedExceptions);
}

/** An existing database cannot be opened with another key: only then is an exception of use. */
function checkSecrets(reader: SettingReader, config: Config, allowedExceptions: readonly string[]): void {
  if (config.bootstrap !== undefined && config.bootstrap.clientSecret.length < bootstrapSecretLengthMin) {
    reader.faults.push(
      `BOOTSTRAP_CLIENT_SECRET must have at least ${bootstrapSecretLengthMin} characters when NODE_ENV is production (openssl rand -base64 32), or be left out: then one is made.`,
    );
  }
  // The key that is being replaced may be what it was.
  const sealing = { ENCRYPTION_KEY: config.encryptionKey, ENCRYPTION_KEY_NEXT: config.nextEncryptionKey };
  for (const [name, key] of Object.entries(sealing)) {
    if (key === undefined || !isGuessableKey(key) || allowedExceptions.includes('guessable-key')) continue;
    reader.faults.push(
      `${name} must be drawn at random when NODE_ENV is production: its bytes repeat, count up or are text. Make one with \`openssl rand -hex 32\`. For a database that was created with this key, set ALLOW_IN_PRODUCTION=guessable-key.`,
    );
  }
}

/** Outside production anyone can sign in as anyone, and webhooks reach private addresses: that must not be reachable from outside by accident. */
function checkDevelopment(reader: SettingReader, config: Config): void {
  const isAllowed = reader.oneOf('ALLOW_PUBLIC_DEVELOPMENT', ['on', 'off'], 'off') === 'on';
  if (config.isProduction || isAllowed) return;
  const urls = { BASE_URL: config.baseUrl, LEGACY_URL: config.legacyUrl, AUTH_URL: config.authUrl };
  const hosts = Object.entries(urls).flatMap(([name, url]) =>
    url === undefined ? [] : [{ name, url, host: new URL(url).hostname }],
  );
  const found = [{ name: 'HOST', url: config.host, host: config.host }, ...hosts].filter(({ host }) =>
    isPublicHost(host),
  );
  for (const { name, url } of found) {
    reader.faults.push(
      `${name} is ${url}, which can be reached from outside, and NODE_ENV is not production: anyone could sign in as anyone. Set NODE_ENV=production, or ALLOW_PUBLIC_DEVELOPMENT=on if this is intended.`,
    );
  }
}

/** Seeds demo data by default in a new embedded database outside production, so that there is something to look at. */
function readDemo(reader: SettingReader): Config['demo'] {
  const isTrial = reader.text('DATABASE_URL') === undefined && reader.text('NODE_ENV') !== 'production';
  if (isTrial && reader.text('DEMO') === undefined) return 'when-new';
  return reader.oneOf('DEMO', ['on', 'off'], 'off');
}

const encryptionKeyForm = '32 random bytes, as 64 hexadecimal digits or as base64';

type Budgets = Pick<
  Config,
  | 'budgetInFlight'
  | 'budgetHeavy'
  | 'budgetReports'
  | 'tokenFailuresPerMinute'
  | 'connectionLimits'
  | 'spoolBytesMax'
  | 'requestLog'
  | 'mcpWrites'
>;

function readBudgets(reader: SettingReader): Budgets {
  return {
    budgetInFlight: reader.integer('BUDGET_IN_FLIGHT', { min: 1, max: 1_000, defaultValue: 8 }),
    budgetHeavy: reader.integer('BUDGET_HEAVY', { min: 1, max: 1_000, defaultValue: 1 }),
    budgetReports: reader.integer('BUDGET_REPORTS', { min: 1, max: 1_000, defaultValue: 4 }),
    requestLog: reader.oneOf('REQUEST_LOG', ['on', 'off'], 'on'),
    mcpWrites: reader.oneOf('MCP_WRITES', ['on', 'off'], 'off'),
    tokenFailuresPerMinute: reader.integer('TOKEN_FAILURES_PER_MINUTE', {
      min: 1,
      max: 1_000_000,
      defaultValue: 20,
    }),
    connectionLimits: {
      perNode: reader.integer('CONNECTIONS_MAX', { min: 10, max: 1_000_000, defaultValue: 4_000 }),
      perAddress: reader.integer('CONNECTIONS_PER_ADDRESS', { min: 1, max: 1_000_000, defaultValue: 250 }),
    },
    spoolBytesMax:
      reader.integer('SPOOL_MEGABYTES_MAX', { min: 10, max: 999_999_999, defaultValue: 4_000 }) * 1_000_000,
  };
}

type DatabaseSettings = Pick<
  Config,
  'databaseUrl' | 'databaseReadUrl' | 'databasePool' | 'databaseStatements' | 'databaseRoute'
>;

function readDatabase(reader: SettingReader): DatabaseSettings {
  const readUrl = (name: string): string | undefined =>
    reader.checked(name, 'a PostgreSQL address, such as postgresql://user:password@host:5432/database', isDatabaseUrl);
  const databaseUrl = readUrl('DATABASE_URL');
  const databaseReadUrl = readUrl('DATABASE_READ_URL');
  if (databaseReadUrl !== undefined && databaseUrl === undefined)
    reader.faults.push('DATABASE_READ_URL is set without DATABASE_URL: the embedded database has no replica.');
  return {
    databaseUrl,
    databaseReadUrl,
    databasePool: reader.integer('DATABASE_POOL', {
      min: 2,
      max: 1_000,
      defaultValue: 16,
      counts: 'connections of the main thread; each of WORK_THREADS has 4 more',
    }),
    databaseStatements: reader.oneOf('DATABASE_STATEMENTS', ['named', 'unnamed'], 'named'),
    databaseRoute: reader.oneOf('DATABASE_ROUTE', ['workers', 'coordinator'], 'workers'),
  };
}

/** The embedded database keeps a key of its own. */
function checkEncryptionKey(reader: SettingReader): void {
  if (reader.text('ENCRYPTION_KEY_PREVIOUS') !== undefined && reader.text('ENCRYPTION_KEY_NEXT') !== undefined)
    reader.faults.push(
      'ENCRYPTION_KEY_PREVIOUS and ENCRYPTION_KEY_NEXT are both set. Finish one change of the key before the next: set one of them.',
    );
  if (reader.text('DATABASE_URL') === undefined || reader.text('ENCRYPTION_KEY') !== undefined) return;
  reader.faults.push(
    'ENCRYPTION_KEY is required with DATABASE_URL: 32 random bytes, as 64 hexadecimal digits (openssl rand -hex 32).',
  );
}

export function readConfig(
  environment: EnvironmentVariables,
  reader: SettingReader = new SettingReader(environment),
): Config {
  const isProduction = reader.oneOf('NODE_ENV', ['development', 'test', 'production'], 'development') === 'production';
  const allowedExceptions = readExceptions(reader);
  const config: Config = {
    ...readAddresses(reader),
    ...readDatabase(reader),
    dataDir: resolve(reader.text('DATA_DIR') ?? './data'),
    logLevel: reader.oneOf('LOG_LEVEL', logLevels, 'info'),
    role: reader.oneOf('ROLE', roles, 'all'),
    mode: readModeSetting(reader),
    demo: readDemo(reader),
    ...readBudgets(reader),
    defaultCurrency: (reader.checked('DEFAULT_CURRENCY', 'an ISO 4217 currency code, such as EUR', isCurrencyCode) ??
      'EUR') as CurrencyCode,
    timeZone: reader.checked('TIME_ZONE', 'a time zone, such as UTC or Europe/Zurich', isTimeZone) ?? 'UTC',
    encryptionKey: reader.checked('ENCRYPTION_KEY', encryptionKeyForm, isEncryptionKey),
    previousEncryptionKey: reader.checked('ENCRYPTION_KEY_PREVIOUS', encryptionKeyForm, isEncryptionKey),
    nextEncryptionKey: reader.checked('ENCRYPTION_KEY_NEXT', encryptionKeyForm, isEncryptionKey),
    ledgerMemoryMb: reader.integer('LEDGER_MEMORY_MB', {
      min: 16,
      max: 1_000_000,
      defaultValue: usualLedgerMemoryMb(availableMemory()),
    }),
    workThreads: reader.integer('WORK_THREADS', {
      min: 0,
      max: 64,
      defaultValue: usualWorkThreads(availableParallelism()),
    }),
    shutdownGraceMs: reader.integer('SHUTDOWN_GRACE_MS', {
      min: 0,
      max: 8_000,
      defaultValue: isProduction ? 5_000 : 0,
    }),
    ...readWorkspaceSettings(reader),
    workspaceMetrics: reader.integer('METRICS_WORKSPACES', { min: 0, max: 200, defaultValue: 20 }),
    backupRecipients: readBackupRecipients(reader),
    firstSecretFile: readFirstSecretFile(reader),
    bootstrap: readBootstrap(reader),
    isProduction,
    allowsPrivateWebhooks: !isProduction || allowedExceptions.includes('private-webhooks'),
    mail: readMailSettings(reader),
    feeds: readFeedSettings(reader),
    shipping: readShippingSettings(reader),
    traces: readTraceSettings(reader),
    identityProviders: readProviderSettings(reader, { isProduction, baseUrl: reader.text('BASE_URL') }),
  };
  checkEncryptionKey(reader);
  if (config.shipping.logs.includes('requests') && config.requestLog === 'off')
    reader.faults.push('SHIP_LOGS names requests, but REQUEST_LOG is off: there is no request log to ship.');
  checkProduction(reader, config, allowedExceptions);
  checkDevelopment(reader, config);
  if (reader.faults.length > 0) throw new SettingFault(reader.faults.join('\n'));
  return config;
}
