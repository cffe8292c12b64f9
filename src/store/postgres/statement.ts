// Named SQL statements, and one trip to the database that carries several of them. Knows no table.

import { hash } from 'node:crypto';
import pg from 'pg';
import type { Connection, Submittable } from 'pg';
import { parseJson } from '../../kit/json.ts';
import { decoderFor, type ByteStream, type RowSink } from './binary/row-decoder.ts';

export interface Statement<Row> {
  /** Unique for its text: the name it is prepared under. */
  readonly name: string;
  readonly text: string;
  /** Joins whole sets of rows: to be planned without nested loops, whatever the planner believes about their number. */
  readonly isSetWise?: true;
  readonly __row?: Row;
}

/** PostgreSQL cuts longer names off. */
const nameLengthMax = 63;

/**
 * A statement. It is prepared once on each connection, under a name that its text is part of: two releases behind one pooler
 * never run each other's statements, and two long names that are cut alike are still two.
 */
export function sql<Row>(name: string, text: string): Statement<Row> {
  const digest = hash('sha256', `${name} ${text}`, 'hex').slice(0, 16);
  return { name: `${name.slice(0, nameLengthMax - digest.length - 1)}#${digest}`, text };
}

const statementCache = new Map<string, Statement<any>>();

/** A statement that is made from declarations, once for each name. */
export function memoized<Row>(name: string, text: () => string): Statement<Row> {
  let statement = statementCache.get(name);
  if (statement === undefined) statementCache.set(name, (statement = sql<Row>(name, text())));
  return statement as Statement<Row>;
}

/** The same for a text that is put together anew each time. */
export function memoizedText<Row>(name: string, text: string): Statement<Row> {
  const key = `${name} ${text}`;
  let statement = statementCache.get(key);
  if (statement === undefined) statementCache.set(key, (statement = sql<Row>(name, text)));
  return statement as Statement<Row>;
}

export type Value = string | number | boolean | null | Buffer | readonly (string | null)[] | Date;

export interface Call<Row = unknown> {
  readonly statement: Statement<Row>;
  readonly values: readonly Value[];
  /** Takes the rows in binary, past the driver: the outcome has none. */
  readonly into?: RowConsumer;
}

export interface RowConsumer extends RowSink {
  /** Forgets what has come: rows come from the first on. */
  reset(): void;
  check(fields: readonly ResultField[]): void;
  readonly fault: Error | undefined;
}

export interface Outcome<Row = Record<string, unknown>> {
  readonly rows: Row[];
  readonly count: number;
  /** What the database says it has done. */
  readonly tag: string;
}

type ResultColumn = { readonly name: string; readonly parse: (text: string) => unknown };
type ResultField = { name: string; dataTypeID: number };

/** PostgreSQL writes a numeric with all the places of its column; a decimal has none but its own. */
function canonicalDecimal(text: string): string {
  return text.includes('.') ? text.replace(/\.?0+$/, '') : text;
}

const parseAnyArray = pg.types.getTypeParser(1009 as number, 'text') as (text: string) => unknown;

/** Ids and words need no quotes, and most arrays hold nothing else. */
function parseTextArray(text: string): unknown {
  if (text === '{}') return [];
  return /["\\]|NULL/.test(text) ? parseAnyArray(text) : text.slice(1, -1).split(',');
}

const parsers: Record<number, (text: string) => unknown> = {
  20: Number, // int8: counts only; amounts are numeric
  1009: parseTextArray, // text[]
  1082: String, // date
  1184: (text) => Date.parse(text), // timestamptz
  1700: canonicalDecimal, // numeric
  3802: parseJson, // jsonb: its numbers keep their digits
};

function resultColumns(fields: readonly ResultField[]): ResultColumn[] {
  return fields.map(({ name, dataTypeID }) => ({
    name,
    parse: parsers[dataTypeID] ?? (pg.types.getTypeParser(dataTypeID, 'text') as (text: string) => unknown),
  }));
}

/** What a connection has prepared: the name, and the columns its rows have. */
const preparedStatements = new WeakMap<object, Map<string, readonly ResultColumn[]>>();

/** The part of the driver's connection that a trip is made with. */
interface DriverConnection {
  readonly stream: ByteStream & { cork(): void; uncork(): void };
  parse(query: { name: string; text: string }): void;
  bind(query: {
    statement: string;
    values: readonly unknown[];
    valueMapper: (value: unknown) => unknown;
    binary: boolean;
  }): void;
  describe(target: { type: 'P'; name: string }): void;
  execute(target: object): void;
  close(target: { type: 'S'; name: string }): void;
  sync(): void;
}

function toElement(item: unknown): string {
  return item === null ? 'NULL' : `"${String(item).replace(/["\\]/g, '\\$&')}"`;
}

function toText(value: unknown): unknown {
  if (Array.isArray(value)) return `{${value.map(toElement).join(',')}}`;
  if (value instanceof Date) return value.toISOString();
  return typeof value === 'number' || typeof value === 'boolean' ? String(value) : value;
}

/**
 * Several statements in one trip. Without a transaction around them they are one by themselves, since PostgreSQL ends the
 * implicit one only at the Sync that follows the last: this is how a tenant is entered and left at no extra trip.
 */
export class PipelinedBatch implements Submittable {
  readonly done: Promise<Outcome[]>;
  readonly #calls: readonly Call[];
  readonly #named: 'named' | 'unnamed';
  readonly #outcomes: Outcome[] = [];
  readonly #columns: (readonly ResultColumn[] | undefined)[] = [];
  #prepared: Map<string, readonly ResultColumn[]> | undefined;
  #resolve!: (outcomes: Outcome[]) => void;
  #reject!: (error: Error) => void;
  #rows: Record<string, unknown>[] = [];
  /** What this trip prepares: once, however often it is called. */
  readonly #preparing = new Set<string>();
  /** Ends the taking of rows past the driver. */
  #release: () => void = () => {};

  constructor(calls: readonly Call[], named: 'named' | 'unnamed') {
    this.#calls = calls;
    this.#named = named;
    this.done = new Promise((resolve, reject) => {
      this.#resolve = resolve;
      this.#reject = reject;
    });
  }

  submit(connection: Connection): void {
    const driver = connection as unknown as DriverConnection;
    this.#prepared = preparedStatements.get(driver);
    if (this.#prepared === undefined) preparedStatements.set(driver, (this.#prepared = new Map()));
    if (this.#calls.some(({ into }) => into !== undefined)) this.#decodeRows(driver);
    driver.stream.cork();
    for (const call of this.#calls) this.#send(driver, call);
    driver.sync();
    driver.stream.uncork();
  }

  #decodeRows({ stream }: DriverConnection): void {
    const decoder = decoderFor(stream);
    for (const { into } of this.#calls) into?.reset();
    decoder.routeTo(() => this.#calls[this.#outcomes.length]?.into);
    this.#release = () => decoder.routeTo(undefined);
  }

  #send(driver: DriverConnection, { statement, values, into }: Call): void {
    const name = this.#named === 'named' ? statement.name : '';
    const columns = name === '' ? undefined : this.#prepared!.get(name);
    const isNew = columns === undefined && !this.#preparing.has(name);
    this.#columns.push(columns);
    if (isNew) {
      if (name !== '') driver.close({ type: 'S', name });
      driver.parse({ name, text: statement.text });
    }
    if (name !== '') this.#preparing.add(name);
    driver.bind({ statement: name, values, valueMapper: toText, binary: into !== undefined });
    if (isNew) driver.describe({ type: 'P', name: '' });
    driver.execute({});
  }

  handleRowDescription(message: { fields: ResultField[] }): void {
    const index = this.#outcomes.length;
    this.#columns[index] = resultColumns(message.fields);
    this.#calls[index]!.into?.check(message.fields);
  }

  /** Described to this call, or to the one that prepared its statement. */
  #resultColumns(index: number): readonly ResultColumn[] | undefined {
    return (this.#columns[index] ??= this.#prepared!.get(this.#calls[index]!.statement.name));
  }

  handleDataRow(message: { fields: (string | null)[] }): void {
    const columns = this.#resultColumns(this.#outcomes.length)!;
    const row: Record<string, unknown> = {};
    for (let index = 0; index < columns.length; index++) {
      const column = columns[index]!;
      const field = message.fields[index]!;
      row[column.name] = field === null ? null : column.parse(field);
    }
    this.#rows.push(row);
  }

  handleCommandComplete(message: { text: string }): void {
    const index = this.#outcomes.length;
    const { statement, into } = this.#calls[index]!;
    if (this.#named === 'named' && into?.fault === undefined) {
      this.#prepared!.set(statement.name, this.#resultColumns(index) ?? []);
    }
    const tag = message.text;
    const count = Number(tag.slice(tag.lastIndexOf(' ') + 1));
    this.#outcomes.push({ rows: this.#rows, count: Number.isNaN(count) ? 0 : count, tag });
    this.#rows = [];
  }

  handleReadyForQuery(): void {
    this.#release();
    const fault = this.#calls.find(({ into }) => into?.fault !== undefined)?.into?.fault;
    if (fault === undefined) this.#resolve(this.#outcomes);
    else this.#reject(fault);
  }

  handleError(error: Error): void {
    this.#release();
    this.#reject(error);
  }

  handlePortalSuspended(): void {}
  handleEmptyQuery(): void {}
  handleCopyInResponse(): void {}
  handleCopyData(): void {}
}
