// Files that are encrypted to recipients and opened with identities, in the format of age (age-encryption.org), piece by piece: nothing of them is on the
// disk in plain, and files of any size take little memory. Each 64 KiB are authenticated: what was changed, cut off or added is noticed where it is read.

import type { FileHandle } from 'node:fs/promises';
import { Decrypter, Encrypter } from 'age-encryption';

/** What the operator can mend about a file that is encrypted, or should be. */
export class AgeFault extends Error {
  override readonly name = 'AgeFault';
}

const beginning = 'age-encryption.org/';
const armorLine = '-----BEGIN AGE ENCRYPTED FILE-----';
/** The lines for the recipients are at the beginning; a file with more is none that could be meant. */
const headerBytesMax = 64 * 1024;
const pieceBytes = 1024 * 1024;

/** Says why a text is not the public key of a recipient, which is then no secret; undefined if it is. */
export function recipientFault(text: string): string | undefined {
  if (/^AGE-SECRET-KEY-/i.test(text))
    return 'A recipient is a public key (age1…), and this is the secret one of an identity. Make another identity, since this one was seen.';
  try {
    new Encrypter().addRecipient(text);
    return undefined;
  } catch {
    return `${JSON.stringify(text.slice(0, 100))} is not a recipient: it must be a public key of age (age1…), as age-keygen prints it.`;
  }
}

/** Says why a text is not an identity, without showing it; undefined if it is. */
export function identityFault(text: string): string | undefined {
  try {
    new Decrypter().addIdentity(text);
    return undefined;
  } catch {
    return 'is not an identity of age (AGE-SECRET-KEY-1…)';
  }
}

/** A file that is written from its beginning to its end. */
export interface FileSink {
  write(bytes: Uint8Array): Promise<void>;
  /** Everything is on the disk afterwards. */
  close(): Promise<void>;
  /** After an error: the file is of no use. */
  abandon(): Promise<void>;
}

/** Encrypts to the recipients; without any, the file is as it is written. The file is closed with the sink. */
export async function openSink(file: FileHandle, recipients: readonly string[]): Promise<FileSink> {
  return recipients.length === 0 ? new PlainSink(file) : EncryptedSink.open(file, recipients);
}

class PlainSink implements FileSink {
  readonly #file: FileHandle;

  constructor(file: FileHandle) {
    this.#file = file;
  }

  async write(bytes: Uint8Array): Promise<void> {
    await this.#file.writeFile(bytes);
  }

  async close(): Promise<void> {
    await this.#file.sync();
    await this.#file.close();
  }

  async abandon(): Promise<void> {
    await this.#file.close().catch(() => undefined);
  }
}

class EncryptedSink implements FileSink {
  readonly #file: FileHandle;
  readonly #writer: WritableStreamDefaultWriter<Uint8Array>;
  /** Settled when all that is encrypted was written, or could not be. */
  readonly #written: Promise<void>;

  private constructor(
    file: FileHandle,
    writer: WritableStreamDefaultWriter<Uint8Array>,
    sealed: ReadableStream<Uint8Array>,
  ) {
    this.#file = file;
    this.#writer = writer;
    this.#written = writeAll(file, sealed);
    this.#written.catch(() => undefined);
    writer.closed.catch(() => undefined);
  }

  static async open(file: FileHandle, recipients: readonly string[]): Promise<EncryptedSink> {
    const encrypter = new Encrypter();
    for (const recipient of recipients) encrypter.addRecipient(recipient);
    const { readable, writable } = new TransformStream<Uint8Array, Uint8Array>();
    const sealed = await encrypter.encrypt(readable);
    return new EncryptedSink(file, writable.getWriter(), sealed);
  }

  async write(bytes: Uint8Array): Promise<void> {
    try {
      await this.#writer.ready;
      await this.#writer.write(bytes);
    } catch (error) {
      // Why the disk took no more says more than that the stream has ended.
      await this.#written;
      throw error;
    }
  }

  async close(): Promise<void> {
    await this.#writer.close().catch(() => undefined);
    await this.#written;
    await this.#file.sync();
    await this.#file.close();
  }

  async abandon(): Promise<void> {
    await this.#writer.abort(new Error('abandoned')).catch(() => undefined);
    await this.#written.catch(() => undefined);
    await this.#file.close().catch(() => undefined);
  }
}

async function writeAll(file: FileHandle, chunks: AsyncIterable<Uint8Array>): Promise<void> {
  for await (const chunk of chunks) await file.writeFile(chunk);
}

/** A file that is read as it was before it was encrypted. Reading forwards costs nothing; going back begins anew where the file is encrypted. */
export interface FileSource {
  /** Fewer bytes than asked for are the last ones. */
  read(start: number, size: number): Promise<Buffer>;
}

/**
 * Opens a file that is encrypted if there are identities, and is not if there are none: a file that was put in the place of an encrypted one is not
 * taken for it. The file stays open.
 */
export async function openSource(file: FileHandle, identities: readonly string[]): Promise<FileSource> {
  const head = await readAt(file, 0, headerBytesMax);
  const isEncrypted = head.toString('latin1', 0, beginning.length) === beginning;
  if (head.toString('latin1', 0, armorLine.length) === armorLine)
    throw new AgeFault(
      'It is an encrypted file written as text. Run `age --decrypt` on it, or encrypt without --armor.',
    );
  if (identities.length === 0) {
    if (isEncrypted)
      throw new AgeFault('It is encrypted. Name the file with the identity that opens it: --identity FILE.');
    return { read: (start, size) => readAt(file, start, size) };
  }
  if (!isEncrypted)
    throw new AgeFault(
      'It is not encrypted, and an identity was named. Leave out --identity if it is meant to be plain.',
    );
  if (!head.includes('\n--- ')) throw new AgeFault('It is damaged: its list of recipients has no end.');
  return new DecryptedSource(file, identities);
}

class DecryptedSource implements FileSource {
  readonly #file: FileHandle;
  readonly #decrypter = new Decrypter();
  #chunks: AsyncIterator<Uint8Array> | undefined;
  /** What was decrypted and not read yet, and where it begins. */
  #rest: Buffer = Buffer.alloc(0);
  #position = 0;

  constructor(file: FileHandle, identities: readonly string[]) {
    this.#file = file;
    for (const identity of identities) this.#decrypter.addIdentity(identity);
  }

  async read(start: number, size: number): Promise<Buffer> {
    try {
      if (this.#chunks === undefined || start < this.#position) await this.#begin();
      await this.#skip(start - this.#position);
      const pieces: Buffer[] = [];
      for (let missing = size; missing > 0 && (await this.#fill()); missing -= pieces.at(-1)!.length)
        pieces.push(this.#take(missing));
      return Buffer.concat(pieces);
    } catch (error) {
      throw toFault(error);
    }
  }

  async #begin(): Promise<void> {
    await this.#chunks?.return?.();
    const plain = await this.#decrypter.decrypt(ReadableStream.from(piecesOf(this.#file)));
    this.#chunks = plain[Symbol.asyncIterator]();
    this.#rest = Buffer.alloc(0);
    this.#position = 0;
  }

  async #skip(count: number): Promise<void> {
    for (let left = count; left > 0 && (await this.#fill());) left -= this.#take(left).length;
  }

  /** Returns whether there is something to take. */
  async #fill(): Promise<boolean> {
    while (this.#rest.length === 0) {
      const next = await this.#chunks!.next();
      if (next.done === true) return false;
      this.#rest = Buffer.from(next.value.buffer, next.value.byteOffset, next.value.byteLength);
    }
    return true;
  }

  #take(count: number): Buffer {
    const taken = this.#rest.subarray(0, count);
    this.#rest = this.#rest.subarray(taken.length);
    this.#position += taken.length;
    return taken;
  }
}

function toFault(error: unknown): unknown {
  if (!(error instanceof Error) || 'syscall' in error) return error;
  return /no identity matched/.test(error.message)
    ? new AgeFault('It is encrypted to others: none of the identities opens it.', { cause: error })
    : new AgeFault('It is damaged: it is not as it was encrypted, or was cut off.', { cause: error });
}

async function* piecesOf(file: FileHandle): AsyncGenerator<Uint8Array> {
  for (let at = 0; ;) {
    const piece = await readAt(file, at, pieceBytes);
    if (piece.length === 0) return;
    yield piece;
    at += piece.length;
  }
}

/** Everything from the beginning to the end. */
export async function* readWhole(source: FileSource): AsyncGenerator<Buffer> {
  for (let at = 0; ;) {
    const piece = await source.read(at, pieceBytes);
    if (piece.length > 0) yield piece;
    if (piece.length < pieceBytes) return;
    at += piece.length;
  }
}

async function readAt(file: FileHandle, start: number, size: number): Promise<Buffer> {
  const bytes = Buffer.alloc(size);
  let done = 0;
  while (done < size) {
    const { bytesRead } = await file.read(bytes, done, size - done, start + done);
    if (bytesRead === 0) break;
    done += bytesRead;
  }
  return bytes.subarray(0, done);
}
