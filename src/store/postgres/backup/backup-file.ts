// Writes a snapshot to a file and reads it back: a tar of one compressed file for each table, and a manifest with their hashes.

import { createHash, type Hash } from 'node:crypto';
import { open, rename, rm, stat, type FileHandle } from 'node:fs/promises';
import { basename, dirname } from 'node:path';
import { compose, Readable } from 'node:stream';
import { createZstdCompress, createZstdDecompress } from 'node:zlib';
import { defined } from '../../../kit/assert.ts';
import { describeDifferences } from '../../../kit/compared-counts.ts';
import { syncFolder } from '../embedded/folders.ts';
import { BackupFault } from './backup-fault.ts';
import { backupFormat, parseManifest, type BackupOrigin, type BackupTable, type Manifest } from './manifest.ts';
import type { Snapshot } from './snapshot.ts';
import type { TableShape } from './tables.ts';
import { listMembers, readExactly, readMember, TarWriter, type TarMember } from './tar-file.ts';

const manifestName = 'manifest.json';
/** In the form of `sha256sum`. */
const hashName = 'manifest.json.sha256';
const manifestBytesMax = 64 * 1024 * 1024;

/** Writes under another name until the file is whole and on the disk. */
export async function writeBackupFile(path: string, snapshot: Snapshot, origin: BackupOrigin): Promise<Manifest> {
  if ((await stat(path).catch(() => undefined)) !== undefined)
    throw new BackupFault(`${path} exists already. Name a file that does not, or a folder.`);
  const draft = `${path}.part`;
  const file = await open(draft, 'w', 0o600).catch((error: Error) => {
    throw new BackupFault(`The backup cannot be written: ${error.message}`, { cause: error });
  });
  try {
    const manifest = await writeMembers(new TarWriter(file), snapshot, origin);
    await file.sync();
    await file.close();
    await rename(draft, path);
    await syncFolder(dirname(path));
    return manifest;
  } catch (error) {
    await file.close().catch(() => undefined);
    await rm(draft, { force: true });
    throw error;
  }
}

async function writeMembers(tar: TarWriter, snapshot: Snapshot, origin: BackupOrigin): Promise<Manifest> {
  const { migrations, sequences } = snapshot;
  const tables: BackupTable[] = [];
  const counted = new Map<string, number>();
  for (const table of snapshot.tables) {
    tables.push(await writeTable(tar, snapshot, table));
    counted.set(table.name, await snapshot.count(table));
  }
  const written = new Map(tables.map(({ name, rows }) => [name, rows]));
  const differences = describeDifferences(['in the database', counted], ['written', written]);
  if (differences !== undefined)
    throw new BackupFault(
      `The backup would not hold what was counted at the same moment. It was not made.${differences}`,
    );
  const manifest: Manifest = { format: backupFormat, ...origin, migrations, sequences, tables };
  const text = Buffer.from(`${JSON.stringify(manifest, undefined, 2)}\n`);
  await tar.add(manifestName, [text]);
  await tar.add(hashName, [Buffer.from(hashLine(text))]);
  await tar.end();
  return manifest;
}

function hashLine(manifest: Buffer): string {
  return `${createHash('sha256').update(manifest).digest('hex')}  ${manifestName}\n`;
}

async function writeTable(tar: TarWriter, snapshot: Snapshot, table: TableShape): Promise<BackupTable> {
  const counter = { rows: 0 };
  const hash = createHash('sha256');
  const rows = Readable.from(counted(snapshot.rows(table), counter), { objectMode: false });
  const compressed: AsyncIterable<Buffer> = compose(rows, createZstdCompress());
  const file = `tables/${table.name}.copy.zst`;
  await tar.add(file, hashed(compressed, hash));
  return { ...table, file, rows: counter.rows, sha256: hash.digest('hex') };
}

async function* counted(blocks: AsyncIterable<Buffer>, counter: { rows: number }): AsyncGenerator<Buffer> {
  for await (const block of blocks) {
    for (let at = block.indexOf(10); at !== -1; at = block.indexOf(10, at + 1)) counter.rows++;
    yield block;
  }
}

async function* hashed(chunks: AsyncIterable<Buffer>, hash: Hash): AsyncGenerator<Buffer> {
  for await (const chunk of chunks) {
    hash.update(chunk);
    yield chunk;
  }
}

/** A backup that was read from the first byte to the last and is as it was written. */
export interface OpenedBackup {
  readonly manifest: Manifest;
  readonly snapshot: Snapshot;
}

/** Checks the whole file before `task` gets it. */
export async function withBackupFile<T>(path: string, task: (backup: OpenedBackup) => Promise<T>): Promise<T> {
  const file = await open(path, 'r').catch((error: Error) => {
    throw new BackupFault(`The backup cannot be read: ${error.message}`, { cause: error });
  });
  try {
    const members = await listMembers(file);
    const manifest = await readManifest(file, members);
    await checkParts(file, members, manifest);
    const { migrations, tables, sequences } = manifest;
    const rows = (table: TableShape): AsyncIterable<Buffer> => readTable(file, members, manifest, table);
    const count = async ({ name }: TableShape): Promise<number> => tableNamed(manifest, name).rows;
    return await task({ manifest, snapshot: { migrations, tables, sequences, rows, count } });
  } catch (error) {
    if (error instanceof BackupFault) throw new BackupFault(`${basename(path)}: ${error.message}`, { cause: error });
    throw error;
  } finally {
    await file.close();
  }
}

async function readManifest(file: FileHandle, members: readonly TarMember[]): Promise<Manifest> {
  const [manifest, hash] = members.slice(-2);
  const isThere = manifest?.name === manifestName && hash?.name === hashName;
  if (!isThere || manifest.size > manifestBytesMax || hash.size > 200)
    throw new BackupFault('The file is no backup of Holdfast: it has no manifest.');
  const text = await readExactly(file, manifest);
  if ((await readExactly(file, hash)).toString() !== hashLine(text))
    throw new BackupFault('The backup is damaged: its manifest is not as it was written.');
  return parseManifest(text.toString());
}

/** Every file of the manifest is there, no other, and each has its hash. */
async function checkParts(file: FileHandle, members: readonly TarMember[], { tables }: Manifest): Promise<void> {
  const parts = members.slice(0, -2);
  if (parts.length !== tables.length)
    throw new BackupFault('The backup is damaged: it has not the files of its manifest.');
  for (const [index, table] of tables.entries()) {
    const part = defined(parts[index], 'there are as many files as tables');
    const hash = createHash('sha256');
    for await (const chunk of readMember(file, part)) hash.update(chunk);
    if (part.name !== table.file || hash.digest('hex') !== table.sha256)
      throw new BackupFault(`The backup is damaged: ${part.name} is not as it was written.`);
  }
}

function tableNamed({ tables }: Manifest, name: string): BackupTable {
  return defined(
    tables.find((one) => one.name === name),
    'rows are read of a table of the manifest',
  );
}

/** Counts the rows again: the file may have been changed since it was checked. */
async function* readTable(
  file: FileHandle,
  members: readonly TarMember[],
  manifest: Manifest,
  { name }: TableShape,
): AsyncGenerator<Buffer> {
  const table = tableNamed(manifest, name);
  const part = defined(
    members.find((one) => one.name === table.file),
    'every table has a file',
  );
  const counter = { rows: 0 };
  const content = Readable.from(readMember(file, part), { objectMode: false });
  yield* counted(compose(content, createZstdDecompress()), counter);
  if (counter.rows !== table.rows)
    throw new BackupFault(`The backup is damaged: ${table.file} has ${counter.rows} rows instead of ${table.rows}.`);
}
