// Streams the rows of a table out of PostgreSQL and into it with COPY, at the pace of the slower side. `pg` itself offers no stream.

import { once } from 'node:events';
import type pg from 'pg';
import type { Connection, Submittable } from 'pg';

/** Rows are handed on in blocks of this size. */
const blockBytes = 256 * 1024;
/** The server is not read from while this much waits to be used. */
const waitingBytesMax = 4 * blockBytes;

/** The messages of the server that a COPY gets; `pg` calls one method for each. */
abstract class Copy implements Submittable {
  readonly #text: string;

  constructor(text: string) {
    this.#text = text;
  }

  submit(connection: Connection): void {
    connection.query(this.#text);
  }

  abstract handleError(error: Error): void;
  abstract handleReadyForQuery(): void;
  handleCopyInResponse(_connection: Connection): void {}
  handleCopyData(_message: { chunk: Buffer }, _connection: Connection): void {}
  handleCommandComplete(_message: { text: string }): void {}
  handleRowDescription(): void {}
  handleDataRow(): void {}
  handlePortalSuspended(): void {}
  handleEmptyQuery(): void {}
}

class CopyOut extends Copy {
  readonly #waiting: Buffer[] = [];
  #waitingBytes = 0;
  #block = Buffer.allocUnsafe(blockBytes);
  #blockLength = 0;
  #connection: Connection | undefined;
  #isEnded = false;
  #error: Error | undefined;
  #wake: () => void = () => {};

  override submit(connection: Connection): void {
    this.#connection = connection;
    super.submit(connection);
  }

  /** Copies the bytes: the driver overwrites them with what it receives next. */
  override handleCopyData({ chunk }: { chunk: Buffer }): void {
    if (chunk.length > blockBytes - this.#blockLength) this.#closeBlock();
    if (chunk.length > blockBytes) return this.#add(Buffer.from(chunk));
    chunk.copy(this.#block, this.#blockLength);
    this.#blockLength += chunk.length;
  }

  #closeBlock(): void {
    if (this.#blockLength === 0) return;
    this.#add(this.#block.subarray(0, this.#blockLength));
    this.#block = Buffer.allocUnsafe(blockBytes);
    this.#blockLength = 0;
  }

  #add(bytes: Buffer): void {
    this.#waiting.push(bytes);
    this.#waitingBytes += bytes.length;
    if (this.#waitingBytes > waitingBytesMax) this.#connection?.stream.pause();
    this.#wake();
  }

  override handleReadyForQuery(): void {
    this.#closeBlock();
    this.#isEnded = true;
    this.#letFlow();
  }

  override handleError(error: Error): void {
    this.#error ??= error;
    this.#letFlow();
  }

  /** The connection is read again, for what comes after the rows: the last of them may have stopped it. */
  #letFlow(): void {
    this.#connection?.stream.resume();
    this.#wake();
  }

  async *blocks(): AsyncGenerator<Buffer, void, undefined> {
    for (;;) {
      const block = this.#waiting.shift();
      if (this.#error !== undefined) throw this.#error;
      if (block !== undefined) {
        this.#waitingBytes -= block.length;
        yield block;
      } else if (this.#isEnded) {
        return;
      } else {
        this.#connection?.stream.resume();
        await new Promise<void>((resolve) => (this.#wake = resolve));
      }
    }
  }
}

/** Runs a `COPY … TO STDOUT`. If the rows are not read to the end, the connection can only be closed. */
export function copyOut(client: pg.Client, text: string): AsyncGenerator<Buffer, void, undefined> {
  return client.query(new CopyOut(text)).blocks();
}

class CopyIn extends Copy {
  readonly done: Promise<number>;
  readonly #blocks: AsyncIterable<Buffer>;
  readonly #resolve: (count: number) => void;
  readonly #reject: (error: Error) => void;
  /** Why the rows could not be read, which says more than that the COPY was ended. */
  #sourceError: Error | undefined;
  #isEnded = false;
  #count = 0;

  constructor(text: string, blocks: AsyncIterable<Buffer>) {
    super(text);
    this.#blocks = blocks;
    const { promise, resolve, reject } = Promise.withResolvers<number>();
    this.done = promise;
    this.#resolve = resolve;
    this.#reject = reject;
  }

  override handleCopyInResponse(connection: Connection): void {
    this.#send(connection).catch((error: unknown) => {
      this.#sourceError = error instanceof Error ? error : new Error(String(error));
      connection.stream.write(message('f', Buffer.from('the rows cannot be read\0')));
    });
  }

  async #send({ stream }: Connection): Promise<void> {
    for await (const block of this.#blocks) {
      if (this.#isEnded) return;
      if (!stream.write(message('d', block))) await Promise.race([once(stream, 'drain'), this.done.catch(() => {})]);
    }
    if (!this.#isEnded) stream.write(message('c', Buffer.alloc(0)));
  }

  override handleCommandComplete({ text }: { text: string }): void {
    this.#count = Number(/^COPY (\d+)$/.exec(text)?.[1]);
  }

  override handleReadyForQuery(): void {
    this.#isEnded = true;
    this.#resolve(this.#count);
  }

  override handleError(error: Error): void {
    this.#isEnded = true;
    this.#reject(this.#sourceError ?? error);
  }
}

/** One message of PostgreSQL's protocol: code, length, body. */
function message(code: 'c' | 'd' | 'f', body: Buffer): Buffer {
  const bytes = Buffer.allocUnsafe(5 + body.length);
  bytes.write(code, 0, 'latin1');
  bytes.writeInt32BE(4 + body.length, 1);
  body.copy(bytes, 5);
  return bytes;
}

/** Runs a `COPY … FROM STDIN` with these rows, and returns how many there were. */
export function copyIn(client: pg.Client, text: string, blocks: AsyncIterable<Buffer>): Promise<number> {
  return client.query(new CopyIn(text, blocks)).done;
}
