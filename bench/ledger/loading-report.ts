// Writes the figures of the loading benchmark as a page.

import { median, ratio } from '../figures.ts';
import { loadingMethods, type LoadingFigures, type LoadingMethod } from './loading.ts';

/** The speed of one method relative to the other in the same round: 100 % is equal. */
function quickness(one: readonly number[], other: readonly number[]): string {
  return ratio(other, one);
}

const names: Readonly<Record<LoadingMethod, string>> = {
  copy: 'from the packed copy, cached',
  columns: 'from the rows into columns, cached',
  'discarded bytes': 'the same bytes read and discarded: the limit',
  'driver arrays': 'the driver, `rowMode: array`, no types',
  'driver rows': 'the driver, with its default rows',
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
## Loading an account of ${rows} transactions

Every twentieth transaction has details. All methods run the same query with the same tenant filter and row-level security; the columns are also parsed, measured and cached.

| | ms | speed, % of the driver's best | speed, % of the limit |
|---|---|---|---|
${loadingMethods.map(line).join('\n')}

The columns take ${(bytes / 2 ** 20).toFixed(0)} MB. Converting them to the engine's ledger takes ${median(engine).toFixed(0)} ms. After one more booking, the
columns are up to date again in ${median(change).toFixed(1)} ms.

## Checking whether the cache is up to date

| accounts in the query | ms |
|---|---|
${fresh.join('\n')}
`;
}
