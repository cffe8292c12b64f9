// Writes the figures as a page: medians of the rounds, with minimum and maximum for the important ratios.

import { machine } from '../http-load.ts';
import type { Scenario, Contender } from './scenarios.ts';

export interface ScenarioSample {
  readonly wallMs: number;
  /** Processor time per request. */
  readonly serverMicroseconds: number;
  readonly databaseMicroseconds: number;
}

export interface ScenarioMeasurement {
  readonly scenario: Scenario;
  /** The samples of each contender, one per round. */
  readonly samples: ReadonlyMap<Contender, readonly ScenarioSample[]>;
}

export interface BenchExtent {
  readonly rounds: number;
  readonly accounts: number;
}

type Figure = (sample: ScenarioSample) => number;

const wall: Figure = ({ wallMs }) => wallMs;
const server: Figure = ({ serverMicroseconds }) => serverMicroseconds;
const ofDatabase: Figure = ({ databaseMicroseconds }) => databaseMicroseconds;
const both: Figure = (sample) => server(sample) + ofDatabase(sample);

function median(values: readonly number[]): number {
  return values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)]!;
}

function withSpread(values: readonly number[], digits: number): string {
  const [least, greatest] = [Math.min(...values), Math.max(...values)].map((value) => value.toFixed(digits));
  return `${median(values).toFixed(digits)} (${least}–${greatest})`;
}

/** Compares each round with the same round of the other contender. */
function ratio(one: readonly ScenarioSample[], other: readonly ScenarioSample[], figure: Figure): string {
  if (one === other) return '1';
  return withSpread(
    one.map((sample, round) => figure(sample) / figure(other[round]!)),
    2,
  );
}

function table({ scenario, samples }: ScenarioMeasurement): string {
  const [sql, fastify] = [samples.get(scenario.contenders[0])!, samples.get(scenario.contenders[1])!];
  const rows = scenario.contenders.map((contender) => {
    const own = samples.get(contender)!;
    const cells = [
      withSpread(own.map(wall), 0),
      ratio(own, sql, wall),
      ratio(own, fastify, wall),
      median(own.map(server)).toFixed(0),
      ratio(own, fastify, server),
      median(own.map(ofDatabase)).toFixed(0),
      ratio(own, fastify, ofDatabase),
      ratio(own, fastify, both),
    ];
    return `| ${contender.name} | ${cells.join(' | ')} |`;
  });
  return `## ${scenario.title}

| | wall ms | × plain SQL | × bare Fastify | server µs a request | × bare Fastify | database µs a request | × bare Fastify | both, × bare Fastify |
|---|---|---|---|---|---|---|---|---|
${rows.join('\n')}
`;
}

export function report(measured: readonly ScenarioMeasurement[], { rounds, accounts }: BenchExtent): string {
  return `# bench/structure

Median of ${rounds} rounds in which the implementations take turns, (minimum–maximum) in parentheses; ratios compare the same round. Each listed
account has a custodian and 1 to 3 depositories, and there are ${accounts} other accounts. Plain SQL uses the same driver on the same tables,
as their owner, without row-level security: one query for the list, one by key for each page, and for a new account BEGIN, the legal entity FOR
KEY SHARE, the account, its audit line, COMMIT. Wall time covers the whole run; "server" is the processor time of the server process, and the database's is in its own
column. The load comes from another process on the same machine.

${machine()}

${measured.map(table).join('\n')}`;
}
