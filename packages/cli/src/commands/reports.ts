// Reports for people: holdings and performance as tables, and files of any report.

import { createWriteStream } from 'node:fs';
import { Writable } from 'node:stream';
import { decimal, type Schemas } from '@holdfast/sdk';
import type { Command } from 'commander';
import { CommandError } from '../exit-codes.ts';
import { collect, findEntity, readPairs } from '../input.ts';
import { Progress } from '../output/progress.ts';
import type { Printer } from '../output/printer.ts';
import { bar, sparkline } from '../output/sparkline.ts';
import { tableText, type Column } from '../output/table.ts';
import { openSession } from '../session.ts';

type Holding = Schemas.Holdings['data'][number];
type Segment = Schemas.Performance['data'][number];

function money(value: string | null): string {
  return value === null ? '–' : decimal.format(value, { locale: 'en-GB', places: 2 });
}

function percent(value: string | null): string {
  return value === null ? '–' : decimal.format(value, { locale: 'en-GB', places: 2, percent: true });
}

interface HoldingsOptions {
  readonly entity?: string;
  readonly asOf?: string;
  readonly by: Schemas.Holdings['by'];
}

const shareWidth = 12;

/** A report is of the end of a day. */
const endOfDay = /T23:59:59\.999Z$/;

async function holdings({ entity: given, asOf, by }: HoldingsOptions, command: Command): Promise<void> {
  const { holdfast, print } = await openSession(command);
  const entity = await findEntity(holdfast, given);
  const report = holdfast.reports.holdings({ reporting_entity_id: entity.id, as_of: asOf, by });
  const first = await report.page();
  const rows = first.has_more ? await report.toArray() : [...first.data];
  if (print.isJson) return print.json({ ...first, data: rows, has_more: false, next_cursor: undefined });
  const columns: Column<Holding>[] = [
    { title: by.replace('-', ' '), value: (row) => row.segment_name ?? row.segment_id ?? '–' },
    {
      title: 'quantity',
      value: ({ quantity }) => (quantity === null ? '' : decimal.format(quantity, { locale: 'en-GB' })),
      align: 'right',
    },
    { title: `value, ${first.currency}`, value: (row) => money(row.market_value), align: 'right' },
    { title: 'cost', value: (row) => money(row.cost_basis), align: 'right' },
    { title: 'gain', value: (row) => money(row.unrealised_pnl), align: 'right' },
    { title: 'share', value: (row) => percent(row.share), align: 'right' },
    { title: '', value: (row) => bar(row.share, shareWidth) },
  ];
  const sorted = rows.toSorted((one, other) => decimal.compare(other.market_value, one.market_value));
  print.line(`${entity.name}, as of ${first.as_of.replace(endOfDay, '')}`);
  print.text(tableText(sorted, columns, print.width));
  const { market_value: value, unrealised_pnl: gain } = first.totals;
  print.line(`Total ${money(value)} ${first.currency}, unrealised gain ${money(gain)}`);
}

interface PerformanceOptions {
  readonly entity?: string;
  readonly start?: string;
  readonly end?: string;
  readonly by?: NonNullable<Schemas.Holdings['by']>;
}

async function performance({ entity: given, start, end, by }: PerformanceOptions, command: Command): Promise<void> {
  const { holdfast, print } = await openSession(command);
  const entity = await findEntity(holdfast, given);
  const report = await holdfast.reports.performance({ reporting_entity_id: entity.id, start, end, by });
  if (print.isJson) return print.json(report);
  print.line(`${entity.name}, ${report.start} to ${report.end}, ${report.currency}, ${report.fees} of fees`);
  printPerformance(print, report);
}

function printPerformance(print: Printer, report: Schemas.Performance): void {
  const lineWidth = Math.min(30, Math.max(10, print.width - 90));
  const columns: Column<Segment>[] = [
    {
      title: 'segment',
      value: (row) => row.segment_name ?? (row.axis === 'total' ? 'Whole' : (row.segment_id ?? '–')),
    },
    { title: 'return', value: (row) => percent(row.twr), align: 'right' },
    { title: 'a year', value: (row) => percent(row.annualised_twr), align: 'right' },
    { title: 'gain', value: (row) => money(row.gain), align: 'right' },
    { title: 'flows', value: (row) => money(row.net_cash_flow), align: 'right' },
    { title: 'value', value: (row) => money(row.end_market_value), align: 'right' },
    {
      title: '',
      value: (row) =>
        sparkline(
          row.series.map((day) => day.cumulative_twr),
          lineWidth,
        ),
    },
  ];
  print.text(tableText(report.data, columns, print.width));
  const warnings = new Map(report.data.flatMap((row) => row.warnings).map(({ code, detail }) => [code, detail]));
  for (const [code, detail] of warnings) print.line(`Note (${code}): ${detail}`);
}

const exported: Readonly<Record<string, string>> = {
  transactions: 'transactions.listAs',
  holdings: 'reports.holdingsAs',
  lots: 'reports.lotsAs',
  'realised-gains': 'reports.realisedGainsAs',
  performance: 'reports.performanceAs',
};

interface ExportOptions {
  readonly entity?: string;
  readonly format: string;
  readonly out?: string;
  readonly query: string[];
}

async function exportReport(report: string, options: ExportOptions, command: Command): Promise<void> {
  const method = exported[report];
  if (method === undefined)
    throw new CommandError(`There is no file of ${report}. There is one of: ${Object.keys(exported).join(', ')}.`);
  const { holdfast } = await openSession(command);
  const query = readPairs(options.query);
  const entity = report === 'transactions' ? undefined : await findEntity(holdfast, options.entity);
  const scope = entity === undefined ? {} : { reporting_entity_id: entity.id };
  const stream: ReadableStream<Uint8Array> = await holdfast.call(method, options.format, { ...scope, ...query });
  const progress = new Progress();
  let count = 0;
  const counting = new TransformStream<Uint8Array, Uint8Array>({
    transform(piece, controller) {
      count += piece.length;
      if (options.out !== undefined) progress.show('Received', count, null);
      controller.enqueue(piece);
    },
  });
  const target = options.out === undefined ? process.stdout : createWriteStream(options.out);
  await stream.pipeThrough(counting).pipeTo(Writable.toWeb(target), { preventClose: target === process.stdout });
  progress.end();
}

export function addReports(program: Command): void {
  const entity = ['-e, --entity <id or name>', 'the reporting entity; not needed if there is only one'] as const;
  program
    .command('holdings')
    .description('what is held, and what it is worth')
    .option(...entity)
    .option('--as-of <date>', 'on this day')
    .option(
      '--by <axis>',
      'instrument, class, detailed-class, account, depository, portfolio or currency',
      'instrument',
    )
    .action(holdings);
  program
    .command('performance')
    .description('returns, gains and flows, with a line of the time between')
    .option(...entity)
    .option('--start <date>', 'from this day on')
    .option('--end <date>', 'to this day')
    .option(
      '--by <axis>',
      'also for each segment: instrument, class, detailed-class, account, depository, portfolio or currency',
    )
    .action(performance);
  program
    .command('export <report>')
    .description(`a file of ${Object.keys(exported).join(', ')}`)
    .option(...entity)
    .option('-f, --format <format>', 'csv, or ndjson for performance', 'csv')
    .option('-o, --out <file>', 'write it here instead of to standard output')
    .option('-q, --query <name=value>', 'a parameter, as the API reference names it; may be repeated', collect, [])
    .action(exportReport);
}
