// Writes down which functions of the service a test file called, and which parts of them it did not reach, for the map from places to tests.

import { hash, randomUUID } from 'node:crypto';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import type { Profiler } from 'node:inspector';
import { join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { CalledFunctions, CalledInFile } from './test-map.ts';

const root = fileURLToPath(new URL('../../', import.meta.url));

/** Threads and programs learn from it which test file has started them. */
export const testVariable = 'MUTATE_TEST';

/** Counts how often functions and their parts ran. */
export const counted = { callCount: true, detailed: true };

/** The test file, and each thread and program that it started, write one file each. */
export function writeCalled(testPath: string, ms: number, scripts: readonly Profiler.ScriptCoverage[]): void {
  const files: Record<string, CalledInFile> = {};
  for (const { url, functions } of scripts) {
    const file = sourceFile(url);
    const called = functions.filter(({ ranges }) => ranges[0]!.count > 0);
    const names = new Set(called.map(({ functionName }) => functionName).filter((name) => name !== ''));
    if (file === undefined || names.size === 0) continue;
    const parts = called.flatMap(({ ranges }) => ranges.filter(({ count }) => count === 0));
    const unreached = parts.map(({ startOffset, endOffset }) => [startOffset, endOffset] as const);
    files[file] = { functions: [...names], source: digestOf(file), unreached };
  }
  const entry: CalledFunctions = { test: relative(root, testPath), ms, files };
  const directory = process.env['MUTATE_COVERAGE']!;
  try {
    mkdirSync(directory, { recursive: true });
    writeFileSync(join(directory, `${randomUUID()}.json`), JSON.stringify(entry));
  } catch {
    // A program that a test runs as another user may not write here. What else reaches its code is still known.
  }
}

function sourceFile(url: string): string | undefined {
  const path = relative(root, url.startsWith('file:') ? fileURLToPath(url) : url);
  return path.startsWith('src/') && !path.endsWith('.test.ts') ? path : undefined;
}

const digests = new Map<string, string>();

/** Places are only known in the source that ran. */
function digestOf(file: string): string {
  const digest = digests.get(file) ?? hash('sha256', readFileSync(join(root, file)));
  digests.set(file, digest);
  return digest;
}
