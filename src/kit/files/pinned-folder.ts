// An open folder whose entries are reached through its descriptor. Others may write to it: they can rename it, or put a link in its
// place or into it, and no access leads elsewhere.

import { constants, type BigIntStats } from 'node:fs';
import { access, lstat, mkdir, open, opendir, rename, stat, unlink, type FileHandle } from 'node:fs/promises';
import { join } from 'node:path';

const { O_CREAT, O_DIRECTORY, O_EXCL, O_NOFOLLOW, O_NONBLOCK, O_RDONLY, O_RDWR, W_OK } = constants;

/** A link, or a file, is where a folder is needed. */
export class NotAFolder extends Error {
  override readonly name = 'NotAFolder';
}

export class PinnedFolder {
  readonly #handle: FileHandle;
  readonly #path: string;

  private constructor(handle: FileHandle, path: string) {
    this.#handle = handle;
    this.#path = path;
  }

  /** Opens a folder that an operator has named. Its path may have links. */
  static async open(path: string): Promise<PinnedFolder> {
    return PinnedFolder.#pin(await open(path, O_RDONLY | O_DIRECTORY), path);
  }

  /** Linux reaches the entries of a descriptor below /proc. Elsewhere the path is used, and compared at every access. */
  static async #pin(handle: FileHandle, path: string): Promise<PinnedFolder> {
    const below = `/proc/self/fd/${handle.fd}`;
    const [own, found] = await Promise.all([handle.stat({ bigint: true }), statOrNothing(below)]);
    return new PinnedFolder(handle, found !== undefined && isSameEntry(own, found) ? below : path);
  }

  async close(): Promise<void> {
    await this.#handle.close();
  }

  async #checkedPath(): Promise<string> {
    const own = await this.#handle.stat({ bigint: true });
    const found = await statOrNothing(this.#path);
    if (found === undefined || !isSameEntry(own, found)) throw new NotAFolder('The folder was replaced.');
    return this.#path;
  }

  async #at(name: string): Promise<string> {
    if (name === '' || name === '.' || name === '..' || name.includes('/'))
      throw new NotAFolder(`${JSON.stringify(name)} names no entry of a folder.`);
    return join(await this.#checkedPath(), name);
  }

  /** Opens a folder in this one. Throws `NotAFolder` for a link, also for one that leads to a folder. */
  async openFolder(name: string): Promise<PinnedFolder> {
    const path = await this.#at(name);
    const handle = await open(path, O_RDONLY | O_DIRECTORY | O_NOFOLLOW).catch((error: NodeJS.ErrnoException) => {
      if (error.code !== 'ENOTDIR' && error.code !== 'ELOOP') throw error;
      throw new NotAFolder(`${name} is a link or a file, and no folder.`, { cause: error });
    });
    return PinnedFolder.#pin(handle, path);
  }

  /** Opens a folder in this one, and creates it if there is none. */
  async putFolder(name: string, mode = 0o777): Promise<PinnedFolder> {
    await mkdir(await this.#at(name), { mode }).catch((error: NodeJS.ErrnoException) => {
      if (error.code !== 'EEXIST') throw error;
    });
    return this.openFolder(name);
  }

  /** Throws if this process may not add and remove entries. */
  async requireWritable(): Promise<void> {
    await access(await this.#checkedPath(), W_OK);
  }

  async *names(): AsyncIterable<string> {
    for await (const { name } of await opendir(await this.#checkedPath())) yield name;
  }

  /** The entry itself, never the target of a link; undefined if there is none. */
  async find(name: string): Promise<BigIntStats | undefined> {
    return lstat(await this.#at(name), { bigint: true }).catch(nothingIfMissing);
  }

  /** Opens a file for reading. Follows no link, and does not wait for the writer of a pipe. The caller checks what was opened. */
  async openToRead(name: string): Promise<FileHandle | undefined> {
    return open(await this.#at(name), O_RDONLY | O_NOFOLLOW | O_NONBLOCK).catch((error: NodeJS.ErrnoException) => {
      if (error.code === 'ELOOP') return undefined;
      return nothingIfMissing(error);
    });
  }

  async create(name: string): Promise<FileHandle> {
    return open(await this.#at(name), O_RDWR | O_CREAT | O_EXCL | O_NOFOLLOW, 0o600);
  }

  /** Renames an entry within the folder. Does nothing if there is none. */
  async rename(from: string, to: string): Promise<void> {
    await rename(await this.#at(from), await this.#at(to)).catch(nothingIfMissing);
  }

  /** Removes a file or a link. Does nothing if there is none. */
  async remove(name: string): Promise<void> {
    await unlink(await this.#at(name)).catch(nothingIfMissing);
  }
}

/** Whether both are the same file, whatever its name. */
export function isSameEntry(left: BigIntStats, right: BigIntStats): boolean {
  return left.dev === right.dev && left.ino === right.ino;
}

function statOrNothing(path: string): Promise<BigIntStats | undefined> {
  return stat(path, { bigint: true }).catch(nothingIfMissing);
}

function nothingIfMissing(error: NodeJS.ErrnoException): undefined {
  if (error.code !== 'ENOENT') throw error;
}
