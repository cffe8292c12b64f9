// Imports a statement: uploads it, waits, and says what became or would become of its rows.

import { createReadStream } from 'node:fs';
import { stat } from 'node:fs/promises';
import { basename } from 'node:path';
import type { Holdfast, Schemas } from '@holdfast/sdk';
import type { Command } from 'commander';
import { CommandError, exitCodes } from '../exit-codes.ts';
import { Progress } from '../output/progress.ts';
import type { Printer } from '../output/printer.ts';
import { tableText } from '../output/table.ts';
import { oneLine } from '../output/terminal-text.ts';
import { openSession } from '../session.ts';

interface ImportOptions {
  readonly client?: string;
  readonly account?: string;
  readonly depository?: string;
  readonly format?: string;
  readonly mapping?: string;
  readonly book?: true;
  readonly createInstruments?: true;
}

const problemsMax = 20;
const lookEveryMs = 500;

/** Reads the file anew on each attempt, and shows how much of it was sent. */
function fileSource(path: string, size: number, progress: Progress): () => AsyncGenerator<Uint8Array> {
  return async function* () {
    let sent = 0;
    for await (const piece of createReadStream(path, { highWaterMark: 256 * 1024 })) {
      sent += piece.length;
      progress.show('Sending', sent, size);
      yield piece;
    }
  };
}

/** Shows how many rows are done while the service works on them. */
async function watchWork<T>(holdfast: Holdfast, fileName: string, work: Promise<T>, progress: Progress): Promise<T> {
  if (!process.stderr.isTTY) return work;
  const looking = setInterval(() => {
    holdfast.imports.work({ retries: 0 }).then(
      ({ data }) => {
        const own = data.find((one) => one.file_name === fileName);
        if (own !== undefined) progress.show('Rows', own.done_rows, own.total_rows);
      },
      // Only the display fails.
      () => undefined,
    );
  }, lookEveryMs);
  try {
    return await work;
  } finally {
    clearInterval(looking);
    progress.end();
  }
}

async function fileSize(path: string): Promise<number> {
  try {
    return (await stat(path)).size;
  } catch {
    throw new CommandError(`${path} cannot be read. Check the name of the file.`);
  }
}

async function importFile(path: string, options: ImportOptions, command: Command): Promise<void> {
  const size = await fileSize(path);
  const { holdfast, print } = await openSession(command);
  const progress = new Progress();
  const file_name = basename(path);
  const create_instruments = options.createInstruments;
  const query = {
    file_name,
    client_id: options.client,
    account_id: options.account,
    depository_id: options.depository,
    format: options.format,
    profile: options.mapping,
    create_instruments,
  };
  const sending = holdfast.call('imports.create', fileSource(path, size, progress), query);
  let result: Schemas.Import = await watchWork(holdfast, file_name, sending, progress);
  if (options.book) {
    const booking = holdfast.imports.book(result.id, { create_instruments });
    result = await watchWork(holdfast, file_name, booking, progress);
  }
  await printImport(holdfast, print, result);
}

async function printImport(holdfast: Holdfast, print: Printer, result: Schemas.Import): Promise<void> {
  const { refused, needs } = result.counts;
  if (refused + needs > 0) process.exitCode = exitCodes.incomplete;
  const problems = await listProblems(holdfast, result.id);
  if (print.isJson) return print.json({ ...result, problems });
  print.line(`Import ${result.id}: ${result.state}, format ${result.format}`);
  print.text(
    tableText(
      [result.counts],
      ['rows', 'booked', 'amended', 'unchanged', 'refused', 'needs'].map(countColumn),
      print.width,
    ),
  );
  for (const { code, detail } of result.warnings) print.line(`Warning (${code}): ${oneLine(detail)}`);
  if (problems.length > 0) {
    print.line();
    print.text(
      tableText(
        problems,
        [
          { title: 'line', value: (row) => String(row.line), align: 'right' },
          { title: 'outcome', value: (row) => (row.needs === undefined ? row.outcome : `needs ${row.needs}`) },
          { title: 'code', value: (row) => row.code ?? '' },
          { title: 'what to do', value: (row) => row.detail ?? '' },
        ],
        print.width,
      ),
    );
    const more = refused + needs - problems.length;
    if (more > 0) print.line(`and ${more} more`);
  }
  if (result.state === 'checked') print.line('Nothing is booked yet. Run the same command with --book.');
}

function countColumn(name: string) {
  return {
    title: name,
    value: (counts: Schemas.Import['counts']) => String({ ...counts }[name] ?? ''),
    align: 'right',
  } as const;
}

async function listProblems(holdfast: Holdfast, id: string): Promise<Schemas.ImportRowsAnswerData[]> {
  const found: Schemas.ImportRowsAnswerData[] = [];
  for (const outcome of ['refused', 'needs'] as const)
    found.push(...(await holdfast.imports.rows(id, { outcome }).toArray({ max: problemsMax - found.length })));
  return found.toSorted((one, other) => one.line - other.line);
}

export function addImport(program: Command): void {
  program
    .command('import <file>')
    .description('check a statement of a bank or broker, and book it with --book')
    .option('--client <id>', 'the client whose accounts the file names')
    .option('--account <id>', 'the account of rows that name none')
    .option('--depository <id>', 'the depository of rows that name none')
    .option('--format <format>', 'the format; recognised by the content if it is not given')
    .option('--mapping <id>', 'the mapping profile that a CSV file is read with')
    .option('--create-instruments', 'create missing instruments from what the file says about them')
    .option('--book', 'book what can be booked')
    .action(importFile);
}
