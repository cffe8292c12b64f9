// Formats report tables as text, with the columns and decimal places that the ledger text expects, next to the expected table.

import { fromFixed, type Fixed } from '../../../src/kit/fixed.ts';
import { roundFixed } from '../kit/round-fixed.ts';
import { fromDayNumber } from '../../../src/kit/calendar-date.ts';
import type { Day } from '../../../src/kit/day.ts';
import type { ExpectedTable, ReportText } from './reports.ts';
import { LedgerTextError } from './words.ts';

/** A text, an exact amount, a ratio, or no value. */
export type Cell = string | Fixed | number | null;

export type TableRow = Readonly<Record<string, Cell>>;

export interface ReportTable {
  readonly columns: readonly string[];
  readonly rows: readonly TableRow[];
}

/** Reported instead of a table. */
export interface TableError {
  readonly error: string;
}

export function dayText(day: Day | null): string | null {
  return day === null ? null : fromDayNumber(day);
}

export interface ComparedText {
  readonly expected: string;
  readonly actual: string;
}

/** Formats both tables with the same layout, so that a diff shows the line and column of a difference. */
export function compareText(report: ReportText, actual: ReportTable | TableError): ComparedText {
  const { expected, line } = report;
  const rendered = 'error' in actual ? { header: [], rows: [], error: actual.error } : renderTable(report, actual);
  const widths = expected.header.map((_, column) =>
    Math.max(
      ...[expected, rendered].flatMap((table) => tableLines(table).map((cells) => (cells[column] ?? '').length)),
    ),
  );
  const text = (table: ExpectedTable): string => [line.text.trimEnd(), ...alignedLines(table, widths)].join('\n');
  return { expected: text(expected), actual: text(rendered) };
}

/** Contains only the columns that the text expects. */
function renderTable({ expected, line }: ReportText, { columns, rows }: ReportTable): ExpectedTable {
  const unknown = expected.header.find((name) => !columns.includes(name));
  if (unknown !== undefined) {
    throw new LedgerTextError(line, `does not know the column "${unknown}", but ${columns.join(', ')}`);
  }
  const rendered = rows.map((row, index) =>
    expected.header.map((name, column) => cellText(row[name] ?? null, expected.rows[index]?.[column] ?? '')),
  );
  return { header: expected.header, rows: rendered, error: null };
}

function tableLines({ header, rows }: ExpectedTable): readonly (readonly string[])[] {
  return [header, ...rows];
}

function alignedLines(table: ExpectedTable, widths: readonly number[]): string[] {
  if (table.error !== null) return [`  error ${table.error}`];
  return tableLines(table).map((cells) =>
    `  ${cells.map((cell, column) => cell.padEnd(widths[column] ?? 0)).join(' | ')}`.trimEnd(),
  );
}

/** Uses the number of decimal places of the expected cell. */
function cellText(cell: Cell, expected: string): string {
  if (cell === null) return '-';
  if (typeof cell === 'string') return cell;
  return typeof cell === 'bigint' ? exactOrRoundedText(cell, expected) : ratioText(cell, expected);
}

/** `~333.33` is an amount rounded to its decimal places; without the tilde it is exact, whatever its trailing zeros. */
function exactOrRoundedText(amount: Fixed, expected: string): string {
  if (expected.startsWith('~')) return `~${padDecimals(fromFixed(roundFixed(amount, placesOf(expected))), expected)}`;
  const exact = fromFixed(amount);
  const wanted = padDecimals(exact, expected);
  return wanted === expected ? wanted : exact;
}

function placesOf(text: string): number {
  return /\.(\d+)/.exec(text)?.[1]!.length ?? 0;
}

function padDecimals(decimal: string, expected: string): string {
  const missing = placesOf(expected) - placesOf(decimal);
  if (missing <= 0) return decimal;
  return `${decimal}${decimal.includes('.') ? '' : '.'}${'0'.repeat(missing)}`;
}

const defaultPlaces = 6;

/** `1.25%`, or `0.0125`. */
function ratioText(ratio: number, expected: string): string {
  const isPlain = /^-?\d+\.\d+$/.test(expected);
  const places = expected.endsWith('%') || isPlain ? placesOf(expected) : defaultPlaces;
  const digits = (isPlain ? ratio : ratio * 100).toFixed(places).replace(/^-(0(?:\.0+)?)$/, '$1');
  return isPlain ? digits : `${digits}%`;
}
