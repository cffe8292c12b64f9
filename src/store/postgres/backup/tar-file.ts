// Writes and reads a tar file (POSIX ustar), so that a backup can be opened with any tool. What is read must be exactly what was written:
// a changed byte anywhere is noticed, in headers and padding here, in contents by their hashes.

import type { FileHandle } from 'node:fs/promises';
import { BackupFault } from './backup-fault.ts';

const blockBytes = 512;
/** Larger sizes do not fit into the octal digits of the header, and are written in base 256 as GNU tar does. */
const octalSizeMax = 8 ** 11 - 1;

export interface TarMember {
  readonly name: string;
  /** Where its content begins in the file. */
  readonly start: number;
  readonly size: number;
}

function makeHeader({ name, size }: Pick<TarMember, 'name' | 'size'>): Buffer {
  const header = Buffer.alloc(blockBytes);
  header.write(name, 0, 100, 'latin1');
  header.write('0000600\0', 100, 'latin1');
  header.write('0000000\0', 108, 'latin1');
  header.write('0000000\0', 116, 'latin1');
  if (size <= octalSizeMax) {
    header.write(`${size.toString(8).padStart(11, '0')}\0`, 124, 'latin1');
  } else {
    header.writeUInt8(0x80, 124);
    header.writeBigUInt64BE(BigInt(size), 128);
  }
  header.write('00000000000\0', 136, 'latin1');
  header.write('        0', 148, 'latin1');
  header.write('ustar\u000000', 257, 'latin1');
  const sum = header.reduce((total, byte) => total + byte, 0);
  header.write(`${sum.toString(8).padStart(6, '0')}\0 `, 148, 'latin1');
  return header;
}

function paddingAfter(size: number): number {
  return (blockBytes - (size % blockBytes)) % blockBytes;
}

/** Adds one member after the other to an empty file. */
export class TarWriter {
  readonly #file: FileHandle;
  #position = 0;

  constructor(file: FileHandle) {
    this.#file = file;
  }

  /** The size need not be known before: the header is written last. */
  async add(name: string, chunks: AsyncIterable<Buffer> | Iterable<Buffer>): Promise<number> {
    const headerAt = this.#position;
    this.#position += blockBytes;
    let size = 0;
    for await (const chunk of chunks) {
      await this.#write(chunk);
      size += chunk.length;
    }
    await this.#write(Buffer.alloc(paddingAfter(size)));
    await writeAll(this.#file, makeHeader({ name, size }), headerAt);
    return size;
  }

  async end(): Promise<void> {
    await this.#write(Buffer.alloc(2 * blockBytes));
  }

  async #write(bytes: Buffer): Promise<void> {
    await writeAll(this.#file, bytes, this.#position);
    this.#position += bytes.length;
  }
}

async function writeAll(file: FileHandle, bytes: Buffer, position: number): Promise<void> {
  for (let written = 0; written < bytes.length;)
    written += (await file.write(bytes, written, bytes.length - written, position + written)).bytesWritten;
}

const damaged = (what: string): BackupFault => new BackupFault(`The file is damaged or no backup: ${what}.`);

/** Lists what is in the file, and checks every byte that is not content. */
export async function listMembers(file: FileHandle): Promise<readonly TarMember[]> {
  const { size: fileSize } = await file.stat();
  const members: TarMember[] = [];
  let position = 0;
  for (;;) {
    const header = await readExactly(file, { start: position, size: blockBytes });
    if (header.every((byte) => byte === 0)) break;
    const member = { ...readHeader(header), start: position + blockBytes };
    members.push(member);
    const end = member.start + member.size;
    const padding = await readExactly(file, { start: end, size: paddingAfter(member.size) });
    if (padding.some((byte) => byte !== 0)) throw damaged(`there is something after ${member.name}`);
    position = end + padding.length;
  }
  const last = await readExactly(file, { start: position + blockBytes, size: blockBytes });
  if (last.some((byte) => byte !== 0) || position + 2 * blockBytes !== fileSize)
    throw damaged('it does not end where it should');
  return members;
}

function readHeader(header: Buffer): Pick<TarMember, 'name' | 'size'> {
  const name = header.toString('latin1', 0, 100).replace(/(?<!\0)\0+$/, '');
  const isBase256 = header[124] === 0x80;
  const size = isBase256
    ? Number(header.readBigUInt64BE(128))
    : Number.parseInt(header.toString('latin1', 124, 135), 8);
  if (!Number.isSafeInteger(size) || size < 0 || !makeHeader({ name, size }).equals(header))
    throw damaged('a header is not as it was written');
  return { name, size };
}

/** Fails if the file is shorter. */
export async function readExactly(
  file: FileHandle,
  { start, size }: Pick<TarMember, 'start' | 'size'>,
): Promise<Buffer> {
  const bytes = Buffer.alloc(size);
  for (let done = 0; done < size;) {
    const { bytesRead } = await file.read(bytes, done, size - done, start + done);
    if (bytesRead === 0) throw damaged('it ends too early');
    done += bytesRead;
  }
  return bytes;
}

const readBytes = 1024 * 1024;

/** The content of a member, piece by piece. */
export async function* readMember(
  file: FileHandle,
  { start, size }: TarMember,
): AsyncGenerator<Buffer, void, undefined> {
  for (let done = 0; done < size; done += readBytes)
    yield await readExactly(file, { start: start + done, size: Math.min(readBytes, size - done) });
}
