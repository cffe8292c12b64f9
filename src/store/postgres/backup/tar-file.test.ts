// Tests that a member of any size has a header that tar reads as well. Nothing is written where a content is zeros, so that the files are small.

import { execFileSync } from 'node:child_process';
import { mkdtemp, open, rm, type FileHandle } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { listMembers, readMember, TarWriter } from './tar-file.ts';

const zeros = Buffer.alloc(2 ** 26);
let folder: string;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'holdfast-tar-'));
});

afterAll(() => rm(folder, { recursive: true }));

function* zerosOf(size: number): Generator<Buffer> {
  for (let left = size; left > 0; left -= zeros.length) yield zeros.subarray(0, Math.min(left, zeros.length));
}

/** Passes on only what is not a piece of the zeros. */
function sparse(file: FileHandle): FileHandle {
  const write = async (bytes: Buffer, offset: number, length: number, position: number) =>
    bytes.buffer === zeros.buffer
      ? { bytesWritten: length, buffer: bytes }
      : file.write(bytes, offset, length, position);
  return Object.create(file, { write: { value: write } });
}

/** The largest size that octal digits can say, and the next. */
test.each([0, 1, 512, 513, 8 ** 11 - 1, 8 ** 11])(
  'a member of %i bytes is listed, and what follows it',
  async (size) => {
    const path = join(folder, `${size}.tar`);
    const file = await open(path, 'wx+');
    const writer = new TarWriter(sparse(file));
    expect(await writer.add('rows', zerosOf(size))).toBe(size);
    expect(await writer.add('last', [Buffer.from('end')])).toBe(3);
    await writer.end();
    const lastAt = 512 + Math.ceil(size / 512) * 512 + 512;
    expect(await listMembers(file)).toEqual([
      { name: 'rows', start: 512, size },
      { name: 'last', start: lastAt, size: 3 },
    ]);
    const listed = execFileSync('tar', ['-tvf', path], { encoding: 'utf8' }).trimEnd().split('\n');
    expect(listed.map((line) => line.split(/ +/).filter((_, index) => index === 2 || index === 5))).toEqual([
      [String(size), 'rows'],
      ['3', 'last'],
    ]);
    await file.close();
  },
);

test.each([0, 1, 2 ** 20 - 1, 2 ** 20, 2 ** 20 + 1, 2 ** 21 + 7])(
  'a member of %i bytes is read to its end, and no further',
  async (size) => {
    const file = await open(join(folder, `read ${size}.tar`), 'wx+');
    const writer = new TarWriter(file);
    const content = Buffer.alloc(size, 'rows of a table ');
    await writer.add('rows', [content]);
    await writer.add('last', [Buffer.alloc(2 ** 21, 'x')]);
    await writer.end();
    const [member] = await listMembers(file);
    const pieces = await Array.fromAsync(readMember(file, member!));
    await file.close();
    expect(Buffer.concat(pieces).equals(content)).toBe(true);
  },
);
