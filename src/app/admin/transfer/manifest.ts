// The manifest of an export: what it is of, which files it has and how they can be checked.

import { open, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { AgeFault, openSource, readWhole } from '../../../kit/files/age.ts';
import type { RowCounts } from '../../../kit/compared-counts.ts';
import { isId, type Id } from '../../../kit/id.ts';
import { environments, type Environment } from '../../../model/access/scope.ts';
import { SettingFault } from '../../setting-reader.ts';

export const formatName = 'holdfast-export';
export const formatVersion = 1;
export const manifestName = 'manifest.json';
const manifestBytesMax = 256 * 1024 * 1024;

/** What the names of files on the disk end with besides; the manifest names them without it. */
export function encryptedEnding(keys: readonly string[]): string {
  return keys.length === 0 ? '' : '.age';
}

/** How many lines one hash of `blocks` covers, so that damage can be named. */
export const blockLines = 1_000;

export interface ManifestFile {
  /** Relative to the folder of the export, such as `production/clients.jsonl`. */
  readonly path: string;
  readonly environment: Environment;
  readonly table: string;
  readonly columns: readonly string[];
  readonly rows: number;
  readonly lines: number;
  readonly sha256: string;
  /** The SHA-256 of each thousand lines. */
  readonly blocks: readonly string[];
}

export interface Manifest {
  readonly format: typeof formatName;
  readonly version: typeof formatVersion;
  readonly release: string;
  readonly exported_at: string;
  readonly workspace: { readonly id: Id; readonly name: string };
  /** The clients of an export of one client and those below it; null for the whole workspace. */
  readonly clients: readonly Id[] | null;
  readonly environments: readonly Environment[];
  readonly files: readonly ManifestFile[];
  readonly left_out: readonly { readonly what: string; readonly why: string }[];
}

/** The rows of each table, over all environments. */
export function rowsOfTables(files: readonly Pick<ManifestFile, 'table' | 'rows'>[]): RowCounts {
  const counts = new Map<string, number>();
  for (const { table, rows } of files) counts.set(table, (counts.get(table) ?? 0) + rows);
  return counts;
}

function isTextList(value: unknown): value is readonly string[] {
  return Array.isArray(value) && value.every((one) => typeof one === 'string');
}

function isFile(value: any): value is ManifestFile {
  return (
    typeof value?.path === 'string' &&
    /^(production|sandbox)\/[a-z-]+\.(jsonl|csv)$/.test(value.path) &&
    environments.includes(value.environment) &&
    typeof value.table === 'string' &&
    isTextList(value.columns) &&
    Number.isSafeInteger(value.rows) &&
    Number.isSafeInteger(value.lines) &&
    typeof value.sha256 === 'string' &&
    isTextList(value.blocks)
  );
}

async function readText(folder: string, identities: readonly string[]): Promise<string> {
  const name = `${manifestName}${encryptedEnding(identities)}`;
  const path = join(folder, name);
  if (identities.length === 0 && (await stat(`${path}.age`).catch(() => undefined)) !== undefined)
    throw new SettingFault(`The export in ${folder} is encrypted. Name the file with the identity: --identity FILE.`);
  const pieces: Buffer[] = [];
  let size = 0;
  try {
    for await (const piece of readExportFile(path, identities)) {
      pieces.push(piece);
      size += piece.length;
      if (size > manifestBytesMax) break;
    }
  } catch (error) {
    if (error instanceof AgeFault) throw new SettingFault(`${name}: ${error.message}`);
    throw new SettingFault(`There is no export in ${folder}: ${name} cannot be read.`);
  }
  if (size > manifestBytesMax) throw new SettingFault(`${name} is damaged: it is too long.`);
  return Buffer.concat(pieces).toString();
}

/** The content of a file, decrypted if there are identities. */
export async function* readExportFile(path: string, identities: readonly string[]): AsyncGenerator<Buffer> {
  const file = await open(path, 'r');
  try {
    yield* readWhole(await openSource(file, identities));
  } finally {
    await file.close();
  }
}

/** Throws a sentence where the folder holds no export that this release can read. */
export async function readManifest(folder: string, identities: readonly string[] = []): Promise<Manifest> {
  const text = await readText(folder, identities);
  let manifest: any;
  try {
    manifest = JSON.parse(text);
  } catch {
    throw new SettingFault(`${manifestName} is damaged: it is not JSON.`);
  }
  if (manifest?.format !== formatName) throw new SettingFault(`${manifestName} is not that of an export.`);
  if (manifest.version !== formatVersion)
    throw new SettingFault(`The export has the format ${manifest.version}; this release reads ${formatVersion}.`);
  const isWhole =
    isId(manifest.workspace?.id) &&
    typeof manifest.workspace.name === 'string' &&
    Array.isArray(manifest.files) &&
    manifest.files.every(isFile) &&
    (manifest.clients === null || isTextList(manifest.clients)) &&
    isTextList(manifest.environments);
  if (!isWhole) throw new SettingFault(`${manifestName} is damaged: parts of it are missing.`);
  return manifest;
}
