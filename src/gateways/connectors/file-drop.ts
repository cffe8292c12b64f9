// The connector for files: a custodian, or a person, puts them into the folder of an authority, and each is taken once, booked as a
// whole and put away. Whoever drops files can also make links, pipes and folders there: a file is read only from a copy in a folder
// that droppers cannot write to. The lease of the run makes this node the only one that works on the authority.

import { createHash, randomUUID } from 'node:crypto';
import type { BigIntStats } from 'node:fs';
import type { FileHandle } from 'node:fs/promises';
import type { Clock } from '../../kit/clock.ts';
import { putFolder } from '../../kit/files/folders.ts';
import { isSameEntry, NotAFolder, PinnedFolder } from '../../kit/files/pinned-folder.ts';
import {
  ConnectorFailure,
  type Connector,
  type ConnectorAccess,
  type FetchedFile,
  type FetchedPage,
  type MissingSetting,
} from '../../model/custody/connector.ts';

/** The folders of the connector. */
export interface FileDropFolders {
  /** Has one folder for each authority, named by its id, into which files are dropped. */
  readonly dropped: string;
  /** Has the copies of files that were taken, in one folder for each authority. Undefined: a folder in `dropped` of the service's own. */
  readonly taken: string | undefined;
}

export interface FileDropOptions {
  /** Undefined if the service was given none. */
  readonly folders: FileDropFolders | undefined;
  readonly clock: Clock;
  readonly bytesMax: number;
  /** A file that was changed more recently may still be written to. */
  readonly quietMs: number;
}

/** The folder for copies, in the folder for files, if no setting names one. */
const usualTaken = '.taken';
/** Where earlier releases moved files before they read them. What they left there is taken first. */
const formerlyClaimed = 'claimed';
/** A copy that was not booked yet. */
const partEnding = '.part';
/** Entries that are refused get this before their name, and are then left alone. */
const refusedBeginning = '.refused';
/** How many files one run of a feed takes. */
const filesPerRunMax = 1_000;
const chunkBytes = 1024 * 1024;
const nsPerMs = 1_000_000;
/** File systems allow 255 bytes. The rest is for what is put before a name. */
const keptNameBytesMax = 180;

interface OpenFolders {
  readonly inbox: PinnedFolder;
  readonly taken: PinnedFolder;
}

export class FileDropConnector implements Connector {
  readonly kind = 'file-drop';
  readonly #options: FileDropOptions;

  constructor(options: FileDropOptions) {
    this.#options = options;
  }

  listMissing(): readonly MissingSetting[] {
    if (this.#options.folders !== undefined) return [];
    const detail =
      'This service has no folder for files. Set IMPORT_DIR to a folder that all nodes share, start the service again, and then connect the custodian.';
    return [{ field: 'connector', detail }];
  }

  /** Files in the order of their names. The mark is the last file's name. */
  async *fetchSince({ authority }: Pick<ConnectorAccess, 'authority'>): AsyncIterable<FetchedPage> {
    const { inbox, taken } = await this.#openFolders(authority);
    try {
      const former = await openIfFolder(inbox, formerlyClaimed);
      try {
        if (former !== undefined) yield* this.#takeAll({ inbox: former, taken });
      } finally {
        await former?.close();
      }
      yield* this.#takeAll({ inbox, taken });
    } finally {
      await Promise.all([inbox.close(), taken.close()]);
    }
  }

  async #openFolders(authority: string): Promise<OpenFolders> {
    const { folders } = this.#options;
    if (folders === undefined)
      throw new ConnectorFailure('unavailable', 'The service was not given a folder for files (IMPORT_DIR).');
    const { dropped } = folders;
    const inbox = await openOwnFolder(dropped, [authority], { setting: 'IMPORT_DIR', mode: 0o777 });
    try {
      const taken = await (folders.taken === undefined
        ? openOwnFolder(dropped, [usualTaken, authority], { setting: 'IMPORT_DIR', mode: 0o700 })
        : openOwnFolder(folders.taken, [authority], { setting: 'IMPORT_TAKEN_DIR', mode: 0o700 }));
      for await (const name of taken.names()) if (name.endsWith(partEnding)) await taken.remove(name);
      return { inbox, taken };
    } catch (error) {
      await inbox.close();
      throw error;
    }
  }

  async *#takeAll(folders: OpenFolders): AsyncIterable<FetchedPage> {
    for (const name of await listFirst(folders.inbox, filesPerRunMax)) yield* this.#take(folders, name);
  }

  /** Goes on once the page was booked, and only then removes the file. */
  async *#take(folders: OpenFolders, name: string): AsyncIterable<FetchedPage> {
    const { bytesMax, clock, quietMs } = this.#options;
    const { inbox, taken } = folders;
    const seen = await orUnavailable(inbox.find(name));
    if (seen === undefined || seen.isDirectory() || clock.now() - Number(seen.mtimeNs) / nsPerMs < quietMs) return;
    const refusal = refusalOf(seen, bytesMax);
    if (refusal !== undefined) {
      const detail = `${name} ${refusal} It was not read, and is left under a name that begins with ${refusedBeginning}.`;
      yield { items: [{ item: 'problem', place: { line: 1 }, detail }], mark: name };
      await orUnavailable(inbox.rename(name, `${refusedBeginning} ${randomUUID()} ${shortName(name)}`));
      return;
    }
    const copy = await orUnavailable(copyFile(folders, { name, seen, bytesMax }));
    if (copy === undefined) return;
    try {
      yield { items: [], file: copy.file, mark: name };
      // Files may come again under the same name.
      const day = new Date(clock.now()).toISOString().replaceAll(':', '-');
      await orUnavailable(taken.rename(copy.partName, `${day} ${shortName(name)}`));
      // A file that came under this name since it was copied is left for the next run.
      const present = await orUnavailable(inbox.find(name));
      if (present !== undefined && isUnchanged(present, seen)) await orUnavailable(inbox.remove(name));
    } finally {
      await copy.handle.close();
      await taken.remove(copy.partName);
    }
  }
}

/** Follows links in the setting, and none below it. Authorities are ids of this service, so no name leads out of the folder. */
async function openOwnFolder(
  root: string,
  below: readonly string[],
  { setting, mode }: { readonly setting: string; readonly mode: number },
): Promise<PinnedFolder> {
  try {
    await putFolder(root);
    let opened = await PinnedFolder.open(root);
    for (const name of below) {
      const above = opened;
      opened = await above.putFolder(name, mode).finally(() => above.close());
    }
    await opened.requireWritable().catch(async (error: unknown) => {
      await opened.close();
      throw error;
    });
    return opened;
  } catch (error) {
    const detail =
      error instanceof NotAFolder
        ? `In ${setting}, ${below.join('/')} is a link or a file. Only a folder is used.`
        : `The folder for files (${setting}) cannot be written to.`;
    throw new ConnectorFailure('unavailable', detail, error);
  }
}

async function openIfFolder(folder: PinnedFolder, name: string): Promise<PinnedFolder | undefined> {
  if ((await orUnavailable(folder.find(name)))?.isDirectory() !== true) return undefined;
  return orUnavailable(folder.openFolder(name));
}

/** Errors of the file system are tried again, and their detail names no path. */
async function orUnavailable<T>(task: Promise<T>): Promise<T> {
  try {
    return await task;
  } catch (error) {
    throw new ConnectorFailure('unavailable', 'A file in IMPORT_DIR could not be taken or put away.', error);
  }
}

/** Why an entry is not read; undefined for a file. A file with several names may be one that the dropper cannot read. */
function refusalOf(entry: BigIntStats, bytesMax: number): string | undefined {
  if (!entry.isFile()) return 'is a link, a pipe or a device, and no file.';
  if (entry.nlink > 1n) return `has ${entry.nlink} names (hard links).`;
  if (entry.size > bytesMax) return `has ${entry.size} bytes, and at most ${bytesMax} are read.`;
  return undefined;
}

function isUnchanged(present: BigIntStats, seen: BigIntStats): boolean {
  return isSameEntry(present, seen) && present.size === seen.size && present.mtimeNs === seen.mtimeNs;
}

interface TakenCopy {
  readonly file: FetchedFile;
  readonly handle: FileHandle;
  readonly partName: string;
}

/** What was seen, and may be something else by the time it is opened. */
interface SeenFile {
  readonly name: string;
  readonly seen: BigIntStats;
  readonly bytesMax: number;
}

/** Undefined if the file has changed or gone meanwhile: the next run looks again. */
async function copyFile({ inbox, taken }: OpenFolders, found: SeenFile): Promise<TakenCopy | undefined> {
  const source = await inbox.openToRead(found.name);
  if (source === undefined) return undefined;
  try {
    const partName = `${randomUUID()}${partEnding}`;
    const handle = await taken.create(partName);
    const digest = await copyBytes(source, handle, found).catch(async (error: unknown) => {
      await discard();
      throw error;
    });
    if (digest === undefined) return await discard();
    const file = { name: found.name, digest, read: () => readFrom(handle) };
    return { file, handle, partName };

    async function discard(): Promise<undefined> {
      await handle.close();
      await taken.remove(partName);
    }
  } finally {
    await source.close();
  }
}

/** Returns the digest of the copy; undefined unless the source was the file that was seen, from beginning to end. */
async function copyBytes(
  source: FileHandle,
  target: FileHandle,
  { seen, bytesMax }: SeenFile,
): Promise<string | undefined> {
  const isSeen = async (): Promise<boolean> => {
    const present = await source.stat({ bigint: true });
    return refusalOf(present, bytesMax) === undefined && isUnchanged(present, seen);
  };
  if (!(await isSeen())) return undefined;
  const sum = createHash('sha256');
  let length = 0;
  for await (const chunk of readFrom(source)) {
    length += chunk.length;
    if (length > bytesMax) return undefined;
    sum.update(chunk);
    await target.appendFile(chunk);
  }
  await target.sync();
  return (await isSeen()) ? sum.digest('hex') : undefined;
}

/** The bytes of an open file from its beginning, however often it was read before. */
async function* readFrom(handle: FileHandle): AsyncIterable<Uint8Array> {
  let position = 0;
  for (;;) {
    const { bytesRead, buffer } = await handle.read(Buffer.allocUnsafe(chunkBytes), 0, chunkBytes, position);
    if (bytesRead === 0) return;
    position += bytesRead;
    yield buffer.subarray(0, bytesRead);
  }
}

/** The beginning of a name, within the bytes that a longer name may keep. */
function shortName(name: string): string {
  let kept = '';
  for (const character of name) {
    if (Buffer.byteLength(kept + character) > keptNameBytesMax) break;
    kept += character;
  }
  return kept;
}

/** The first names in their order. Skips those that begin with a point, or end like those of unfinished downloads. Keeps few in memory. */
async function listFirst(folder: PinnedFolder, count: number): Promise<readonly string[]> {
  let names: string[] = [];
  for await (const name of folder.names()) {
    if (/^\.|\.(part|tmp|crdownload|filepart)$/i.test(name)) continue;
    names.push(name);
    if (names.length >= 2 * count) names = names.toSorted().slice(0, count);
  }
  return names.toSorted().slice(0, count);
}
