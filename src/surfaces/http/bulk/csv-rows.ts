// Turns CSV records into rows: each cell under its column's name, empty cells left out, as our own exports guard it. Dialects lay out rows in other ways.

import { unguardCell } from '../../../kit/csv-line.ts';
import { CsvFault, CsvReader, type CsvRecord } from '../../../kit/csv-reader.ts';
import type { JsonSchema } from '../../../kit/field.ts';
import type { Json } from '../../../kit/json.ts';
import { Refusal } from '../../../kit/refusal.ts';
import { Faults, pointerToken } from '../operation/declared-fields.ts';
import { UnreadableRow, type BulkRow, type RowReader } from './bulk-row.ts';

/** A layout of CSV that is recognised by its header. */
export interface CsvDialect {
  recognises(header: readonly string[]): boolean;
  /** The rows of one record, with the resource's field names. */
  rowsOf(header: readonly string[], fields: readonly string[]): readonly { [column: string]: string }[];
}

export interface CsvColumns {
  readonly known: readonly string[];
  readonly required: readonly string[];
  readonly dialects: readonly CsvDialect[];
}

interface RowSchema {
  readonly properties?: object;
  readonly required?: readonly string[];
  readonly oneOf?: readonly RowSchema[];
}

/** Reads the columns from a row's schema. With several types, a column of any type is known, and one that all types require is required. */
export function columnsOf(row: JsonSchema): Pick<CsvColumns, 'known' | 'required'> {
  const { oneOf, properties = {}, required = [] } = row as RowSchema;
  if (oneOf === undefined) return { known: Object.keys(properties), required };
  const all = oneOf.map((one) => columnsOf(one as JsonSchema));
  const known = [...new Set(all.flatMap((columns) => columns.known))];
  return { known, required: known.filter((name) => all.every((columns) => columns.required.includes(name))) };
}

type Header = { readonly names: readonly string[]; readonly dialect: CsvDialect | undefined };

export class CsvRows implements RowReader {
  readonly #columns: CsvColumns;
  readonly #reader: CsvReader;
  #header: Header | undefined;
  #count = 0;

  constructor(columns: CsvColumns, lengthMax: number) {
    this.#columns = columns;
    this.#reader = new CsvReader(lengthMax);
  }

  push(chunk: string): BulkRow[] {
    return refusingMalformedCsv(() => this.#reader.push(chunk)).flatMap((record) => this.#rowsOf(record));
  }

  end(): BulkRow[] {
    const rows = refusingMalformedCsv(() => this.#reader.end()).flatMap((record) => this.#rowsOf(record));
    if (this.#header === undefined) throw new Refusal('malformed-csv', 'The first line must contain the column names.');
    return rows;
  }

  #rowsOf(record: CsvRecord): BulkRow[] {
    if (this.#header === undefined) {
      this.#header = this.#readHeader(record.fields);
      return [];
    }
    return this.#valuesOf(this.#header, record).map((value) => {
      return { index: this.#count++, line: record.line, read: () => value };
    });
  }

  #valuesOf({ names, dialect }: Header, { fields }: CsvRecord): (Json | UnreadableRow)[] {
    if (fields.length !== names.length) {
      const detail = `The row has ${fields.length} fields, but the header has ${names.length}.`;
      return [new UnreadableRow('malformed-csv', detail)];
    }
    if (dialect !== undefined) return [...dialect.rowsOf(names, fields.map(unguardCell))];
    const row: { [column: string]: Json } = {};
    for (let index = 0; index < names.length; index++) {
      const [name, cell] = [names[index], fields[index]];
      if (name !== undefined && cell !== undefined && cell !== '') row[name] = unguardCell(cell);
    }
    return [row];
  }

  #readHeader(names: readonly string[]): Header {
    const dialect = this.#columns.dialects.find((one) => one.recognises(names));
    if (dialect === undefined) this.#checkHeader(names);
    return { names, dialect };
  }

  #checkHeader(names: readonly string[]): void {
    const known = new Set(this.#columns.known);
    const all = this.#columns.known.join(', ');
    const faults = new Faults();
    const refuse = (code: string, name: string, detail: string): void =>
      faults.add(code, `/${pointerToken(name)}`, detail);
    const seen = new Set<string>();
    for (const name of names) {
      if (seen.has(name)) refuse('invalid-attribute', name, `The column ${JSON.stringify(name)} appears twice.`);
      seen.add(name);
    }
    for (const name of names) {
      if (!known.has(name))
        refuse('unknown-attribute', name, `Unknown column ${JSON.stringify(name)}. Known columns: ${all}.`);
    }
    for (const name of this.#columns.required) {
      if (!seen.has(name)) refuse('missing-attribute', name, `The column ${name} is required.`);
    }
    faults.throwIfAny();
  }
}

function refusingMalformedCsv<T>(read: () => T): T {
  try {
    return read();
  } catch (error) {
    if (error instanceof CsvFault) throw new Refusal('malformed-csv', error.message);
    throw error;
  }
}
