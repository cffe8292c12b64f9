// Writes the figures of the reports benchmark as a page.

import { machine } from '../http-load.ts';

export interface ReportMeasurement {
  readonly size: number;
  readonly name: string;
  /** Present for the first request after a start. */
  readonly coldMs: number | null;
  /** Where there is a first request: the time to read the same rows from the database and discard them. */
  readonly loadMs: number | null;
  readonly warmMs: readonly number[];
  /** The average on the clock of the service. */
  readonly serverMs: number;
  /** The times of the same bytes from memory, if they were sent. */
  readonly bareMs: readonly number[] | null;
  readonly bytes: number;
}

/** Measured from the start of the process. */
export interface Start {
  readonly listeningMs: number;
  readonly readyMs: number;
}

export interface LightReadTimes {
  readonly idleMs: readonly number[];
  readonly busyMs: readonly number[];
  readonly reports: number;
}

function quantile(values: readonly number[], share: number): number {
  const sorted = values.toSorted((one, other) => one - other);
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))]!;
}

function formatMs(milliseconds: number): string {
  return milliseconds < 10 ? milliseconds.toFixed(1) : Math.round(milliseconds).toLocaleString('en');
}

function rangeOf(times: readonly number[]): string {
  return `${formatMs(quantile(times, 0.5))} (${formatMs(Math.min(...times))}–${formatMs(Math.max(...times))})`;
}

function line(cells: readonly string[]): string {
  return `| ${cells.join(' | ')} |`;
}

function lineOf({ size, name, coldMs, loadMs, warmMs, serverMs, bytes }: ReportMeasurement): string {
  const isFirst = coldMs !== null && loadMs !== null;
  const cold = isFirst
    ? [formatMs(coldMs), formatMs(loadMs), (coldMs / (quantile(warmMs, 0.5) + loadMs)).toFixed(2)]
    : ['', '', ''];
  const kibibytes = Math.ceil(bytes / 1_024).toLocaleString('en');
  return line([size.toLocaleString('en'), name, ...cold, rangeOf(warmMs), formatMs(serverMs), kibibytes]);
}

/** The summary of the same report comes before it. */
function writingLine(one: ReportMeasurement, measured: readonly ReportMeasurement[]): string[] {
  const summary = measured[measured.indexOf(one) - 1];
  if (one.bareMs === null || summary === undefined) return [];
  const [writing, bare] = [quantile(one.warmMs, 0.5) - quantile(summary.warmMs, 0.5), quantile(one.bareMs, 0.5)];
  const mebibytes = Math.round(one.bytes / 2 ** 20).toLocaleString('en');
  return [
    line([one.size.toLocaleString('en'), mebibytes, formatMs(writing), formatMs(bare), (writing / bare).toFixed(1)]),
  ];
}

export function reportReports(
  measured: readonly ReportMeasurement[],
  { idleMs, busyMs, reports }: LightReadTimes,
  starts: readonly Start[],
): string {
  const lines = measured.map(lineOf);
  const quantiles = [0.5, 0.99].map((share) => [quantile(idleMs, share), quantile(busyMs, share)] as const);
  return `# bench/reports

Milliseconds from the request to the last byte, one request at a time, from another process on the same machine. "Cold" is the first report
of a node that has just become ready: it reads everything from the database. "Warm" are the following ones, as median (minimum–maximum): they read what
has changed, which is nothing, and compute again. A report that takes less than 50 ms is first requested up to 200 times within 3 s, so that the
compiler has optimised the code, and then as often with the clock; a longer one is requested three times and then ${Math.min(...measured.map(({ warmMs }) => warmMs.length))} times. 500 instruments with ten years of daily prices, a fifth of them in another currency than the report; ten accounts.

${machine()}

"Server ms" is the time that the service itself measures from the request to the end of its answer (\`/metrics\`), as the mean of the warm ones. "Bare load" only
reads the rows that a first report needs, with binary COPY over one connection. The column beside it is the cold time divided by the sum of the warm time and the bare load; the aim is at most 2.

| transactions | report | cold ms | bare load ms | cold ÷ (warm + bare load) | warm ms | server ms | KiB |
|---|---|---|---|---|---|---|---|
${lines.join('\n')}

Start of a node, median of ${starts.length}: the node listens after ${formatMs(
    quantile(
      starts.map(({ listeningMs }) => listeningMs),
      0.5,
    ),
  )} ms. Its threads have loaded, and \`/readyz\` reports ready, after ${formatMs(
    quantile(
      starts.map(({ readyMs }) => readyMs),
      0.5,
    ),
  )} ms.

Writing the days: the extra time of the answer with all series over the one without, compared with a bare server that sends the same bytes from memory to the
same client:

| transactions | MiB | series minus summary ms | from memory ms | ratio |
|---|---|---|---|---|
${measured.flatMap((one) => writingLine(one, measured)).join('\n')}

Light reads (one client by its id) while the largest report with all axes is computed repeatedly (${reports} times during the measurement):

| | alone ms | during the report ms | ratio |
|---|---|---|---|
${['median', '99th percentile'].map((name, index) => `| ${name} | ${quantiles[index]![0].toFixed(2)} | ${quantiles[index]![1].toFixed(2)} | ${(quantiles[index]![1] / quantiles[index]![0]).toFixed(1)} |`).join('\n')}
`;
}
