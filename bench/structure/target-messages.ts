// What a measured process is started with and told to do.

import type { PlainSqlOptions } from './plain-sql.ts';

export interface TargetSettings extends PlainSqlOptions {
  readonly encryptionKey: string;
}

/** Work to do without HTTP, if any. The process answers with the processor time it has used. */
export type TargetCommand = { readonly work?: undefined } | { readonly work: string; readonly count: number };
