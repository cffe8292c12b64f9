// Writes rows of a report as a CSV file: one column for every member, and for every member of a nested object.

import { csvLine } from '../../../kit/csv-line.ts';
import type { Kind, WritingStyle } from '../../../kit/field.ts';
import type { OperationResponse } from '../../http/operation/operation.ts';
import { csvType } from '../ledger/transaction-export.ts';

type WrittenRow = Readonly<Record<string, unknown>>;

const rowsPerChunk = 1_000;

interface CsvOptions {
  readonly style: WritingStyle;
  /** Columns with the same value in every row, before the others. */
  readonly prefixColumns?: Readonly<Record<string, string>>;
}

export function csvResponse<T>(
  shape: Kind<T>,
  rows: readonly T[],
  { style, prefixColumns = {} }: CsvOptions,
): OperationResponse {
  const headers = { 'content-type': `${csvType}; charset=utf-8; header=present` };
  return { status: 200, headers, chunks: csvChunks(shape, rows, { style, prefixColumns }) };
}

async function* csvChunks<T>(
  shape: Kind<T>,
  rows: readonly T[],
  { style, prefixColumns }: Required<CsvOptions>,
): AsyncGenerator<string> {
  const columns = columnPaths(shape.schema(style));
  yield csvLine([...Object.keys(prefixColumns), ...columns.map((path) => path.join('_'))]);
  const prefixValues = Object.values(prefixColumns);
  for (let start = 0; start < rows.length; start += rowsPerChunk) {
    yield rows
      .slice(start, start + rowsPerChunk)
      .map((row) => csvRow(shape.write(row, style) as WrittenRow, columns, prefixValues))
      .join('');
  }
}

/** What an answer may leave out has no column. */
function columnPaths(schema: WrittenRow): readonly (readonly string[])[] {
  const always = schema['required'] as readonly string[];
  return Object.entries(schema['properties'] as Record<string, WrittenRow>)
    .filter(([name]) => always.includes(name))
    .flatMap(([name, member]) =>
      'properties' in member ? columnPaths(member).map((path) => [name, ...path]) : [[name]],
    );
}

function csvRow(row: WrittenRow, columns: readonly (readonly string[])[], prefixValues: readonly string[]): string {
  return csvLine([...prefixValues, ...columns.map((path) => textAt(row, path))]);
}

function textAt(row: WrittenRow, path: readonly string[]): string {
  const value = path.reduce<unknown>((at, name) => (at as WrittenRow)[name], row);
  if (Array.isArray(value)) return value.join(' ');
  return value === null ? '' : String(value);
}
