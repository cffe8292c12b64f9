// Reads the settings of feeds: how often custodians are visited, how long they may take, and where files are dropped.

import { resolve } from 'node:path';
import { minuteMs, secondMs } from '../kit/clock.ts';
import type { SettingReader } from './setting-reader.ts';

export interface FeedSettings {
  /** How long after a finished run the next one is due. */
  readonly intervalMs: number;
  /** For one answer of a custodian, from the resolution of its name to the last byte. */
  readonly timeoutMs: number;
  /** The folder with a folder for each authority, into which files are dropped; undefined if there is none. */
  readonly importDir: string | undefined;
  /** The folder for copies of files that were taken; undefined for one in `importDir`. */
  readonly importTakenDir: string | undefined;
  /** Whether a demo is connected to banks for trying out, which run in a process of their own. */
  readonly sandbox: 'on' | 'off';
}

export function readFeedSettings(reader: SettingReader): FeedSettings {
  const [importDir, importTakenDir] = [reader.text('IMPORT_DIR'), reader.text('IMPORT_TAKEN_DIR')];
  return {
    intervalMs: reader.integer('FEED_INTERVAL_MINUTES', { min: 1, max: 10_080, defaultValue: 60 }) * minuteMs,
    timeoutMs: reader.integer('FEED_TIMEOUT_SECONDS', { min: 1, max: 600, defaultValue: 30 }) * secondMs,
    importDir: importDir === undefined ? undefined : resolve(importDir),
    importTakenDir: importTakenDir === undefined ? undefined : resolve(importTakenDir),
    sandbox: reader.oneOf('SANDBOX_CUSTODIAN', ['on', 'off'], 'on'),
  };
}
