// The figures of reports as a page.

import { machine } from '../load.ts';

export interface Measured {
  readonly size: number;
  readonly name: string;
  /** Where it was asked first after a start. */
  readonly coldMs: number | null;
  readonly warmMs: readonly number[];
  readonly bytes: number;
}

export interface Beside {
  readonly idleMs: readonly number[];
  readonly busyMs: readonly number[];
  readonly reports: number;
}

function quantile(values: readonly number[], share: number): number {
  const sorted = values.toSorted((one, other) => one - other);
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))]!;
}

function shown(milliseconds: number): string {
  return milliseconds < 10 ? milliseconds.toFixed(1) : Math.round(milliseconds).toLocaleString('en');
}

export function reportReports(measured: readonly Measured[], { idleMs, busyMs, reports }: Beside): string {
  const lines = measured.map(({ size, name, coldMs, warmMs, bytes }) => {
    const [median, least, most] = [quantile(warmMs, 0.5), Math.min(...warmMs), Math.max(...warmMs)];
    const range = `${shown(median)} (${shown(least)}–${shown(most)})`;
    return `| ${size.toLocaleString('en')} | ${name} | ${coldMs === null ? '' : shown(coldMs)} | ${range} | ${Math.ceil(bytes / 1_024).toLocaleString('en')} |`;
  });
  const quantiles = [0.5, 0.99].map((share) => [quantile(idleMs, share), quantile(busyMs, share)] as const);
  return `# bench/reports

Milliseconds from asking to the last byte, one request at a time, from another process on the same machine. Cold is the first report
after a start: it reads everything from the database; warm is the median of ${measured[0]!.warmMs.length} that follow (least–greatest), which read what has changed, that is nothing,
and compute anew. 500 instruments with ten years of daily prices, a fifth of them in another currency than the report; ten accounts.

${machine()}

| transactions | report | cold ms | warm ms | KiB |
|---|---|---|---|---|
${lines.join('\n')}

Light reads (one client by its id) beside the largest report with all axes, computed again and again (${reports} times meanwhile):

| | alone ms | beside it ms | ratio |
|---|---|---|---|
${['median', '99th percentile'].map((name, index) => `| ${name} | ${quantiles[index]![0].toFixed(2)} | ${quantiles[index]![1].toFixed(2)} | ${(quantiles[index]![1] / quantiles[index]![0]).toFixed(1)} |`).join('\n')}
`;
}
