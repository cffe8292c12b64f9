// Runs programs in the file system of the image under the restrictions that a container has: a read-only root, an unprivileged user, no
// capabilities, no new privileges, its own processes, and only the data folder and /tmp to write to. The network is that of the machine.

import { spawn, type ChildProcess } from 'node:child_process';
import type { Readable } from 'node:stream';

/** The user of the image. */
export const imageUser = 65_532;

export interface Sandbox {
  /** The folder that make-root has written. */
  readonly root: string;
  readonly dataDir: string;
  /** Further folders that can be read, by their path inside. */
  readonly folders: Readonly<Record<string, string>>;
  readonly environment: Readonly<Record<string, string>>;
}

export interface Ended {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

export interface Running {
  readonly ended: Promise<Ended>;
  /** What it has printed so far. */
  output(): string;
  /** Sends a signal to the program itself, which is the first process inside. */
  signal(name: NodeJS.Signals): Promise<void>;
}

function sandboxArguments({ root, dataDir, folders, environment }: Sandbox): string[] {
  const binds = Object.entries(folders).flatMap(([inside, outside]) => ['--ro-bind', outside, inside]);
  const variables = Object.entries(environment).flatMap(([name, value]) => ['--setenv', name, value]);
  const privileges = `--unshare-all --share-net --as-pid-1 --die-with-parent --new-session --cap-drop ALL --uid ${imageUser} --gid ${imageUser}`;
  const mounts = `--ro-bind ${root} / --proc /proc --dev /dev --tmpfs /tmp --tmpfs /run --bind ${dataDir} /data`;
  return [
    ...`${privileges} --info-fd 3 --clearenv`.split(' '),
    ...variables,
    ...mounts.split(' '),
    ...binds,
    ...'--remount-ro /run --chdir /app'.split(' '),
  ];
}

/** Starts a program of the image; `setpriv` makes it an unprivileged user outside the sandbox, too. */
export function start(sandbox: Sandbox, command: readonly string[]): Running {
  const user = ['--reuid', String(imageUser), '--regid', String(imageUser), '--clear-groups', '--no-new-privs'];
  const args = [...user, 'bwrap', ...sandboxArguments(sandbox), '--', ...command];
  const child = spawn('setpriv', args, { stdio: ['ignore', 'pipe', 'pipe', 'pipe'] });
  const stdout = collected(child.stdout!);
  const stderr = collected(child.stderr!);
  const info = collected(child.stdio[3] as Readable);
  return {
    ended: endOf(child).then((code) => ({ code, stdout: stdout(), stderr: stderr() })),
    output: () => stdout() + stderr(),
    async signal(name) {
      const found = /"child-pid":\s*(\d+)/.exec(info());
      if (found === null) throw new Error(`The sandbox has not started: ${stderr()}`);
      process.kill(Number(found[1]), name);
    },
  };
}

export function run(sandbox: Sandbox, command: readonly string[]): Promise<Ended> {
  return start(sandbox, command).ended;
}

function collected(stream: Readable): () => string {
  let text = '';
  stream.setEncoding('utf8').on('data', (chunk: string) => (text += chunk));
  return () => text;
}

function endOf(child: ChildProcess): Promise<number | null> {
  return new Promise((resolve) => child.once('close', resolve));
}
