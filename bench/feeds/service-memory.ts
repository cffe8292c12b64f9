// Measures the memory of the service while it books a large file: the peak of the whole process (VmHWM), which the system reports.
//
//   node bench/feeds/service-memory.ts small 64e6      prints the figures of one file

import { createReadStream } from 'node:fs';
import { readFile, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { request } from 'node:http';
import { json } from 'node:stream/consumers';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { withMeasuredService } from '../measured-service.ts';
import { feedFiles } from './files.ts';
import { seedImports } from './importing.ts';

/** A node as it comes, or one that is to stay small: no threads, a small young generation, and one pool of the C library for all threads. */
export type NodeSize = 'as-started' | 'small';

export interface ServiceMemoryFigures {
  readonly size: NodeSize;
  readonly megabytes: number;
  readonly entries: number;
  readonly seconds: number;
  readonly startMegabytes: number;
  readonly peakMegabytes: number;
}

/** A camt.053 takes about as many bytes for each entry. */
const rowBytes = 619;

async function peakOf(processId: number): Promise<number> {
  const status = await readFile(`/proc/${processId}/status`, 'utf8');
  return Number(/^VmHWM:\s+(\d+) kB$/m.exec(status)?.[1]) / 1_024;
}

const small = {
  workThreads: 0,
  flags: ['--max-semi-space-size=4'],
  image: { variables: { MALLOC_ARENA_MAX: '1' } },
};

/** A service of its own for each file, which is sent from a disk. */
export async function measureServiceMemory(bytes: number, size: NodeSize): Promise<ServiceMemoryFigures> {
  const own = size === 'small' ? small : { image: { variables: {} } };
  const node = { connections: 10, seed: seedImports, ...own };
  return withMeasuredService(node, async (service) => {
    const { fixture, address, dataDir, processId } = service;
    const file = feedFiles.find(({ format }) => format === 'camt.053')!;
    const [path, entries] = [join(dataDir, 'statement.xml'), Math.ceil(bytes / rowBytes)];
    await writeFile(path, Readable.from(file.write(entries)));
    const startMegabytes = await peakOf(processId);
    const began = performance.now();
    const url = `${address}/v1/imports?client_id=${fixture.client}&book=true`;
    const { counts } = await sendFile(url, { path, token: fixture.token, type: file.type });
    const seconds = (performance.now() - began) / 1_000;
    if (counts.booked !== entries) throw new Error(`Expected ${entries} booked rows, got ${JSON.stringify(counts)}.`);
    const megabytes = (await stat(path)).size / 1e6;
    return { size, megabytes, entries, seconds, startMegabytes, peakMegabytes: await peakOf(processId) };
  });
}

/** Waits for the answer as long as it takes, which `fetch` does not: a large file takes longer than its five minutes. */
async function sendFile(
  url: string,
  { path, token, type }: { path: string; token: string; type: string },
): Promise<any> {
  const headers = { authorization: `Bearer ${token}`, 'content-type': type };
  const sending = request(url, { method: 'POST', headers });
  const answered = new Promise<Readable>((resolve, reject) => sending.on('response', resolve).on('error', reject));
  await pipeline(createReadStream(path), sending);
  return json(await answered);
}

if (import.meta.main) {
  const [size, bytes] = process.argv.slice(2);
  if (size !== 'small' && size !== 'as-started')
    throw new Error('Say small or as-started, then the bytes of the file.');
  process.stdout.write(`${JSON.stringify(await measureServiceMemory(Number(bytes), size))}\n`);
}
