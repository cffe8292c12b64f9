import { createHash } from 'node:crypto';
import { createServer, request, type IncomingMessage } from 'node:http';
import { mkdtemp, readdir, rm } from 'node:fs/promises';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { expect, onTestFinished, test, vi } from 'vitest';
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
  // A folder of its own: other tests write such files at the same time.
  const folder = await mkdtemp(join(tmpdir(), 'holdfast-spool-'));
  vi.stubEnv('TMPDIR', folder);
  onTestFinished(async () => {
    vi.unstubAllEnvs();
    await rm(folder, { recursive: true });
  });
  const spool = await Spool.receive(bodyOf('x'.repeat(2 * mebibyte)), { announcedBytes: 0, bytesMax: 3 * mebibyte });
  expect([tmpdir(), await readdir(folder)]).toEqual([folder, []]);
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

/** Receives a body over a connection, and returns the memory that its pieces came in. */
async function receivedOverConnection(body: Buffer): Promise<{ spool: Spool; pieces: readonly ArrayBufferLike[] }> {
  const { promise: arrived, resolve } = Promise.withResolvers<IncomingMessage>();
  const server = createServer((incoming) => resolve(incoming)).listen(0, '127.0.0.1');
  onTestFinished(() => void server.close().closeAllConnections());
  await new Promise((listening) => server.once('listening', listening));
  const { port } = server.address() as AddressInfo;
  request({ port, host: '127.0.0.1', method: 'POST' })
    .on('error', () => {})
    .end(body);
  const incoming = await arrived;
  const pieces: ArrayBufferLike[] = [];
  const push = incoming.push.bind(incoming);
  incoming.push = (piece: Buffer | null) => {
    if (piece !== null) pieces.push(piece.buffer);
    return push(piece);
  };
  return { spool: await Spool.receive(incoming, { announcedBytes: 0, bytesMax: 10 * mebibyte }), pieces };
}

test('the memory of what came over a connection is given back at once, not when the collector comes', async () => {
  const body = Buffer.from('äbc\n'.repeat(mebibyte));
  const { spool, pieces } = await receivedOverConnection(body);
  expect(pieces.length).toBeGreaterThan(10);
  expect(pieces.every((piece) => piece instanceof ArrayBuffer && piece.detached)).toBe(true);
  expect((await read(spool)) === body.toString()).toBe(true);
  await spool.discard();
});

test('a body that came from elsewhere can still be used by whoever sent it', async () => {
  const bytes = Buffer.from('x'.repeat(100_000));
  const limits = { announcedBytes: 0, bytesMax: mebibyte };
  const first = await Spool.receive(Readable.from([bytes]), limits);
  const second = await Spool.receive(Readable.from(first.chunks()), limits);
  expect([bytes.length, (await read(first)).length, (await read(second)).length]).toEqual([100_000, 100_000, 100_000]);
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
  const limits = { rowsMax: 1_000, charactersMax: mebibyte };
  for await (const rows of readRows(spool, bulkFormats['application/x-ndjson'](), limits)) {
    sizes.push(rows.length);
    indexes.push(...rows.map(({ index }) => index));
  }
  expect(indexes).toEqual(Array.from({ length: 50_000 }, (_, index) => index));
  expect(sizes).toEqual(Array.from({ length: 50 }, () => 1_000));
  await spool.discard();
});

test.each([
  ['JSON', 'application/json', `{"data":[${'{},'.repeat(99_999)}{}]}`],
  ['JSON lines', 'application/x-ndjson', '{}\n'.repeat(100_000)],
  ['CSV', 'text/csv', `a\n${'1\n'.repeat(100_000)}`],
] as const)('very many small rows of %s come in batches of limited size', async (_what, format, text) => {
  const spool = await Spool.receive(bodyOf(text, 256 * 1024), { announcedBytes: 0, bytesMax: mebibyte });
  const reader = bulkFormats[format]({ known: ['a'], required: [], dialects: [] });
  const sizes: number[] = [];
  for await (const rows of readRows(spool, reader, { rowsMax: 3_000, charactersMax: mebibyte }))
    sizes.push(rows.length);
  expect(sizes).toEqual([...Array.from({ length: 33 }, () => 3_000), 1_000]);
  await spool.discard();
});

test('few rows with very much text come in batches of limited size', async () => {
  const rowLength = 60_000;
  const text = `${JSON.stringify({ a: 'x'.repeat(rowLength - 8) })}\n`.repeat(100);
  const spool = await Spool.receive(bodyOf(text), { announcedBytes: 0, bytesMax: 100 * mebibyte });
  const limits = { rowsMax: 5_000, charactersMax: 300_000 };
  const sizes: number[] = [];
  for await (const rows of readRows(spool, bulkFormats['application/x-ndjson'](), limits)) sizes.push(rows.length);
  expect(sizes.reduce((sum, size) => sum + size)).toBe(100);
  expect(Math.max(...sizes) * rowLength).toBeLessThanOrEqual(limits.charactersMax + rowLength);
  await spool.discard();
});
