// Sends a long body chunk by chunk. The next chunk is taken when the last has left, so that its memory can be given back at once.

import type { Writable } from 'node:stream';

type Chunk = string | Uint8Array;

/** Ends the source where the receiver is gone, even before its first chunk. */
export async function sendChunks(
  chunks: AsyncIterable<Chunk>,
  receiver: Pick<Writable, 'closed' | 'destroyed' | 'write' | 'end' | 'once' | 'off'>,
): Promise<void> {
  const source = chunks[Symbol.asyncIterator]();
  const stop = (): void => void source.return?.().catch(() => {}); // nobody waits for its end
  if (receiver.closed || receiver.destroyed) return stop();
  receiver.once('close', stop);
  for (let next = await source.next(); next.done !== true; next = await source.next())
    await writeWhole(next.value, receiver);
  receiver.off('close', stop);
  receiver.end();
}

/** Resolves when the bytes have left, and fails when they never will. */
function writeWhole(chunk: Chunk, receiver: Pick<Writable, 'write' | 'once' | 'off'>): Promise<void> {
  return new Promise((resolve, reject) => {
    const fail = (): void => reject(new Error('The receiver of a response is gone.'));
    receiver.once('close', fail);
    receiver.write(chunk, (error) => {
      receiver.off('close', fail);
      if (error) reject(error);
      else resolve();
    });
  });
}
