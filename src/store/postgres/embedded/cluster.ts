// Creates the folder of files that a PostgreSQL server works on, completely or not at all.

import { execFile } from 'node:child_process';
import { chown, lchown, mkdir, readdir, readFile, rename, rm } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { DataDirFault, reasonInLines } from './data-dir-fault.ts';
import type { OsAccount } from './os-account.ts';
import { commandAs, environment, isRoot } from './os-account.ts';
import { findOwner, syncFolder } from './folders.ts';
import { hasCode, isAlive } from './processes.ts';

const run = promisify(execFile);

export const superuser = 'holdfast';
const majorVersion = '18';
const draftPrefix = 'postgres.new-';
let drafts = 0;

// The builtin provider sorts and folds case the same on every machine, whatever locales are installed.
const initdbOptions = [
  `--username=${superuser}`,
  '--auth=trust',
  '--encoding=UTF8',
  '--locale=C',
  '--locale-provider=builtin',
  '--builtin-locale=C.UTF-8',
  '--data-checksums',
  '--no-instructions',
];

interface ClusterOptions {
  readonly cluster: string;
  readonly initdb: string;
  readonly account: OsAccount;
}

/** Creates the cluster, or gives it to the account if it exists. No server may be running on it. */
export async function putCluster(options: ClusterOptions): Promise<void> {
  const version = await findVersion(options.cluster);
  if (version === undefined) return initialise(options);
  if (version !== majorVersion) {
    throw new DataDirFault(
      `${options.cluster} was written by PostgreSQL ${version}, and this is ${majorVersion}: ` +
        'dump it with that version, or choose another DATA_DIR.',
    );
  }
  await changeOwner(options);
}

async function findVersion(cluster: string): Promise<string | undefined> {
  try {
    return (await readFile(join(cluster, 'PG_VERSION'), 'utf8')).trim();
  } catch (error) {
    if (hasCode(error, 'ENOENT')) return undefined;
    if (!hasCode(error, 'EACCES')) throw error;
    throw foreignCluster(cluster, await findOwner(cluster));
  }
}

function foreignCluster(cluster: string, owner: { uid: number } | undefined): Error {
  return new DataDirFault(
    `${cluster} belongs to uid ${owner?.uid ?? 'unknown'}, and this is uid ${process.getuid?.()}: ` +
      'start as that user or as root, give the folder to this user, or choose another DATA_DIR.',
  );
}

/** Works in a draft folder, so that a crash leaves no cluster rather than half of one. */
async function initialise({ cluster, initdb, account }: ClusterOptions): Promise<void> {
  const dataDir = dirname(cluster);
  await removeDeadDrafts(dataDir);
  const draft = join(dataDir, `${draftPrefix}${process.pid}-${(drafts += 1)}`);
  await rm(draft, { recursive: true, force: true });
  await mkdir(draft, { mode: 0o700 });
  try {
    if (isRoot()) await chown(draft, account.owner.uid, account.owner.gid);
    const command = commandAs(account, { file: initdb, args: [...initdbOptions, '-D', draft] });
    await run(command.file, command.args, { ...account.identity, cwd: dataDir, env: environment }).catch((error) => {
      throw toInitFault(error, dataDir);
    });
    await publishDraft({ draft, cluster });
    await syncFolder(dataDir);
  } finally {
    await rm(draft, { recursive: true, force: true });
  }
}

function toInitFault(error: { readonly stderr?: string }, dataDir: string): unknown {
  const reason = reasonInLines((error.stderr ?? '').split('\n'));
  if (reason === undefined) return error;
  return new DataDirFault(`DATA_DIR is ${dataDir}, which PostgreSQL cannot use: ${reason}`, { cause: error });
}

async function publishDraft(paths: { draft: string; cluster: string }): Promise<void> {
  try {
    await rename(paths.draft, paths.cluster);
  } catch (cause) {
    // Another process was faster. Whether its server is running shows when ours starts.
    if ((await findVersion(paths.cluster)) !== undefined) return;
    throw new DataDirFault(
      `${paths.cluster} exists but is not a PostgreSQL cluster; move it, or choose another DATA_DIR.`,
      {
        cause,
      },
    );
  }
}

async function removeDeadDrafts(dataDir: string): Promise<void> {
  const names = (await readdir(dataDir)).filter((name) => name.startsWith(draftPrefix));
  const dead = names.filter((name) => !isAlive(Number.parseInt(name.slice(draftPrefix.length), 10)));
  await Promise.all(dead.map((name) => rm(join(dataDir, name), { recursive: true, force: true })));
}

async function changeOwner({ cluster, account }: ClusterOptions): Promise<void> {
  const found = await findOwner(cluster);
  if (found?.uid === account.owner.uid) return;
  if (!isRoot()) throw foreignCluster(cluster, found);
  const names = await readdir(cluster, { recursive: true });
  for (const name of names) await lchown(join(cluster, name), account.owner.uid, account.owner.gid);
  // Last, so that an interrupted change of owner is noticed and repeated.
  await chown(cluster, account.owner.uid, account.owner.gid);
}
