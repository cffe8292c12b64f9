import { createHash } from 'node:crypto';
import { readdir } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { Readable } from 'node:stream';
import { expect, test } from 'vitest';
import { Refusal } from '../../../kit/refusal.ts';
import { readRows, bulkFormats } from './bulk-rows.ts';
import { Spool } from './spool.ts';

const mebibyte = 1024 * 1024;

function bodyOf(text: string, chunkLength = 100_000): Readable {
  const bytes = Buffer.from(text);
  const chunks = Array.from({ length: Math.ceil(bytes.length / chunkLength) }, (_, index) =>
    bytes.subarray(index * chunkLength, (index + 1) * chunkLength),
  );
  return Readable.from(chunks);
}

async function read(spool: Spool): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of spool.chunks()) chunks.push(chunk);
  return Buffer.concat(chunks).toString();
}

test.each([
  ['small, in memory', 1_000],
  ['almost large', mebibyte],
  ['large, in a file', 3 * mebibyte + 17],
])('a body that is %s can be read unchanged several times', async (_what, length) => {
  const text = 'äbc\n'.repeat(length).slice(0, length);
  const spool = await Spool.receive(bodyOf(text), { announcedBytes: 0, bytesMax: 100 * mebibyte });
  expect(spool.size).toBe(Buffer.byteLength(text));
  expect(spool.digest.toString('hex')).toBe(createHash('sha256').update(text).digest('hex'));
  expect([(await read(spool)) === text, (await read(spool)) === text]).toEqual([true, true]);
  await spool.discard();
});

test('the file of a large body has no name, even while it is used', async () => {
  const spool = await Spool.receive(bodyOf('x'.repeat(2 * mebibyte)), { announcedBytes: 0, bytesMax: 3 * mebibyte });
  expect((await readdir(tmpdir())).filter((name) => name.startsWith('holdfast-body-'))).toEqual([]);
  await spool.discard();
});

test.each([
  ['arrives', { announcedBytes: 0, bytesMax: 2 * mebibyte }],
  ['is announced', { announcedBytes: 2 * mebibyte + 1, bytesMax: 2 * mebibyte }],
])('a body that is too long is refused when it %s', async (_what, limits) => {
  const body = bodyOf('x'.repeat(2 * mebibyte + 1));
  await expect(Spool.receive(body, limits)).rejects.toThrow(
    new Refusal('body-too-large', 'The body has more than 2 MiB.'),
  );
});

test('an interrupted body is refused', async () => {
  const broken = Readable.from(
    (async function* () {
      yield Buffer.from('some');
      throw new Error('ECONNRESET');
    })(),
  );
  await expect(Spool.receive(broken, { announcedBytes: 0, bytesMax: mebibyte })).rejects.toThrow(
    'The request ended before its body did.',
  );
});

test('rows are read in batches, in order, however the body is split into chunks', async () => {
  const lines = Array.from({ length: 50_000 }, (_, index) => `{"ä":${index}}\n`).join('');
  const spool = await Spool.receive(bodyOf(lines, 777), { announcedBytes: 0, bytesMax: 100 * mebibyte });
  const sizes: number[] = [];
  const indexes: number[] = [];
  for await (const rows of readRows(spool, bulkFormats['application/x-ndjson'](), 1_000)) {
    sizes.push(rows.length);
    indexes.push(...rows.map(({ index }) => index));
  }
  expect(indexes).toEqual(Array.from({ length: 50_000 }, (_, index) => index));
  expect(sizes.slice(0, -1).every((size) => size >= 1_000)).toBe(true);
  await spool.discard();
});
