// Runs scenarios one after the other, each with numbers of its own from the seed, and collects what they found.

import { randomNumbers } from '../../bench/engine/ledger/random-numbers.ts';
import { DatabaseServer } from './deployment/database-server.ts';
import { ScenarioContext, type Figures, type RemoteTarget, type RunLength, type Scenario } from './scenario.ts';
import { runSoak, type SoakOptions, type SoakResult } from './soak/soak.ts';

export interface ScenarioResult {
  readonly scenario: Scenario;
  readonly figures: Figures;
  /** What did not hold. */
  readonly broken: readonly string[];
  readonly seconds: number;
}

export interface RunOptions {
  readonly seed: number;
  readonly length: RunLength;
  readonly remote?: RemoteTarget | undefined;
  readonly minutes?: number | undefined;
  print(line: string): void;
}

/** The same for the same seed, whichever other scenarios run. */
function seedOf(seed: number, name: string): number {
  return [...name].reduce((sum, letter) => (Math.imul(sum, 31) + (letter.codePointAt(0) ?? 0)) | 0, seed);
}

export async function runScenarios(scenarios: readonly Scenario[], options: RunOptions): Promise<ScenarioResult[]> {
  const results: ScenarioResult[] = [];
  try {
    for (const scenario of scenarios) results.push(await runScenario(scenario, options));
  } finally {
    await stopServer();
  }
  return results;
}

let running: ScenarioContext | undefined;
let server: Promise<DatabaseServer> | undefined;

/** Ends what the scenario that is running has started. */
export async function abandonScenarios(): Promise<void> {
  await running?.cleanUp();
  await stopServer();
}

async function stopServer(): Promise<void> {
  const started = server;
  server = undefined;
  await (await started)?.stop();
}

function openContext(name: string, { seed, length, remote, minutes, print }: RunOptions): ScenarioContext {
  running = new ScenarioContext({
    random: randomNumbers(seedOf(seed, name)),
    length,
    remote,
    minutes,
    // On a disk where figures are published; in memory, if there is room, where it must be quick.
    getServer: () => (server ??= DatabaseServer.start({ disk: length === 'long' ? 'real' : 'memory' })),
    print,
  });
  return running;
}

/** Runs the soak on a server of its own. */
export async function soakOnce(options: RunOptions, soak: SoakOptions): Promise<SoakResult> {
  const context = openContext('soak', { ...options, length: 'long' });
  try {
    return await runSoak(context, soak);
  } finally {
    await abandonScenarios();
  }
}

async function runScenario(scenario: Scenario, options: RunOptions): Promise<ScenarioResult> {
  const { print } = options;
  const context = openContext(scenario.name, options);
  print(`${scenario.name}: ${scenario.does}`);
  const began = performance.now();
  let figures: Figures = {};
  try {
    figures = await scenario.run(context);
  } catch (error) {
    context.check(false, `it could not be finished: ${error instanceof Error ? error.stack : String(error)}`);
  } finally {
    await context.cleanUp();
  }
  const seconds = Math.round((performance.now() - began) / 100) / 10;
  const listed = Object.entries(figures).map(([name, value]) => `${name} ${value}`);
  print(`  ${context.broken.length === 0 ? 'held' : 'DID NOT HOLD'} in ${seconds} s: ${listed.join(', ')}`);
  return { scenario, figures, broken: context.broken, seconds };
}
