// Runs in every test file while the map of tests is made: writes down which functions of the service the file called.

import { mkdirSync, writeFileSync } from 'node:fs';
import { Session } from 'node:inspector/promises';
import { join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, expect } from 'vitest';
import type { CalledFunctions } from './test-map.ts';

const root = fileURLToPath(new URL('../../', import.meta.url));
const directory = process.env['MUTATE_COVERAGE']!;

/** One for each process, which runs several test files: each take returns what was called since the last. */
const shared = globalThis as { mutateSession?: Session };

if (shared.mutateSession === undefined) {
  shared.mutateSession = new Session();
  shared.mutateSession.connect();
  await shared.mutateSession.post('Profiler.enable');
  await shared.mutateSession.post('Profiler.startPreciseCoverage', { callCount: true, detailed: false });
}
const session = shared.mutateSession;
const begunAt = performance.now();

afterAll(async () => {
  const { result } = await session.post('Profiler.takePreciseCoverage');
  const functions: Record<string, string[]> = {};
  for (const { url, functions: ofScript } of result) {
    const file = sourceFile(url);
    if (file === undefined) continue;
    const called = ofScript.filter(({ functionName, ranges }) => functionName !== '' && ranges[0]!.count > 0);
    if (called.length > 0) functions[file] = [...new Set(called.map(({ functionName }) => functionName))];
  }
  const test = relative(root, expect.getState().testPath!);
  const entry: CalledFunctions = { test, ms: Math.round(performance.now() - begunAt), functions };
  mkdirSync(directory, { recursive: true });
  writeFileSync(join(directory, `${test.replaceAll('/', '+')}.json`), JSON.stringify(entry));
});

function sourceFile(url: string): string | undefined {
  const path = relative(root, url.startsWith('file:') ? fileURLToPath(url) : url);
  return path.startsWith('src/') && !path.endsWith('.test.ts') ? path : undefined;
}
