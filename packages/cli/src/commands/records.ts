// Any record of v1: get, list, create.

import type { List } from '@holdfast/sdk';
import type { Command } from 'commander';
import { CommandError } from '../exit-codes.ts';
import { collect, groupOf, readData, readPairs } from '../input.ts';
import { Progress } from '../output/progress.ts';
import { openSession } from '../session.ts';

type Row = Readonly<Record<string, unknown>>;

async function get(resource: string, ids: string[], options: { query: string[] }, command: Command): Promise<void> {
  const { holdfast, print } = await openSession(command);
  print.record(await holdfast.call(`${groupOf(holdfast, resource, 'get')}.get`, ...ids, readPairs(options.query)));
}

interface ListOptions {
  readonly query: string[];
  readonly limit: string;
  readonly all?: true;
  readonly columns?: string;
}

async function list(resource: string, ids: string[], options: ListOptions, command: Command): Promise<void> {
  const { holdfast, print } = await openSession(command);
  const query = readPairs(options.query);
  const found: List<Row> = holdfast.call(`${groupOf(holdfast, resource, 'list')}.list`, ...ids, query);
  const max = options.all ? Infinity : readCount(options.limit);
  const progress = new Progress();
  const rows: Row[] = [];
  let hasMore = false;
  for await (const row of found) {
    if (rows.length >= max) {
      hasMore = true;
      break;
    }
    rows.push(row);
    progress.show(`Reading ${resource}`, rows.length, null);
  }
  progress.end();
  print.rows(rows, options.columns?.split(','));
  if (hasMore) process.stderr.write(`There are more than these ${max}: --limit shows so many, --all shows all.\n`);
}

export function readCount(value: string): number {
  if (/^[1-9]\d{0,8}$/.test(value)) return Number(value);
  throw new CommandError(`${value} is not a number from 1 on.`);
}

interface CreateOptions {
  readonly data?: string;
  readonly set: string[];
  readonly idempotencyKey?: string;
}

async function create(resource: string, ids: string[], options: CreateOptions, command: Command): Promise<void> {
  const { holdfast, print } = await openSession(command);
  const body = { ...(options.data === undefined ? {} : await readData(options.data)), ...readPairs(options.set) };
  const { idempotencyKey } = options;
  const method = `${groupOf(holdfast, resource, 'create')}.create`;
  print.record(await holdfast.call(method, ...ids, body, { idempotencyKey }));
}

export function addRecords(program: Command): void {
  const query = ['-q, --query <name=value>', 'a parameter, as the API reference names it; may be repeated'] as const;
  program
    .command('get <resource> [ids...]')
    .description('show one record: holdfast get clients 01a1df…')
    .option(...query, collect, [])
    .action(get);
  program
    .command('list <resource> [ids...]')
    .description('list records: holdfast list transactions -q account_id=01a1df…; of an instrument: list prices <id>')
    .option(...query, collect, [])
    .option('-n, --limit <count>', 'how many at most', '50')
    .option('--all', 'all of them')
    .option('--columns <names>', 'the columns to show, separated by commas')
    .action(list);
  program
    .command('create <resource> [ids...]')
    .description('create a record: holdfast create clients --set name=Amsel --set reference_currency=EUR')
    .option('-d, --data <json>', 'the body: JSON, @file, or - for standard input')
    .option('-s, --set <name=value>', 'a member of the body as text, or name:=json; may be repeated', collect, [])
    .option('--idempotency-key <key>', 'the same key creates the record once, however often the command is run')
    .action(create);
}
