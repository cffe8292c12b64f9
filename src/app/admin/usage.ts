// The command `usage`: what each workspace and environment holds and was asked in a month.

import type { AppContext } from '../../actions/core/context.ts';
import { readImportUsage } from '../../actions/imports/import-quota.ts';
import { openReadWork, serviceAuthor } from '../../actions/core/work.ts';
import { Misuse, onDatabase, readOptions, type Command, type Print } from './command.ts';
import { printTable } from './print-table.ts';

export const usageCommand: Command = {
  name: 'usage',
  usage: '[--month <YYYY-MM>] [--json|--csv]',
  summary:
    'counts clients, transactions, requests, storage and deliveries of each workspace in a month, by default this one',
  details: [
    'Requests are counted by day, in UTC, as they are logged, and kept for 25 months.',
    'Storage is an estimate: rows of the environment, each with the average size of its table and indexes.',
    'Imports are what is kept of their rows now, and the quota of the workspace (holdfast workspace quota).',
    'Deliveries are those that are still kept (EVENT_RETENTION_DAYS).',
  ],
  run: onDatabase(usage),
};

interface Month {
  readonly name: string;
  readonly from: number;
  readonly until: number;
}

function readMonth(text: string | undefined, now: number): Month {
  const name = text ?? new Date(now).toISOString().slice(0, 7);
  const [, year = '', month = ''] = /^(\d{4})-(0[1-9]|1[0-2])$/.exec(name) ?? [];
  if (year === '') throw new Misuse('--month must be written like 2026-11.');
  return { name, from: Date.UTC(Number(year), Number(month) - 1), until: Date.UTC(Number(year), Number(month)) };
}

const columns = [
  'workspace_id',
  'environment',
  'month',
  'clients',
  'transactions',
  'booked_in_month',
  'requests',
  'refused_requests',
  'failed_requests',
  'storage_bytes',
  'deliveries',
  'dead_letters',
  'import_rows',
  'import_rows_max',
  'import_bytes',
  'import_bytes_max',
] as const;

type UsageRow = Readonly<Record<(typeof columns)[number], string | number>>;

async function readRows(context: AppContext, month: Month): Promise<readonly UsageRow[]> {
  const rows: UsageRow[] = [];
  for (const tenant of await context.stores.preAuth.listEnvironments()) {
    const work = openReadWork(context, serviceAuthor(tenant));
    const { usage: counted } = work.store;
    const counts = await counted.countMonth(month);
    const imports = await readImportUsage(work);
    rows.push({
      workspace_id: tenant.workspaceId,
      environment: tenant.environment,
      month: month.name,
      clients: counts.clients,
      transactions: counts.transactions,
      booked_in_month: counts.bookedInMonth,
      requests: counts.requests,
      refused_requests: counts.refusedRequests,
      failed_requests: counts.failedRequests,
      storage_bytes: await counted.estimateBytes(),
      deliveries: counts.deliveries,
      dead_letters: counts.deadLetters,
      import_rows: imports.taken.rows,
      import_rows_max: imports.max.rows,
      import_bytes: imports.taken.bytes,
      import_bytes_max: imports.max.bytes,
    });
  }
  return rows;
}

async function usage(context: AppContext, args: readonly string[], print: Print): Promise<boolean> {
  const {
    month: text,
    json = false,
    csv = false,
  } = readOptions(args, { month: { type: 'string' }, json: { type: 'boolean' }, csv: { type: 'boolean' } });
  if (json && csv) throw new Misuse('Choose --json or --csv.');
  const rows = await readRows(context, readMonth(text, context.clock.now()));
  const texts = rows.map((row) => columns.map((name) => String(row[name])));
  if (json) print(JSON.stringify(rows, null, 2));
  // Ids, months and numbers need no quotes.
  else if (csv) for (const line of [columns, ...texts]) print(line.join(','));
  else printTable(print, columns, texts);
  return true;
}
