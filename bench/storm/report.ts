// Writes the results of the storm benchmark.

import { machine } from '../http-load.ts';

/** Milliseconds, in ascending order. */
export interface Times {
  readonly alone: readonly number[];
  readonly besideStorm: readonly number[];
}

export interface StormResults {
  readonly requests: number;
  readonly clientsOfStorm: number;
  readonly listConnections: number;
  /** The load of the machine before the benchmark began. */
  readonly loadBefore: number;
  readonly limits: { readonly bounded: Times; readonly unbounded: Times };
  readonly scenarios: readonly { readonly name: string; readonly times: Times }[];
}

function quantile(times: readonly number[], share: number): number {
  return times[Math.min(times.length - 1, Math.floor(times.length * share))]!;
}

function cellsOf({ alone, besideStorm }: Times, shares: readonly number[]): string {
  const figures = shares.flatMap((share) => {
    const [before, during] = [quantile(alone, share), quantile(besideStorm, share)];
    return [before, during, during / before];
  });
  return figures.map((figure) => figure.toFixed(1)).join(' | ');
}

export function writeReport(results: StormResults): string {
  const { requests, clientsOfStorm, listConnections, loadBefore, limits, scenarios } = results;
  return `# bench/storm

One node, one process; the storm comes from another process on the same machine, which shares its processors with the node, the database and
the neighbour. Milliseconds.

${machine()} Load of the machine before: ${loadBefore.toFixed(2)}.

## A neighbour beside three storms

A neighbour sends one small request after another, up to ${requests}, alone and while one workspace storms. Its 99th percentile should stay within 3 × of its own.

| storm; what the neighbour does | 99 % alone | during the storm | × | median alone | during the storm | × | requests |
|---|---|---|---|---|---|---|---|
${scenarios.map(({ name, times }) => `| ${name} | ${cellsOf(times, [0.99, 0.5])} | ${times.besideStorm.length} |`).join('\n')}

## Limits on concurrent work

One tenant reads one client, ${requests} in a row, while another tenant lists ${clientsOfStorm} clients over ${listConnections} connections without pause.

| limits on concurrent work | median alone | during the storm | × | 95 % alone | during the storm | × |
|---|---|---|---|---|---|---|
| default (8 per tenant, 1 heavy) | ${cellsOf(limits.bounded, [0.5, 0.95])} |
| none | ${cellsOf(limits.unbounded, [0.5, 0.95])} |
`;
}
