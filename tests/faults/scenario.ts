// What a fault scenario is: what it does to the service, what must hold, and a run that returns figures.

import type { RandomNumbers } from '../../bench/engine/ledger/random-numbers.ts';
import type { DatabaseServer } from './deployment/database-server.ts';

export type Figures = Readonly<Record<string, number | string>>;

/** Short runs with every change; long runs take an hour and are published. */
export type RunLength = 'short' | 'long';

export interface Scenario {
  readonly name: string;
  /** What is done to the service. */
  readonly does: string;
  /** What must hold, whatever the seed. */
  readonly holds: readonly string[];
  /** `http`: it can also be run against a deployment that this program did not start. */
  readonly needs: 'own-nodes' | 'http';
  run(context: ScenarioContext): Promise<Figures>;
}

/** A deployment that this program did not start. */
export interface RemoteTarget {
  readonly address: string;
  readonly clientId: string;
  readonly clientSecret: string;
}

interface ContextParts {
  readonly random: RandomNumbers;
  readonly length: RunLength;
  readonly remote?: RemoteTarget | undefined;
  readonly minutes?: number | undefined;
  /** The server that scenarios share; each has a database of its own on it. */
  getServer(): Promise<DatabaseServer>;
  print(line: string): void;
}

export class ScenarioContext {
  readonly random: RandomNumbers;
  readonly length: RunLength;
  readonly remote: RemoteTarget | undefined;
  /** How long the caller wants it to run, where that can be chosen. */
  readonly minutes: number | undefined;
  readonly print: (line: string) => void;
  readonly getServer: () => Promise<DatabaseServer>;
  readonly #broken: string[] = [];
  readonly #cleanUps: (() => unknown)[] = [];

  constructor({ random, length, remote, minutes, getServer, print }: ContextParts) {
    this.random = random;
    this.length = length;
    this.remote = remote;
    this.minutes = minutes;
    this.getServer = getServer;
    this.print = print;
  }

  /** What did not hold. */
  get broken(): readonly string[] {
    return this.#broken;
  }

  pick<T>(choices: Readonly<Record<RunLength, T>>): T {
    return choices[this.length];
  }

  /** Records what did not hold, and goes on. */
  check(holds: boolean, otherwise: string): void {
    if (holds) return;
    this.#broken.push(otherwise);
    this.print(`did not hold: ${otherwise}`);
  }

  /** Runs at the end of the scenario, the last one first. */
  defer(cleanUp: () => unknown): void {
    this.#cleanUps.push(cleanUp);
  }

  async cleanUp(): Promise<void> {
    for (let one = this.#cleanUps.pop(); one !== undefined; one = this.#cleanUps.pop()) {
      try {
        await one();
      } catch (error) {
        this.print(`could not be cleaned up: ${String(error)}`);
      }
    }
  }
}
