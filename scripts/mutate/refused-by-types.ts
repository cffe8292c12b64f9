// Finds the mutants that the types refuse: they could never be built, so that no test has to notice them.

import { spawnSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { applyMutant, type Mutant } from './mutants.ts';

/** Checks many mutants at once, one of each file: a check of the types takes longer than most tests. Changes files of `root` meanwhile. */
export function refusedByTypes(root: string, mutants: readonly Mutant[]): Set<Mutant> {
  const refused = new Set<Mutant>();
  for (let left = [...mutants]; left.length > 0;) {
    const group = new Map(left.map((mutant) => [mutant.file, mutant]));
    left = left.filter((mutant) => group.get(mutant.file) !== mutant);
    const faulty = filesWithErrors(root, [...group.values()]);
    for (const [file, mutant] of group) if (faulty.has(file)) refused.add(mutant);
  }
  return refused;
}

function filesWithErrors(root: string, mutants: readonly Mutant[]): Set<string> {
  const sources = new Map(mutants.map(({ file }) => [file, readFileSync(join(root, file), 'utf8')]));
  try {
    for (const mutant of mutants) {
      writeFileSync(join(root, mutant.file), applyMutant(sources.get(mutant.file)!, mutant));
    }
    const { stdout } = spawnSync('npx', ['tsc', '--noEmit', '--pretty', 'false'], { cwd: root, encoding: 'utf8' });
    return new Set(stdout.split('\n').flatMap((line) => /^([^\s(]+)\(\d/.exec(line)?.[1] ?? []));
  } finally {
    for (const [file, source] of sources) writeFileSync(join(root, file), source);
  }
}
