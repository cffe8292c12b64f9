// Writes the figures as a page: medians of the rounds, with minimum and maximum for the ratios.

import { loadavg } from 'node:os';
import { median, ratio } from '../figures.ts';
import { machine } from '../http-load.ts';
import type { ImportFigures } from './importing.ts';
import type { ServiceMemoryFigures } from './service-memory.ts';
import type { ReadingFigures } from './reading.ts';

export interface MemoryFigures {
  readonly megabytes: number;
  readonly entries: number;
  readonly seconds: number;
  readonly peakMegabytes: number;
}

export interface FeedFigures {
  readonly rows: number;
  readonly rounds: number;
  readonly imports: readonly ImportFigures[];
  readonly reading: ReadonlyMap<string, ReadingFigures>;
  readonly memory: readonly MemoryFigures[];
  readonly serviceMemory: readonly ServiceMemoryFigures[];
}

export function reportFeeds({ rows, rounds, imports, reading, memory, serviceMemory }: FeedFigures): string {
  const importRows = imports.map(
    ({ format, imported, bulk }) =>
      `| ${format} | ${median(imported).toFixed(0)} | ${median(bulk).toFixed(0)} | ${ratio(imported, bulk)} |`,
  );
  const readingRows = [...reading].map(
    ([format, { rowsPerSecond, megabytesPerSecond }]) =>
      `| ${format} | ${rowsPerSecond.toFixed(0)} | ${megabytesPerSecond.toFixed(1)} |`,
  );
  const memoryRows = memory.map(
    ({ megabytes, entries, seconds, peakMegabytes }) =>
      `| ${megabytes.toFixed(0)} | ${entries} | ${seconds.toFixed(0)} | ${peakMegabytes.toFixed(0)} |`,
  );
  const serviceRows = serviceMemory.map(
    ({ size, megabytes, entries, seconds, startMegabytes, peakMegabytes }) =>
      `| ${size === 'small' ? 'small' : 'as started'} | ${megabytes.toFixed(0)} | ${entries} | ${seconds.toFixed(0)} | ${startMegabytes.toFixed(0)} | ${peakMegabytes.toFixed(0)} |`,
  );
  return `# bench/feeds

${machine()} Load average at the end: ${loadavg()[0]!.toFixed(1)}.

## From file to committed ledger, ${rows} rows

Median of ${rounds} rounds, (minimum–maximum) in parentheses; ratios compare the same round. Each file has one account: payments, interest and charges, or
purchases and sales of 200 instruments by ISIN, all with references. \`POST /v1/imports?book=true\` reads the file, finds accounts and instruments by
their names, decides about each row, keeps the rows and books them. Bulk booking gets the same rows as JSON lines with ids in place of names.

| | rows a second | bulk booking, rows a second | % of bulk booking |
|---|---|---|---|
${importRows.join('\n')}

## Readers alone

From bytes to items, in memory.

| | rows a second | MB a second |
|---|---|---|
${readingRows.join('\n')}

## Memory of a reader

A camt.053 is generated and read piece by piece, in a process of its own with a heap of at most 64 MB. The peak includes Node itself.

| size, MB | entries | seconds | peak, MB |
|---|---|---|---|
${memoryRows.join('\n')}

## Memory of the service

A camt.053 is sent from a disk and booked by a service of its own: as it starts by default, or a small one, \`WORK_THREADS=0\` and
\`--max-semi-space-size=4\`. The peak is that of the whole process as the system reports it (VmHWM of /proc), with its threads.

| node | size, MB | entries | seconds | peak before, MB | peak, MB |
|---|---|---|---|---|---|
${serviceRows.join('\n')}
`;
}
