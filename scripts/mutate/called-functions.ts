// Writes down which functions of the service a test file called, for the map from functions to tests.

import { randomUUID } from 'node:crypto';
import { mkdirSync, writeFileSync } from 'node:fs';
import type { Profiler } from 'node:inspector';
import { join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { CalledFunctions } from './test-map.ts';

const root = fileURLToPath(new URL('../../', import.meta.url));

/** Threads learn from it which test file has started them. */
export const testVariable = 'MUTATE_TEST';

/** Counts calls of functions, not of their parts. */
export const counted = { callCount: true, detailed: false };

/** The test file and a thread of it write one file each. */
export function writeCalled(testPath: string, ms: number, scripts: readonly Profiler.ScriptCoverage[]): void {
  const functions: Record<string, string[]> = {};
  for (const { url, functions: ofScript } of scripts) {
    const file = sourceFile(url);
    if (file === undefined) continue;
    const called = ofScript.filter(({ functionName, ranges }) => functionName !== '' && ranges[0]!.count > 0);
    if (called.length > 0) functions[file] = [...new Set(called.map(({ functionName }) => functionName))];
  }
  const entry: CalledFunctions = { test: relative(root, testPath), ms, functions };
  const directory = process.env['MUTATE_COVERAGE']!;
  mkdirSync(directory, { recursive: true });
  writeFileSync(join(directory, `${randomUUID()}.json`), JSON.stringify(entry));
}

function sourceFile(url: string): string | undefined {
  const path = relative(root, url.startsWith('file:') ? fileURLToPath(url) : url);
  return path.startsWith('src/') && !path.endsWith('.test.ts') ? path : undefined;
}
