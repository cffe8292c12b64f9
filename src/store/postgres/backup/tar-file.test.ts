// Tests that a member of any size has a header that tar reads as well. Nothing is written where a content is zeros, so that the files are small.

import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { mkdtemp, open, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { FileSource } from '../../../kit/files/age.ts';
import { readMember, scanTar, tarEnd, tarMember } from './tar-file.ts';

let folder: string;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'holdfast-tar-'));
});

afterAll(() => rm(folder, { recursive: true }));

const sourceOf = (bytes: Buffer): FileSource => ({ read: async (start, size) => bytes.subarray(start, start + size) });
const sha256 = (bytes: Buffer): string => createHash('sha256').update(bytes).digest('hex');

test.each([0, 1, 512, 513, 2 ** 20 - 1, 2 ** 20, 2 ** 21 + 7])(
  'a member of %i bytes is found and read to its end, and what follows it too; tar lists both',
  async (size) => {
    const content = Buffer.alloc(size, 'rows of a table ');
    const half = size >> 1;
    const members = [...tarMember('rows', [content.subarray(0, half), content.subarray(half)])];
    const bytes = Buffer.concat([...members, ...tarMember('last', [Buffer.from('end')]), tarEnd()]);
    const found = await scanTar(sourceOf(bytes), { kept: ['last'], bytesMax: 3 });
    const lastAt = 512 + Math.ceil(size / 512) * 512 + 512;
    expect(found).toEqual([
      { name: 'rows', start: 512, size, sha256: sha256(content), content: undefined },
      { name: 'last', start: lastAt, size: 3, sha256: sha256(Buffer.from('end')), content: Buffer.from('end') },
    ]);
    const pieces = await Array.fromAsync(readMember(sourceOf(bytes), found[0]!));
    expect(Buffer.concat(pieces).equals(content)).toBe(true);
    const path = join(folder, `${size}.tar`);
    const file = await open(path, 'wx');
    await file.writeFile(bytes);
    await file.close();
    const listed = execFileSync('tar', ['-tvf', path], { encoding: 'utf8' }).trimEnd().split('\n');
    expect(listed.map((line) => line.split(/ +/).filter((_, index) => index === 2 || index === 5))).toEqual([
      [String(size), 'rows'],
      ['3', 'last'],
    ]);
  },
);

test('a member that is larger than what is kept is not kept', async () => {
  const bytes = Buffer.concat([...tarMember('last', [Buffer.from('long')]), tarEnd()]);
  const [member] = await scanTar(sourceOf(bytes), { kept: ['last'], bytesMax: 3 });
  expect(member!.content).toBeUndefined();
});

/** A header as earlier releases wrote it for a table of 8 GiB and more, as GNU tar does. */
function largeHeader(size: number): Buffer {
  const header = Buffer.from([...tarMember('rows', [])][0]!);
  header.fill(0, 124, 136);
  header.writeUInt8(0x80, 124);
  header.writeBigUInt64BE(BigInt(size), 128);
  header.write('        0', 148, 'latin1');
  const sum = header.reduce((total, byte) => total + byte, 0);
  header.write(`${sum.toString(8).padStart(6, '0')}\0 `, 148, 'latin1');
  return header;
}

test('a member of 8 GiB, as earlier releases wrote them, is understood', async () => {
  const header = largeHeader(8 ** 11);
  const reads: number[] = [];
  const source: FileSource = {
    read: async (start, size) => {
      reads.push(start);
      return start === 0 ? header : Buffer.alloc(Math.min(size, 512 + 2 ** 20 - start));
    },
  };
  await expect(scanTar(source, { kept: [], bytesMax: 0 })).rejects.toThrow('it ends too early');
  // It went on reading the content, where the file of this test ends.
  expect(reads).toEqual([0, 512, 512 + 2 ** 20]);
});
