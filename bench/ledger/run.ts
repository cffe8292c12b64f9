// Measures the ledger: bookings, bulk prices and rates, and loading it into memory. `--quick` runs a small round that only checks that everything works
// and writes no report. `LOADING=off` leaves the loading out, and its section of the report as it is. `ONLY=bookings`, `prices` or `rates` measures bulk
// requests of these alone, by commas, and prints their sections.

import { readFile, writeFile } from 'node:fs/promises';
import { benchBooking } from './booking.ts';
import { benchLoading } from './loading.ts';
import { reportLoading } from './loading-report.ts';
import { reportBooking } from './booking-report.ts';
import { benchSeries } from './series.ts';
import { reportSeries } from './series-report.ts';

const isQuick = process.argv.includes('--quick');
const report = new URL('results.md', import.meta.url);
const rounds = isQuick ? 1 : Number(process.env['ROUNDS'] ?? 3);

const only = process.env['ONLY']?.split(',');
if (only === undefined) {
  const booking = await benchBooking(isQuick ? { rows: 5_000, singles: 200, rounds } : { rounds });
  const series = await benchSeries(isQuick ? { rows: 5_000, rounds } : { rounds });
  const text = reportBooking(booking) + reportSeries(series) + (await loadingSection());
  process.stdout.write(text);
  if (!isQuick && process.env['WRITE'] !== 'off') await writeFile(report, text);
} else {
  const rows = isQuick ? 5_000 : 100_000;
  if (only.includes('bookings')) process.stdout.write(reportBooking(await benchBooking({ rows, singles: 0, rounds })));
  const names = (['prices', 'rates'] as const).filter((name) => only.includes(name));
  if (names.length > 0) process.stdout.write(reportSeries(await benchSeries({ rows, rounds, names })));
}

async function loadingSection(): Promise<string> {
  if (process.env['LOADING'] !== 'off')
    return reportLoading(await benchLoading(isQuick ? { rows: 20_000, rounds } : { rounds }));
  const earlier = await readFile(report, 'utf8');
  return earlier.slice(earlier.indexOf('\n## Loading'));
}
