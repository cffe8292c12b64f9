// Measures the memory of the service while it books a large file: the peak of the whole process (VmHWM), which the system reports.

import { createReadStream } from 'node:fs';
import { readFile, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { post, withMeasuredService } from '../measured-service.ts';
import { feedFiles } from './files.ts';
import { seedImports } from './importing.ts';

export interface ServiceMemoryFigures {
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

/** A service of its own for each size, with the heap that Node gives it. The file is sent from a disk. */
export async function measureServiceMemory(bytes: number): Promise<ServiceMemoryFigures> {
  return withMeasuredService({ connections: 10, seed: seedImports }, async (service) => {
    const { fixture, address, dataDir, processId } = service;
    const file = feedFiles.find(({ format }) => format === 'camt.053')!;
    const [path, entries] = [join(dataDir, 'statement.xml'), Math.ceil(bytes / rowBytes)];
    await writeFile(path, Readable.from(file.write(entries)));
    const startMegabytes = await peakOf(processId);
    const began = performance.now();
    const body = Readable.toWeb(createReadStream(path)) as ReadableStream<Uint8Array>;
    const url = `${address}/v1/imports?client_id=${fixture.client}&book=true`;
    const { counts } = await post(url, body, { token: fixture.token, type: file.type });
    const seconds = (performance.now() - began) / 1_000;
    if (counts.booked !== entries) throw new Error(`Expected ${entries} booked rows, got ${JSON.stringify(counts)}.`);
    const { size } = await stat(path);
    return { megabytes: size / 1e6, entries, seconds, startMegabytes, peakMegabytes: await peakOf(processId) };
  });
}
