// Chooses the operating-system account that PostgreSQL runs under, since PostgreSQL refuses to run as root.

import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { DataDirFault } from './data-dir-fault.ts';

const run = promisify(execFile);

export interface FileOwner {
  readonly uid: number;
  readonly gid: number;
}

export interface OsAccount {
  readonly name: string;
  /** The owner of the files, as seen from outside a user namespace. */
  readonly owner: FileOwner;
  /** The options that make a child process run under this account. */
  readonly identity: Partial<FileOwner>;
  readonly prefix: readonly string[];
}

interface Command {
  readonly file: string;
  readonly args: readonly string[];
}

/** The user and group that root steps down to. */
export const nobodyId = 65534;

/** Leaves out the service's settings and secrets, and the PG* variables of the shell it was started from. */
export const environment = { PATH: process.env['PATH'], TZ: 'UTC', LC_ALL: 'C' };

export function isRoot(): boolean {
  return process.getuid?.() === 0;
}

export function commandAs(account: OsAccount, command: Command): Command {
  const [file, ...args] = [...account.prefix, command.file, ...command.args];
  return { file: file ?? command.file, args };
}

/** Returns the first account that has a name (initdb needs one), can enter the folders and can start the program. */
export async function chooseAccount(options: {
  readonly program: string;
  /** The data folder first. */
  readonly folders: readonly string[];
  /** The owners of the files that exist already. */
  readonly owners: readonly FileOwner[];
}): Promise<OsAccount> {
  const reasons: string[] = [];
  for (const account of listAccounts(options.owners)) {
    const reason = await findObstacle(account, options);
    if (reason === undefined) return account;
    reasons.push(`${account.name}: ${reason}`);
  }
  throw new DataDirFault(
    `PostgreSQL cannot run on ${options.folders[0]} (${reasons.join('; ')}). ` +
      'Start as an ordinary user, choose a DATA_DIR that such a user can enter, or set DATABASE_URL.',
  );
}

function listAccounts(owners: readonly FileOwner[]): OsAccount[] {
  const self = { uid: process.getuid?.() ?? 0, gid: process.getgid?.() ?? 0 };
  if (!isRoot()) return [directAccount(self), namespacedAccount(self)];
  const owner = owners.find(({ uid }) => uid !== 0);
  const ownerAccounts = owner ? [directAccount(owner), namespacedAccount(owner)] : [];
  return [...ownerAccounts, directAccount({ uid: nobodyId, gid: nobodyId }), namespacedAccount(self)];
}

function directAccount(owner: FileOwner): OsAccount {
  return { name: `as uid ${owner.uid}`, owner, identity: isRoot() ? owner : {}, prefix: [] };
}

/** To the kernel it stays the owner, who can enter the owner's folders; PostgreSQL sees another user than root. */
function namespacedAccount(owner: FileOwner): OsAccount {
  const prefix = ['unshare', '--user', `--map-user=${nobodyId}`, `--map-group=${nobodyId}`, '--'];
  return { ...directAccount(owner), name: `as uid ${owner.uid} in a user namespace`, prefix };
}

const obstacleScript =
  'id -un >/dev/null || exit 1; program=$1; shift; for f; do cd "$f" || exit 1; done; exec "$program" --version';

async function findObstacle(
  account: OsAccount,
  options: { program: string; folders: readonly string[] },
): Promise<string | undefined> {
  const args = ['-c', obstacleScript, 'sh', options.program, ...options.folders];
  const command = commandAs(account, { file: '/bin/sh', args });
  try {
    await run(command.file, command.args, { ...account.identity, cwd: '/', env: environment });
    return undefined;
  } catch (error) {
    const { stderr, message } = error as { stderr?: string; message: string };
    return (stderr || message).trim().split('\n').at(-1);
  }
}
