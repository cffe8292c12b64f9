// The command `doctor`: checks the settings, the machine and the database before anything goes wrong, and says what to do about each finding.

import { access, constants } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import type pg from 'pg';
import { countKeyed, countOpenChains } from '../../actions/access/reseal.ts';
import type { AppContext } from '../../actions/core/context.ts';
import type { KeyUse } from '../../signing/keyring.ts';
import { listRelations } from '../../store/postgres/backup/tables.ts';
import { findMissingMigrations, type MissingMigrations } from '../../store/postgres/missing-migrations.ts';
import { inspectReplica } from '../../store/postgres/verify/inspect-replica.ts';
import { inspectServer } from '../../store/postgres/verify/inspect-server.ts';
import type { Finding } from '../../store/postgres/verify/server-findings.ts';
import { withClient } from '../../store/with-client.ts';
import { readConfig, type Config } from '../config.ts';
import { findKey, keyFile } from '../encryption-key.ts';
import { connectionConfig, replicaPoolSize } from '../open-context.ts';
import { describeStartError, isWithoutConnections } from '../start-error.ts';
import { SettingFault, SettingReader, type EnvironmentVariables } from '../setting-reader.ts';
import { threadCounts } from '../thread-counts.ts';
import { withAdminDatabase, withContextOn } from './admin-context.ts';
import { printJson, readOptions, type Command, type Print } from './command.ts';
import { diskFinding } from './free-space.ts';
import { isLikeOneOf } from './similar-name.ts';

export const doctorCommand: Command = {
  name: 'doctor',
  usage: '[--json]',
  summary: 'checks the settings, the machine and the database, and says what to do about what it finds',
  details: ['Each line is ok, warn or fail. The exit code is 1 if one is fail.'],
  async run({ args, environment, print }) {
    const { json = false } = readOptions(args, { json: { type: 'boolean' } });
    const findings: Finding[] = [];
    let isFit = true;
    const show = (finding: Finding): void => {
      isFit &&= finding.level !== 'fail';
      findings.push(finding);
      if (!json) printFinding(print, finding);
    };
    const config = readSettings(environment, show);
    if (config !== undefined) {
      for (const finding of [...configFindings(config), await diskFinding(config)]) show(finding);
      await checkDatabase(config, show);
    }
    if (json) printJson(print, { is_fit: isFit, findings });
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

/** What a first start does, wherever it finds nothing. */
const firstStart =
  'The first start creates the schema, a workspace and an application that administers it, whose secret it tells once\n' +
  '(in its output, or in FIRST_SECRET_FILE), and a link with which a person becomes its administrator.';

/** Whether the first start would create a database in the data folder: it is not there yet, and this user can make it. */
async function isNewDataDir(dataDir: string): Promise<boolean> {
  const canUse = (path: string): Promise<boolean> =>
    access(path, constants.W_OK | constants.X_OK).then(
      () => true,
      () => false,
    );
  const isMissing = (path: string): Promise<boolean> =>
    access(path).then(
      () => false,
      (error: NodeJS.ErrnoException) => error.code === 'ENOENT',
    );
  if (!(await isMissing(join(dataDir, 'postgres')))) return false;
  return canUse((await isMissing(dataDir)) ? dirname(dataDir) : dataDir);
}

async function newDataDirFinding(config: Config): Promise<Finding> {
  const key =
    (await findKey(config)) === undefined
      ? `It also makes the encryption key, in ${keyFile(config.dataDir)}: keep a copy apart from the data.`
      : 'The encryption key is there already.';
  return {
    level: 'warn',
    what: `there is no database in ${config.dataDir} yet`,
    remedy: `The first start creates one there. ${firstStart}\n${key}`,
  };
}

async function checkDatabase(config: Config, show: Show): Promise<void> {
  try {
    if (config.databaseUrl === undefined && (await isNewDataDir(config.dataDir)))
      return show(await newDataDirFinding(config));
    await withAdminDatabase(config, async (connection) => {
      for (const finding of await inspectServer(connection, {
        connectionsNeeded: connectionsOf(config),
        isOwn: config.databaseUrl === undefined,
      }))
        show(finding);
      const migrations = await findMissingMigrations(connection);
      if (migrations.last === undefined) return show(await emptyFinding(connection, migrations));
      show(schemaFinding(migrations));
      for (const finding of await replicaFindings(config, connection)) show(finding);
      for (const finding of await keyFindings(config, connection, migrations)) show(finding);
    });
  } catch (error) {
    show({
      level: 'fail',
      what: describeStartError(error),
      remedy: isWithoutConnections(error)
        ? 'Raise max_connections, or lower DATABASE_POOL or WORK_THREADS on every node.'
        : 'See DATABASE_URL or DATA_DIR, and whether the server runs.',
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

/** Without the service's own table: empty, or another program's. The key is not looked for, since that would make one. */
async function emptyFinding(connection: pg.ClientConfig, { missing }: MissingMigrations): Promise<Finding> {
  const others = await withClient(connection, listRelations);
  if (others.length > 0)
    return {
      level: 'fail',
      what: `the database has no schema of Holdfast, and ${others.length} tables of something else (${others.slice(0, 3).join(', ')}${others.length > 3 ? ', …' : ''})`,
      remedy: 'Give Holdfast a database of its own.',
    };
  return {
    level: 'warn',
    what: 'the database is empty',
    remedy: `${firstStart}\nIt runs ${missing.length} migrations.`,
  };
}

function schemaFinding({ last, missing, isOther }: MissingMigrations): Finding {
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

async function keyFindings(
  config: Config,
  connection: pg.PoolConfig,
  { missing }: MissingMigrations,
): Promise<readonly Finding[]> {
  try {
    return await withContextOn(config, connection, async (context) => {
      const what = `the encryption key is the one that the database ${context.keyring.ownName === '' ? 'was created with' : 'is sealed with'}`;
      const counted = missing.length === 0 ? await countedFindings(context) : [];
      return [{ level: 'ok', what }, ...counted];
    });
  } catch (error) {
    return [
      {
        level: 'fail',
        what: describeStartError(error),
        remedy: 'The backup or the secrets of the former machine have the key.',
      },
    ];
  }
}

/** What each key of the settings has made, and what is to be done next while one is being replaced. */
async function countedFindings(context: AppContext): Promise<readonly Finding[]> {
  const { present, previous, next } = context.keyring.fingerprints();
  const counts = await countKeyed(context);
  const countOf = (...uses: readonly KeyUse[]): number =>
    counts.filter(({ use }) => uses.includes(use)).reduce((sum, { count }) => sum + count, 0);
  const findings: Finding[] = [
    { level: 'ok', what: `ENCRYPTION_KEY is the key ${present}, which has made ${countOf('present')} values` },
  ];
  if (next !== undefined)
    findings.push({
      level: 'warn',
      what: `ENCRYPTION_KEY_NEXT is the key ${next}, which has made ${countOf('next')} values`,
      remedy: `Once all nodes have it, set ENCRYPTION_KEY to it and ENCRYPTION_KEY_PREVIOUS to the key ${present} on one node after the other.`,
    });
  if (previous !== undefined) findings.push(await previousFinding(context, previous, countOf('previous')));
  const others = countOf('replaced', 'unknown');
  const names = counts.filter(({ use }) => use === 'replaced' || use === 'unknown').map((one) => one.fingerprint);
  if (others > 0)
    findings.push({
      level: 'fail',
      what: `${others} values are of keys that no setting names: ${[...new Set(names)].slice(0, 5).join(', ')}`,
      remedy: 'Set ENCRYPTION_KEY_PREVIOUS to that key and run `holdfast reseal`.',
    });
  return findings;
}

async function previousFinding(context: AppContext, fingerprint: string, count: number): Promise<Finding> {
  const chains = await countOpenChains(context);
  const name = `ENCRYPTION_KEY_PREVIOUS is the key ${fingerprint}`;
  if (count === 0 && chains === 0)
    return {
      level: 'warn',
      what: `${name}, which nothing needs any more`,
      remedy: 'Remove it from the settings of all nodes.',
    };
  return {
    level: 'warn',
    what: `${name}, which ${count} values and the audit logs of ${chains} environments still need`,
    remedy: 'Once all nodes have the new key as ENCRYPTION_KEY, run `holdfast reseal`.',
  };
}
