// Writes the figures as a page and compares them with the targets. Ratios are of medians; figures in processor time say so.

import type { CliOutcome, CliRun } from './command-line/peers.ts';
import { median, type EngineMeasurement, type TimingSample, type Timing } from './harness.ts';
import { lotsTask, implementationNames } from './implementation-names.ts';

export interface Results {
  readonly machine: string;
  /** The load average over one minute, at the start and at the end. */
  readonly load: readonly [number, number];
  readonly measured: readonly EngineMeasurement[];
  readonly commandLine: CliOutcome;
}

function wall({ samples }: Timing): number {
  return median(samples.map(({ wallMs }) => wallMs));
}

function processor({ samples }: Timing): number {
  return median(samples.map(({ processorMs }) => processorMs));
}

function digits(value: number): string {
  return value.toPrecision(3).includes('e') ? value.toFixed(0) : Number(value.toPrecision(3)).toString();
}

function withSpread(samples: readonly TimingSample[]): string {
  const walls = samples.map(({ wallMs }) => wallMs);
  const [least, greatest] = [Math.min(...walls), Math.max(...walls)];
  return `${digits(median(walls))} (${digits(least)}–${digits(greatest)})`;
}

function timingOf({ timings }: EngineMeasurement, name: string): Timing | undefined {
  return timings.find((timing) => timing.name === name);
}

function row(measured: EngineMeasurement, timing: Timing): string {
  const bare = timingOf(measured, implementationNames.bare);
  const ratio = (figure: (timing: Timing) => number): string =>
    bare === undefined || bare === timing ? '' : digits(figure(timing) / figure(bare));
  const perOne = (wall(timing) * 1e6) / measured.size;
  const memory = measured.memory?.find(({ name }) => name === timing.name);
  const bytes = memory ? [memory.inputBytes, memory.stateBytes].map((sum) => digits(sum / measured.size)) : ['', ''];
  const cells = [
    measured.size.toLocaleString('en'),
    timing.name,
    withSpread(timing.samples),
    digits(processor(timing)),
    ratio(wall),
    ratio(processor),
    digits(perOne),
    ...bytes,
    timing.samples.length,
  ];
  return `| ${cells.join(' | ')} |`;
}

function section(task: string, all: readonly EngineMeasurement[]): string {
  const rows = all.flatMap((measured) => measured.timings.map((timing) => row(measured, timing)));
  return `## ${task}

| size | implementation | wall ms | processor ms | × bare, wall | × bare, processor | wall ns per item | input bytes per item | state bytes per item | rounds |
|---|---|---|---|---|---|---|---|---|---|
${rows.join('\n')}
`;
}

function commandLineSection({ runs, skipped }: CliOutcome): string {
  const rows = runs.map(({ tool, rows, seconds, peakBytes, fileBytes }) => {
    const peak = peakBytes === null ? '' : digits(peakBytes / 2 ** 20);
    const perRow = peakBytes === null ? '' : digits(peakBytes / rows);
    return `| ${rows.toLocaleString('en')} | ${tool} | ${digits(seconds)} | ${peak} | ${perRow} | ${digits(fileBytes / 2 ** 20)} |`;
  });
  const notes = skipped.map((word) => `${word}.\n`).join('');
  return `## From a file to units and cost by position, as whole processes

| size | tool | wall s | peak MiB | peak bytes per item | file MiB |
|---|---|---|---|---|---|
${rows.join('\n')}
${notes && `\n${notes}`}`;
}

function quickestPeer(runs: readonly CliRun[], size: number): CliRun | undefined {
  const peers = runs.filter(({ tool, rows }) => tool !== implementationNames.ours && rows === size);
  return peers.toSorted((one, other) => one.seconds - other.seconds)[0];
}

/** The faster one if there are several. */
function quickestDecimal({ timings }: EngineMeasurement): Timing | undefined {
  const ways = timings.filter(({ name }) => name.startsWith(implementationNames.decimal));
  return ways.toSorted((one, other) => wall(one) - wall(other))[0];
}

/**
 * Compares ours with every other implementation of the same task, and the command-line programs with the tasks that they share.
 */
function comparisons({ measured, commandLine }: Results): string[] {
  return measured.map((one) => {
    const [ours, bare, decimal] = [
      timingOf(one, implementationNames.ours)!,
      timingOf(one, implementationNames.bare),
      quickestDecimal(one),
    ];
    const peer = one.task.startsWith(lotsTask) ? quickestPeer(commandLine.runs, one.size) : undefined;
    const cells = [
      one.task,
      one.size.toLocaleString('en'),
      digits(wall(ours)),
      bare ? digits(wall(ours) / wall(bare)) : '',
      bare ? digits(processor(ours) / processor(bare)) : '',
      decimal ? digits(wall(decimal) / wall(ours)) : '',
      peer ? `${digits((peer.seconds * 1e3) / wall(ours))} (${peer.tool})` : '',
    ];
    return `| ${cells.join(' | ')} |`;
  });
}

export function resultsPage(results: Results): string {
  const tasks = [...new Set(results.measured.map(({ task }) => task))];
  const sections = tasks.map((task) =>
    section(
      task,
      results.measured.filter((measured) => measured.task === task),
    ),
  );
  return `# bench/engine

${results.machine} Load average ${results.load.map((load) => load.toFixed(2)).join(' at the start, ')} at the end. All implementations gave the same results. [README.md](README.md) describes the method.

## Holdfast compared with the others

| task | size | wall ms | × bare, wall | × bare, processor | times as fast as decimal.js | times as fast as the fastest command-line peer |
|---|---|---|---|---|---|---|
${comparisons(results).join('\n')}

${[...sections, ...(results.commandLine.runs.length > 0 ? [commandLineSection(results.commandLine)] : [])].join('\n')}`;
}

/** One line of JSON per measurement. */
export function resultsLines({ measured, commandLine, ...about }: Results): string {
  const rounded = (_key: string, value: unknown): unknown =>
    typeof value === 'number' && !Number.isInteger(value) ? Number(value.toPrecision(5)) : value;
  return [about, ...measured, ...commandLine.runs].map((one) => `${JSON.stringify(one, rounded)}\n`).join('');
}
