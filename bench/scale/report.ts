// Writes the unit costs of each size as a page, with ratios to the smallest.

import { machine } from '../http-load.ts';

/** Milliseconds, but for what says otherwise. */
export type UnitCosts = Readonly<Record<string, number>>;

export interface ScaleFigures {
  readonly name: string;
  readonly costs: UnitCosts;
}

interface ScaleReport {
  readonly figures: readonly ScaleFigures[];
  readonly workspaces: number;
  readonly transactions: number;
  readonly requests: number;
  readonly load: number;
}

function cell(cost: number, first: number): string {
  return `${cost.toFixed(2)} | ${(cost / first).toFixed(2)}`;
}

export function reportScale({ figures, workspaces, transactions, requests, load }: ScaleReport): string {
  const [smallest, ...others] = figures;
  const units = Object.keys(smallest?.costs ?? {});
  const header = ['', smallest?.name, ...others.flatMap(({ name }) => [name, '×'])].join(' | ');
  const line = (unit: string): string => {
    const first = smallest?.costs[unit] ?? Number.NaN;
    const cells = others.map(({ costs }) => cell(costs[unit] ?? Number.NaN, first));
    return `| ${[unit, first.toFixed(2), ...cells].join(' | ')} |`;
  };
  return `# bench/scale

What one unit of work costs as a workspace grows, in milliseconds: the median of ${requests} requests, one after the other, on a node of its own.
Clients are in a tree in which each has four below it, with ${transactions} transactions each. "One branch" is a token that is bound to one of the
last clients that have others below them.${workspaces === 0 ? '' : ` The last column adds ${workspaces} workspaces that nobody uses.`}
A round is that of one client when a price arrives that all clients hold, warm: from the first that begins to the last that ends, divided by their number; processor time leaves out what an idle node and its database use.

${machine()} Load average at the end: ${load.toFixed(1)}.

| ${header} |
|${'---|'.repeat(2 + 2 * others.length)}
${units.map(line).join('\n')}
`;
}
