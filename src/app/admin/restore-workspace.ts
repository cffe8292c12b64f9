// `restore --workspace`: makes a new workspace of one workspace in a backup, or in a database that was recovered to a moment, or of one of its clients, beside the
// living one.

import { randomUUID } from 'node:crypto';
import { readdir, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type pg from 'pg';
import { createWorkspace, type NewWorkspace } from '../../actions/access/workspace.ts';
import type { AppContext } from '../../actions/core/context.ts';
import {
  importInto,
  ImportFault,
  type ImportedEnvironment,
  type ImportedFile,
  type ImportedRow,
} from '../../actions/transfer/import-workspace.ts';
import { defined } from '../../kit/assert.ts';
import { isId, type Id } from '../../kit/id.ts';
import { withBackupFile, type OpenedBackup } from '../../store/postgres/backup/backup-file.ts';
import { BackupFault } from '../../store/postgres/backup/backup-fault.ts';
import { loadSnapshot } from '../../store/postgres/backup/load-snapshot.ts';
import { snapshotOfWorkspace } from '../../store/postgres/backup/workspace-snapshot.ts';
import { refuseHiddenRows, requireTenantSeen, seesAllRows } from '../../store/postgres/counting.ts';
import { findMissingMigrations } from '../../store/postgres/missing-migrations.ts';
import { withClient } from '../../store/with-client.ts';
import { listOwnTenants } from '../../store/workspace-rows/count-rows.ts';
import { copiedTables, type ExportedTable } from '../../store/workspace-rows/exported-tables.ts';
import { enter, inTenant } from '../../store/workspace-rows/owner-connection.ts';
import {
  countRows,
  exportedColumns,
  listLeftOutNames,
  readRows,
  type RowSelection,
} from '../../store/workspace-rows/read-rows.ts';
import { listTenantTables, type TenantTable } from '../../store/workspace-rows/tenant-tables.ts';
import { isDatabaseUrl, readConfig } from '../config.ts';
import { connectionConfig } from '../open-context.ts';
import { SettingFault } from '../setting-reader.ts';
import { withAdminContext, withTarget } from './admin-context.ts';
import { readIdentities } from './age-options.ts';
import { Misuse, printJson, resolvePath, type Invocation, type Print } from './command.ts';
import { findClientTree } from './transfer/export.ts';
import { makeSecrets, printSecrets, readWorkspaceName } from './workspace/create.ts';

export const workspaceOptions = {
  workspace: { type: 'string' },
  client: { type: 'string' },
  as: { type: 'string' },
  at: { type: 'string' },
  'from-database': { type: 'string' },
  scratch: { type: 'string' },
} as const;

export interface WorkspaceRestore {
  readonly workspace?: string | undefined;
  readonly client?: string | undefined;
  readonly as?: string | undefined;
  readonly at?: string | undefined;
  readonly from?: string | undefined;
  readonly 'from-database'?: string | undefined;
  readonly scratch?: string | undefined;
  readonly identity?: string | undefined;
  readonly json?: boolean | undefined;
}

/** What is copied, and as whose. */
interface Wanted {
  readonly workspaceId: Id;
  readonly clientId: Id | undefined;
  readonly name: string;
}

/** A workspace that was read, and the moment of which it is. */
interface Copied {
  readonly made: NewWorkspace;
  readonly asOf: string;
  readonly rows: number;
  readonly clients: readonly Id[] | null;
  readonly leftOut: readonly { readonly what: string; readonly why: string }[];
}

export async function restoreWorkspace(
  options: WorkspaceRestore,
  { environment, print }: Pick<Invocation, 'environment' | 'print'>,
): Promise<boolean> {
  const wanted = readWanted(options);
  const moment = readMoment(options.at);
  const { from, 'from-database': url } = options;
  if ((from === undefined) === (url === undefined))
    throw new Misuse('Say what to read: --from FILE|FOLDER or --from-database postgresql://….');
  const config = readConfig(environment);
  await withAdminContext(config, async (context) => {
    const copy = (source: pg.ClientConfig, origin: Origin): Promise<Copied> =>
      copyWorkspace(context, source, { wanted, origin });
    const report = async (copied: Copied): Promise<void> =>
      reportCopy(context, { copied, wanted, moment, json: options.json === true }, print);
    if (url !== undefined) {
      if (!isDatabaseUrl(url)) throw new Misuse('--from-database must be an address such as postgresql://…/database.');
      if (moment !== undefined)
        throw new Misuse('A database is copied as it is now: recover it to the moment, and leave out --at.');
      const source = connectionConfig(config, { connectionString: url });
      await requireSchema(source);
      return report(await copy(source, { kind: 'database', asOf: new Date(context.clock.now()).toISOString() }));
    }
    const identities = await readIdentities(options.identity, environment);
    const isEncrypted = identities.length > 0;
    const path = await chooseFile(resolvePath(defined(from, 'one of the two is named'), environment), {
      moment,
      isEncrypted,
    });
    const read = async ({ manifest, snapshot }: OpenedBackup): Promise<void> => {
      if (moment !== undefined && Date.parse(manifest.madeAt) > moment)
        throw new BackupFault(
          `It was made at ${manifest.madeAt}, after the moment ${new Date(moment).toISOString()}. Name an earlier one, or a folder of them.`,
        );
      const own = snapshotOfWorkspace(snapshot, wanted.workspaceId);
      const copied = await withScratch(
        options.scratch,
        { config, environment, print: options.json === true ? undefined : print },
        async (scratch) => {
          await loadSnapshot(scratch, own);
          return copy(scratch, { kind: 'backup', asOf: manifest.madeAt });
        },
      );
      await report(copied);
    };
    await withBackupFile(path, read, identities);
  });
  return true;
}

function readWanted({ workspace, client, as }: WorkspaceRestore): Wanted {
  if (workspace === undefined || !isId(workspace)) throw new Misuse('--workspace must be the id of a workspace.');
  if (client !== undefined && !isId(client)) throw new Misuse('--client must be the id of a client.');
  if (as === undefined) throw new Misuse('Name the new workspace: --as NAME.');
  return { workspaceId: workspace, clientId: client, name: readWorkspaceName(as) };
}

const momentPattern = /^\d{4}-\d\d-\d\dT\d\d:\d\d(:\d\d(\.\d{1,3})?)?(Z|[+-]\d\d:\d\d)$/;

function readMoment(text: string | undefined): number | undefined {
  if (text === undefined) return undefined;
  const moment = momentPattern.test(text) ? Date.parse(text) : Number.NaN;
  if (Number.isNaN(moment))
    throw new Misuse(
      '--at must be a moment with its time zone, such as 2026-11-17T10:30:00Z or 2026-11-17T11:30:00+01:00.',
    );
  return moment;
}

/** As `holdfast backup` names them in a folder. */
const namePattern = /^holdfast-(\d{4})(\d\d)(\d\d)T(\d\d)(\d\d)(\d\d)Z\.tar(\.age)?$/;

/** Names have whole seconds. */
const lastOfSecondMs = 999;

/** A file, or of a folder the latest that was made by the moment. */
async function chooseFile(
  path: string,
  {
    moment = Number.POSITIVE_INFINITY,
    isEncrypted,
  }: { readonly moment: number | undefined; readonly isEncrypted: boolean },
): Promise<string> {
  if ((await stat(path).catch(() => undefined))?.isDirectory() !== true) return path;
  const made = (await readdir(path)).flatMap((name) => {
    const [, year, month, day, hour, minute, second, ending] = namePattern.exec(name) ?? [];
    if (year === undefined || (ending !== undefined) !== isEncrypted) return [];
    return [{ name, at: Date.parse(`${year}-${month}-${day}T${hour}:${minute}:${second}Z`) }];
  });
  const before = made.filter(({ at }) => at + lastOfSecondMs <= moment).toSorted((one, other) => one.at - other.at);
  const latest = before.at(-1);
  if (latest !== undefined) return join(path, latest.name);
  const kind = isEncrypted ? 'encrypted backups' : 'backups that are not encrypted';
  throw new BackupFault(
    made.length === 0
      ? `${path} has no ${kind} that are named as \`holdfast backup\` names them.${isEncrypted ? '' : ' For encrypted ones, name the --identity.'}`
      : `None of the ${made.length} ${kind} in ${path} was made by ${new Date(moment).toISOString()}.`,
  );
}

const scratchPrefix = 'holdfast-restore-';

/** An empty database that the workspace is read through, so that a backup of an older release becomes one of this. */
async function withScratch<T>(
  url: string | undefined,
  {
    config,
    print,
  }: {
    readonly config: ReturnType<typeof readConfig>;
    readonly environment: Invocation['environment'];
    readonly print: Print | undefined;
  },
  task: (connection: pg.PoolConfig) => Promise<T>,
): Promise<T> {
  const { databaseStatements } = config;
  if (url !== undefined) {
    if (!isDatabaseUrl(url))
      throw new Misuse('--scratch must be the address of an empty database, such as postgresql://….');
    return withTarget({ databaseUrl: url, dataDir: '', databaseStatements }, task);
  }
  const left = (await readdir(tmpdir())).filter((name) => name.startsWith(scratchPrefix));
  for (const name of left)
    print?.(
      `${join(tmpdir(), name)} is of another restore that runs, or was killed: delete it if none runs. It holds rows as they are.`,
    );
  const dataDir = join(tmpdir(), `${scratchPrefix}${randomUUID()}`);
  try {
    return await withTarget({ databaseUrl: undefined, dataDir, databaseStatements }, task);
  } finally {
    await rm(dataDir, { recursive: true, force: true });
  }
}

/** A recovered database has the schema of the release that wrote it. */
async function requireSchema(source: pg.ClientConfig): Promise<void> {
  const { last, missing, isOther } = await findMissingMigrations(source);
  if (last !== undefined && missing.length === 0 && !isOther) return;
  throw new SettingFault(
    last === undefined
      ? 'The database of --from-database has no schema of Holdfast.'
      : `The database of --from-database is at ${last}, which is not the schema of this release. Run \`holdfast migrate\` on it, which changes nothing else, or the command of its release.`,
  );
}

interface Origin {
  readonly kind: 'backup' | 'database';
  readonly asOf: string;
}

/** Reads and writes at once: all of it or nothing, and nothing lies between. */
function copyWorkspace(
  context: AppContext,
  source: pg.ClientConfig,
  { wanted, origin }: { readonly wanted: Wanted; readonly origin: Origin },
): Promise<Copied> {
  const { workspaceId, clientId, name } = wanted;
  return withClient({ ...source, statement_timeout: 0 }, async (client) => {
    const tables = await listTenantTables(client);
    await client.query('BEGIN READ ONLY');
    const tenants = await listOwnTenants(client, workspaceId);
    await client.query('COMMIT');
    const [first] = tenants;
    const what = origin.kind === 'backup' ? 'The backup' : 'The database of --from-database';
    if (first === undefined) throw new SettingFault(`${what} has no workspace ${workspaceId}.`);
    const snapshot = `BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY; SET LOCAL TIME ZONE 'UTC'`;
    const read = async (): Promise<Copied> => {
      const tree = clientId && (await findClientTree(client, tenants, clientId));
      const clients = tree?.ids;
      if (await seesAllRows(client)) await refuseHiddenRows(client);
      const chosen = tree === undefined ? tenants : [tree.tenant];
      const leftOut: Copied['leftOut'][number][] = [];
      const environments: ImportedEnvironment[] = [];
      for (const tenant of chosen) {
        await enter(client, tenant);
        await requireTenantSeen(client, tenant);
        const selection = { tenant, clientIds: clients };
        const files = [];
        for (const table of tables) {
          const copied = copiedTables[table.name];
          if (copied !== undefined) files.push(await openTable(client, { table, copied, selection }));
        }
        environments.push({ environment: tenant.environment, files });
        for (const one of await listLeftOutNames(client, tenant, clients))
          leftOut.push({ what: `${one.what} (${tenant.environment})`, why: one.why });
      }
      const { rows: names } = await client.query<{ name: string }>(
        'SELECT name FROM workspace WHERE workspace_id = $1',
        [workspaceId],
      );
      const from = { id: workspaceId, name: names[0]?.name ?? '' };
      let rows = 0;
      const fill = async (work: Parameters<typeof importInto>[0]): Promise<void> => {
        rows = await importInto(work, {
          from,
          clients: clients ?? null,
          exportedAt: origin.asOf,
          source: origin.kind,
          environments,
        });
      };
      const made = await createWorkspace(context, { name, clientId: undefined, fill }).catch((error: unknown) => {
        throw error instanceof ImportFault ? new SettingFault(error.message) : error;
      });
      return { made, asOf: origin.asOf, rows, clients: clients ?? null, leftOut };
    };
    return inTenant(client, first, read, snapshot);
  });
}

/** As the import reads a file; counted by a statement of its own in the same snapshot. */
async function openTable(
  client: pg.Client,
  {
    table,
    copied,
    selection,
  }: { readonly table: TenantTable; readonly copied: ExportedTable; readonly selection: RowSelection },
): Promise<ImportedFile> {
  const { tenant } = selection;
  async function* readPieces(): AsyncGenerator<readonly ImportedRow[]> {
    await enter(client, tenant);
    let line = 0;
    for await (const rows of readRows(client, table, { ...copied, format: 'jsonl' }, selection))
      yield rows.map((text) => ({ line: ++line, text }));
  }
  return {
    path: `${tenant.environment}/${copied.file}`,
    table: table.name,
    columns: exportedColumns(table, copied),
    rows: await countRows(client, table, copied, selection),
    readRows: readPieces,
  };
}

interface Reported {
  readonly copied: Copied;
  readonly wanted: Wanted;
  readonly moment: number | undefined;
  readonly json: boolean;
}

async function reportCopy(
  context: AppContext,
  { copied, wanted, moment, json }: Reported,
  print: Print,
): Promise<void> {
  const { made, asOf, rows, clients, leftOut } = copied;
  const secrets = await makeSecrets(context, made);
  if (json)
    return printJson(print, {
      id: made.id,
      name: wanted.name,
      from_workspace: wanted.workspaceId,
      clients,
      as_of: asOf,
      rows,
      left_out: leftOut,
      environments: secrets,
    });
  const what =
    clients === null
      ? `the workspace ${wanted.workspaceId}`
      : `${clients.length} clients of the workspace ${wanted.workspaceId}`;
  print(`Workspace ${made.id} "${wanted.name}" was created with ${rows} rows of ${what}, as of ${asOf}.`);
  if (moment !== undefined && Date.parse(asOf) < moment)
    print(
      `You asked for ${new Date(moment).toISOString()}: what was written after ${asOf} is not in it. For the moment itself, recover the database to it (docs/backups.md).`,
    );
  print(
    'It sends and fetches nothing: webhooks are disabled, connections to custodians have ended, no mail and no event was copied.',
  );
  print(
    'Nobody can sign in to it but with the links below: people, their rights, applications and keys were not copied.',
  );
  if (leftOut.length > 0) print(`Secrets that it lacks: ${leftOut.map(({ what: one }) => one).join(', ')}.`);
  print('Save what follows, it is shown only once.');
  printSecrets(print, secrets);
}
