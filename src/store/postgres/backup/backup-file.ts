// Writes a snapshot to a file and reads it back: a tar of compressed tables, and a manifest with their hashes. The file can be encrypted as a whole.

import { createHash, type Hash } from 'node:crypto';
import { open, rename, rm, stat } from 'node:fs/promises';
import { basename, dirname } from 'node:path';
import { compose, Readable } from 'node:stream';
import { createZstdCompress, createZstdDecompress } from 'node:zlib';
import { defined } from '../../../kit/assert.ts';
import { describeDifferences } from '../../../kit/compared-counts.ts';
import { AgeFault, openSink, openSource, type FileSource } from '../../../kit/files/age.ts';
import { syncFolder } from '../embedded/folders.ts';
import { BackupFault } from './backup-fault.ts';
import { backupFormat, parseManifest, type BackupOrigin, type BackupTable, type Manifest } from './manifest.ts';
import type { Snapshot } from './snapshot.ts';
import type { TableShape } from './tables.ts';
import { readMember, scanTar, tarEnd, tarMember, type ScannedMember } from './tar-file.ts';

const manifestName = 'manifest.json';
/** In the form of `sha256sum`. */
const hashName = 'manifest.json.sha256';
const manifestBytesMax = 64 * 1024 * 1024;
/** A part of a table is in memory until its size is known. */
const partBytes = 8 * 1024 * 1024;

/** Writes under another name until the file is whole and on the disk. Encrypted on the way, if there are recipients. */
export async function writeBackupFile(
  path: string,
  snapshot: Snapshot,
  origin: BackupOrigin,
  recipients: readonly string[] = [],
): Promise<Manifest> {
  if ((await stat(path).catch(() => undefined)) !== undefined)
    throw new BackupFault(`${path} exists already. Name a file that does not, or a folder.`);
  const draft = `${path}.part`;
  const file = await open(draft, 'w', 0o600).catch((error: Error) => {
    throw new BackupFault(`The backup cannot be written: ${error.message}`, { cause: error });
  });
  try {
    const sink = await openSink(file, recipients);
    try {
      const manifest: Manifest[] = [];
      for await (const bytes of tarOf(snapshot, origin, (whole) => manifest.push(whole))) await sink.write(bytes);
      await sink.close();
      await rename(draft, path);
      await syncFolder(dirname(path));
      return defined(manifest[0], 'a tar that is whole has a manifest');
    } catch (error) {
      await sink.abandon();
      throw error;
    }
  } catch (error) {
    await file.close().catch(() => undefined);
    await rm(draft, { force: true });
    throw error;
  }
}

/** The bytes of the tar, from the first to the last; `tell` is told the manifest, which is its last member but one. */
async function* tarOf(
  snapshot: Snapshot,
  origin: BackupOrigin,
  tell: (manifest: Manifest) => void,
): AsyncGenerator<Buffer> {
  const { migrations, sequences } = snapshot;
  const tables: BackupTable[] = [];
  const counted = new Map<string, number>();
  for (const table of snapshot.tables) {
    const written = { rows: 0, parts: new Array<BackupTable['parts'][number]>() };
    for await (const part of partsOf(snapshot, table, written)) {
      const number = written.parts.length + 1;
      const file = `tables/${table.name}.copy.zst${number === 1 ? '' : `.${number}`}`;
      const hash = createHash('sha256');
      for (const chunk of part) hash.update(chunk);
      written.parts.push({ file, sha256: hash.digest('hex') });
      yield* tarMember(file, part);
    }
    tables.push({ ...table, rows: written.rows, parts: written.parts });
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
  yield* tarMember(manifestName, [text]);
  yield* tarMember(hashName, [Buffer.from(hashLine(text))]);
  yield tarEnd();
  tell(manifest);
}

function hashLine(manifest: Buffer): string {
  return `${createHash('sha256').update(manifest).digest('hex')}  ${manifestName}\n`;
}

/** The compressed table in parts of some megabytes, of which the last is shorter. */
async function* partsOf(
  snapshot: Snapshot,
  table: TableShape,
  counter: { rows: number },
): AsyncGenerator<readonly Buffer[]> {
  const rows = Readable.from(counted(snapshot.rows(table), counter), { objectMode: false });
  const compressed: AsyncIterable<Buffer> = compose(rows, createZstdCompress());
  let [part, size] = [new Array<Buffer>(), 0];
  for await (const chunk of compressed) {
    part.push(chunk);
    size += chunk.length;
    if (size < partBytes) continue;
    yield part;
    [part, size] = [[], 0];
  }
  if (size > 0) yield part;
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

/** Checks the whole file before `task` gets it. With identities, the file must be encrypted, and without it must not be. */
export async function withBackupFile<T>(
  path: string,
  task: (backup: OpenedBackup) => Promise<T>,
  identities: readonly string[] = [],
): Promise<T> {
  const file = await open(path, 'r').catch((error: Error) => {
    throw new BackupFault(`The backup cannot be read: ${error.message}`, { cause: error });
  });
  try {
    const source = await openSource(file, identities);
    const members = await scanTar(source, { kept: [manifestName, hashName], bytesMax: manifestBytesMax });
    const manifest = readManifest(members);
    checkParts(members, manifest);
    const { migrations, tables, sequences } = manifest;
    const rows = (table: TableShape): AsyncIterable<Buffer> => readTable(source, members, manifest, table);
    const count = async ({ name }: TableShape): Promise<number> => tableNamed(manifest, name).rows;
    return await task({ manifest, snapshot: { migrations, tables, sequences, rows, count } });
  } catch (error) {
    if (error instanceof BackupFault || error instanceof AgeFault)
      throw new BackupFault(`${basename(path)}: ${error.message}`, { cause: error });
    throw error;
  } finally {
    await file.close();
  }
}

function readManifest(members: readonly ScannedMember[]): Manifest {
  const [manifest, hash] = members.slice(-2);
  const isThere = manifest?.name === manifestName && hash?.name === hashName;
  if (!isThere || manifest.content === undefined || hash.content === undefined || hash.size > 200)
    throw new BackupFault('The file is no backup of Holdfast: it has no manifest.');
  if (hash.content.toString() !== hashLine(manifest.content))
    throw new BackupFault('The backup is damaged: its manifest is not as it was written.');
  return parseManifest(manifest.content.toString());
}

/** Every part of the manifest is there, no other, and each has its hash. */
function checkParts(members: readonly ScannedMember[], { tables }: Manifest): void {
  const found = members.slice(0, -2);
  const parts = tables.flatMap((table) => table.parts);
  if (found.length !== parts.length)
    throw new BackupFault('The backup is damaged: it has not the files of its manifest.');
  for (const [index, part] of parts.entries()) {
    const { name, sha256 } = defined(found[index], 'there are as many members as parts');
    if (name !== part.file || sha256 !== part.sha256)
      throw new BackupFault(`The backup is damaged: ${name} is not as it was written.`);
  }
}

function tableNamed({ tables }: Manifest, name: string): BackupTable {
  return defined(
    tables.find((one) => one.name === name),
    'rows are read of a table of the manifest',
  );
}

/** Counts the rows and hashes the parts again: the file may have been changed since it was checked. */
async function* readTable(
  source: FileSource,
  members: readonly ScannedMember[],
  manifest: Manifest,
  { name }: TableShape,
): AsyncGenerator<Buffer> {
  const table = tableNamed(manifest, name);
  const counter = { rows: 0 };
  const content = Readable.from(readParts(source, members, table), { objectMode: false });
  yield* counted(compose(content, createZstdDecompress()), counter);
  if (counter.rows !== table.rows)
    throw new BackupFault(`The backup is damaged: ${name} has ${counter.rows} rows instead of ${table.rows}.`);
}

async function* readParts(
  source: FileSource,
  members: readonly ScannedMember[],
  { parts }: BackupTable,
): AsyncGenerator<Buffer> {
  for (const { file, sha256 } of parts) {
    const member = defined(
      members.find((one) => one.name === file),
      'every part was checked',
    );
    const hash = createHash('sha256');
    yield* hashed(readMember(source, member), hash);
    if (hash.digest('hex') !== sha256)
      throw new BackupFault(`The backup is damaged: ${file} was changed while it was read.`);
  }
}
