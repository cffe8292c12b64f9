// Writes a table as CSV, with exact values, and as XLSX, with the 15 digits that a spreadsheet keeps of a number.

import { csvLine } from '../../../kit/csv-line.ts';
import { divideRounded } from '../../../kit/fixed.ts';
import { currencyDigits } from '../language/formats.ts';
import { isFigure, type Cell, type Column, type Row, type Table } from './table.ts';
import type { FileSink } from './file-sink.ts';
import { rowsInTurns } from './rows-in-turns.ts';
import { sheetFile, type SheetCell } from './xlsx.ts';

export const csvMediaType = 'text/csv; charset=utf-8; header=present';
export const xlsxMediaType = 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet';

const sheetNameLengthMax = 31;
const sheetDigitsMax = 15;

function titleLine(columns: Table['columns']): string {
  return csvLine(columns.map(({ title }) => title));
}

function rowLine(columns: Table['columns'], { cells }: Row): string {
  return csvLine(columns.map((_, index) => cells[index]?.value ?? ''));
}

const rowsPerPiece = 100;

/** Every row of the table, one at a time, with turns for others in between. */
function everyRow({ rows, fileRows = rowsInTurns(() => rows) }: Table): AsyncIterable<Row> {
  return fileRows();
}

/** A line of titles and a line for every row; sums and indents are the page's. */
export async function writeTableCsv(table: Table, sink: FileSink): Promise<void> {
  const { columns } = table;
  let [piece, count] = [titleLine(columns), 0];
  for await (const row of everyRow(table)) {
    piece += rowLine(columns, row);
    if (++count % rowsPerPiece !== 0) continue;
    sink.add(Buffer.from(piece));
    piece = '';
  }
  sink.add(Buffer.from(piece));
}

/** A sheet says how wide its columns are before its rows: these say it. */
const measuredRows = 1_000;

export async function writeTableXlsx(table: Table, sink: FileSink): Promise<void> {
  const { caption, columns } = table;
  const rows = everyRow(table)[Symbol.asyncIterator]();
  const lengths = columns.map(({ title }) => title.length);
  const measured: Row[] = [];
  for (let next = await rows.next(); next.done !== true; next = await rows.next()) {
    const { cells } = next.value;
    measured.push(next.value);
    for (const [index, length] of lengths.entries())
      lengths[index] = Math.max(length, cells[index]?.value?.length ?? 0);
    if (measured.length === measuredRows) break;
  }
  const sheet = { columns, measured, rest: { [Symbol.asyncIterator]: () => rows } };
  await sheetFile({ name: sheetName(caption), widths: lengths.map(columnWidth), rows: sheetRows(sheet) }, sink);
}

interface SheetRows {
  readonly columns: readonly Column[];
  readonly measured: readonly Row[];
  readonly rest: AsyncIterable<Row>;
}

async function* sheetRows({ columns, measured, rest }: SheetRows): AsyncGenerator<readonly (SheetCell | null)[]> {
  yield columns.map((column): SheetCell => ({
    value: column.title,
    kind: 'text',
    isBold: true,
    align: isFigure(column) ? 'right' : 'left',
  }));
  for (const row of measured) yield sheetRow(columns, row);
  for await (const row of rest) yield sheetRow(columns, row);
}

function sheetRow(columns: readonly Column[], { cells, level = 0, isSum = false }: Row): readonly (SheetCell | null)[] {
  return columns.map((column, index) => {
    const cell = sheetCell(column, cells[index] ?? { value: null });
    return cell && { ...cell, isBold: isSum, ...(index === 0 && { indent: level }) };
  });
}

function sheetCell(column: Column, cell: Cell): SheetCell | null {
  const { value } = cell;
  if (value === null) return null;
  if (column.kind === 'date' && /^\d{4}-\d{2}-\d{2}$/.test(value)) return { value, kind: 'date', format: 'yyyy-mm-dd' };
  if (!isFigure(column)) return { value, kind: 'text' };
  const kept = sheetNumber(value);
  if (kept === null) return { value, kind: 'text', align: 'right' };
  return { value: kept, kind: 'number', format: sheetFormat(column, cell) };
}

/**
 * As many digits as a spreadsheet's double gives back, rounded half to even. As text a longer figure would be missing from every sum that a reader
 * makes, without a word. Null for what is no number, or has more digits than that before the point.
 */
function sheetNumber(value: string): string | null {
  const [, sign = '', whole = '', fraction = ''] = /^(-?)(\d+)(?:\.(\d+))?$/.exec(value) ?? [];
  if (whole === '') return null;
  const digits = (whole + fraction).replace(/^0+/, '');
  const dropped = digits.length - sheetDigitsMax;
  if (dropped <= 0) return value;
  const places = fraction.length - dropped;
  if (places < 0) return null;
  const rounded = String(divideRounded(BigInt(digits), 10n ** BigInt(dropped))).padStart(places + 1, '0');
  const point = rounded.length - places;
  return `${sign}${rounded.slice(0, point)}${places === 0 ? '' : '.'}${rounded.slice(point)}`;
}

function sheetFormat(column: Column, cell: Cell): string {
  if (column.kind === 'quantity') return '#,##0.###############';
  const digits = column.kind === 'money' ? currencyDigits(cell.currency ?? column.currency) : (column.digits ?? 2);
  const places = digits === 0 ? '0' : `0.${'0'.repeat(digits)}`;
  return column.kind === 'percent' ? `${places}%` : `#,##${places}`;
}

/** Excel refuses names that are long, empty or have these characters. */
function sheetName(caption: string): string {
  const name = caption.replaceAll(/[[\]:*?/\\\p{Cc}]/gu, ' ').slice(0, sheetNameLengthMax);
  return name.replaceAll(/^[\s']+|(?<![\s'])[\s']+$/g, '') || 'Table';
}

function columnWidth(longest: number): number {
  return Math.min(Math.max(longest, 10) + 4, 60);
}
