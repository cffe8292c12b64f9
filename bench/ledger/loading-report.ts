// What loading costs, as a page.

import { loadingMethods, type LoadingFigures, type LoadingMethod } from './loading.ts';

function median(values: readonly number[]): number {
  return values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)]!;
}

/** How quick one is beside the other in the same round: 100 % is as quick. */
function quickness(one: readonly number[], other: readonly number[]): string {
  const ratios = one.map((time, round) => (100 * other[round]!) / time);
  const [least, greatest] = [Math.min(...ratios), Math.max(...ratios)].map((value) => value.toFixed(0));
  return `${median(ratios).toFixed(0)} % (${least}–${greatest})`;
}

const names: Readonly<Record<LoadingMethod, string>> = {
  columns: 'into columns, remembered',
  'discarded bytes': 'the same bytes read and thrown away: the limit',
  'driver arrays': 'the driver, `rowMode: array`, no types',
  'driver rows': 'the driver, rows as it makes them',
};

export function reportLoading({
  rows,
  loadingMethods: times,
  bytes,
  engine,
  freshness,
  change,
}: LoadingFigures): string {
  const best = times['driver arrays'].map((time, round) => Math.min(time, times['driver rows'][round]!));
  const line = (method: LoadingMethod): string =>
    `| ${names[method]} | ${median(times[method]).toFixed(0)} | ${quickness(times[method], best)} | ${quickness(times[method], times['discarded bytes'])} |`;
  const fresh = Object.entries(freshness).map(([count, time]) => `| ${count} | ${time.toFixed(2)} |`);
  return `
## An account of ${rows} transactions loaded

Every twentieth has details. All ways ask the same question behind the same walls; the columns are also parsed, weighed and remembered.

| | ms | of the driver's best | of the limit |
|---|---|---|---|
${loadingMethods.map(line).join('\n')}

The columns take ${(bytes / 2 ** 20).toFixed(0)} MB. From them to the engine's ledger: ${median(engine).toFixed(0)} ms. With one row more booked, the
columns are there again after ${median(change).toFixed(1)} ms.

## Whether what is remembered is fresh

| accounts in the question | ms |
|---|---|
${fresh.join('\n')}
`;
}
