// The map from places of the service to the test files that reach them. It is made by running the tests once and kept between runs: a test
// file runs again when it has changed.

import { hash } from 'node:crypto';
import { existsSync, globSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import type { Mutant } from './mutants.ts';
import { TestRunner } from './test-runner.ts';

/** What one test file called. */
export interface CalledFunctions {
  readonly test: string;
  /** How long it ran. */
  readonly ms: number;
  /** By source file. */
  readonly files: Readonly<Record<string, CalledInFile>>;
}

export interface CalledInFile {
  /** Names of functions. */
  readonly functions: readonly string[];
  /** The digest of the source in which places were seen. */
  readonly source: string;
  /** Parts of the called functions that never ran, from and to. */
  readonly unreached: readonly (readonly [number, number])[];
}

interface MapEntry extends CalledFunctions {
  readonly digest: string;
}

/** Compares the whole description of the API, so that it notices most changes of what is declared. */
const contractTest = 'tests/contract/http/openapi-unchanged.test.ts';

/** Looks at every statement of the store. */
const statementsTest = 'src/store/postgres/distribution/distribution-rules.test.ts';

/** What they declare is in the description. */
const describedFiles = /^src\/(?:model|surfaces\/(?:http|json-api|plain|snake-case|v1))\//;

/** What the choice of tests looks at. */
type Mutated = Pick<Mutant, 'file' | 'functions' | 'users' | 'reachedAt'>;

export class TestMap {
  readonly #entries: readonly CalledFunctions[];
  /** How many functions each test file calls, of all sources. */
  readonly #breadths: ReadonlyMap<CalledFunctions, number>;
  readonly #importersOf: Importers;

  constructor(entries: readonly CalledFunctions[], importersOf: Importers = () => []) {
    this.#entries = entries;
    this.#importersOf = importersOf;
    this.#breadths = new Map(entries.map((entry) => [entry, breadthOf(entry)]));
  }

  /**
   * The test files that reach a mutant, the most likely to notice it soon first: the one of the same name, then in turns those that are fast and
   * about this file rather than about many, and those whose names have its words. For what a module does when it is loaded, those that call
   * anything in the file, and for a constant first those that call what uses it.
   */
  testsFor(mutant: Mutated, source: string): readonly CalledFunctions[] {
    const { file } = mutant;
    const touching = this.#entries.filter((entry) => file in entry.files);
    if (touching.length === 0) return this.#withReaders(file, this.#testsOfImporters(file));
    const digest = hash('sha256', source);
    const reaching = callersOf(mutant, touching).filter(
      ({ files }) => files[file]!.source !== digest || !isUnreached(files[file]!, mutant.reachedAt),
    );
    const byCost = this.#inOrderOfCost(mutant, reaching);
    const words = wordsOf(`${file} ${mutant.functions.join(' ')} ${lineAt(source, mutant.reachedAt)}`);
    const ordered = inTurns(byCost, inOrderOfWords(words, byCost));
    const callsUser = ({ files }: CalledFunctions): boolean =>
      mutant.users.some((user) => files[file]!.functions.includes(user));
    const inOrder = ordered.toSorted((one, other) => Number(callsUser(other)) - Number(callsUser(one)));
    return mutant.functions.length > 0 ? inOrder : this.#withReaders(file, inOrder);
  }

  /** What is declared is also seen by tests that call nothing in the file: it is in the description of the API, or a statement. */
  #withReaders(file: string, tests: readonly CalledFunctions[]): readonly CalledFunctions[] {
    const readers: string[] = [];
    if (describedFiles.test(file)) readers.push(contractTest);
    if (file.startsWith('src/store/')) readers.push(statementsTest);
    const reading = this.#entries.filter(({ test }) => readers.includes(test));
    const others = tests.filter(({ test }) => !readers.includes(test));
    const own = others.filter(({ test }) => basename(test) === testNameOf(file));
    return [...own, ...reading, ...others.filter((test) => !own.includes(test))];
  }

  #inOrderOfCost({ file, functions, users }: Mutated, tests: readonly CalledFunctions[]): CalledFunctions[] {
    const name = testNameOf(file);
    const cost = (entry: CalledFunctions): number => {
      if (basename(entry.test) === name) return -1;
      const isDeclared = file.startsWith('src/model/') || functions.length + users.length === 0;
      if (isDeclared && entry.test === contractTest) return 0;
      return (entry.ms * this.#breadths.get(entry)!) / entry.files[file]!.functions.length;
    };
    return tests.toSorted((one, other) => cost(one) - cost(other));
  }

  /** A file that only declares calls nothing: its tests are the one of its name, or those of the files that use it, the fastest first. */
  #testsOfImporters(file: string): readonly CalledFunctions[] {
    const own = this.#entries.filter(({ test }) => test === file.replace(/ts$/, 'test.ts'));
    if (own.length > 0) return own;
    const seen = new Set([file]);
    for (let files: readonly string[] = [file]; files.length > 0;) {
      files = files.flatMap((one) => this.#importersOf(one)).filter((one) => !seen.has(one));
      for (const one of files) seen.add(one);
      const using = this.#entries.filter((entry) => files.some((one) => one in entry.files));
      const cost = ({ test, ms }: CalledFunctions): number => (test === contractTest ? 0 : ms);
      if (using.length > 0) return using.toSorted((one, other) => cost(one) - cost(other));
    }
    return [];
  }
}

function testNameOf(file: string): string {
  return `${basename(file, '.ts')}.test.ts`;
}

/** Those whose names have any of the words, those with most of them first. A word that few names have counts more. */
function inOrderOfWords(words: Set<string>, tests: readonly CalledFunctions[]): CalledFunctions[] {
  const shared = tests.map((entry) => ({ entry, own: words.intersection(wordsOf(entry.test)) }));
  const counts = Map.groupBy(
    shared.flatMap(({ own }) => [...own]),
    (word) => word,
  );
  const weighed = shared.map(({ entry, own }) => ({
    entry,
    weight: [...own].reduce((sum, word) => sum + 1 / counts.get(word)!.length, 0),
  }));
  const sharing = weighed.filter(({ weight }) => weight > 0).toSorted((one, other) => other.weight - one.weight);
  return sharing.map(({ entry }) => entry);
}

/** The first of one list, then the first of the other, and so on, each once. */
function inTurns<T>(one: readonly T[], other: readonly T[]): T[] {
  const turns = one.flatMap((item, index) => [item, ...other.slice(index, index + 1)]);
  return [...new Set(turns)];
}

function lineAt(source: string, place: number): string {
  return source.slice(source.lastIndexOf('\n', place - 1) + 1).split('\n', 1)[0]!;
}

/** What a path or a piece of source is about: the words of its names. */
function wordsOf(text: string): Set<string> {
  const words = text.match(/[A-Z]?[a-z0-9]+/g)?.map((word) => word.toLowerCase()) ?? [];
  return new Set(words.filter((word) => !['src', 'tests', 'contract', 'test', 'ts'].includes(word)));
}

/** The files that import a file. */
export type Importers = (file: string) => readonly string[];

function breadthOf({ files }: CalledFunctions): number {
  return Object.values(files).reduce((sum, { functions }) => sum + functions.length, 0);
}

function callersOf(
  { file, functions }: Pick<Mutant, 'file' | 'functions'>,
  touching: readonly CalledFunctions[],
): readonly CalledFunctions[] {
  for (const name of functions) {
    const calling = touching.filter(({ files }) => files[file]!.functions.includes(name));
    if (calling.length > 0) return calling;
  }
  return touching;
}

function isUnreached({ unreached }: CalledInFile, place: number): boolean {
  return unreached.some(([from, to]) => from <= place && place < to);
}

/** Only these are run: a test of the repository's texts or of a browser notices no change of behaviour. */
const testPatterns = [
  'src/**/*.test.ts',
  'packages/**/*.test.ts',
  'tests/contract/**/*.test.ts',
  'tests/ledgers/**/*.test.ts',
];

/** How many test files run before the map is written: what was seen by then is not lost when the run ends. */
const batchSize = 16;

interface MapOptions {
  readonly importersOf: Importers;
  /** Only test files whose path contains one of these. */
  readonly only: readonly string[];
  /** Whether test files that the map lacks are run. */
  readonly isComplete: boolean;
  readonly environment: NodeJS.ProcessEnv;
  readonly signal: AbortSignal;
  readonly log: (line: string) => void;
}

/** Reads the map, after running the test files that it lacks. Runs in `root`, a copy of the repository. */
export async function makeTestMap(root: string, file: string, options: MapOptions): Promise<TestMap> {
  const known = new Map<string, MapEntry>(existsSync(file) ? JSON.parse(readFileSync(file, 'utf8')) : []);
  const tests = globSync(testPatterns, { cwd: root }).filter((test) =>
    options.only.some((part) => test.includes(part)),
  );
  const digests = new Map(tests.map((test) => [test, hash('sha256', readFileSync(join(root, test)))]));
  const missing = tests.filter((test) => known.get(test)?.digest !== digests.get(test));
  if (options.isComplete && missing.length > 0) {
    options.log(`Runs ${missing.length} of ${tests.length} test files once, to see what each calls.`);
    for await (const entries of runForCoverage(root, missing, options)) {
      for (const entry of entries) known.set(entry.test, { ...entry, digest: digests.get(entry.test) ?? '' });
      writeFileSync(file, JSON.stringify([...known]));
    }
  }
  return new TestMap(
    [...known.values()].filter(({ test }) => digests.has(test)),
    options.importersOf,
  );
}

/** What each of these test files called. One that fails without any mutant is left out: it could not tell a mutant. */
async function* runForCoverage(
  root: string,
  tests: readonly string[],
  { environment, signal, log }: MapOptions,
): AsyncGenerator<CalledFunctions[]> {
  const directory = join(root, '.mutate-coverage');
  const runner = new TestRunner(root, { ...environment, MUTATE_COVERAGE: directory });
  await runner.start();
  for (let at = 0; at < tests.length && !signal.aborted; at += batchSize) {
    mkdirSync(directory, { recursive: true });
    const ended = await runner.run(tests.slice(at, at + batchSize), signal);
    if (ended === undefined) return;
    for (const failure of ended.failures) log(`fails without a mutant  ${failure}`);
    const entries = readdirSync(directory).map(
      (name) => JSON.parse(readFileSync(join(directory, name), 'utf8')) as CalledFunctions,
    );
    rmSync(directory, { recursive: true });
    const passed = new Set(ended.passed);
    yield mergeCalled(entries).filter(({ test }) => passed.has(test));
  }
  await runner.stop();
}

/** One entry for each test file: what it called itself, and in its threads and programs. */
export function mergeCalled(entries: readonly CalledFunctions[]): CalledFunctions[] {
  return [...Map.groupBy(entries, ({ test }) => test)].map(([test, ofTest]) => {
    const byFile = Map.groupBy(
      ofTest.flatMap(({ files }) => Object.entries(files)),
      ([file]) => file,
    );
    const files = [...byFile].map(([file, called]) => [file, mergeInFile(called.map(([, one]) => one))]);
    return { test, ms: Math.max(...ofTest.map(({ ms }) => ms)), files: Object.fromEntries(files) };
  });
}

/** A part is unreached if it is so for all. */
function mergeInFile(called: readonly CalledInFile[]): CalledInFile {
  const [first, ...others] = called;
  if (others.length === 0) return first!;
  const keys = others.map(({ unreached }) => new Set(unreached.map(String)));
  return {
    functions: [...new Set(called.flatMap(({ functions }) => functions))],
    source: first!.source,
    unreached: first!.unreached.filter((part) => keys.every((own) => own.has(String(part)))),
  };
}
