// Finds the mutants that the types refuse: they could never be built, so that no test has to notice them.

import { spawnSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { applyMutant, type Mutant } from './mutants.ts';

/**
 * Checks many mutants at once, because a check of the types takes longer than most tests: first all, then one of each file that has errors.
 * Changes files of `root` meanwhile.
 */
export function refusedByTypes(root: string, mutants: readonly Mutant[]): Set<Mutant> {
  const refused = new Set<Mutant>();
  const suspect = mutants.length === 0 ? new Set<string>() : filesWithErrors(root, mutants);
  for (let left = mutants.filter(({ file }) => suspect.has(file)); left.length > 0;) {
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
    for (const [file, source] of sources) {
      // From the last place to the first, which stay where they are.
      const own = mutants.filter((mutant) => mutant.file === file).toSorted((one, other) => other.start - one.start);
      writeFileSync(join(root, file), own.reduce(applyMutant, source));
    }
    const { stdout } = spawnSync('npx', ['tsc', '--noEmit', '--pretty', 'false'], { cwd: root, encoding: 'utf8' });
    return new Set(stdout.split('\n').flatMap((line) => /^([^\s(]+)\(\d/.exec(line)?.[1] ?? []));
  } finally {
    for (const [file, source] of sources) writeFileSync(join(root, file), source);
  }
}
