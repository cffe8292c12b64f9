// The soak: a mixed load at a stated rate for a long time on a large ledger. Says whether memory, connections, file handles and latency stay level.

import { randomNumbers } from '../../../bench/engine/ledger/random-numbers.ts';
import { LocalDeployment } from '../deployment/local-deployment.ts';
import { ApiClient } from '../load/api-client.ts';
import type { ScenarioContext } from '../scenario.ts';
import { pause } from '../waiting.ts';
import { judgeLevels, type LevelFinding } from './levels.ts';
import { MixedLoad } from './mixed-load.ts';
import { takeSample, type SoakSample } from './sample.ts';
import { seedSoak } from './seed.ts';

export interface SoakOptions {
  readonly minutes: number;
  readonly transactions: number;
  readonly entities: number;
  /** Requests a second. */
  readonly rate: number;
}

export interface SoakResult extends SoakOptions {
  readonly samples: readonly SoakSample[];
  readonly levels: readonly LevelFinding[];
  readonly requests: number;
  readonly failures: readonly string[];
  /** Requests that the rate asked for and that were not sent, since too many were in flight. */
  readonly notSent: number;
}

/** At least sixteen samples, so that each quarter has four; one a minute in an hour. */
function intervalSecondsOf(minutes: number): number {
  return Math.min(60, Math.max(5, (minutes * 60) / 16));
}

export async function runSoak(context: ScenarioContext, options: SoakOptions): Promise<SoakResult> {
  const server = await context.getServer();
  const databaseUrl = await server.createDatabase();
  // One thread for reports and rounds: the usual number on two processors.
  const deployment = await LocalDeployment.start({ databaseUrl, nodes: 1, program: 'main' });
  context.defer(() => deployment.stop());
  const node = deployment.nodeAt(0);
  const api = new ApiClient({ ...deployment.target, address: node.address });
  const began = performance.now();
  const families = await seedSoak(api, options, context.print);
  context.print(`seeded in ${((performance.now() - began) / 1_000).toFixed(0)} s`);
  const load = new MixedLoad({
    api,
    families,
    rate: options.rate,
    random: randomNumbers(context.random.between(1, 2 ** 30)),
  });
  load.start();
  const samples: SoakSample[] = [];
  const intervalSeconds = intervalSecondsOf(options.minutes);
  const count = Math.round((options.minutes * 60) / intervalSeconds);
  for (let index = 0; index < count; index++) {
    await pause(intervalSeconds * 1_000);
    const seconds = Math.round((index + 1) * intervalSeconds);
    const sample = await takeSample({ node, databaseUrl, seconds, times: load.takeTimes() });
    samples.push(sample);
    context.print(`${describeSample(sample)}`);
  }
  await load.stop();
  const { sent: requests, failures, notSent } = load;
  return { ...options, samples, levels: judgeLevels(samples), requests, failures, notSent };
}

function describeSample(sample: SoakSample): string {
  const { seconds, rssMb, heapMb, connections, fileHandles, requests, p50Ms, p95Ms, p99Ms } = sample;
  const [p50, p95, p99] = [p50Ms, p95Ms, p99Ms].map((time) => time.toFixed(0));
  return `${seconds} s: RSS ${rssMb} MB, heap ${heapMb} MB, ${connections} connections, ${fileHandles} file handles, ${requests} requests, p50 ${p50}, p95 ${p95}, p99 ${p99} ms`;
}
