// A large body taken in whole before any work begins: counted and hashed as it arrives, small ones kept in memory, others in
// a file that has no name and goes with the process. So no slow sender holds a transaction open, a repeated request is known
// before it does anything, and work that must begin anew can read it again. Knows no format.

import { createHash, randomUUID } from 'node:crypto';
import { open, unlink, type FileHandle } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Readable } from 'node:stream';
import { Refusal } from '../../../kit/refusal.ts';

const memoryBytesMax = 1024 * 1024;
const chunkBytes = 256 * 1024;

export class Spool {
  readonly size: number;
  readonly #digest: Buffer;
  readonly #memoryChunks: readonly Buffer[];
  readonly #file: FileHandle | undefined;

  private constructor(parts: {
    size: number;
    digest: Buffer;
    memoryChunks: readonly Buffer[];
    file: FileHandle | undefined;
  }) {
    this.size = parts.size;
    this.#digest = parts.digest;
    this.#memoryChunks = parts.memoryChunks;
    this.#file = parts.file;
  }

  /** Everything that comes, unless it is more than `bytesMax`, or is announced to be. */
  static async receive(
    body: Readable,
    { announcedBytes, bytesMax }: { announcedBytes: number; bytesMax: number },
  ): Promise<Spool> {
    if (announcedBytes > bytesMax) throw tooLarge(bytesMax);
    const hash = createHash('sha256');
    let memoryChunks: Buffer[] = [];
    let size = 0;
    let file: FileHandle | undefined;
    try {
      for await (const chunk of chunksOf(body)) {
        size += chunk.length;
        if (size > bytesMax) throw tooLarge(bytesMax);
        hash.update(chunk);
        if (file === undefined && size <= memoryBytesMax) memoryChunks.push(chunk);
        else {
          file ??= await openUnlinkedFile();
          await writeAll(file, [...memoryChunks, chunk]);
          memoryChunks = [];
        }
      }
    } catch (error) {
      await file?.close();
      throw error;
    }
    return new Spool({ size, digest: hash.digest(), memoryChunks, file });
  }

  /** SHA-256 of all of it. */
  get digest(): Buffer {
    return this.#digest;
  }

  /** From the beginning, each time. */
  async *chunks(): AsyncGenerator<Buffer> {
    for (const chunk of this.#memoryChunks) yield chunk;
    if (this.#file === undefined) return;
    for (let offset = 0; offset < this.size;) {
      const { bytesRead, buffer } = await this.#file.read(Buffer.allocUnsafe(chunkBytes), 0, chunkBytes, offset);
      if (bytesRead === 0) throw new Error('A spooled body has lost its end.');
      offset += bytesRead;
      yield buffer.subarray(0, bytesRead);
    }
  }

  async discard(): Promise<void> {
    await this.#file?.close();
  }
}

function tooLarge(bytesMax: number): Refusal {
  return new Refusal('body-too-large', `The body has more than ${bytesMax / memoryBytesMax} MiB.`);
}

/** What a stream gives, without ending the connection that it comes from when nobody wants the rest. */
async function* chunksOf(body: Readable): AsyncGenerator<Buffer> {
  try {
    yield* body.iterator({ destroyOnReturn: false });
  } catch (cause) {
    throw new Refusal('malformed-request', 'The request ended before its body did.', { cause });
  }
}

/** The directory's entry goes at once: whatever happens to the process, nothing is left behind. */
async function openUnlinkedFile(): Promise<FileHandle> {
  const path = join(tmpdir(), `holdfast-body-${randomUUID()}`);
  const file = await open(path, 'wx+', 0o600);
  await unlink(path);
  return file;
}

async function writeAll(file: FileHandle, chunks: readonly Buffer[]): Promise<void> {
  for (const chunk of chunks) {
    for (let offset = 0; offset < chunk.length;) offset += (await file.write(chunk, offset)).bytesWritten;
  }
}
