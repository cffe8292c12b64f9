// Times several implementations of one task in one process: in turns, after a warm-up, with garbage collected before each sample.

import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

export interface TimedImplementation {
  readonly name: string;
  /**
   * Returns everything it has created: when no object of a shape is alive, garbage collection discards the code compiled for it.
   */
  run(): unknown;
}

export interface Timing {
  readonly name: string;
  /** The time of one run, one sample for each round it took part in. */
  readonly samples: readonly TimingSample[];
}

export interface TimingSample {
  readonly wallMs: number;
  /** Processor time of all threads, including garbage collection: more reliable than wall time on a busy machine. */
  readonly processorMs: number;
}

/** The measurements of one task at one size. */
export interface EngineMeasurement {
  readonly task: string;
  readonly size: number;
  readonly timings: readonly Timing[];
  readonly memory?: readonly MemoryUse[];
}

export interface MemoryUse {
  readonly name: string;
  /** The memory of the ledger as this implementation reads it, and of what it keeps for each position and lot. */
  readonly inputBytes: number;
  readonly stateBytes: number;
}

export interface TimeBudget {
  readonly rounds: number;
  /** An implementation that has used more than this skips the remaining rounds. */
  readonly implementationMsMax: number;
}

/** Quick implementations are repeated within a sample until it takes this long. */
const sampleMsMin = 30;
const warmUpMs = 300;
/** An implementation faster than this runs one extra time between garbage collection and the measurement. */
const quickMs = 300;

setFlagsFromString('--expose-gc');
const collect = runInNewContext('gc') as () => void;

export function collectGarbage(): void {
  collect();
  collect();
}

/** The implementations take turns, and a different one begins each round. */
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
  /** The number of runs in one sample. */
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

/** For tasks that take many seconds: one cold run, and its result. */
export function timeOnce<T>(name: string, run: () => T): { readonly answer: T; readonly timing: Timing } {
  collectGarbage();
  const { answer, sample } = measureRun(run);
  return { answer, timing: { name, samples: [sample] } };
}

/** The bytes that the result of `make` retains, in objects and in buffers. */
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
