// The manifest of an export: what it is of, which files it has and how they can be checked.

import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { RowCounts } from '../../../kit/compared-counts.ts';
import { isId, type Id } from '../../../kit/id.ts';
import { environments, type Environment } from '../../../model/access/scope.ts';
import { SettingFault } from '../../setting-reader.ts';

export const formatName = 'holdfast-export';
export const formatVersion = 1;
export const manifestName = 'manifest.json';
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

/** Throws a sentence where the folder holds no export that this release can read. */
export async function readManifest(folder: string): Promise<Manifest> {
  const path = join(folder, manifestName);
  const text = await readFile(path, 'utf8').catch(() => {
    throw new SettingFault(`There is no export in ${folder}: ${manifestName} cannot be read.`);
  });
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
