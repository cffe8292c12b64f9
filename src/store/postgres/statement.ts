// Named SQL statements and the calls made with them: what is sent to the database, and what comes back.

import { hash } from 'node:crypto';
import { assert, defined } from '../../kit/assert.ts';
import type { Refusal } from '../../kit/refusal.ts';
import type { RowSink } from './binary/row-decoder.ts';
import type { SeenClients } from './seen-clients.ts';

/**
 * An array parameter whose length the planner does not see. It sees that of a plain one, and takes a plan for one element for so much better
 * than the prepared plan for any number that it plans the statement anew for each call, which takes longer than running it.
 */
export function arrayOfAnyLength(parameter: string): string {
  return `(SELECT ${parameter}::text[])::text[]`;
}

const pageSizes = [26, 51, 101, 251, 501, 1001, 10_001];

/**
 * The number of rows to write into a statement that reads a page of at most `limit` rows; the parameter with the limit itself goes around it.
 * A limit that only a parameter gives has the same effect as an array's length: the prepared plan is for a tenth of all rows, and loses.
 */
export function writtenPageSize(limit: number): number {
  return pageSizes.find((size) => size >= limit) ?? 2 ** Math.ceil(Math.log2(limit));
}

/**
 * An insert of selected rows whose outcome nobody needs. Without RETURNING, a server that spreads tables would copy the rows to where they
 * belong, which row-level security refuses. No row is sent back.
 */
export function withoutOutcome(insert: string): string {
  return `WITH put AS (${insert} RETURNING 1) SELECT FROM put WHERE false`;
}

export interface Statement<Row> {
  /** The name it is prepared under, unique for its text. */
  readonly name: string;
  readonly text: string;
  /**
   * How it is planned whatever row counts the planner expects: `set-wise` joins whole sets of rows, `index-order` reads in the order of an index,
   * `set-wise-in-order` does both.
   */
  readonly plan?: 'set-wise' | 'index-order' | 'set-wise-in-order';
  /** Reads a row by its key: such reads of one caller may share a round trip. */
  readonly isByKey?: boolean;
  /** Is sent while the batch before still runs, so that the database never waits for it. Returns no columns. */
  readonly goesAhead?: boolean;
  /** Asks all workspaces. The same of some of them, whose ids are its last parameter: where they are on several servers, each can be asked alone. */
  readonly ofSome?: Statement<Row>;
  /** Carries the type of the rows; never has a value. */
  readonly __row?: Row;
}

/** PostgreSQL cuts longer names off. */
const nameLengthMax = 63;

/**
 * A statement is prepared once on each connection, under a name that includes a digest of its text: two releases behind one pooler
 * never run each other's statements, and two long names with the same beginning stay distinct.
 */
export function sql<Row>(name: string, text: string): Statement<Row> {
  const digest = hash('sha256', `${name} ${text}`, 'hex').slice(0, 16);
  const statement = { name: `${name.slice(0, nameLengthMax - digest.length - 1)}#${digest}`, text };
  registered.set(statement.name, statement);
  return statement;
}

/**
 * A statement of all workspaces. `{a}` stands among the conditions of each table, with the table's alias: it holds for all, or limits the
 * table to some of them.
 */
export function askingAll<Row>(name: string, text: string): Statement<Row> {
  const numbers = [...text.matchAll(/\$(\d+)/g)].map(([, number]) => Number(number));
  const ids = `$${numbers.reduce((most, number) => Math.max(most, number), 0) + 1}`;
  const isOfSome = (_: string, alias: string): string => `${alias}.workspace_id = ANY (${ids}::text[])`;
  const ofSome = sql<Row>(`of-some/${name}`, text.replaceAll(/\{(\w+)\}/g, isOfSome));
  return { ...sql<Row>(name, text.replaceAll(/\{\w+\}/g, 'true')), ofSome };
}

const registered = new Map<string, Statement<any>>();

/** All statements that this process has made so far. */
export function registeredStatements(): readonly Statement<unknown>[] {
  return [...registered.values()];
}

type Traits = Pick<Statement<unknown>, 'isByKey'>;

const statementCache = new Map<string, Statement<any>>();

/** Returns the statement of a name; `text` is called the first time only. */
export function memoized<Row>(name: string, text: () => string, traits?: Traits): Statement<Row> {
  const known: Statement<Row> | undefined = statementCache.get(name);
  if (known !== undefined) return known;
  const statement = { ...sql<Row>(name, text()), ...traits };
  statementCache.set(name, statement);
  return statement;
}

/** Returns the statement of a name and a text that is built for every call. */
export function memoizedText<Row>(name: string, text: string, traits?: Traits): Statement<Row> {
  const key = `${name} ${text}`;
  const known: Statement<Row> | undefined = statementCache.get(key);
  if (known !== undefined) return known;
  const statement = { ...sql<Row>(name, text), ...traits };
  statementCache.set(key, statement);
  return statement;
}

export type Value = string | number | boolean | null | Buffer | readonly (string | null)[] | Date | SeenClients;

/** An array of bytes as a parameter: the texts that PostgreSQL reads as `bytea[]`. */
export function bytesTexts(values: readonly Buffer[]): readonly string[] {
  return values.map((value) => `\\x${value.toString('hex')}`);
}

export interface Call<Row = unknown> {
  readonly statement: Statement<Row>;
  readonly values: readonly Value[];
  /** Receives the rows in binary, bypassing the driver's row parsing; the outcome then has no rows. */
  readonly into?: RowConsumer;
  /** What its failure means, for a statement that fails on purpose; undefined for any other failure. */
  readonly refuse?: Refuse;
}

export type Refuse = (error: Error) => Refusal | undefined;

/** A column of a result, as PostgreSQL describes it. */
export interface ResultField {
  readonly name: string;
  readonly dataTypeID: number;
}

export interface RowConsumer extends RowSink {
  /** Drops all rows received so far; the next row is the first one again. */
  reset(): void;
  /** Checks that the columns are the expected ones; records a fault if not. */
  check(fields: readonly ResultField[]): void;
  readonly fault: Error | undefined;
}

export interface Outcome<Row = Record<string, unknown>> {
  readonly rows: Row[];
  readonly count: number;
  /** PostgreSQL's command tag, such as `INSERT 0 1`. */
  readonly tag: string;
}

/** The outcome of a batch's call, with the row type of the statement it was made with. */
export function outcomeAt<Row>(outcomes: readonly Outcome[], index: number, _statement: Statement<Row>): Outcome<Row> {
  const outcome = outcomes.at(index);
  assert(outcome !== undefined, 'a batch has an outcome for each call');
  return outcome as Outcome<Row>;
}

/** The number in the one row of `SELECT count(*) AS count`. */
export function countIn<Count>({ rows }: { readonly rows: readonly { readonly count: Count }[] }): Count {
  return defined(rows[0], 'a count is one row').count;
}
