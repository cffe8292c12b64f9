// Checks that a chunk is taken only when the one before has left, and that a source ends with its receiver.

import { PassThrough, Writable } from 'node:stream';
import { expect, test } from 'vitest';
import { sendChunks } from './send-chunks.ts';

/** Chunks whose bytes are gone once the next is taken, and whether their reader has ended them. */
function lentChunks(texts: readonly string[]): AsyncIterable<Uint8Array> & { isEnded: boolean } {
  let taken: Uint8Array<ArrayBuffer> | undefined;
  const left = [...texts];
  const source = {
    isEnded: false,
    [Symbol.asyncIterator]: (): AsyncIterator<Uint8Array> => ({
      async next() {
        taken?.buffer.transfer(0);
        const text = left.shift();
        if (text === undefined) return { done: true, value: undefined };
        taken = new TextEncoder().encode(text);
        return { done: false, value: taken };
      },
      async return() {
        source.isEnded = true;
        return { done: true, value: undefined };
      },
    }),
  };
  return source;
}

test('bytes that are gone once the next chunk is taken arrive whole at a slow receiver', async () => {
  const received: string[] = [];
  const slow = new Writable({
    highWaterMark: 1_000,
    write: (chunk: Buffer, _encoding, done) =>
      void setImmediate(() => {
        received.push(chunk.toString());
        done();
      }),
  });
  await sendChunks(lentChunks(['one', 'two', 'three']), slow);
  expect(received).toEqual(['one', 'two', 'three']);
  expect(slow.writableEnded).toBe(true);
});

test('a source is ended when its receiver is gone before its first chunk', async () => {
  const chunks = lentChunks(['one']);
  const gone = new PassThrough();
  gone.destroy();
  await sendChunks(chunks, gone);
  expect(chunks.isEnded).toBe(true);
});

test('a source is ended, and sending fails, when its receiver goes while a chunk is on its way', async () => {
  const chunks = lentChunks(['one', 'two']);
  const stuck = new Writable({ write: () => void setImmediate(() => stuck.destroy()) });
  await expect(sendChunks(chunks, stuck)).rejects.toThrow('The receiver of a response is gone.');
  expect(chunks.isEnded).toBe(true);
});

test('a source is ended when its receiver goes while it computes', async () => {
  const receiver = new PassThrough();
  let end = (_result: IteratorResult<Uint8Array>): void => {};
  const computing = new Promise<IteratorResult<Uint8Array>>((resolve) => (end = resolve));
  const stopped = { done: true, value: undefined } as const;
  const iterator = { next: () => computing, return: async () => (end(stopped), stopped) };
  const sent = sendChunks({ [Symbol.asyncIterator]: () => iterator }, receiver);
  receiver.destroy();
  await expect(sent).resolves.toBeUndefined();
});
