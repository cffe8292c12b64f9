// One model of a table; from it come the page's table, CSV and XLSX. Values are exact decimals, dates or texts; null is none.
// A page: `const table: Table = { id: 'holdings', caption: text.holdings, columns: [{ key: 'name', title: text.name,
// kind: 'text' }, { key: 'value', title: text.value, kind: 'money', currency: 'CHF', sortKey: 'value' }], rows: [{ cells:
// [{ value: 'Shares', href }, { value: '12.5', explain }] }] }`, then `tableHtml(table, { reader, sort })`,
// `tableCsv(table)`, `await tableXlsx(table)`.

import type { Figure, Formats } from '../language/formats.ts';
import type { Mark } from '../parts/marks.ts';

export type ColumnKind = 'text' | 'money' | 'number' | 'percent' | 'date' | 'quantity' | 'link';

export interface Column {
  /** Unique in its table. */
  readonly key: string;
  readonly title: string;
  readonly kind: ColumnKind;
  /** Figures stand at the end and texts at the start unless told otherwise. */
  readonly align?: 'start' | 'end';
  readonly currency?: string;
  /** Digits after the point of numbers and percents; two unless told otherwise. */
  readonly digits?: number;
  /** Gains and losses: with sign and colour. Percents are, unless this is false; money and numbers only if it is true. */
  readonly signed?: boolean;
  /** What `?sort=` says for this column; without it the column cannot be sorted. */
  readonly sortKey?: string;
  /** Long texts break into lines. */
  readonly wide?: boolean;
}

/** Columns of money in one currency, which their titles name. */
export function moneyColumns(currency: string): (key: string, title: string, signed?: boolean) => Column {
  return (key, title, signed = false) => ({ key, title: `${title} (${currency})`, kind: 'money', currency, signed });
}

export interface Cell {
  readonly value: Figure;
  /** What the page shows instead of the formatted value; files have the value. A long list gives functions, which only a page calls. */
  readonly text?: string | (() => string);
  readonly href?: string;
  /** The page that says how the figure came about. */
  readonly explain?: string;
  /** A short remark below the value. */
  readonly note?: string;
  /** What makes the figure less sure than others: old, estimated, incomplete. */
  readonly marks?: readonly Mark[];
  /** Where it differs from its column's. */
  readonly currency?: string;
}

export interface Row {
  /** In the order of the columns. */
  readonly cells: readonly Cell[];
  /** How deep the row is below its heading: 0 to 3. */
  readonly level?: number;
  readonly isSum?: boolean;
  /** The row stands above those that belong to it. */
  readonly isHeading?: boolean;
}

export type FileRows = () => AsyncIterable<Row>;

export interface Table {
  readonly id: string;
  readonly caption: string;
  readonly columns: readonly Column[];
  /** Those that the page shows. */
  readonly rows: readonly Row[];
  /** Every row, if the page shows only some. Rows are read and made one after another while a file is written. */
  readonly fileRows?: FileRows;
  /** The chart of these values as a file (SVG), for a table that belongs to one. */
  readonly picture?: () => string;
}

export function isFigure({ kind }: Column): boolean {
  return kind === 'money' || kind === 'number' || kind === 'percent' || kind === 'quantity';
}

export function isSigned({ kind, signed = kind === 'percent' }: Column): boolean {
  return signed;
}

/** What the reader sees of a cell. */
export function cellText(column: Column, cell: Cell, formats: Formats): string {
  if (cell.text !== undefined) return typeof cell.text === 'string' ? cell.text : cell.text();
  const { kind, digits } = column;
  const currency = cell.currency ?? column.currency;
  switch (kind) {
    case 'money':
      return isSigned(column) ? formats.signedMoney(cell.value, currency) : formats.money(cell.value, currency);
    case 'number':
      return isSigned(column) ? formats.signedNumber(cell.value, digits) : formats.number(cell.value, digits);
    case 'percent':
      return isSigned(column) ? formats.percent(cell.value, digits) : formats.share(cell.value, digits);
    case 'quantity':
      return formats.quantity(cell.value);
    case 'date':
      return formats.dateShort(cell.value);
    case 'text':
    case 'link':
      return cell.value ?? '–';
  }
}
