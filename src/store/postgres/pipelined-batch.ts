// Sends several statements in one round trip. This is the only module that leans on private parts of `pg`, because `pg` itself sends one
// statement per round trip and makes an object of every row. `pg-contract.test.ts` pins each part:
//
// - The `Connection` that `submit` receives: `parse`, `bind`, `describe`, `execute`, `close` and `sync` each write one protocol message to
//   `stream`. We call them for every statement and then `sync` once, so that all of them share one round trip and one transaction.
// - `bind` takes values as texts or bytes, and `binary` (results in binary format).
// - `stream` is the socket, plain or encrypted, with `cork` and `uncork`: all messages leave in one write.
// - The `data` listeners of `stream` are the driver's parser. We put a `RowDecoder` before them, which takes rows out of the bytes.
// - The parser handles a chunk synchronously: when its listener returns, the handlers below have been called for all whole messages.
// - `Client.query` calls `submit` of any object that has one, returns that object, and then calls its `handle…` methods: `handleError` alone
//   with an error that `submit` returns, having sent nothing; else one for each message of the server: `handleRowDescription({ fields })`, `handleDataRow({ fields })` with texts, `handleCommandComplete({ text })`,
//   `handleReadyForQuery()`, `handleError(error)`, and those that do nothing here.
// - It calls `submit` when everything before is answered. What was sent ahead is answered then, since the server answers in order.

import type { Connection, Submittable } from 'pg';
import { assert, defined } from '../../kit/assert.ts';
import { hurryWhileSending } from '../../kit/event-loop.ts';
import { RowDecoder } from './binary/row-decoder.ts';
import type { Call, Outcome, ResultField } from './statement.ts';
import { resultColumns, toText, type ResultColumn } from './text-format.ts';

/** The socket of a connection, as far as it is used here. */
interface DriverStream {
  readonly bytesRead?: number;
  cork(): void;
  uncork(): void;
  destroy(error?: Error): unknown;
  listeners(event: 'data'): Function[];
  on(event: 'data', listener: (chunk: Buffer) => void): unknown;
  off(event: 'data', listener: any): unknown;
  readonly writableNeedDrain?: boolean;
  on(event: 'drain' | 'close', listener: () => void): unknown;
  off(event: 'drain' | 'close', listener: () => void): unknown;
}

/** The private part of the driver's connection that a batch is sent with. */
export interface DriverConnection {
  readonly stream: DriverStream;
  parse(query: { name: string; text: string }): void;
  bind(query: { statement: string; values: readonly unknown[]; binary: boolean }): void;
  describe(target: { type: 'P'; name: string }): void;
  execute(target: object): void;
  close(target: { type: 'S'; name: string }): void;
  sync(): void;
}

const privateMethods = ['parse', 'bind', 'describe', 'execute', 'close', 'sync'] as const;

const missingParts = `pg's Connection has a stream and the methods ${privateMethods.join(', ')}`;
const checkedConnections = new WeakSet<object>();

/** Looked at once for each connection: every batch asks. */
function isDriverConnection(connection: object): connection is DriverConnection {
  if (checkedConnections.has(connection)) return true;
  const isComplete = privateMethods.every((name) => name in connection) && 'stream' in connection;
  if (isComplete) checkedConnections.add(connection);
  return isComplete;
}

/** The private part of a connection. */
export function driverConnection(connection: Connection): DriverConnection {
  const candidate: object = connection;
  assert(isDriverConnection(candidate), missingParts);
  return candidate;
}

const decoders = new WeakMap<DriverStream, RowDecoder>();

/** The row decoder of a stream: put before the driver on first use and left there, so that it sees every message from then on. */
export function decoderFor(stream: DriverStream): RowDecoder {
  const known = decoders.get(stream);
  if (known !== undefined) return known;
  const listeners = stream.listeners('data');
  const decoder = new RowDecoder((bytes) => listeners.forEach((listener) => listener.call(stream, bytes)));
  stream.on('data', (chunk) => decoder.receive(chunk));
  for (const listener of listeners) stream.off('data', listener);
  decoders.set(stream, decoder);
  return decoder;
}

/** How many statements a connection keeps prepared: all of the service, and those of several parts where workspaces are spread. */
const preparedMax = 2_000;

/** In the order of their last use. */
type PreparedStatements = Map<string, readonly ResultColumn[]>;

/** The statements that each connection has prepared, by name, with the columns of their rows. */
const preparedByConnection = new WeakMap<object, PreparedStatements>();

function preparedOn(connection: object): PreparedStatements {
  const known = preparedByConnection.get(connection);
  if (known !== undefined) return known;
  const prepared: PreparedStatements = new Map();
  preparedByConnection.set(connection, prepared);
  return prepared;
}

/**
 * Several statements in one round trip. Outside a transaction they form one, since PostgreSQL ends the implicit transaction only at
 * the Sync that follows the last statement: this is how a tenant's scope is entered and left at no extra cost.
 */
export class PipelinedBatch implements Submittable {
  readonly done: Promise<Outcome[]>;
  readonly #calls: readonly Call[];
  readonly #named: 'named' | 'unnamed';
  readonly #outcomes: Outcome[] = [];
  /** By call; undefined until the columns are known. */
  readonly #columns: (readonly ResultColumn[] | undefined)[] = [];
  #prepared: PreparedStatements = new Map();
  readonly #resolve: (outcomes: Outcome[]) => void;
  readonly #reject: (error: Error) => void;
  #rows: Record<string, unknown>[] = [];
  /** The statements this batch prepares, each once however often it is called. */
  readonly #preparing = new Set<string>();
  #isSent = false;
  #isAhead = false;
  /** Gives all rows to the driver again. */
  #releaseDecoder: () => void = () => {};

  constructor(calls: readonly Call[], named: 'named' | 'unnamed') {
    this.#calls = calls;
    this.#named = named;
    const { promise, resolve, reject } = Promise.withResolvers<Outcome[]>();
    this.done = promise;
    this.#resolve = resolve;
    this.#reject = reject;
  }

  /** Returns the error of a value that has no text. Nothing is sent then, and the connection can be used again. */
  submit(connection: Connection): Error | undefined {
    const driver = driverConnection(connection);
    const error = this.#isSent ? undefined : this.#sendAll(driver);
    if (error === undefined && this.#calls.some(({ into }) => into !== undefined)) this.#decodeRows(driver);
    return error;
  }

  /** Sends the batch while the one before is answered. `submit` is called all the same when that has been; it returns an error here too. */
  sendAhead(connection: Connection): void {
    this.#isAhead = true;
    this.#isSent = this.#sendAll(driverConnection(connection)) === undefined;
  }

  #sendAll(driver: DriverConnection): Error | undefined {
    this.#prepared = preparedOn(driver);
    let texts: readonly unknown[][];
    try {
      texts = this.#calls.map(({ values }) => values.map(toText));
    } catch (error) {
      return error as Error;
    }
    driver.stream.cork();
    for (const [index, call] of this.#calls.entries()) this.#send(driver, call, texts[index]!);
    driver.sync();
    driver.stream.uncork();
    hurryWhileSending(driver.stream);
    return undefined;
  }

  #decodeRows({ stream }: DriverConnection): void {
    const decoder = decoderFor(stream);
    for (const { into } of this.#calls) into?.reset();
    decoder.routeTo(() => this.#calls[this.#outcomes.length]?.into);
    this.#releaseDecoder = () => decoder.routeTo(undefined);
  }

  /**
   * A server keeps a plan for each prepared statement: the one that was used longest ago makes room. While a batch before is answered nothing does,
   * since it may use it.
   */
  #makeRoom(driver: DriverConnection): void {
    const [oldest] = this.#prepared.keys();
    const count = this.#prepared.size + this.#preparing.size;
    if (count < preparedMax || this.#isAhead || oldest === undefined) return;
    this.#prepared.delete(oldest);
    driver.close({ type: 'S', name: oldest });
  }

  #send(driver: DriverConnection, { statement, into }: Call, values: readonly unknown[]): void {
    const name = this.#named === 'named' ? statement.name : '';
    const columns = name === '' ? undefined : this.#prepared.get(name);
    const isNew = columns === undefined && !this.#preparing.has(name);
    this.#columns.push(columns);
    if (isNew) {
      if (name !== '') {
        this.#makeRoom(driver);
        driver.close({ type: 'S', name });
      }
      driver.parse({ name, text: statement.text });
    }
    if (name !== '') this.#preparing.add(name);
    driver.bind({ statement: name, values, binary: into !== undefined });
    if (isNew) driver.describe({ type: 'P', name: '' });
    driver.execute({});
  }

  /** The call whose results arrive now. */
  get #currentCall(): Call {
    return defined(this.#calls[this.#outcomes.length], 'the server answers a call of this batch');
  }

  handleRowDescription(message: { fields: ResultField[] }): void {
    this.#columns[this.#outcomes.length] = resultColumns(message.fields);
    this.#currentCall.into?.check(message.fields);
  }

  /** The columns described for this call, or for the earlier call that prepared its statement. */
  #currentColumns(): readonly ResultColumn[] | undefined {
    return (this.#columns[this.#outcomes.length] ??= this.#prepared.get(this.#currentCall.statement.name));
  }

  handleDataRow(message: { fields: (string | null)[] }): void {
    const columns = defined(this.#currentColumns(), 'columns are described before the first row');
    const row: Record<string, unknown> = {};
    for (let index = 0; index < columns.length; index++) {
      const column = columns[index]!;
      const field = message.fields[index];
      row[column.name] = field === null || field === undefined ? null : column.parse(field);
    }
    this.#rows.push(row);
  }

  handleCommandComplete(message: { text: string }): void {
    const { statement, into } = this.#currentCall;
    if (this.#named === 'named' && statement.name !== '' && into?.fault === undefined) {
      const columns = this.#currentColumns() ?? [];
      this.#prepared.delete(statement.name);
      this.#prepared.set(statement.name, columns);
    }
    const tag = message.text;
    const count = Number(tag.slice(tag.lastIndexOf(' ') + 1));
    this.#outcomes.push({ rows: this.#rows, count: Number.isNaN(count) ? 0 : count, tag });
    this.#rows = [];
  }

  handleReadyForQuery(): void {
    this.#releaseDecoder();
    const fault = this.#calls.find(({ into }) => into?.fault !== undefined)?.into?.fault;
    if (fault === undefined) this.#resolve(this.#outcomes);
    else this.#reject(fault);
  }

  handleError(error: Error): void {
    this.#releaseDecoder();
    const failed = this.#calls[this.#outcomes.length];
    this.#reject(failed?.refuse?.(error) ?? error);
  }

  handlePortalSuspended(): void {}
  handleEmptyQuery(): void {}
  handleCopyInResponse(): void {}
  handleCopyData(): void {}
}
