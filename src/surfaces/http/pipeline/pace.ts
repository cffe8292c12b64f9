// The least speed at which callers send their bodies and take their answers. A connection that stands still, or nearly, is closed: nobody
// can hold what others need by doing nothing.

import type { IncomingMessage, ServerResponse } from 'node:http';

interface Pace {
  /** How long a caller may pause altogether, whatever its speed otherwise. */
  readonly pauseMs: number;
  readonly bytesPerSecond: number;
}

/** A slow mobile network sends some 16 KiB a second. */
const bodyPace: Pace = { pauseMs: 20_000, bytesPerSecond: 16 * 1024 };
const answerPace: Pace = { pauseMs: 30_000, bytesPerSecond: 16 * 1024 };
/** How often it is looked whether a caller takes its answer. */
const answerCheckMs = 5_000;

function allowedMs({ pauseMs, bytesPerSecond }: Pace, bytes: number): number {
  return pauseMs + (bytes * 1_000) / bytesPerSecond;
}

/**
 * Ends a request whose body does not arrive at the least speed. Time counts only while somebody waits for the body: a caller is not to
 * blame while its request waits for its turn.
 */
export function endWhenBodyIsSlow(request: IncomingMessage, end: () => void): void {
  const { socket } = request;
  let bytesBefore = socket.bytesRead;
  let waitedMs = 0;
  let timer: NodeJS.Timeout;
  const wait = (ms: number): void => {
    const check = (): void => {
      if (request.complete) return;
      waitedMs += ms;
      const isAwaited = request.readableFlowing !== null && request.readableLength === 0;
      if (!isAwaited) [bytesBefore, waitedMs] = [socket.bytesRead, 0];
      const leftMs = allowedMs(bodyPace, socket.bytesRead - bytesBefore) - waitedMs;
      if (leftMs <= 0) end();
      else wait(Math.max(leftMs, 1_000));
    };
    timer = setTimeout(check, ms).unref();
  };
  wait(bodyPace.pauseMs);
  request.once('close', () => clearTimeout(timer));
}

/** Closes the connection of a caller that does not take its answer at the least speed. */
export function closeWhenAnswerIsStuck(response: ServerResponse): void {
  const { socket } = response;
  if (socket === null || response.closed) return;
  const bytesBefore = socket.bytesWritten;
  let waitedMs = 0;
  const timer = setInterval(() => {
    // Nothing waits to leave: the answer is still being made.
    if (socket.writableLength === 0) return;
    waitedMs += answerCheckMs;
    if (waitedMs > allowedMs(answerPace, socket.bytesWritten - bytesBefore)) socket.destroy();
  }, answerCheckMs).unref();
  response.once('close', () => clearInterval(timer));
}
