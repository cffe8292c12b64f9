// Says what is running: the release, the commit it was made from if that is known, the Node.js, and the schema that it expects.

import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { defined } from '../kit/assert.ts';
import { listMigrations } from '../store/postgres/migrate.ts';

export interface Release {
  /** The version in `package.json`. */
  readonly version: string;
  /** The whole hash; undefined if this copy does not say. */
  readonly commit: string | undefined;
  /** With its `v`. */
  readonly node: string;
  /** The number of the last migration. */
  readonly migrationLevel: number;
  /** The file name of the last migration. */
  readonly migrationName: string;
}

const releaseFolder = fileURLToPath(new URL('../..', import.meta.url));

export async function readRelease(folder: string = releaseFolder): Promise<Release> {
  const { version }: { version: string } = JSON.parse(await readFile(join(folder, 'package.json'), 'utf8'));
  const last = defined((await listMigrations()).at(-1), 'a release has migrations');
  return {
    version,
    commit: await findCommit(folder),
    node: process.version,
    migrationLevel: last.version,
    migrationName: last.name,
  };
}

const hashPattern = /^[0-9a-f]{40,64}$/;

/** A copy without a repository, such as an image, may say it in a file `COMMIT`. */
async function findCommit(folder: string): Promise<string | undefined> {
  const stated = await findText(join(folder, 'COMMIT'));
  const commit = stated ?? (await findCheckedOutCommit(join(folder, '.git')));
  return commit !== undefined && hashPattern.test(commit) ? commit : undefined;
}

/** Does without git, which a server need not have. */
async function findCheckedOutCommit(repository: string): Promise<string | undefined> {
  const head = await findText(join(repository, 'HEAD'));
  const branch = /^ref: (refs\/\S+)$/.exec(head ?? '')?.[1];
  if (branch === undefined) return head;
  const packed = (await findText(join(repository, 'packed-refs')))?.split('\n') ?? [];
  const line = packed.find((one) => one.endsWith(` ${branch}`));
  return (await findText(join(repository, branch))) ?? line?.split(' ')[0];
}

async function findText(path: string): Promise<string | undefined> {
  return readFile(path, 'utf8').then(
    (text) => text.trim(),
    () => undefined,
  );
}
