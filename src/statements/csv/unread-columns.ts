// Counts the values in columns of a file that no field of its profile reads, so that an import can name them.

import { ownText } from '../../kit/memory/own-text.ts';
import type { StatementNotice, UnreadColumn } from '../../model/custody/statement.ts';
import { shortened } from '../short-text.ts';
import type { CsvColumns } from './csv-header.ts';
import { isEmptyCell, readCsvNumber } from './csv-values.ts';

/** How many columns are told apart; a file may have very many. */
const columnsMax = 50;
/** How many of them the sentence names. */
const namedMax = 8;
const nameLengthMax = 60;
const exampleLengthMax = 40;

interface Column {
  readonly index: number;
  rows: number;
  /** Cut: only whether all rows say the same matters. */
  readonly first: string;
  readonly line: number;
  isConstant: boolean;
}

export class UnreadColumns {
  readonly #names: readonly string[];
  readonly #indexes: readonly number[];
  readonly #columns = new Map<number, Column>();
  #moreColumns = 0;

  constructor(columns: CsvColumns) {
    this.#names = columns.header.names;
    this.#indexes = columns.unread();
  }

  add(line: number, cells: readonly string[]): void {
    for (const index of this.#indexes) {
      const cell = cells[index];
      if (cell === undefined || cell === '' || saysNothing(cell)) continue;
      const column = this.#columns.get(index);
      if (column === undefined) this.#open(index, line, cell);
      else {
        column.rows++;
        column.isConstant &&= startOf(cell) === column.first;
      }
    }
  }

  #open(index: number, line: number, cell: string): void {
    if (this.#columns.size >= columnsMax) this.#moreColumns++;
    else this.#columns.set(index, { index, rows: 1, first: ownText(startOf(cell)), line, isConstant: true });
  }

  /** One notice that names the columns; none if nothing is left unread. */
  notice(): StatementNotice | undefined {
    const columns = [...this.#columns.values()]
      .filter((column) => !isLayout(column))
      .toSorted((one, other) => other.rows - one.rows || one.index - other.index)
      .map((column) => this.#unread(column));
    const [first] = columns;
    if (first === undefined) return undefined;
    const named = columns.slice(0, namedMax).map(({ name, rows, example, line }) => {
      const count = rows === 1 ? '1 row' : `${rows} rows`;
      return `${name} (${count}, such as "${example}" on line ${line})`;
    });
    const others = columns.length - named.length;
    const more = this.#moreColumns > 0 || others > 0 ? `, and ${this.#moreColumns > 0 ? 'many' : others} more` : '';
    const what = columns.length === 1 ? 'A column has values' : 'Columns have values';
    const detail = `${what} that nobody reads: ${named.join(', ')}${more}. If they matter, name them in a mapping profile; if not, in its ignored_columns.`;
    return { item: 'notice', place: { line: first.line }, code: 'columns-not-read', detail, columns };
  }

  #unread({ index, rows, first, line }: Column): UnreadColumn {
    const name = this.#names[index]?.trim() || `column ${index + 1}`;
    return { name: shortened(name, nameLengthMax), rows, example: shortened(first, exampleLengthMax), line };
  }
}

function startOf(cell: string): string {
  return cell.trim().slice(0, 2 * exampleLengthMax);
}

/** Empty, or a zero in either spelling. */
function saysNothing(cell: string): boolean {
  if (isEmptyCell(cell)) return true;
  return cell.length <= 2 * exampleLengthMax && !/[1-9\p{L}]/u.test(cell) && readCsvNumber(cell, 'point') === '0';
}

/** The same text in all of several rows is layout; a number is none. */
function isLayout({ isConstant, rows, first }: Column): boolean {
  return isConstant && rows > 1 && !/\d/.test(first);
}
