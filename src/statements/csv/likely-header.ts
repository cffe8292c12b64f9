// Guesses what separates the columns of a CSV file that no profile fits, and which line is its header.

import type { CsvRecord } from '../../kit/csv-reader.ts';
import { CsvHeader } from './csv-header.ts';
import { delimiters, recordsAtStart, type Delimiter, type FoundHeader } from './csv-layout.ts';

/** A separator that cuts this share of the lines alike is no part of texts or numbers. */
const nearlyAll = 0.9;

/** What is rarely part of a text or a number comes first: a comma may be a decimal mark. */
const order: readonly Delimiter[] = [delimiters.tab, delimiters.pipe, delimiters.semicolon, delimiters.comma];

interface Table {
  readonly found: FoundHeader;
  readonly isNamed: boolean;
  /** Of the header and the lines below it, how many have as many columns as the header. */
  readonly share: number;
}

/** A header of names goes before a line of values; then what separates nearly all lines alike, or else the most columns in the most lines. */
export function likelyHeader(head: string): FoundHeader | undefined {
  const tables = order.flatMap((delimiter) => tableOf(recordsAtStart(head, delimiter), delimiter) ?? []);
  const named = tables.filter(({ isNamed }) => isNamed);
  const candidates = named.length > 0 ? named : tables;
  const clear = candidates.find(({ share }) => share >= nearlyAll);
  const [best] = candidates.toSorted((one, other) => separated(other) - separated(one));
  return (clear ?? best)?.found;
}

function separated({ found, share }: Table): number {
  return (found.header.names.length - 1) * share;
}

/** A line, and whether one of its cells is no name. */
interface Line extends CsvRecord {
  readonly hasValue: boolean;
}

function tableOf(records: readonly CsvRecord[], delimiter: Delimiter): Table | undefined {
  const lines = records.map((record) => ({ ...record, hasValue: record.fields.some(isValue) }));
  const tables = lines.flatMap((_, index) => tableFrom(lines, index, delimiter) ?? []);
  return tables.find(({ isNamed }) => isNamed) ?? tables[0];
}

/** The table that begins at a line, if at least half of the lines from there on are like it. */
function tableFrom(lines: readonly Line[], index: number, delimiter: Delimiter): Table | undefined {
  const [first, ...below] = lines.slice(index);
  if (first === undefined || first.fields.length < 2) return undefined;
  const rows = below.filter(({ fields }) => fields.length === first.fields.length);
  const regular = rows.length + 1;
  if (regular * 2 < below.length + 1) return undefined;
  // The last lines of a letter may have a comma each: that is no table.
  if (regular * 2 < lines.length && !rows.some(({ hasValue }) => hasValue)) return undefined;
  const header = new CsvHeader(first.fields);
  if (header.size < 2) return undefined;
  const found = { delimiter, line: first.line, header };
  return { found, isNamed: !first.hasValue, share: regular / (below.length + 1) };
}

/** A number, a day, an amount with its currency, the number of an account: more digits than letters. */
function isValue(text: string): boolean {
  const digits = text.match(/\p{Nd}/gu)?.length ?? 0;
  return digits > 0 && digits > (text.match(/\p{L}/gu)?.length ?? 0);
}
