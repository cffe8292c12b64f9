// Pins the internals of `pg` that `pipelined-batch.ts` depends on. A failure after an upgrade of `pg` shows which part has changed.

import { EventEmitter } from 'node:events';
import { Writable } from 'node:stream';
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest';
import { decoderFor, driverConnection, type DriverConnection } from './pipelined-batch.ts';

/** A connection whose messages are collected instead of being sent. */
function connectionToMemory(): { connection: DriverConnection; sent: () => Buffer } {
  const chunks: Buffer[] = [];
  const stream = new Writable({ write: (chunk: Buffer, _encoding, done) => (chunks.push(chunk), done()) });
  const connection = Reflect.construct(pg.Connection, [{ stream }]);
  return { connection: driverConnection(connection), sent: () => Buffer.concat(chunks) };
}

/** Builds a frontend message: code, length, body. */
function message(code: string, ...parts: (string | number | Buffer)[]): Buffer {
  const body = Buffer.concat(
    parts.map((part) =>
      typeof part === 'string' ? Buffer.from(`${part}\0`) : typeof part === 'number' ? int16(part) : part,
    ),
  );
  const head = Buffer.alloc(5);
  head.write(code);
  head.writeInt32BE(4 + body.length, 1);
  return Buffer.concat([head, body]);
}

function int16(value: number): Buffer {
  const bytes = Buffer.alloc(2);
  bytes.writeInt16BE(value);
  return bytes;
}

function int32(value: number): Buffer {
  const bytes = Buffer.alloc(4);
  bytes.writeInt32BE(value);
  return bytes;
}

describe('a method of Connection writes one protocol message', () => {
  const value = (text: string): Buffer => Buffer.concat([int32(text.length), Buffer.from(text)]);

  test.each<[what: string, send: (connection: DriverConnection) => void, expected: Buffer]>([
    ['parse', (one) => one.parse({ name: 's', text: 'SELECT 1' }), message('P', 's', 'SELECT 1', 0)],
    [
      'bind with text values and text results',
      (one) => one.bind({ statement: 's', values: ['a', null], binary: false }),
      message('B', '', 's', 2, 0, 0, 2, value('a'), int32(-1), 1, 0),
    ],
    [
      'bind with binary results',
      (one) => one.bind({ statement: 's', values: ['a'], binary: true }),
      message('B', '', 's', 1, 0, 1, value('a'), 1, 1),
    ],
    [
      'bind with bytes',
      (one) => one.bind({ statement: '', values: [Buffer.from('a')], binary: false }),
      message('B', '', '', 1, 1, 1, value('a'), 1, 0),
    ],
    ['describe', (one) => one.describe({ type: 'P', name: '' }), message('D', Buffer.from('P'), '')],
    ['execute without a limit', (one) => one.execute({}), message('E', '', int32(0))],
    ['close', (one) => one.close({ type: 'S', name: 's' }), message('C', Buffer.from('S'), 's')],
    ['sync', (one) => one.sync(), message('S')],
  ])('%s', (_what, send, expected) => {
    const { connection, sent } = connectionToMemory();
    send(connection);
    expect(sent()).toEqual(expected);
  });

  test('a connection without one of these methods is refused, naming it', () => {
    const { connection } = connectionToMemory();
    expect(() => driverConnection(Object.create(null))).toThrow(
      "pg's Connection has a stream and the methods parse, bind",
    );
    expect(driverConnection(Object.create(connection))).toBeDefined();
  });
});

/** Records what the client does with an object that has a `submit`. */
class RecordingQuery {
  readonly calls: [name: string, ...args: unknown[]][] = [];
  connection: DriverConnection | undefined;
  readonly #text: string;
  readonly #ready = Promise.withResolvers<void>();

  constructor(text: string) {
    this.#text = text;
  }

  get done(): Promise<void> {
    return this.#ready.promise;
  }

  submit(connection: pg.Connection): void {
    this.connection = driverConnection(connection);
    this.connection.stream.cork();
    this.connection.parse({ name: '', text: this.#text });
    this.connection.bind({ statement: '', values: [], binary: false });
    this.connection.describe({ type: 'P', name: '' });
    this.connection.execute({});
    this.connection.sync();
    this.connection.stream.uncork();
  }

  handleRowDescription({ fields }: { fields: { name: string; dataTypeID: number }[] }): void {
    this.calls.push(['handleRowDescription', fields.map(({ name, dataTypeID }) => [name, dataTypeID])]);
  }

  handleDataRow({ fields }: { fields: unknown[] }): void {
    this.calls.push(['handleDataRow', [...fields]]);
  }

  handleCommandComplete({ text }: { text: string }): void {
    this.calls.push(['handleCommandComplete', text]);
  }

  handleEmptyQuery(): void {
    this.calls.push(['handleEmptyQuery']);
  }

  handleReadyForQuery(): void {
    this.calls.push(['handleReadyForQuery']);
    this.#ready.resolve();
  }

  handleError(error: pg.DatabaseError): void {
    this.calls.push(['handleError', error.code]);
    this.#ready.resolve();
  }
}

describe('a client with an object that has a submit', () => {
  let client: pg.Client;

  beforeAll(async () => {
    client = new pg.Client({ connectionString: inject('databaseServer') });
    await client.connect();
  });

  afterAll(() => client.end());

  test('returns the object itself and calls its handlers, one for each message of the server', async () => {
    const query = new RecordingQuery(`SELECT n AS number, nullif(n, 2)::text AS text FROM generate_series(1, 2) n`);
    expect(client.query(query)).toBe(query);
    await query.done;
    expect(query.calls).toEqual([
      [
        'handleRowDescription',
        [
          ['number', 23],
          ['text', 25],
        ],
      ],
      ['handleDataRow', ['1', '1']],
      ['handleDataRow', ['2', null]],
      ['handleCommandComplete', 'SELECT 2'],
      ['handleReadyForQuery'],
    ]);
  });

  test('knows the process of the server that it talks to', async () => {
    const { rows } = await client.query('SELECT pg_backend_pid() AS "processID"');
    expect(client).toMatchObject(rows[0]);
  });

  test('calls handleError once for a failed statement, and continues with the next one', async () => {
    const [failed, next] = [new RecordingQuery('SELECT 1 / 0 AS number'), new RecordingQuery('')];
    client.query(failed);
    client.query(next);
    await next.done;
    expect(failed.calls.at(-1)).toEqual(['handleError', '22012']);
    expect(next.calls).toEqual([['handleEmptyQuery'], ['handleReadyForQuery']]);
  });

  test('parses the bytes of a data event in one listener, before that listener returns', async () => {
    const query = new RecordingQuery(`SELECT 1 AS number`);
    client.query(query);
    await query.done;
    const stream = query.connection!.stream;
    const listeners = stream.listeners('data');
    expect(listeners).toHaveLength(1);
    const parsed = new RecordingQuery('SELECT 2 AS number');
    const callsAfterChunk: number[] = [];
    const recorded = (chunk: Buffer): void => {
      listeners[0]!.call(stream, chunk);
      callsAfterChunk.push(parsed.calls.length);
    };
    stream.off('data', listeners[0]);
    stream.on('data', recorded);
    client.query(parsed);
    await parsed.done;
    stream.off('data', recorded);
    stream.on('data', (chunk) => listeners[0]!.call(stream, chunk));
    expect(callsAfterChunk.at(-1)).toBe(parsed.calls.length);
    expect(parsed.calls.at(-1)).toEqual(['handleReadyForQuery']);
  });
});

test('a stream has one decoder, which runs before all existing listeners', () => {
  const stream = Object.assign(new EventEmitter(), { cork: () => {}, uncork: () => {}, destroy: () => {} });
  const received: string[] = [];
  stream.on('data', (bytes: Buffer) => void received.push(`one ${bytes}`));
  stream.on('data', (bytes: Buffer) => void received.push(`other ${bytes}`));
  const decoder = decoderFor(stream);
  expect(decoderFor(stream)).toBe(decoder);
  const ready = message('Z', Buffer.from('I'));
  stream.emit('data', ready);
  expect(received).toEqual([`one ${ready}`, `other ${ready}`]);
});
