// What the table of formats says about each.

import type { CalendarDate } from '../kit/calendar-date.ts';
import type { EmitItem, FormatReader } from './format-reader.ts';

export interface StatementFormat {
  /** The name that callers use: `camt.053`. */
  readonly name: string;
  /** For people. */
  readonly title: string;
  /** Whether a file that begins with this text is of this format. */
  recognises(head: string): boolean;
  open(emit: EmitItem): FormatReader;
  /** Set where a file has to be looked through as a whole before it can be read. No row of it is dated after `latest`. */
  survey?(latest: CalendarDate): FormatSurvey;
}

/** Takes all text of a file, and returns the format that reads it. May throw a `StatementFault`. */
export interface FormatSurvey {
  push(chunk: string): void;
  finish(): StatementFormat;
}
