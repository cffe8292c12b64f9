// The command `doctor`: checks the settings, the machine and the database before anything goes wrong, and says what to do about each finding.

import type pg from 'pg';
import { findMissingMigrations } from '../../store/postgres/missing-migrations.ts';
import { inspectReplica } from '../../store/postgres/verify/inspect-replica.ts';
import { inspectServer } from '../../store/postgres/verify/inspect-server.ts';
import type { Finding } from '../../store/postgres/verify/server-findings.ts';
import { readConfig, type Config } from '../config.ts';
import { connectionConfig, replicaPoolSize } from '../open-context.ts';
import { describeStartError } from '../start-error.ts';
import { SettingFault, SettingReader, type EnvironmentVariables } from '../setting-reader.ts';
import { threadCounts } from '../thread-counts.ts';
import { withAdminDatabase, withContextOn } from './admin-context.ts';
import { readOptions, type Command, type Print } from './command.ts';
import { diskFinding } from './free-space.ts';
import { isLikeOneOf } from './similar-name.ts';

export const doctorCommand: Command = {
  name: 'doctor',
  usage: '',
  summary: 'checks the settings, the machine and the database, and says what to do about what it finds',
  details: ['Each line is ok, warn or fail. The exit code is 1 if one is fail.'],
  async run({ args, environment, print }) {
    readOptions(args, {});
    let isFit = true;
    const show = (finding: Finding): void => {
      isFit &&= finding.level !== 'fail';
      printFinding(print, finding);
    };
    const config = readSettings(environment, show);
    if (config !== undefined) {
      for (const finding of [...configFindings(config), await diskFinding(config)]) show(finding);
      await checkDatabase(config, show);
    }
    return isFit;
  },
};

type Show = (finding: Finding) => void;

function printFinding(print: Print, { level, what, remedy }: Finding): void {
  print(`${level.padEnd(5)} ${what}`);
  if (remedy !== undefined) for (const line of remedy.split('\n')) print(`      ${line}`);
}

function readSettings(environment: EnvironmentVariables, show: Show): Config | undefined {
  try {
    const reader = new SettingReader(environment);
    const config = readConfig(environment, reader);
    const unknown = Object.keys(environment).filter((name) => isLikeOneOf(name, reader.names));
    for (const name of unknown)
      show({
        level: 'warn',
        what: `${name} is no setting`,
        remedy: 'It has no effect. Correct its name or remove it.',
      });
    if (unknown.length === 0) show({ level: 'ok', what: 'the settings are complete and do not contradict each other' });
    return config;
  } catch (error) {
    if (!(error instanceof SettingFault)) throw error;
    for (const what of error.message.split('\n')) show({ level: 'fail', what });
    return undefined;
  }
}

function configFindings({ isProduction, baseUrl, mail, identityProviders, encryptionKey }: Config): Finding[] {
  if (!isProduction)
    return [
      {
        level: 'warn',
        what: 'NODE_ENV is not production: anyone can sign in as anyone',
        remedy: 'Set NODE_ENV=production where others have access.',
      },
    ];
  const findings: Finding[] = [];
  if (baseUrl === undefined || !baseUrl.startsWith('https://'))
    findings.push({
      level: 'warn',
      what: `BASE_URL is ${baseUrl ?? 'not set'}`,
      remedy: 'Set it to the https address that others use, behind a proxy that ends TLS.',
    });
  if (mail.smtp === undefined)
    findings.push({
      level: 'warn',
      what: 'SMTP_URL is not set: invites are written to files and reach nobody',
      remedy: 'Set SMTP_URL and MAIL_FROM.',
    });
  if (identityProviders.length === 0)
    findings.push({
      level: 'warn',
      what: 'no identity provider is set: nobody can sign in',
      remedy: 'Set the PROVIDER_A_ settings.',
    });
  if (encryptionKey === undefined)
    findings.push({
      level: 'warn',
      what: 'the encryption key is a file beside the data',
      remedy: 'Set ENCRYPTION_KEY from where you keep secrets, and keep a copy.',
    });
  return findings.length === 0
    ? [{ level: 'ok', what: 'addresses, mail, sign-in and the key are set for production' }]
    : findings;
}

/** What one node opens at most: its pool, those of its threads, and the one that it listens on. */
function connectionsOf(config: Config): number {
  const { reports, rounds } = threadCounts(config);
  return config.databasePool + 4 * (reports + rounds) + 1;
}

async function checkDatabase(config: Config, show: Show): Promise<void> {
  try {
    await withAdminDatabase(config, async (connection) => {
      for (const finding of await inspectServer(connection, connectionsOf(config))) show(finding);
      show(await schemaFinding(connection));
      for (const finding of await replicaFindings(config, connection)) show(finding);
      show(await keyFinding(config, connection));
    });
  } catch (error) {
    show({
      level: 'fail',
      what: describeStartError(error),
      remedy: 'See DATABASE_URL or DATA_DIR, and whether the server runs.',
    });
  }
}

async function replicaFindings(config: Config, connection: pg.PoolConfig): Promise<readonly Finding[]> {
  const { databaseReadUrl } = config;
  if (databaseReadUrl === undefined) return [];
  const replica = connectionConfig(config, { connectionString: databaseReadUrl });
  const { reports } = threadCounts(config);
  return inspectReplica(connection, replica, replicaPoolSize * (reports + 1));
}

async function schemaFinding(connection: pg.ClientConfig): Promise<Finding> {
  const { last, missing, isOther } = await findMissingMigrations(connection);
  if (isOther)
    return {
      level: 'warn',
      what: `the schema is at ${last}, which this release does not have`,
      remedy: 'See `holdfast migrate --check`.',
    };
  if (missing.length === 0) return { level: 'ok', what: `the schema is at ${last}, that of this release` };
  return {
    level: 'warn',
    what: `${missing.length} migrations are missing`,
    remedy: 'The next start runs them, and so does `holdfast migrate`.',
  };
}

async function keyFinding(config: Config, connection: pg.PoolConfig): Promise<Finding> {
  try {
    await withContextOn(config, connection, async () => {});
    return { level: 'ok', what: 'the encryption key is the one that the database was created with' };
  } catch (error) {
    // PostgreSQL's code for a table that does not exist.
    if (error instanceof Error && 'code' in error && error.code === '42P01')
      return { level: 'warn', what: 'the database is empty', remedy: 'The first start creates what it needs.' };
    return {
      level: 'fail',
      what: describeStartError(error),
      remedy: 'The backup or the secrets of the former machine have the key.',
    };
  }
}
