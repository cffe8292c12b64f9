// The results of a run of mutants: which ones survived, and how many of each folder were noticed.

import type { Mutant } from './mutants.ts';
import type { MutantRun } from './run-mutant.ts';

export interface Result extends MutantRun {
  readonly mutant: Mutant;
  /** How many test files reach the place. */
  readonly covering: number;
}

/** Whether no test that ran has noticed it. */
export function isSurvivor({ outcome }: Pick<Result, 'outcome'>): boolean {
  return outcome === 'survived' || outcome === 'not covered';
}

/** The folder of `src` that a file belongs to, or `src` itself. */
export function folderOf(file: string): string {
  const [first, ...folders] = file.split('/').slice(0, -1);
  return [first, ...folders.slice(0, 1)].join('/');
}

/** Noticed mutants in percent by folder of `src`, and of all. Those that could not be compiled do not count. */
export function rateLines(results: readonly Result[]): string[] {
  const counted = results.filter(({ outcome }) => outcome !== 'refused by types');
  const folders = Map.groupBy(counted, ({ mutant }) => folderOf(mutant.file));
  const lines = [...folders].toSorted(([one], [other]) => (one < other ? -1 : 1)).map(([name, own]) => rate(name, own));
  return ['', ...lines, rate('all', counted)];
}

function rate(name: string, results: readonly Result[]): string {
  const noticed = results.filter((result) => !isSurvivor(result)).length;
  const percent = results.length === 0 ? 100 : Math.round((noticed / results.length) * 100);
  return `${name.padEnd(16)} ${`${percent} %`.padStart(6)}   ${noticed} of ${results.length}`;
}
