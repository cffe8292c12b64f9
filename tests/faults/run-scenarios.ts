// Runs scenarios, each with numbers of its own from the seed, and collects what they found. Those whose figures are published run one
// after the other; else two run side by side in the short form, since each waits for its nodes for much of its time.

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
  /** Whether the figures are written to docs/proof.md. */
  readonly isPublished: boolean;
  print(line: string): void;
  /** Called as each scenario ends. */
  onResult(result: ScenarioResult): Promise<void>;
}

/** The same for the same seed, whichever other scenarios run. */
function seedOf(seed: number, name: string): number {
  return [...name].reduce((sum, letter) => (Math.imul(sum, 31) + (letter.codePointAt(0) ?? 0)) | 0, seed);
}

export async function runScenarios(scenarios: readonly Scenario[], options: RunOptions): Promise<ScenarioResult[]> {
  const results = new Map<Scenario, ScenarioResult>();
  const waiting = [...scenarios];
  const report = async (scenario: Scenario, result: ScenarioResult): Promise<void> => {
    results.set(scenario, result);
    await options.onResult(result);
  };
  const runLane = async (): Promise<void> => {
    const lane = openLane(options);
    for (let next = waiting.shift(); next !== undefined; next = waiting.shift())
      await report(next, await runScenario(next, options, lane));
    await lane.stopServer();
  };
  try {
    await Promise.all(Array.from({ length: options.length === 'short' && !options.isPublished ? 2 : 1 }, runLane));
  } finally {
    await abandonScenarios();
  }
  return scenarios.flatMap((scenario) => results.get(scenario) ?? []);
}

/** The scenarios of a lane follow each other on one database server, which some of them kill. */
interface Lane {
  getServer(): Promise<DatabaseServer>;
  stopServer(): Promise<void>;
}

const lanes = new Set<Lane>();
const running = new Set<ScenarioContext>();

function openLane({ length }: RunOptions): Lane {
  let server: Promise<DatabaseServer> | undefined;
  const lane: Lane = {
    // On a disk where figures are published; in memory, if there is room, where it must be quick.
    getServer: () => (server ??= DatabaseServer.start({ disk: length === 'long' ? 'real' : 'memory' })),
    async stopServer() {
      lanes.delete(lane);
      const started = server;
      server = undefined;
      await (await started)?.stop();
    },
  };
  lanes.add(lane);
  return lane;
}

/** Ends what the scenarios that are running have started. */
export async function abandonScenarios(): Promise<void> {
  await Promise.all([...running].map((context) => context.cleanUp()));
  await Promise.all([...lanes].map((lane) => lane.stopServer()));
}

function openContext(name: string, { seed, length, remote, minutes, print }: RunOptions, lane: Lane): ScenarioContext {
  const context = new ScenarioContext({
    random: randomNumbers(seedOf(seed, name)),
    length,
    remote,
    minutes,
    getServer: () => lane.getServer(),
    print: (line) => print(`${name}: ${line}`),
  });
  running.add(context);
  return context;
}

/** Runs the soak on a server of its own. */
export async function soakOnce(options: RunOptions, soak: SoakOptions): Promise<SoakResult> {
  const ownOptions = { ...options, length: 'long' } as const;
  const context = openContext('soak', ownOptions, openLane(ownOptions));
  try {
    return await runSoak(context, soak);
  } finally {
    await abandonScenarios();
  }
}

async function runScenario(scenario: Scenario, options: RunOptions, lane: Lane): Promise<ScenarioResult> {
  const context = openContext(scenario.name, options, lane);
  context.print(scenario.does);
  const began = performance.now();
  let figures: Figures = {};
  try {
    figures = await scenario.run(context);
  } catch (error) {
    context.check(false, `it could not be finished: ${error instanceof Error ? error.stack : String(error)}`);
  } finally {
    await context.cleanUp();
    running.delete(context);
  }
  const seconds = Math.round((performance.now() - began) / 100) / 10;
  const listed = Object.entries(figures).map(([name, value]) => `${name} ${value}`);
  context.print(`${context.broken.length === 0 ? 'held' : 'DID NOT HOLD'} in ${seconds} s: ${listed.join(', ')}`);
  return { scenario, figures, broken: context.broken, seconds };
}
