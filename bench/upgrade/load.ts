// Reads and books without pause on whichever nodes are there, and remembers how long each took in which phase, and what failed.

import { randomUUID } from 'node:crypto';
import type { Fixture } from './fixture.ts';

export interface PhaseFigures {
  readonly requests: number;
  readonly failed: readonly string[];
  readonly medianMs: number;
  readonly longestMs: number;
}

interface Outcome {
  readonly phase: string;
  readonly ms: number;
  readonly failure: string | undefined;
}

export class UpgradeLoad {
  readonly #fixture: Fixture;
  readonly #outcomes: Outcome[] = [];
  readonly #workers: Promise<void>[];
  #isOver = false;
  /** Nodes are added and taken away as an upgrade goes on, as a proxy does it. */
  addresses: readonly string[];
  phase = 'old node';
  booked = 0;

  constructor(address: string, fixture: Fixture) {
    this.addresses = [address];
    this.#fixture = fixture;
    this.#workers = [this.#read(0), this.#read(1), this.#book(0), this.#book(1)];
  }

  /** Waits for requests in flight. */
  async stop(): Promise<void> {
    this.#isOver = true;
    await Promise.all(this.#workers);
  }

  figures(): Map<string, PhaseFigures> {
    const phases = Map.groupBy(this.#outcomes, ({ phase }) => phase);
    return new Map(
      [...phases].map(([phase, outcomes]) => {
        const sorted = outcomes.map(({ ms }) => ms).toSorted((a, b) => a - b);
        const failed = outcomes.flatMap(({ failure }) => failure ?? []);
        const medianMs = sorted[Math.floor(sorted.length / 2)] ?? 0;
        return [phase, { requests: outcomes.length, failed, medianMs, longestMs: sorted.at(-1) ?? 0 }];
      }),
    );
  }

  async #read(turn: number): Promise<void> {
    const paths = [`holdings?reporting_entity_id=${this.#fixture.entityId}&by=class`, 'transactions?limit=50'];
    for (let count = turn; !this.#isOver; count++) await this.#send(count, paths[count % paths.length]!);
  }

  async #book(turn: number): Promise<void> {
    const body = JSON.stringify({
      type: 'deposit',
      date: '2026-01-05',
      account_id: this.#fixture.accountId,
      amount: '1',
    });
    for (let count = turn; !this.#isOver; count++) if (await this.#send(count, 'transactions', body)) this.booked += 1;
  }

  async #send(count: number, path: string, body?: string): Promise<boolean> {
    const { phase } = this;
    const address = this.addresses[count % this.addresses.length]!;
    const headers = {
      authorization: `Bearer ${this.#fixture.token}`,
      ...(body === undefined ? {} : { 'content-type': 'application/json', 'idempotency-key': randomUUID() }),
    };
    const began = performance.now();
    const failure = await fetch(
      `${address}/v1/${path}`,
      body === undefined ? { headers } : { method: 'POST', headers, body },
    ).then(
      async (answer) => {
        const text = await answer.text();
        return answer.ok ? undefined : `${answer.status} ${text.slice(0, 200)}`;
      },
      (error: Error) => error.message,
    );
    this.#outcomes.push({ phase, ms: performance.now() - began, failure });
    return failure === undefined;
  }
}
