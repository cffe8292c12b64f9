// One run of the PostgreSQL server process, from spawn to exit.

import type { ChildProcess } from 'node:child_process';
import { spawn } from 'node:child_process';
import { createInterface } from 'node:readline';
import type { Writable } from 'node:stream';
import { setTimeout as delay } from 'node:timers/promises';
import type { OsAccount } from './os-account.ts';
import { commandAs, environment } from './os-account.ts';
import { port } from './folders.ts';

export interface ServerOptions {
  readonly postgres: string;
  readonly cluster: string;
  readonly socketDir: string;
  readonly account: OsAccount;
  readonly settings: Readonly<Record<string, string>>;
  readonly log: (line: string) => void;
}

export interface PostgresServer {
  readonly pid: number | undefined;
  /** Resolves with how the process ended; never rejects. */
  readonly exit: Promise<string>;
  /** The last lines it wrote. */
  readonly lines: readonly string[];
  readonly signal: (name: NodeJS.Signals) => void;
}

// The detail and the statement of an error hold customers' values, so neither is logged.
const defaultSettings = {
  shared_buffers: '128MB',
  // What one large import writes between two turns of the process that stores it; by default it would have a thirty-second of the above.
  wal_buffers: '16MB',
  max_connections: '100',
  timezone: 'UTC',
  log_timezone: 'UTC',
  log_destination: 'stderr',
  log_line_prefix: '',
  log_checkpoints: 'off',
  log_error_verbosity: 'terse',
  log_min_error_statement: 'panic',
  cluster_name: 'holdfast',
};

// The exec'd server keeps the shell's process id, so $$ is the server. The guard outlives the process at the other end of the pipe: a
// line on the pipe means that the server has ended, closing it without a line that the owner has died. The guard is forked twice because
// PostgreSQL takes the end of an unknown child for a crash.
const guardedServer = `
cluster=$1; shift
(
  (
    trap '' INT TERM HUP
    cd /
    read -r line <&3 && exit
    kill -INT $$
    sleep 1
    read -r pid <"$cluster/postmaster.pid" && [ "$pid" = $$ ] && kill -QUIT $$
  ) >/dev/null 2>&1 </dev/null &
)
exec "$@" 3<&-
`;

/** Detached, so that Ctrl-C in a terminal reaches only the service, which still needs its database to finish. */
export function spawnServer(options: ServerOptions): PostgresServer {
  const server = [options.postgres, '-D', options.cluster, ...listSettings(options)];
  const args = ['-c', guardedServer, 'sh', options.cluster, ...server];
  const command = commandAs(options.account, { file: '/bin/sh', args });
  const child = spawn(command.file, command.args, {
    ...options.account.identity,
    cwd: options.cluster,
    env: environment,
    detached: true,
    stdio: ['ignore', 'ignore', 'pipe', 'pipe'],
  });
  const output = readOutput(child, options.log);
  return {
    pid: child.pid,
    exit: exitOf(child, output.closed),
    lines: output.lines,
    signal: (name) => void child.kill(name),
  };
}

function listSettings(options: ServerOptions): string[] {
  const settings = {
    ...defaultSettings,
    ...options.settings,
    port: String(port),
    listen_addresses: '',
    unix_socket_directories: `"${options.socketDir.replaceAll('"', '""')}"`,
    unix_socket_permissions: '0700',
  };
  return Object.entries(settings).flatMap(([name, value]) => ['-c', `${name}=${value}`]);
}

const linesMax = 20;

interface Output {
  readonly lines: readonly string[];
  readonly closed: Promise<unknown>;
}

function readOutput(child: ChildProcess, log: (line: string) => void): Output {
  const lines: string[] = [];
  if (child.stderr === null) return { lines, closed: Promise.resolve() };
  child.stderr.on('error', () => undefined);
  const reader = createInterface({ input: child.stderr });
  reader.on('line', (line) => {
    lines.push(line);
    if (lines.length > linesMax) lines.shift();
    log(line);
  });
  return { lines, closed: new Promise((resolve) => reader.on('close', resolve)) };
}

async function exitOf(child: ChildProcess, outputClosed: Promise<unknown>): Promise<string> {
  const pipe = child.stdio[3] as Writable | null | undefined;
  pipe?.on('error', () => undefined);
  const end = await new Promise<string>((resolve) => {
    child.on('error', (error) => resolve(error.message));
    child.on('exit', (code, signal) => resolve(signal === null ? `exit code ${code}` : `signal ${signal}`));
  });
  pipe?.end('\n');
  // Its last lines may arrive after its exit; children that outlive a killed server may keep the pipe open, so the wait is short.
  await Promise.race([outputClosed, delay(100)]);
  return end;
}
