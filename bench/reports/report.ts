// The figures of reports as a page.

import { machine } from '../http-load.ts';

export interface ReportMeasurement {
  readonly size: number;
  readonly name: string;
  /** Where it was asked first after a start. */
  readonly coldMs: number | null;
  /** Where there is a first: the same rows read from the database, and nothing done with them. */
  readonly loadMs: number | null;
  readonly warmMs: readonly number[];
  /** By the clock of the service, on average. */
  readonly serverMs: number;
  /** Of the same bytes from memory, where they were sent. */
  readonly bareMs: readonly number[] | null;
  readonly bytes: number;
}

/** From the start of the process. */
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

/** The summary of the same question stands before it. */
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

Milliseconds from asking to the last byte, one request at a time, from another process on the same machine. Cold is the first report
of a node that has just become ready: it reads everything from the database. Warm are those that follow, the median (least–greatest): they read what
has changed, that is nothing, and compute anew. A report that takes less than 50 ms is first asked for up to 200 times within 3 s, for the
compiler to have done its work, and then as often with the clock; a longer one is asked for three times and then ${Math.min(...measured.map(({ warmMs }) => warmMs.length))} times. 500 instruments with ten years of daily prices, a fifth of them in another currency than the report; ten accounts.

${machine()}

Server ms is what the service itself counts from the request to the end of its answer (\`/metrics\`), on average of the warm ones. Bare load is
reading the rows that a first report is made of with binary COPY over one connection, and nothing else; the column beside it is what cold takes against the warm time and that together; the aim is at most 2.

| transactions | report | cold ms | bare load ms | cold ÷ (warm + bare load) | warm ms | server ms | KiB |
|---|---|---|---|---|---|---|---|
${lines.join('\n')}

A start, the median of ${starts.length}: the node listens after ${formatMs(
    quantile(
      starts.map(({ listeningMs }) => listeningMs),
      0.5,
    ),
  )} ms, and its threads have loaded, so that \`/readyz\` says ready, after ${formatMs(
    quantile(
      starts.map(({ readyMs }) => readyMs),
      0.5,
    ),
  )} ms.

Writing the days: what the answer with all series takes beyond the one without, against the same bytes sent from memory by a bare server to the
same client:

| transactions | MiB | series less summary ms | from memory ms | ratio |
|---|---|---|---|---|
${measured.flatMap((one) => writingLine(one, measured)).join('\n')}

Light reads (one client by its id) beside the largest report with all axes, computed again and again (${reports} times meanwhile):

| | alone ms | beside it ms | ratio |
|---|---|---|---|
${['median', '99th percentile'].map((name, index) => `| ${name} | ${quantiles[index]![0].toFixed(2)} | ${quantiles[index]![1].toFixed(2)} | ${(quantiles[index]![1] / quantiles[index]![0]).toFixed(1)} |`).join('\n')}
`;
}
