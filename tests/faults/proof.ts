// Writes the figures into docs/proof.md: each scenario replaces its own part as it ends, and the text around the parts stays. So a run that is
// interrupted, or of some scenarios only, leaves the others with the figures of their last run.

import { readFile, writeFile } from 'node:fs/promises';
import { machine } from '../../bench/http-load.ts';
import type { ScenarioResult } from './run-scenarios.ts';
import { mix } from './soak/mixed-load.ts';
import type { SoakResult } from './soak/soak.ts';

const file = new URL('../../docs/proof.md', import.meta.url);

/** The name of a scenario, or the soak. */
type Part = string;

/** Replaces what stands between the two comments of a part. */
function replacePart(document: string, part: Part, text: string): string {
  const [begin, end] = [`<!-- ${part} -->`, `<!-- end of ${part} -->`];
  const [from, to] = [document.indexOf(begin), document.indexOf(end)];
  if (from < 0 || to < from) throw new Error(`docs/proof.md has no part for ${part}.`);
  return `${document.slice(0, from + begin.length)}\n\n${text.trim()}\n\n${document.slice(to)}`;
}

export async function writeProof(part: Part, text: string): Promise<void> {
  await writeFile(file, replacePart(await readFile(file, 'utf8'), part, text));
}

/** Times depend on what else the machine does. */
function loadText(loadBefore: number): string {
  return `Load of the machine before: ${loadBefore.toFixed(1)}.`;
}

interface RunDescription {
  readonly seed: number;
  readonly length: string;
  readonly loadBefore: number;
}

export function scenarioText(
  { scenario, figures, broken, seconds }: ScenarioResult,
  { seed, length, loadBefore }: RunDescription,
): string {
  const rows = Object.entries(figures).map(([name, value]) => `| ${name} | ${value} |`);
  const verdict = broken.length === 0 ? 'Held' : `**Did not hold**: ${broken.join('; ')}`;
  return `### ${scenario.name}

${scenario.does}

${scenario.holds.map((one) => `- ${one}`).join('\n')}

${verdict}, in ${Math.round(seconds)} s, in the ${length} form with the seed ${seed}. ${machine()} ${loadText(loadBefore)}

| figure | |
|---|---|
${rows.join('\n')}`;
}

const figureNames = {
  rssMb: 'memory (RSS), MB',
  heapMb: 'heap, MB',
  connections: 'connections to the database',
  fileHandles: 'file handles',
  p50Ms: 'median latency, ms',
  p95Ms: '95th percentile, ms',
} as const;

export function soakText(result: SoakResult, loadBefore: number): string {
  const { minutes, transactions, entities, rate, samples, levels, requests, failures, notSent } = result;
  const kinds = Object.entries(mix).map(([kind, share]) => `${kind} ${share} %`);
  const levelRows = levels.map(
    ({ figure, secondQuarter, lastQuarter, growthMax, isLevel }) =>
      `| ${figureNames[figure]} | ${secondQuarter.toFixed(0)} | ${lastQuarter.toFixed(0)} | ${growthMax * 100} % | ${isLevel ? 'level' : '**not level**'} |`,
  );
  const sampleRows = samples.map((one) =>
    [
      one.seconds,
      one.rssMb,
      one.heapMb,
      one.connections,
      one.fileHandles,
      one.requests,
      ...[one.p50Ms, one.p95Ms, one.p99Ms].map((time) => time.toFixed(0)),
    ].join(' | '),
  );
  return `${machine()} ${loadText(loadBefore)}

${minutes} minutes on ${transactions.toLocaleString('en')} transactions of ${entities} reporting entities, one node, ${rate} requests a second (${kinds.join(', ')}): ${requests} requests, ${failures.length} failed, ${notSent} not sent because too many were in flight.

A figure is level if its median in the last quarter is at most so much above that in the second quarter; in the first, caches fill and connections open.

| figure | second quarter | last quarter | at most | |
|---|---|---|---|---|
${levelRows.join('\n')}

| after s | RSS, MB | heap, MB | connections | file handles | requests | p50, ms | p95, ms | p99, ms |
|---|---|---|---|---|---|---|---|---|
${sampleRows.map((row) => `| ${row} |`).join('\n')}`;
}
