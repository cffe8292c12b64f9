// The log of the service: lines of JSON on standard output, many in one write, since every request has one.

import pino, { type Level, type Logger } from 'pino';

/** How long a line waits for others. */
const gatherMs = 100;
/** That many bytes are written without waiting. */
const gatherBytes = 8 * 1024;
/** Lines are dropped while this much waits for whoever reads them: they must not take all memory. */
const waitingBytesMax = 16 * 1024 * 1024;

const standardOutput = 1;

/** `fd`: the open file that lines go to. Warnings and errors are written at once, with all that waits. */
export function makeLog(level: string, fd = standardOutput): Logger {
  const destination = pino.destination({
    fd,
    sync: false,
    minLength: gatherBytes,
    maxLength: waitingBytesMax,
    periodicFlush: gatherMs,
  });
  const urgent = urgentFrom('warn');
  return pino(
    {
      level,
      base: null,
      timestamp: pino.stdTimeFunctions.isoTime,
      hooks: {
        logMethod(line, write, lineLevel) {
          write.apply(this, line);
          if (lineLevel >= urgent) destination.flush();
        },
      },
    },
    destination,
  );
}

function urgentFrom(level: Level): number {
  return pino.levels.values[level] ?? Infinity;
}
