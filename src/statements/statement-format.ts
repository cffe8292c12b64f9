// What the table of formats says about each.

import type { EmitItem, FormatReader } from './format-reader.ts';

export interface StatementFormat {
  /** The name that callers use: `camt.053`. */
  readonly name: string;
  /** For people. */
  readonly title: string;
  /** Whether a file that begins with this text is of this format. */
  recognises(head: string): boolean;
  open(emit: EmitItem): FormatReader;
}
