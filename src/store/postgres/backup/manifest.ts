// The manifest of a backup: what made it, when, what is in it, and which encryption key fits it.

import { BackupFault } from './backup-fault.ts';
import type { TableShape } from './tables.ts';

/** Raised when a file of an older release could be misread. */
export const backupFormat = 1;

export interface BackupTable extends TableShape {
  readonly file: string;
  readonly rows: number;
  /** Of the compressed file, in hexadecimal digits. */
  readonly sha256: string;
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

function isTable(value: unknown): boolean {
  return (
    isRecord(value) &&
    isText(value['name']) &&
    isTexts(value['columns']) &&
    isText(value['file']) &&
    Number.isSafeInteger(value['rows']) &&
    isText(value['sha256'])
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
  const value: unknown = JSON.parse(text);
  if (isRecord(value) && Number(value['format']) > backupFormat)
    throw new BackupFault(
      `The backup has the format ${Number(value['format'])} of a newer release. Restore it with that release.`,
    );
  if (!isManifest(value)) throw new BackupFault('The manifest of the backup is not complete.');
  return value;
}
