// Rows of a report as a CSV file: a column for every member of a row, those of an object within it one by one. Knows no report.

import { csvLine } from '../../../kit/csv-line.ts';
import type { Shape } from '../../../kit/shape.ts';
import type { Answer } from '../../http/operation/operation.ts';
import { csvType } from '../ledger/transaction-export.ts';
import { style } from './report-query.ts';

type Written = Readonly<Record<string, unknown>>;

const rowsPerPiece = 1_000;

/** `before` are columns that have the same in every row. */
export function csvReport<T>(
  shape: Shape<T>,
  rows: readonly T[],
  before: Readonly<Record<string, string>> = {},
): Answer {
  const headers = { 'content-type': `${csvType}; charset=utf-8; header=present` };
  return { status: 200, headers, pieces: pieces(shape, rows, before) };
}

async function* pieces<T>(
  shape: Shape<T>,
  rows: readonly T[],
  before: Readonly<Record<string, string>>,
): AsyncGenerator<string> {
  const columns = columnsOf(shape.schema(style));
  yield csvLine([...Object.keys(before), ...columns.map((path) => path.join('_'))]);
  const same = Object.values(before);
  for (let start = 0; start < rows.length; start += rowsPerPiece) {
    yield rows
      .slice(start, start + rowsPerPiece)
      .map((row) => lineOf(shape.write(row, style) as Written, columns, same))
      .join('');
  }
}

function columnsOf(schema: Written): readonly (readonly string[])[] {
  return Object.entries(schema['properties'] as Record<string, Written>).flatMap(([name, member]) =>
    'properties' in member ? columnsOf(member).map((path) => [name, ...path]) : [[name]],
  );
}

function lineOf(row: Written, columns: readonly (readonly string[])[], same: readonly string[]): string {
  return csvLine([...same, ...columns.map((path) => textAt(row, path))]);
}

function textAt(row: Written, path: readonly string[]): string {
  const value = path.reduce<unknown>((at, name) => (at as Written)[name], row);
  return value === null ? '' : String(value);
}
