// Writes the figures of bulk prices and rates as a section of the page.

import { median, ratio } from '../figures.ts';
import type { SeriesFigures, SeriesName } from './series.ts';

const paths: Readonly<Record<SeriesName, string>> = { prices: 'POST /v1/prices/bulk', rates: 'POST /v1/fx-rates/bulk' };

export function reportSeries({ rows, series }: SeriesFigures): string {
  const lines = (['prices', 'rates'] as const).flatMap((name) => {
    const figures = series[name];
    if (figures === undefined) return [];
    const { bulk, bareCopy, copy } = figures;
    const line = (what: string, rates: readonly number[], ...ratios: string[]): string =>
      `| ${what} | ${median(rates).toFixed(0)} | ${ratios.join(' | ')} |`;
    return [
      line(`${name}: COPY without keys and indexes`, bareCopy, '', ''),
      line(`${name}: COPY into the table itself`, copy, ratio(copy, bareCopy), ''),
      ...(['JSON lines', 'CSV'] as const).map((format) =>
        line(`${paths[name]}, ${format}`, bulk[format], ratio(bulk[format], bareCopy), ratio(bulk[format], copy)),
      ),
    ];
  });
  return `
## ${rows} prices or rates in one request

Prices of 200 instruments, rates of 15 pairs, day by day. Compared with COPY like bookings.

| | rows a second | % of bare COPY | % of COPY into the table |
|---|---|---|---|
${lines.join('\n')}
`;
}
