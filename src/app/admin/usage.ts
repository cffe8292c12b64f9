// The command `usage`: what each workspace and environment holds and was asked in a month.

import { defined } from '../../kit/assert.ts';
import { snakeCase } from '../../kit/resource.ts';
import type { WorkspaceSettingName } from '../../model/access/workspace-settings.ts';
import type { AppContext } from '../../actions/core/context.ts';
import { listSettings, type SettingState } from '../../actions/access/workspace-settings.ts';
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
    'Imports are what is kept of their rows now, and the rows of today, each with its quota (holdfast workspace settings).',
    'own_settings names what the operator has set for the workspace; everything else is as the installation says.',
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
  'import_rows_today',
  'import_rows_per_day',
  'storage_bytes_max',
  'requests_per_minute',
  'burst',
  'own_settings',
] as const;

type UsageRow = Readonly<Record<(typeof columns)[number], string | number | null>>;

async function readRows(context: AppContext, month: Month): Promise<readonly UsageRow[]> {
  const rows: UsageRow[] = [];
  for (const tenant of await context.stores.preAuth.listEnvironments()) {
    const work = openReadWork(context, serviceAuthor(tenant));
    const { usage: counted } = work.store;
    const counts = await counted.countMonth(month);
    const settings = await listSettings(work);
    const named = (name: WorkspaceSettingName): SettingState =>
      defined(
        settings.find((one) => one.name === name),
        'every setting is listed',
      );
    const own = settings.filter(({ source }) => source === 'workspace').map(({ name }) => snakeCase(name));
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
      storage_bytes: (await counted.estimateSize()).bytes,
      deliveries: counts.deliveries,
      dead_letters: counts.deadLetters,
      import_rows: named('importRows').used,
      import_rows_max: named('importRows').value,
      import_bytes: named('importBytes').used,
      import_bytes_max: named('importBytes').value,
      import_rows_today: named('importRowsPerDay').used,
      import_rows_per_day: named('importRowsPerDay').value,
      storage_bytes_max: named('storageBytes').value,
      requests_per_minute: named('requestsPerMinute').value,
      burst: named('burst').value,
      own_settings: own.length === 0 ? null : own.join(' '),
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
  const texts = rows.map((row) => columns.map((name) => String(row[name] ?? 'none')));
  if (json) print(JSON.stringify(rows, null, 2));
  // Ids, months, numbers and names of settings need no quotes.
  else if (csv) for (const line of [columns, ...texts]) print(line.join(','));
  else printTable(print, columns, texts);
  return true;
}
