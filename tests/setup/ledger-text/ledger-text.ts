// Reads a ledger text (facts, and reports with their expected tables), runs the engine on it and compares every table.

import { MissingRateError } from '../../../src/engine/currencies/exchange-rates.ts';
import type { Upload } from '../../../src/engine/history/facts.ts';
import { History } from '../../../src/engine/history/history.ts';
import { Ledger } from '../../../src/engine/ledger/ledger.ts';
import type { LedgerTransaction } from '../../../src/engine/ledger/transaction.ts';
import { readInstrument, type DeclaredInstrument } from './instruments.ts';
import { pointKinds, Points } from './points.ts';
import { readReportText, reportKinds, type ReportKind, type ReportText } from './reports.ts';
import type { RowContext } from './row-text.ts';
import { readRow } from './rows.ts';
import { Structure, structureReaders } from './structure.ts';
import { compareText, dayText, type ComparedText, type ReportTable, type TableError } from './table-text.ts';
import { findingsTable } from './tables/findings-table.ts';
import { holdingsTable, lotsTable } from './tables/holding-tables.ts';
import { privateMarketsTable } from './tables/private-markets-table.ts';
import { realisedTable } from './tables/realised-table.ts';
import type { ReportSource } from './tables/report-context.ts';
import { flowsTable, returnsTable, summaryTable } from './tables/return-tables.ts';
import { readUpload } from './uploads.ts';
import { datePattern, LedgerTextError, type Line, Words } from './words.ts';

/** The first line of a text, which names the case. */
export function titleOf(text: string): string {
  return text.split('\n', 1)[0]!.trim();
}

/** All tables of a text: expected and computed. */
export function compareTables(file: string, text: string): ComparedText {
  const entries = parseEntries(file, text);
  const read = readFacts(entries);
  const reports = entries
    .filter(({ word }) => reportKinds.some((kind) => kind === word))
    .map(({ line, table }) => readReportText(line, table, read.structure));
  const compared = reports.map((report) => compareText(report, buildTable(read, report)));
  return {
    expected: compared.map(({ expected }) => expected).join('\n\n'),
    actual: compared.map(({ actual }) => actual).join('\n\n'),
  };
}

/** The history of a text that has facts alone. Its first line is a title too. */
export function historyOfText(text: string): History {
  return readFacts(parseEntries('text', text)).history;
}

/** A line without indentation and the indented lines below it. */
interface Entry {
  readonly word: string;
  readonly line: Line;
  readonly table: Line[];
}

/** Text after `;` is a comment. */
function parseEntries(file: string, text: string): readonly Entry[] {
  const entries: Entry[] = [];
  const lines = text.split('\n').map((whole, index) => ({ file, number: index + 1, text: whole.replace(/;.*$/, '') }));
  for (const line of lines.slice(1)) {
    if (line.text.trim() === '') continue;
    const above = entries.at(-1);
    if (!/^\s/.test(line.text)) entries.push({ word: line.text.split(/\s/, 1)[0]!, line, table: [] });
    else if (above !== undefined) above.table.push(line);
  }
  entries.forEach(checkEntry);
  return entries;
}

const factWords: readonly string[] = [...structureReaders.keys(), ...pointKinds, 'instrument', 'upload'];

function checkEntry({ word, line, table }: Entry): void {
  if (reportKinds.some((kind) => kind === word)) return;
  if (!datePattern.test(word) && !factWords.includes(word)) {
    throw new LedgerTextError(line, `does not know the word "${word}"`);
  }
  if (table.length > 0) throw new LedgerTextError(table[0]!, 'a table may follow a report alone');
}

/** Lines may come in any order: declarations are read before the lines that refer to them. */
function readFacts(entries: readonly Entry[]): ReportSource {
  const wordsOfLines = (isWanted: (word: string) => boolean): Words[] =>
    entries.filter(({ word }) => isWanted(word)).map(({ line }) => new Words(line));
  const structure = new Structure();
  for (const [word, read] of structureReaders)
    wordsOfLines((one) => one === word).forEach((words) => read(skipFirstWord(words), structure));
  const points = new Points();
  for (const kind of pointKinds)
    wordsOfLines((word) => word === kind).forEach((words) => points.read(skipFirstWord(words), kind));
  const declared = wordsOfLines((word) => word === 'instrument').map((words) =>
    readInstrument(skipFirstWord(words), points),
  );
  const instruments = new Map(declared.map((one) => [one.id, one]));
  for (const words of wordsOfLines((word) => word === 'price' || word === 'nav')) {
    const name = skipFirstWord(words).next('an instrument');
    if (!instruments.has(name)) words.fail(`there is no instrument "${name}"`);
  }
  const context: RowContext = { structure, instruments, labels: new Map() };
  const rows = wordsOfLines((word) => datePattern.test(word)).map((words, index) => readRow(words, context, index + 1));
  const uploads = wordsOfLines((word) => word === 'upload').map((words) => readUpload(skipFirstWord(words), context));
  const history = buildHistory({ structure, points, instruments, rows, uploads });
  return { history, structure, instruments, labels: context.labels, index: (name) => points.series('index', name) };
}

/** Skips the word that selected the reader of the line. */
function skipFirstWord(words: Words): Words {
  words.next('a word');
  return words;
}

interface ParsedFacts {
  readonly structure: Structure;
  readonly points: Points;
  readonly instruments: ReadonlyMap<string, DeclaredInstrument>;
  readonly rows: readonly LedgerTransaction[];
  readonly uploads: readonly Upload[];
}

function buildHistory({ structure, points, instruments, rows, uploads }: ParsedFacts): History {
  const { accounts, settings } = structure;
  return new History({
    ledger: Ledger.from(rows),
    uploads,
    accounts,
    instruments,
    rates: points.exchangeRates().withStaleness(settings.staleness.listed),
    settings,
  });
}

const tableBuilders: Readonly<Record<ReportKind, (source: ReportSource, report: ReportText) => ReportTable>> = {
  holdings: holdingsTable,
  lots: lotsTable,
  realised: realisedTable,
  returns: returnsTable,
  summary: summaryTable,
  flows: flowsTable,
  'private-markets': privateMarketsTable,
  findings: findingsTable,
};

function buildTable(source: ReportSource, report: ReportText): ReportTable | TableError {
  try {
    return tableBuilders[report.kind](source, report);
  } catch (error) {
    if (!(error instanceof MissingRateError)) throw error;
    const { from, to, day } = error.exchange;
    return { error: `no rate from ${from} to ${to} on ${dayText(day)}` };
  }
}
