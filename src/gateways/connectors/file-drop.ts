// The connector for files: a custodian, or a person, puts them into the folder of an authority, and each is taken once, booked as a
// whole and put away. Renaming claims a file, so that two nodes that share the folder never take the same one.

import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { lstat, readdir, rename } from 'node:fs/promises';
import { join } from 'node:path';
import type { Clock } from '../../kit/clock.ts';
import { putFolder } from '../../kit/files/folders.ts';
import {
  ConnectorFailure,
  type Connector,
  type ConnectorAccess,
  type ConnectorAccount,
  type FetchedFile,
  type FetchedPage,
} from '../../model/custody/connector.ts';

export interface FileDropOptions {
  /** Has one folder for each authority, named by its id; undefined if the service was not given one. */
  readonly folder: string | undefined;
  readonly clock: Clock;
  readonly bytesMax: number;
  /** A file that was changed more recently may still be written to. */
  readonly quietMs: number;
}

/** Where a file is on its way. */
const stages = { claimed: 'claimed', done: 'done' } as const;
/** How many files one run of a feed takes. */
const filesPerRunMax = 1_000;

export class FileDropConnector implements Connector {
  readonly kind = 'file-drop';
  readonly #options: FileDropOptions;

  constructor(options: FileDropOptions) {
    this.#options = options;
  }

  /** Nobody knows which accounts the next file is about. */
  async listAccounts(): Promise<readonly ConnectorAccount[]> {
    return [];
  }

  /** Files in the order of their names; those first that an earlier run has claimed and not finished. The mark is the last file's name. */
  async *fetchSince({ authority }: Pick<ConnectorAccess, 'authority'>): AsyncIterable<FetchedPage> {
    const folder = await this.#openFolder(authority);
    // The lease of the run makes this the only node that works on the authority: what is claimed was left behind.
    for (const name of await listFiles(join(folder, stages.claimed))) yield* this.#page(folder, name);
    const waiting = (await listFiles(folder)).slice(0, filesPerRunMax);
    for (const name of waiting) if (await this.#claim(folder, name)) yield* this.#page(folder, name);
  }

  /** Authorities are ids of this service, so no name leads out of the folder. */
  async #openFolder(authority: string): Promise<string> {
    const { folder } = this.#options;
    if (folder === undefined)
      throw new ConnectorFailure('unavailable', 'The service was not given a folder for files (IMPORT_DIR).');
    const own = join(folder, authority);
    try {
      for (const stage of Object.values(stages)) await putFolder(join(own, stage));
    } catch (error) {
      throw new ConnectorFailure('unavailable', 'The folder for files (IMPORT_DIR) cannot be written to.', error);
    }
    return own;
  }

  /** Only regular files that nobody writes to any more: a link could lead anywhere. */
  async #claim(folder: string, name: string): Promise<boolean> {
    const { clock, quietMs } = this.#options;
    try {
      const found = await lstat(join(folder, name));
      if (!found.isFile() || clock.now() - found.mtimeMs < quietMs) return false;
      await rename(join(folder, name), join(folder, stages.claimed, name));
      return true;
    } catch (error) {
      // Another node was faster.
      if ((error as NodeJS.ErrnoException).code === 'ENOENT') return false;
      throw new ConnectorFailure('unavailable', 'A file in IMPORT_DIR could not be claimed.', error);
    }
  }

  /** Goes on, and puts the file away, once the page was booked. */
  async *#page(folder: string, name: string): AsyncIterable<FetchedPage> {
    const { bytesMax, clock } = this.#options;
    const path = join(folder, stages.claimed, name);
    const { size } = await lstat(path);
    if (size > bytesMax) {
      const detail = `The file ${name} has ${size} bytes, and at most ${bytesMax} are read.`;
      yield { items: [{ item: 'problem', place: { line: 1 }, detail }], mark: name };
    } else yield { items: [], file: await describeFile(path, name), mark: name };
    // Files may come again under the same name.
    const day = new Date(clock.now()).toISOString().replaceAll(':', '-');
    await rename(path, join(folder, stages.done, `${day} ${name}`)).catch(ignoreMissing);
  }
}

/** A node that has lost its lease finds that another one has put the file away. */
function ignoreMissing(error: NodeJS.ErrnoException): void {
  if (error.code !== 'ENOENT') throw error;
}

async function describeFile(path: string, name: string): Promise<FetchedFile> {
  const sum = createHash('sha256');
  for await (const chunk of createReadStream(path)) sum.update(chunk);
  return { name, digest: sum.digest('hex'), read: () => createReadStream(path) };
}

/** Names that begin with a point, or end like those of unfinished downloads, are left alone. */
async function listFiles(folder: string): Promise<readonly string[]> {
  const entries = await readdir(folder, { withFileTypes: true });
  return entries
    .filter((entry) => entry.isFile() && !/^\.|\.(part|tmp|crdownload|filepart)$/i.test(entry.name))
    .map(({ name }) => name)
    .toSorted();
}
