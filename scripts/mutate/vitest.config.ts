// The tests as always, those without a database first and otherwise in the order in which they are named; with a note of what each file
// called while the map from places to tests is made.

import { fileURLToPath } from 'node:url';
import { defineConfig, mergeConfig } from 'vitest/config';
import { BaseSequencer, type TestSpecification } from 'vitest/node';
import usual from '../../vitest.config.ts';

/** The files of one project follow each other, because a process that changes the project is started anew. */
class AsNamed extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    return files.toSorted((one, other) => one.project.name.localeCompare(other.project.name));
  }
}

const isForMap = process.env['MUTATE_COVERAGE'] !== undefined;

// The processes that run tests hand it on to their threads and programs.
if (isForMap) process.env['NODE_OPTIONS'] = `--import=${new URL('coverage-thread.ts', import.meta.url).href}`;

export default mergeConfig(
  usual,
  defineConfig({
    root: fileURLToPath(new URL('../../', import.meta.url)),
    test: {
      // The map needs all files, of which each waits for the database for part of its time; a mutant only the first that notices it.
      maxWorkers: isForMap ? 2 : 1,
      // What modules call when they are loaded, and calls that optimised code has inlined, would only count for the first file of a process.
      isolate: isForMap,
      bail: isForMap ? 0 : 1,
      sequence: { sequencer: AsNamed },
      ...(isForMap ? { setupFiles: [fileURLToPath(new URL('coverage-setup.ts', import.meta.url))] } : {}),
    },
  }),
);
