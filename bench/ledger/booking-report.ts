// Writes the figures as a page: medians of the rounds, with minimum and maximum for the important ratios.

import { loadavg } from 'node:os';
import { median, ratio } from '../figures.ts';
import { machine } from '../http-load.ts';
import type { BookingFigures } from './booking.ts';
import type { BulkFormatName } from './bulk-bodies.ts';

function row(name: string, figures: readonly number[], baseline: readonly number[]): string {
  return `| ${name} | ${median(figures).toFixed(0)} | ${figures === baseline ? '' : ratio(figures, baseline)} |`;
}

export function reportBooking(figures: BookingFigures): string {
  const { rows, singles, bulk, bareCopy, copy, rowBytes, indexBytes } = figures;
  const formats = Object.keys(bulk) as BulkFormatName[];
  const contenders = [
    ['COPY without keys and indexes', bareCopy],
    ['COPY into the table itself', copy],
    ...formats.map((format) => [`POST /v1/transactions/bulk, ${format}`, bulk[format]] as const),
  ] as const;
  const lines = contenders.map(
    ([name, rates]) =>
      `| ${name} | ${median(rates).toFixed(0)} | ${rates === bareCopy ? '' : ratio(rates, bareCopy)} | ${rates === bareCopy || rates === copy ? '' : ratio(rates, copy)} |`,
  );
  return `# bench/ledger

Median of ${copy.length} rounds in which the implementations take turns on an emptied ledger, (minimum–maximum) in parentheses; ratios compare the same round.

${machine()} Load average at the end: ${loadavg()[0]!.toFixed(1)}.

## ${rows} rows in one request

For 8 clients and 24 accounts: purchases and sales with their fees, dividends, charges, each with a depository, an instrument and an
external reference. COPY reads the same rows from a file on the server, as its owner, without row-level security: into a table of the same
columns without keys and indexes, and into the table itself. A booked row has ${rowBytes} bytes, and ${indexBytes} bytes of indexes.

| | rows a second | % of bare COPY | % of COPY into the table |
|---|---|---|---|
${lines.join('\n')}
${singles === 0 ? '' : singlesSection(figures)}`;
}

function singlesSection({ singles, callers, single, plain }: BookingFigures): string {
  return `
## ${singles} single bookings by ${callers} callers

Plain SQL uses the same driver on the same tables, without HTTP and row-level security: the account, the depository and the
instrument FOR KEY SHARE, the lock on the client, the reference, the next number, the row, the account's version, the audit line, the dirty flag.

| | bookings a second | % of plain SQL |
|---|---|---|
${[row('plain SQL', plain, plain), row('POST /v1/transactions', single, plain)].join('\n')}
`;
}
