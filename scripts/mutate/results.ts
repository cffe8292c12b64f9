// The results of a run of mutants: which survivors are known to change nothing, and the rate of each folder.

import { describeMutant, type Mutant } from './mutants.ts';
import listed from './equivalent-mutants.json' with { type: 'json' };
import type { MutantRun } from './run-mutant.ts';

/** A mutant that no test can notice, with the reason. */
interface EquivalentMutant {
  readonly file: string;
  readonly before: string;
  readonly after: string;
  readonly reason: string;
}

const equivalents: readonly EquivalentMutant[] = listed;

export interface Result extends MutantRun {
  readonly mutant: Mutant;
  /** How many test files reach the place. */
  readonly covering: number;
  /** Why no test can notice it. */
  readonly equivalence?: string;
}

/** Whether no test that ran has noticed it. */
export function isSurvivor({ outcome }: Pick<Result, 'outcome'>): boolean {
  return outcome === 'survived' || outcome === 'not covered';
}

/** Why no test can notice a mutant, if someone has written that down. Found by its lines, so that it moves with them. */
export function reasonForEquivalence(source: string, mutant: Mutant): string | undefined {
  const { before, after } = describeMutant(source, mutant);
  const isIt = (one: EquivalentMutant): boolean =>
    one.file === mutant.file && one.before === before && one.after === after;
  return equivalents.find(isIt)?.reason;
}

/** The folder of `src` that a file belongs to, or `src` itself. */
export function folderOf(file: string): string {
  const [first, ...folders] = file.split('/').slice(0, -1);
  return [first, ...folders.slice(0, 1)].join('/');
}

/** Noticed mutants in percent by folder of `src`, and of all. Equivalent ones do not count, nor those that could not be compiled. */
export function rateLines(results: readonly Result[]): string[] {
  const counted = results.filter(
    ({ equivalence, outcome }) => equivalence === undefined && outcome !== 'refused by types',
  );
  const folders = Map.groupBy(counted, ({ mutant }) => folderOf(mutant.file));
  const lines = [...folders].toSorted(([one], [other]) => (one < other ? -1 : 1)).map(([name, own]) => rate(name, own));
  return ['', ...lines, rate('all', counted)];
}

function rate(name: string, results: readonly Result[]): string {
  const noticed = results.filter((result) => !isSurvivor(result)).length;
  const percent = results.length === 0 ? 100 : Math.round((noticed / results.length) * 100);
  return `${name.padEnd(16)} ${`${percent} %`.padStart(6)}   ${noticed} of ${results.length}`;
}
