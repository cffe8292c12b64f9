// Writes and reads a tar (POSIX ustar), so that a backup can be opened with any tool. It is written from its beginning to its end, so that it can be
// encrypted on the way. What is read must be exactly what was written: a changed byte anywhere is noticed, in headers and padding here, in contents by
// their hashes.

import { createHash } from 'node:crypto';
import type { FileSource } from '../../../kit/files/age.ts';
import { BackupFault } from './backup-fault.ts';

const blockBytes = 512;
/** Larger sizes do not fit into the octal digits of the header, and were written in base 256 as GNU tar does while a table was one member. */
const octalSizeMax = 8 ** 11 - 1;
const readBytes = 1024 * 1024;
/** More than any backup has, of what would have to be remembered. */
const membersMax = 1_000_000;

export interface TarMember {
  readonly name: string;
  /** Where its content begins in the tar. */
  readonly start: number;
  readonly size: number;
}

export interface ScannedMember extends TarMember {
  readonly sha256: string;
  /** Of those that were asked for. */
  readonly content: Buffer | undefined;
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

/** The bytes of one member: its size is known, since it is said before its content. */
export function* tarMember(name: string, content: readonly Buffer[]): Generator<Buffer> {
  const size = content.reduce((sum, { length }) => sum + length, 0);
  yield makeHeader({ name, size });
  yield* content;
  const padding = paddingAfter(size);
  if (padding > 0) yield Buffer.alloc(padding);
}

/** What follows the last member. */
export function tarEnd(): Buffer {
  return Buffer.alloc(2 * blockBytes);
}

const damaged = (what: string): BackupFault => new BackupFault(`The file is damaged or no backup: ${what}.`);

/** Reads a tar from its first byte to its last. Keeps the contents of the members with these names, unless they are larger than `bytesMax`. */
export async function scanTar(
  source: FileSource,
  { kept, bytesMax }: { readonly kept: readonly string[]; readonly bytesMax: number },
): Promise<readonly ScannedMember[]> {
  const members: ScannedMember[] = [];
  let position = 0;
  for (;;) {
    const header = await readExactly(source, { start: position, size: blockBytes });
    if (header.every((byte) => byte === 0)) break;
    const member = { ...readHeader(header), start: position + blockBytes };
    const isKept = kept.includes(member.name) && member.size <= bytesMax;
    const [hash, pieces] = [createHash('sha256'), new Array<Buffer>()];
    for await (const piece of readMember(source, member)) {
      hash.update(piece);
      if (isKept) pieces.push(piece);
    }
    members.push({ ...member, sha256: hash.digest('hex'), content: isKept ? Buffer.concat(pieces) : undefined });
    if (members.length > membersMax) throw damaged('it has too many parts');
    const end = member.start + member.size;
    const padding = await readExactly(source, { start: end, size: paddingAfter(member.size) });
    if (padding.some((byte) => byte !== 0)) throw damaged(`there is something after ${member.name}`);
    position = end + padding.length;
  }
  const last = await source.read(position + blockBytes, blockBytes + 1);
  if (last.length !== blockBytes || last.some((byte) => byte !== 0)) throw damaged('it does not end where it should');
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
async function readExactly(source: FileSource, { start, size }: Pick<TarMember, 'start' | 'size'>): Promise<Buffer> {
  const bytes = await source.read(start, size);
  if (bytes.length < size) throw damaged('it ends too early');
  return bytes;
}

/** The content of a member, piece by piece. */
export async function* readMember(
  source: FileSource,
  { start, size }: Pick<TarMember, 'start' | 'size'>,
): AsyncGenerator<Buffer, void, undefined> {
  for (let done = 0; done < size; done += readBytes)
    yield await readExactly(source, { start: start + done, size: Math.min(readBytes, size - done) });
}
