// Measures feeds: imports compared with bulk booking, the readers alone, and the memory that reading a large file takes. `--quick` runs a
// small round that only checks that everything works and writes no report; `--readers` leaves out the imports.

import { execFile } from 'node:child_process';
import { writeFile } from 'node:fs/promises';
import { promisify } from 'node:util';
import { feedFiles } from './files.ts';
import { benchImports } from './importing.ts';
import { measureReading } from './reading.ts';
import { reportFeeds, type MemoryFigures } from './report.ts';
import { measureServiceMemory, type ServiceMemoryFigures } from './service-memory.ts';

const isQuick = process.argv.includes('--quick');
const isReadersOnly = process.argv.includes('--readers');
const rounds = isQuick ? 1 : Number(process.env['ROUNDS'] ?? 3);
const rows = isQuick ? 500 : Number(process.env['ROWS'] ?? 10_000);
const memorySizes = isQuick ? [8e6] : [64e6, Number(process.env['MEMORY_BYTES'] ?? 1e9)];

const serviceSizes = isQuick ? [1e6] : [8e6, Number(process.env['SERVICE_BYTES'] ?? 152e6)];

/** Without a limit, the peak says how lazily memory is freed, not how much the reader needs. */
const heapMegabytes = 64;

async function measureMemory(bytes: number): Promise<MemoryFigures> {
  const script = new URL('memory.ts', import.meta.url).pathname;
  const { stdout } = await promisify(execFile)(process.execPath, [
    `--max-old-space-size=${heapMegabytes}`,
    script,
    String(bytes),
  ]);
  return JSON.parse(stdout);
}

const reading = new Map(feedFiles.map((file) => [file.format, measureReading(file, 5 * rows)]));
const memory: MemoryFigures[] = [];
for (const bytes of memorySizes) memory.push(await measureMemory(bytes));
const imports = isReadersOnly ? [] : await benchImports({ rows, rounds });
const serviceMemory: ServiceMemoryFigures[] = [];
for (const size of isReadersOnly ? [] : (['as-started', 'small'] as const)) {
  for (const bytes of serviceSizes) serviceMemory.push(await measureServiceMemory(bytes, size));
}
const text = reportFeeds({ rows, rounds, imports, reading, memory, serviceMemory });
process.stdout.write(text);
if (!isQuick && !isReadersOnly && process.env['WRITE'] !== 'off') {
  await writeFile(new URL('results.md', import.meta.url), text);
}
