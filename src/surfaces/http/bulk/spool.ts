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
const pieceBytes = 256 * 1024;

export class Spool {
  readonly size: number;
  readonly #digest: Buffer;
  readonly #kept: readonly Buffer[];
  readonly #file: FileHandle | undefined;

  private constructor(parts: { size: number; digest: Buffer; kept: readonly Buffer[]; file: FileHandle | undefined }) {
    this.size = parts.size;
    this.#digest = parts.digest;
    this.#kept = parts.kept;
    this.#file = parts.file;
  }

  /** Everything that comes, unless it is more than `bytesMax`, or is announced to be. */
  static async of(body: Readable, { announced, bytesMax }: { announced: number; bytesMax: number }): Promise<Spool> {
    if (announced > bytesMax) throw tooLarge(bytesMax);
    const hash = createHash('sha256');
    let kept: Buffer[] = [];
    let size = 0;
    let file: FileHandle | undefined;
    try {
      for await (const piece of piecesOf(body)) {
        size += piece.length;
        if (size > bytesMax) throw tooLarge(bytesMax);
        hash.update(piece);
        if (file === undefined && size <= memoryBytesMax) kept.push(piece);
        else {
          file ??= await openNameless();
          await writeAll(file, [...kept, piece]);
          kept = [];
        }
      }
    } catch (error) {
      await file?.close();
      throw error;
    }
    return new Spool({ size, digest: hash.digest(), kept, file });
  }

  /** SHA-256 of all of it. */
  get digest(): Buffer {
    return this.#digest;
  }

  /** From the beginning, each time. */
  async *pieces(): AsyncGenerator<Buffer> {
    for (const piece of this.#kept) yield piece;
    if (this.#file === undefined) return;
    for (let at = 0; at < this.size;) {
      const { bytesRead, buffer } = await this.#file.read(Buffer.allocUnsafe(pieceBytes), 0, pieceBytes, at);
      if (bytesRead === 0) throw new Error('A spooled body has lost its end.');
      at += bytesRead;
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
async function* piecesOf(body: Readable): AsyncGenerator<Buffer> {
  try {
    yield* body.iterator({ destroyOnReturn: false });
  } catch (cause) {
    throw new Refusal('malformed-request', 'The request ended before its body did.', { cause });
  }
}

/** The directory's entry goes at once: whatever happens to the process, nothing is left behind. */
async function openNameless(): Promise<FileHandle> {
  const path = join(tmpdir(), `holdfast-body-${randomUUID()}`);
  const file = await open(path, 'wx+', 0o600);
  await unlink(path);
  return file;
}

async function writeAll(file: FileHandle, pieces: readonly Buffer[]): Promise<void> {
  for (const piece of pieces) {
    for (let at = 0; at < piece.length;) at += (await file.write(piece, at)).bytesWritten;
  }
}
