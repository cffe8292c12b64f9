// Runs the command-line programs from a file to units and cost by position: ledger, hledger and beancount where installed, and
// our own program. Compares their answers with ours.

import { spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { Decimal } from '../decimal/configured-decimal.ts';
import type { QuantityAndCost } from '../../../src/engine/lots/lot.ts';
import { fromFixed } from '../../../src/kit/fixed.ts';
import type { GeneratedLedger } from '../ledger/generated-ledger.ts';
import { positionName, writeBeancountJournal, writeLines, writeMatchedJournal } from '../ledger/journal.ts';
import { holdfastLots, quickLedgerOf } from '../holdfast/lots.ts';
import { implementationNames } from '../implementation-names.ts';

export interface CliRun {
  readonly tool: string;
  readonly rows: number;
  readonly seconds: number;
  /** Null where the system does not report it. */
  readonly peakBytes: number | null;
  readonly fileBytes: number;
}

/** Figures as text, by the name of the position. */
type Answer = ReadonlyMap<string, { readonly quantity?: string; readonly cost?: string }>;

interface Tool {
  readonly name: string;
  readonly command: string;
  readonly write: (path: string, ledger: GeneratedLedger) => void;
  /** The timed command. */
  readonly costArguments: (path: string) => readonly string[];
  /** A second, untimed command where the units need one. */
  readonly unitArguments?: (path: string) => readonly string[];
  readonly read: (output: string) => Answer;
  /** The accepted deviation of a figure. */
  readonly tolerance: string;
}

const securities = '^Assets:A..:I';

const tools: readonly Tool[] = [
  {
    name: implementationNames.ours,
    command: process.execPath,
    write: writeLines,
    costArguments: (path) => [fileURLToPath(new URL('lots-from-file.ts', import.meta.url)), path],
    read: readTable,
    tolerance: '0',
  },
  {
    name: 'ledger',
    command: 'ledger',
    write: writeMatchedJournal,
    costArguments: (path) => [...ledgerArguments(path), '-B'],
    unitArguments: ledgerArguments,
    read: readLedger,
    tolerance: '0',
  },
  {
    name: 'hledger',
    command: 'hledger',
    write: writeMatchedJournal,
    costArguments: (path) => [...hledgerArguments(path), '-B', ...allPlaces],
    unitArguments: hledgerArguments,
    read: readHledger,
    tolerance: '0',
  },
  {
    name: 'beancount',
    command: 'bean-query',
    write: writeBeancountJournal,
    // As text, since numbers would be rounded for display.
    costArguments: (path) => [
      '-f',
      'csv',
      path,
      `SELECT account, str(sum(number)) AS units, str(sum(number(cost(position)))) AS cost WHERE account ~ '${securities}' GROUP BY account`,
    ],
    read: readTable,
    // It stores the cost per unit, to 28 digits.
    tolerance: '1e-15',
  },
];

function ledgerArguments(path: string): readonly string[] {
  return ['--init-file', '/dev/null', '-f', path, 'bal', '--flat', '--no-total', '--unround', securities];
}

function hledgerArguments(path: string): readonly string[] {
  return ['-f', path, 'bal', '--flat', '--no-total', '-O', 'csv', securities];
}

/** Prevents hledger from rounding its output. */
const allPlaces = ['EUR', 'USD', 'CHF'].flatMap((currency) => ['-c', `1.${'0'.repeat(18)} ${currency}`]);

/** Reads lines of account, units, cost; beancount prints a number as `Decimal('9.5')`. */
function readTable(output: string): Answer {
  const cells = output
    .trim()
    .split('\n')
    .map((line) => line.replaceAll(/Decimal\('([^']+)'\)\s*/g, '$1').split(','));
  return new Map(cells.map(([name = '', quantity = '', cost = '']) => [name, { quantity, cost }]));
}

/** `  1121.94 EUR  Assets:A07:IAB`. */
function readLedger(output: string): Answer {
  return readAmounts(output, /^\s*(?<amount>\S+) (?<unit>\S+)\s+(?<name>\S+)$/gm);
}

/** `"Assets:A07:IAB","1121.94 EUR"`. */
function readHledger(output: string): Answer {
  return readAmounts(output, /^"(?<name>[^"]+)","(?<amount>\S+) (?<unit>[^"]+)"$/gm);
}

function readAmounts(output: string, pattern: RegExp): Answer {
  return new Map(
    [...output.matchAll(pattern)].map(({ groups = {} }) => {
      const isMoney = !groups['unit']!.startsWith('I');
      return [groups['name']!, { [isMoney ? 'cost' : 'quantity']: groups['amount']! }];
    }),
  );
}

export interface CliOutcome {
  readonly runs: readonly CliRun[];
  /** What was skipped, and why. */
  readonly skipped: readonly string[];
}

/** Throws if an answer differs from ours. */
export function runCommandLines(ledgers: readonly GeneratedLedger[]): CliOutcome {
  const [present, missing] = [tools.filter(isInstalled), tools.filter((tool) => !isInstalled(tool))];
  const folder = mkdtempSync(join(tmpdir(), 'holdfast-bench-'));
  try {
    const runs = ledgers.flatMap((ledger) => present.map((tool) => runTool(tool, ledger, folder)));
    return { runs, skipped: missing.map(({ name }) => `${name} is not installed`) };
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

function isInstalled({ command }: Tool): boolean {
  if (existsSync(command)) return true;
  return (process.env['PATH'] ?? '').split(delimiter).some((folder) => existsSync(join(folder, command)));
}

function runTool(tool: Tool, ledger: GeneratedLedger, folder: string): CliRun {
  const path = join(folder, `${tool.name}.txt`);
  tool.write(path, ledger);
  const { output, seconds, peakBytes } = timed([tool.command, ...tool.costArguments(path)], folder);
  const { totals } = holdfastLots(quickLedgerOf(ledger, 'trade'), ledger.positions.length);
  const answers = [tool.read(output)];
  if (tool.unitArguments !== undefined)
    answers.push(tool.read(timed([tool.command, ...tool.unitArguments(path)], folder).output));
  for (const [position, quantityAndCost] of totals.entries())
    compare(tool, answers, positionName(ledger, position), quantityAndCost);
  const fileBytes = statSync(path).size;
  rmSync(path);
  return { tool: tool.name, rows: ledger.days.length, seconds, peakBytes, fileBytes };
}

function compare(tool: Tool, answers: readonly Answer[], name: string, { quantity, cost }: QuantityAndCost): void {
  const given = Object.assign({}, ...answers.map((answer) => answer.get(name))) as { quantity?: string; cost?: string };
  const pairs = [
    [fromFixed(quantity), given.quantity ?? '0'],
    [fromFixed(cost), given.cost ?? '0'],
  ] as const;
  for (const [ourFigure, theirFigure] of pairs) {
    if (!new Decimal(ourFigure).minus(theirFigure).abs().lessThanOrEqualTo(tool.tolerance))
      throw new Error(`${name}: ${ourFigure}, ${tool.name} ${theirFigure}.`);
  }
}

const timeCommand = '/usr/bin/time';

interface TimedOutput {
  readonly output: string;
  readonly seconds: number;
  readonly peakBytes: number | null;
}

function timed([command = '', ...parameters]: readonly string[], folder: string): TimedOutput {
  const canMeasure = existsSync(timeCommand);
  const report = join(folder, 'peak-kib.txt');
  const whole = canMeasure ? [timeCommand, '-f', '%M', '-o', report, command] : [command];
  const env = { ...process.env, LC_ALL: 'C.UTF-8', BEANCOUNT_DISABLE_LOAD_CACHE: '1' };
  const began = performance.now();
  const { stdout, stderr, status, error } = spawnSync(whole[0]!, [...whole.slice(1), ...parameters], {
    env,
    encoding: 'utf8',
    maxBuffer: 2 ** 30,
  });
  const seconds = (performance.now() - began) / 1_000;
  if (error !== undefined || status !== 0)
    throw new Error(`${command} failed: ${error?.message ?? stderr.slice(0, 500)}`);
  return { output: stdout, seconds, peakBytes: canMeasure ? Number(readFileSync(report, 'utf8')) * 1_024 : null };
}
