// Writes the figures as a page: medians of the rounds, with minimum and maximum for the important ratios.

import { loadavg } from 'node:os';
import { median, ratio } from '../figures.ts';
import { machine } from '../http-load.ts';
import type { BookingFigures, BulkFormatName } from './booking.ts';

function row(name: string, figures: readonly number[], baseline: readonly number[]): string {
  return `| ${name} | ${median(figures).toFixed(0)} | ${figures === baseline ? '' : ratio(figures, baseline)} |`;
}

export function reportBooking({ rows, singles, callers, bulk, copy, single, plain }: BookingFigures): string {
  const formats = Object.keys(bulk) as BulkFormatName[];
  return `# bench/ledger

Median of ${copy.length} rounds in which the implementations take turns on an emptied ledger, (minimum–maximum) in parentheses; ratios compare the same round.

${machine()} Load average at the end: ${loadavg()[0]!.toFixed(1)}.

## ${rows} rows in one request

For 8 clients and 24 accounts: purchases and sales with their fees, dividends, charges, each with a depository, an instrument and an
external reference. COPY reads the same rows from a file on the server into the same table with its indexes and keys, as its owner,
without row-level security.

| | rows a second | % of COPY |
|---|---|---|
${[row('COPY', copy, copy), ...formats.map((format) => row(`POST /v1/transactions/bulk, ${format}`, bulk[format], copy))].join('\n')}

## ${singles} single bookings by ${callers} callers

Plain SQL uses the same driver on the same tables, without HTTP and row-level security: the account, the depository and the
instrument FOR KEY SHARE, the lock on the client, the reference, the next number, the row, the account's version, the audit line, the dirty flag.

| | bookings a second | % of plain SQL |
|---|---|---|
${[row('plain SQL', plain, plain), row('POST /v1/transactions', single, plain)].join('\n')}
`;
}
