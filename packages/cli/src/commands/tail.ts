// Shows events and requests as they come.

import type { Schemas } from '@holdfast/sdk';
import type { Command } from 'commander';
import { CommandError } from '../exit-codes.ts';
import { follow, interruption } from '../follow.ts';
import { oneLine, pad, paint } from '../output/terminal-text.ts';
import type { Printer } from '../output/printer.ts';
import { openSession } from '../session.ts';
import { readCount } from './records.ts';

export interface TailOptions {
  readonly since?: string;
  readonly every: string;
  readonly max?: string;
}

export function readFollowOptions({ since, every }: TailOptions): { since: string; everyMs: number } {
  const seconds = Number(every);
  if (!(seconds >= 0.1 && seconds <= 3_600)) throw new CommandError('--every takes seconds, from 0.1 to 3600.');
  return { since: since ?? new Date().toISOString(), everyMs: seconds * 1000 };
}

/** Prints each row until there are `max`, or the command is interrupted. */
async function printRows<T extends { readonly id: string }>(
  rows: (signal: AbortSignal) => AsyncIterable<T>,
  { print, max, line }: { print: Printer; max: number; line: (row: T) => string },
): Promise<void> {
  const stopping = interruption();
  let count = 0;
  for await (const row of rows(stopping.signal)) {
    if (print.isJson) print.text(`${JSON.stringify(row)}\n`);
    else print.text(`${line(row)}\n`);
    if (++count >= max) stopping.abort();
    if (stopping.signal.aborted) return;
  }
}

interface EventOptions extends TailOptions {
  readonly type?: Schemas.Event['type'];
  readonly client?: string;
}

async function tailEvents(options: EventOptions, command: Command): Promise<void> {
  const { holdfast, print } = await openSession(command);
  const { type, client: client_id } = options;
  const list = (since: string) => holdfast.events.list({ type, client_id, since });
  const momentOf = (event: Schemas.Event): string => event.created_at;
  await printRows((signal) => follow({ list, momentOf, signal, ...readFollowOptions(options) }), {
    print,
    max: options.max === undefined ? Infinity : readCount(options.max),
    line: (event) => [event.created_at, event.id, pad(event.type, 24), event.client_id ?? '–'].join('  '),
  });
}

function statusText(status: number): string {
  if (status >= 500) return paint('red', String(status));
  return status >= 400 ? paint('yellow', String(status)) : paint('green', String(status));
}

async function tailLogs(options: TailOptions & { status?: string }, command: Command): Promise<void> {
  const { holdfast, print } = await openSession(command);
  const status = options.status === undefined ? undefined : readCount(options.status);
  const list = (since: string) => holdfast.requestLog.list({ since, status });
  await printRows(
    (signal) => follow({ list, momentOf: (row: Schemas.Requests) => row.at, signal, ...readFollowOptions(options) }),
    {
      print,
      max: options.max === undefined ? Infinity : readCount(options.max),
      line: (row) =>
        [
          row.at,
          statusText(row.status),
          pad(row.method, 6),
          oneLine(row.path),
          `${row.duration_ms} ms`,
          row.code ?? '',
          row.request_id,
        ]
          .filter((text) => text !== '')
          .join('  '),
    },
  );
}

export function addTail(program: Command): void {
  const options = (command: Command): Command =>
    command
      .option('--since <moment>', 'from this moment on, such as 2026-11-17T09:00:00Z; now unless given')
      .option('--every <seconds>', 'how often to look', '2')
      .option('-n, --max <count>', 'end after so many');
  const events = program.command('events').description('what has happened');
  options(events.command('tail').description('show events as they come'))
    .option('--type <type>', 'only of this type, such as transaction.created')
    .option('--client <id>', 'only of this client')
    .action(tailEvents);
  const logs = program.command('logs').description('the request log of the workspace');
  options(logs.command('tail').description('show requests as they come'))
    .option('--status <status>', 'only with this status, such as 422')
    .action(tailLogs);
}
