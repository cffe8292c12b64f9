// The start options of a measured process, and the commands that it accepts.

import type { PlainSqlOptions } from './plain-sql.ts';

export interface TargetSettings extends PlainSqlOptions {
  readonly encryptionKey: string;
  /** As WORK_THREADS; by default as many as the machine has processors for. */
  readonly workThreads?: number;
}

/** Work to do without HTTP, if any. The process replies with the processor time that it has used. */
export type TargetCommand = { readonly work?: undefined } | { readonly work: string; readonly count: number };
