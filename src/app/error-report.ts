// Turns an error into what may be logged: its type, code and stack. Leaves out messages that quote what a caller sent, as those of
// PostgreSQL and of parsers do.

import pg from 'pg';

interface ErrorReport {
  readonly type: string;
  readonly message?: string;
  readonly code?: string;
  readonly table?: string;
  readonly constraint?: string;
  readonly frames?: readonly string[];
  readonly cause?: ErrorReport;
}

/** How many causes of an error are logged with it. */
const causesMax = 3;

export function reportError(error: unknown, causesLeft = causesMax): ErrorReport {
  if (!(error instanceof Error)) return { type: typeof error };
  const { code, table, constraint, cause } = error as Partial<pg.DatabaseError>;
  return {
    type: error.name === 'error' ? 'DatabaseError' : error.name,
    ...(quotesInput(error) ? {} : { message: error.message }),
    ...(code === undefined ? {} : { code: String(code) }),
    ...(table === undefined ? {} : { table }),
    ...(constraint === undefined ? {} : { constraint }),
    frames: stackFrames(error),
    ...(cause === undefined || causesLeft === 0 ? {} : { cause: reportError(cause, causesLeft - 1) }),
  };
}

/** PostgreSQL's class 22 is about data, and its messages quote the data. */
function quotesInput(error: Error): boolean {
  if (error instanceof pg.DatabaseError) return error.code?.startsWith('22') ?? false;
  return error instanceof SyntaxError || error instanceof URIError;
}

/** As many as Node.js keeps: ten, unless it is started with another number. */
function stackFrames({ stack = '' }: Error): string[] {
  const lines = stack.split('\n').filter((line) => /^\s+at .+:\d+:\d+\)?$/.test(line));
  return lines.map((line) => line.trim());
}
