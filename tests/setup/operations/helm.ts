// Renders the chart with Helm, which `HELM` names, as the values of the example begin.

import { spawnSync } from 'node:child_process';
import { parseAllDocuments } from 'yaml';

const helm = process.env['HELM'] ?? 'helm';
const chart = 'deploy/helm/holdfast';

export interface Manifest {
  readonly kind: string;
  readonly metadata: {
    readonly name: string;
    readonly labels: Readonly<Record<string, string>>;
    readonly annotations?: Readonly<Record<string, string>>;
  };
  // The test reads of each kind what it has.
  readonly spec: never;
}

interface Run {
  readonly status: number | null;
  readonly output: string;
}

function runHelm(words: readonly string[], values: object): Run {
  const files = ['--values', 'deploy/helm/example.yaml', '--values', '-'];
  const { error, status, stdout, stderr } = spawnSync(helm, [...words, ...files], {
    input: JSON.stringify(values),
    encoding: 'utf8',
  });
  if (error !== undefined) throw error;
  return { status, output: status === 0 ? stdout : stderr };
}

/** What is wrong with the chart for these values, beside those of the example; empty if nothing. */
export function chartComplaints(values: object): string {
  const { status, output } = runHelm(['lint', '--strict', chart], values);
  return status === 0 ? '' : output;
}

export function renderChart(values: object): readonly Manifest[] {
  const { status, output } = runHelm(['template', 'office', chart, '--namespace', 'wealth'], values);
  if (status !== 0) throw new Error(output);
  return parseAllDocuments(output).map((document) => document.toJS() as Manifest);
}
