// The manifest of a backup: what made it, when, what is in it, and which encryption key fits it.

import { BackupFault } from './backup-fault.ts';
import type { TableShape } from './tables.ts';

/** Raised when a file of an older release could be misread. */
export const backupFormat = 2;

export interface BackupPart {
  readonly file: string;
  /** Of the compressed part, in hexadecimal digits. */
  readonly sha256: string;
}

export interface BackupTable extends TableShape {
  readonly rows: number;
  /** Put together, they are the compressed table. A part is small, since its size is said before it: a long table has many. */
  readonly parts: readonly BackupPart[];
}

/** A second key that is needed, because the backup was made while one was replacing the other. */
export interface OtherKey {
  readonly use: 'previous' | 'next';
  readonly fingerprint: string;
  /** The key itself, sealed with a passphrase. */
  readonly sealedKey?: string | undefined;
}

/** What whoever makes a backup says about it. */
export interface BackupOrigin {
  /** The release that made it. */
  readonly release: string;
  readonly commit?: string | undefined;
  /** In ISO 8601. */
  readonly madeAt: string;
  /** Of the key that sealed what is sealed in the tables; does not reveal it. */
  readonly keyFingerprint: string;
  /** The key itself, sealed with a passphrase. */
  readonly sealedKey?: string | undefined;
  readonly otherKey?: OtherKey | undefined;
}

export interface Manifest extends BackupOrigin {
  readonly format: number;
  readonly migrations: readonly string[];
  readonly sequences: Readonly<Record<string, string>>;
  readonly tables: readonly BackupTable[];
}

const isText = (value: unknown): value is string => typeof value === 'string';
const isTexts = (value: unknown): boolean => Array.isArray(value) && value.every(isText);
const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

const isPart = (value: unknown): boolean => isRecord(value) && isText(value['file']) && isText(value['sha256']);

function isTable(value: unknown): boolean {
  return (
    isRecord(value) &&
    isText(value['name']) &&
    isTexts(value['columns']) &&
    Number.isSafeInteger(value['rows']) &&
    Array.isArray(value['parts']) &&
    value['parts'].every(isPart)
  );
}

function isOtherKey(value: unknown): boolean {
  return (
    isRecord(value) &&
    (value['use'] === 'previous' || value['use'] === 'next') &&
    isText(value['fingerprint']) &&
    (value['sealedKey'] === undefined || isText(value['sealedKey']))
  );
}

/** In the first format each table was one file. */
function withParts(value: unknown): unknown {
  if (!isRecord(value) || value['format'] !== 1 || !Array.isArray(value['tables'])) return value;
  const tables = value['tables'].map((table: unknown) => {
    if (!isRecord(table)) return table;
    const { file, sha256, ...rest } = table;
    return { ...rest, parts: [{ file, sha256 }] };
  });
  return { ...value, tables };
}

function isManifest(value: unknown): value is Manifest {
  return (
    isRecord(value) &&
    ['release', 'madeAt', 'keyFingerprint'].every((name) => isText(value[name])) &&
    (value['sealedKey'] === undefined || isText(value['sealedKey'])) &&
    (value['otherKey'] === undefined || isOtherKey(value['otherKey'])) &&
    isTexts(value['migrations']) &&
    isRecord(value['sequences']) &&
    Object.values(value['sequences']).every(isText) &&
    Array.isArray(value['tables']) &&
    value['tables'].every(isTable)
  );
}

export function parseManifest(text: string): Manifest {
  const value = withParts(JSON.parse(text));
  if (isRecord(value) && Number(value['format']) > backupFormat)
    throw new BackupFault(
      `The backup has the format ${Number(value['format'])} of a newer release. Restore it with that release.`,
    );
  if (!isManifest(value)) throw new BackupFault('The manifest of the backup is not complete.');
  return value;
}
