// Receives a large body completely before any work begins, and hashes it: small bodies stay in memory, others go to an unlinked file.
// A slow sender then holds no transaction open, a repeated request is recognised before it does anything, and a transaction that is
// retried can read the body again.

import { createHash, randomUUID } from 'node:crypto';
import { open, unlink, type FileHandle } from 'node:fs/promises';
import { IncomingMessage } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Readable } from 'node:stream';
import { yieldWhenBusy } from '../../../kit/event-loop.ts';
import { Refusal } from '../../../kit/refusal.ts';
import { ByteCollector } from './byte-collector.ts';
import type { SpoolShare } from './spool-room.ts';

/** A longer body waits in a file instead of in memory. */
const memoryBytesMax = 1024 * 1024;
const chunkBytes = 64 * 1024;

/**
 * Called with what has arrived, in memory, until it returns true; throws to refuse the rest. Whoever gives one refuses a beginning that is
 * too long to be checked.
 */
export type CheckBeginning = (beginning: Uint8Array) => boolean;

interface SpoolLimits {
  readonly announcedBytes: number;
  readonly bytesMax: number;
  /** The body's part of the room that all bodies have; none where nobody else sends any. */
  readonly share?: SpoolShare;
}

export class Spool {
  readonly size: number;
  readonly #digest: Buffer;
  readonly #memoryChunks: readonly Buffer[];
  readonly #file: FileHandle | undefined;
  readonly #share: SpoolShare | undefined;

  private constructor(parts: {
    size: number;
    digest: Buffer;
    memoryChunks: readonly Buffer[];
    file: FileHandle | undefined;
    share: SpoolShare | undefined;
  }) {
    this.size = parts.size;
    this.#digest = parts.digest;
    this.#memoryChunks = parts.memoryChunks;
    this.#file = parts.file;
    this.#share = parts.share;
  }

  /** Refuses a body that is longer than `bytesMax`, or announced to be, one without room, and one whose beginning `check` refuses. */
  static async receive(body: Readable, limits: SpoolLimits, check?: CheckBeginning): Promise<Spool> {
    try {
      return await Spool.#receive(body, limits, check);
    } catch (error) {
      limits.share?.leave();
      throw error;
    }
  }

  static async #receive(
    body: Readable,
    { announcedBytes, bytesMax, share }: SpoolLimits,
    check: CheckBeginning | undefined,
  ): Promise<Spool> {
    if (announcedBytes > bytesMax) throw tooLarge(bytesMax);
    share?.announce(announcedBytes);
    let isChecked = check === undefined;
    const hash = createHash('sha256');
    const memory = new ByteCollector({ bytesMax: memoryBytesMax, expectedBytes: announcedBytes });
    let size = 0;
    let file: FileHandle | undefined;
    const moveToFile = async (): Promise<void> => {
      file ??= await openUnlinkedFile();
      await writeAll(file, memory.collected());
      memory.empty();
    };
    try {
      for await (const chunk of chunksOf(body)) {
        // A connection can deliver a whole body in one turn of the event loop.
        await yieldWhenBusy();
        size += chunk.length;
        if (size > bytesMax) throw tooLarge(bytesMax);
        share?.add(chunk.length);
        hash.update(chunk);
        // Much at a time: each write costs the event loop about as much as a small request.
        let added = memory.add(chunk);
        isChecked ||= check?.(memory.collected()) === true;
        for (; added < chunk.length; added += memory.add(chunk.subarray(added))) await moveToFile();
        if (body instanceof IncomingMessage) freeMemory(chunk);
      }
      if (file !== undefined) await moveToFile();
    } catch (error) {
      await file?.close();
      throw error;
    }
    const memoryChunks = file === undefined ? [memory.collected()] : [];
    return new Spool({ size, digest: hash.digest(), memoryChunks, file, share });
  }

  /** SHA-256 of the whole body. */
  get digest(): Buffer {
    return this.#digest;
  }

  /** Reads from the beginning each time it is called. */
  async *chunks(): AsyncGenerator<Buffer> {
    for (const chunk of this.#memoryChunks) yield chunk;
    if (this.#file === undefined) return;
    for (let offset = 0; offset < this.size;) {
      const { bytesRead, buffer } = await this.#file.read(Buffer.allocUnsafe(chunkBytes), 0, chunkBytes, offset);
      if (bytesRead === 0) throw new Error('The file of a received body is shorter than the body.');
      offset += bytesRead;
      yield buffer.subarray(0, bytesRead);
    }
  }

  async discard(): Promise<void> {
    this.#share?.leave();
    await this.#file?.close();
  }
}

function tooLarge(bytesMax: number): Refusal {
  return new Refusal('body-too-large', `The body has more than ${bytesMax / memoryBytesMax} MiB.`);
}

/** Iterates over the stream without closing its connection when the iteration ends early. */
async function* chunksOf(body: Readable): AsyncGenerator<Buffer> {
  try {
    yield* body.iterator({ destroyOnReturn: false });
  } catch (cause) {
    throw new Refusal('malformed-request', 'The request ended before its body did.', { cause });
  }
}

/**
 * Gives back the memory of a piece that came from a connection and that nobody else has. Otherwise the collector would let some 64 MB of
 * them come together, since they are outside of its heap.
 */
function freeMemory({ buffer, byteLength }: Buffer): void {
  if (buffer instanceof ArrayBuffer && buffer.byteLength === byteLength) buffer.transfer(0);
}

/** Unlinks the file at once: it disappears with the process, however that ends. */
async function openUnlinkedFile(): Promise<FileHandle> {
  const path = join(tmpdir(), `holdfast-body-${randomUUID()}`);
  const file = await open(path, 'wx+', 0o600);
  await unlink(path);
  return file;
}

async function writeAll(file: FileHandle, bytes: Buffer): Promise<void> {
  for (let offset = 0; offset < bytes.length;) offset += (await file.write(bytes, offset)).bytesWritten;
}
