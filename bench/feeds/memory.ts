// Reads a generated camt.053 of a given size in a process of its own, and prints what it took at most.

import { feedFiles } from './files.ts';
import { readFile } from './reading.ts';

const bytesMax = Number(process.argv[2]);
const file = feedFiles.find(({ format }) => format === 'camt.053')!;
const rowBytes = 610;

let entries = 0;
function* pieces(): Generator<Uint8Array> {
  for (const piece of file.write(Math.ceil(bytesMax / rowBytes))) yield Buffer.from(piece);
}

const began = performance.now();
const bytes = readFile(pieces(), (items) => {
  for (const item of items) if (item.item === 'entry') entries++;
});
const seconds = (performance.now() - began) / 1_000;
// In kilobytes.
const peak = process.resourceUsage().maxRSS / 1_024;
process.stdout.write(JSON.stringify({ megabytes: bytes / 1e6, entries, seconds, peakMegabytes: peak }));
