// Writes a ZIP archive whose entries come in pieces: nobody waits while a long one is compressed. The same entries are the same bytes.

import { pipeline } from 'node:stream/promises';
import { crc32, createDeflateRaw } from 'node:zlib';
import { yieldWhenBusy } from '../../../kit/event-loop.ts';
import type { FileSink } from './file-sink.ts';

export interface ArchiveEntry {
  readonly name: string;
  /** UTF-8; more than a few kilobytes come in several. */
  readonly texts: Iterable<string> | AsyncIterable<string>;
}

/** 1 January 1980, midnight: the first that ZIP knows. */
const fixedTime = 0x00210000;
const version = 20;
const namesAreUtf8 = 0x0800;
const isDeflated = 8;

/** Adds the archive to the file, each part as soon as its size is known. */
export async function zipArchive(entries: readonly ArchiveEntry[], sink: FileSink): Promise<void> {
  const directory: Buffer[] = [];
  let offset = 0;
  for (const entry of entries) {
    const { fields, data, length } = await compress(entry, sink);
    const name = Buffer.from(entry.name);
    const header = Buffer.concat([signature(0x04034b50), fields, name]);
    sink.add(header);
    sink.addReserved(data);
    directory.push(centralEntry(fields, { name, offset }));
    offset += header.length + length;
  }
  const central = Buffer.concat(directory);
  sink.add(central);
  sink.add(endOf(entries.length, { size: central.length, offset }));
}

function signature(value: number): Buffer {
  const bytes = Buffer.alloc(4);
  bytes.writeUInt32LE(value);
  return bytes;
}

interface CompressedEntry {
  readonly fields: Buffer;
  readonly data: readonly Buffer[];
  readonly length: number;
}

/** What the header before an entry and the directory both say about it. */
async function compress({ name, texts }: ArchiveEntry, sink: FileSink): Promise<CompressedEntry> {
  let [checksum, size] = [0, 0];
  async function* counted(): AsyncGenerator<Buffer> {
    for await (const text of texts) {
      await yieldWhenBusy();
      const bytes = Buffer.from(text);
      checksum = crc32(bytes, checksum);
      size += bytes.length;
      yield bytes;
    }
  }
  const packed: Buffer[] = [];
  await pipeline(counted(), createDeflateRaw(), async (compressed: AsyncIterable<Buffer>) => {
    for await (const part of compressed) {
      sink.reserve(part.length);
      packed.push(part);
    }
  });
  const length = packed.reduce((sum, part) => sum + part.length, 0);
  const fields = Buffer.alloc(26);
  fields.writeUInt16LE(version, 0);
  fields.writeUInt16LE(namesAreUtf8, 2);
  fields.writeUInt16LE(isDeflated, 4);
  fields.writeUInt32LE(fixedTime, 6);
  fields.writeUInt32LE(checksum, 10);
  fields.writeUInt32LE(length, 14);
  fields.writeUInt32LE(size, 18);
  fields.writeUInt16LE(Buffer.byteLength(name), 22);
  return { fields, data: packed, length };
}

function centralEntry(fields: Buffer, { name, offset }: { readonly name: Buffer; readonly offset: number }): Buffer {
  const madeBy = Buffer.alloc(2);
  madeBy.writeUInt16LE(version);
  const rest = Buffer.alloc(14);
  rest.writeUInt32LE(offset, 10);
  return Buffer.concat([signature(0x02014b50), madeBy, fields, rest, name]);
}

function endOf(count: number, { size, offset }: { readonly size: number; readonly offset: number }): Buffer {
  const end = Buffer.alloc(18);
  end.writeUInt16LE(count, 4);
  end.writeUInt16LE(count, 6);
  end.writeUInt32LE(size, 8);
  end.writeUInt32LE(offset, 12);
  return Buffer.concat([signature(0x06054b50), end]);
}
