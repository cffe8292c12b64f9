// How ways of doing one thing are timed beside each other in one process: in turns, warm, with the garbage gone. Knows not
// what they do.

import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

export interface TimedImplementation {
  readonly name: string;
  /** Answers with all it has made: while nothing of a kind is alive, a collection throws away the code compiled for it. */
  run(): unknown;
}

export interface Timing {
  readonly name: string;
  /** Of one run, one for each round it took part in. */
  readonly samples: readonly TimingSample[];
}

export interface TimingSample {
  readonly wallMs: number;
  /** Processor time of all threads, so that of the collector too: where others use the machine, it tells more. */
  readonly processorMs: number;
}

/** What was measured of one task at one size. */
export interface EngineMeasurement {
  readonly task: string;
  readonly size: number;
  readonly timings: readonly Timing[];
  readonly memory?: readonly MemoryUse[];
}

export interface MemoryUse {
  readonly name: string;
  /** What the ledger holds, as this way reads it, and what it keeps of each position and lot. */
  readonly inputBytes: number;
  readonly stateBytes: number;
}

export interface TimeBudget {
  readonly rounds: number;
  /** A way that has used so much leaves out the rounds that are left. */
  readonly implementationMsMax: number;
}

/** Quick ways are repeated within a sample until it is so long. */
const sampleMsMin = 30;
const warmUpMs = 300;
/** A way quicker than this runs once between the collection and the clock. */
const quickMs = 300;

setFlagsFromString('--expose-gc');
const collect = runInNewContext('gc') as () => void;

export function collectGarbage(): void {
  collect();
  collect();
}

/** The ways take turns, and who begins changes. */
export function timeInTurns(
  implementations: readonly TimedImplementation[],
  { rounds, implementationMsMax }: TimeBudget,
): Timing[] {
  const timed = implementations.map((implementation) => ({
    implementation,
    ...warmUp(implementation),
    samples: [] as TimingSample[],
    usedMs: 0,
  }));
  for (let round = 0; round < rounds; round++) {
    for (const one of round % 2 === 0 ? timed : timed.toReversed()) {
      if (one.usedMs > implementationMsMax) continue;
      const { wallMs, processorMs } = sampleOf(one);
      one.samples.push({ wallMs: wallMs / one.times, processorMs: processorMs / one.times });
      one.usedMs += wallMs;
    }
  }
  return timed.map(({ implementation, samples }) => ({ name: implementation.name, samples }));
}

interface WarmedUp {
  /** How often it has to run for one sample. */
  readonly times: number;
  readonly runMs: number;
  readonly lastResult: unknown;
}

function warmUp(implementation: TimedImplementation): WarmedUp {
  let runMs = 0;
  let lastResult: unknown;
  const began = performance.now();
  do {
    const before = performance.now();
    lastResult = implementation.run();
    runMs = performance.now() - before;
  } while (performance.now() - began < warmUpMs);
  return { times: Math.max(1, Math.ceil(sampleMsMin / runMs)), runMs, lastResult };
}

function sampleOf({
  implementation,
  times,
  runMs,
}: WarmedUp & { readonly implementation: TimedImplementation }): TimingSample {
  collectGarbage();
  if (runMs < quickMs) implementation.run();
  return measureRun(() => {
    for (let time = 0; time < times; time++) implementation.run();
  }).sample;
}

function measureRun<T>(run: () => T): { readonly answer: T; readonly sample: TimingSample } {
  const [began, used] = [performance.now(), process.cpuUsage()];
  const answer = run();
  const wallMs = performance.now() - began;
  const { user, system } = process.cpuUsage(used);
  return { answer, sample: { wallMs, processorMs: (user + system) / 1_000 } };
}

/** For what takes many seconds: one cold run, and what it answered. */
export function timeOnce<T>(name: string, run: () => T): { readonly answer: T; readonly timing: Timing } {
  collectGarbage();
  const { answer, sample } = measureRun(run);
  return { answer, timing: { name, samples: [sample] } };
}

/** Bytes that what is made holds, in objects and in buffers. */
export function retainedBytes<T>(make: () => T): { readonly made: T; readonly bytes: number } {
  collectGarbage();
  const before = usedBytes();
  const made = make();
  collectGarbage();
  return { made, bytes: usedBytes() - before };
}

function usedBytes(): number {
  const { heapUsed, external } = process.memoryUsage();
  return heapUsed + external;
}

export function median(values: readonly number[]): number {
  const sorted = values.toSorted((one, other) => one - other);
  const middle = sorted.length >> 1;
  return sorted.length % 2 === 1 ? sorted[middle]! : (sorted[middle - 1]! + sorted[middle]!) / 2;
}
