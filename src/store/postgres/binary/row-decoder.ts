// Takes rows out of the bytes that the server sends, before the driver makes objects of them; every other message goes on to the
// driver as it came. Knows the frames of messages and nothing of what is in a row.

/** Where rows go. Never throws: a fault is kept, and the rows that follow are let go. */
export interface RowSink {
  /** One row, as the bytes after the head of its message. */
  take(bytes: Buffer, at: number): void;
}

/** Where the rows of the statement under way go; those of others are the driver's. */
export type SinkFinder = () => RowSink | undefined;

/** A socket, plain or encrypted, as far as it is needed here. */
export interface ByteStream {
  listeners(event: 'data'): Function[];
  on(event: 'data', listener: (chunk: Buffer) => void): unknown;
  off(event: 'data', listener: any): unknown;
}

const rowCode = 0x44; // 'D'
const headerLength = 5;
const emptyBuffer = Buffer.alloc(0);

/** A message is its code, and the length of what follows the code. */
function messageLength(bytes: Buffer, at: number): number {
  return 1 + bytes.readUInt32BE(at + 1);
}

export class RowDecoder {
  readonly #toDriver: (bytes: Buffer) => void;
  #findSink: SinkFinder | undefined;
  /** How many bytes of the message under way still go to the driver. */
  #forwardBytes = 0;
  /** The beginning of a head, or of a row that is wanted, whose rest has not come. */
  #buffered = emptyBuffer;

  constructor(toDriver: (bytes: Buffer) => void) {
    this.#toDriver = toDriver;
  }

  /** Until it is called without one. */
  routeTo(findSink: SinkFinder | undefined): void {
    this.#findSink = findSink;
  }

  receive(chunk: Buffer): void {
    const at = this.#buffered.length === 0 ? 0 : this.#fillBuffer(chunk);
    if (at < chunk.length) this.#split(chunk, at);
  }

  /** Puts what was held together with its rest, and says where in the chunk that ends. */
  #fillBuffer(chunk: Buffer): number {
    let at = 0;
    while (this.#buffered.length > 0 && at < chunk.length) {
      const wanted = this.#buffered.length < headerLength ? headerLength : messageLength(this.#buffered, 0);
      const until = Math.min(chunk.length, at + wanted - this.#buffered.length);
      this.#buffered = Buffer.concat([this.#buffered, chunk.subarray(at, until)]);
      at = until;
      if (this.#buffered.length === wanted) this.#dispatchBuffered();
    }
    return at;
  }

  #dispatchBuffered(): void {
    const buffered = this.#buffered;
    const sink = buffered[0] === rowCode ? this.#findSink?.() : undefined;
    const length = messageLength(buffered, 0);
    if (sink === undefined) {
      this.#buffered = emptyBuffer;
      this.#forwardBytes = length - buffered.length;
      this.#toDriver(buffered);
    } else if (buffered.length === length) {
      this.#buffered = emptyBuffer;
      sink.take(buffered, headerLength);
    }
  }

  #split(chunk: Buffer, start: number): void {
    let [at, forwardedFrom] = [start, start];
    while (at < chunk.length) {
      if (this.#forwardBytes > 0) {
        const step = Math.min(this.#forwardBytes, chunk.length - at);
        this.#forwardBytes -= step;
        at += step;
      } else if (chunk.length - at < headerLength) break;
      else if (chunk[at] !== rowCode || this.#findSink === undefined) this.#forwardBytes = messageLength(chunk, at);
      else {
        this.#forward(chunk, forwardedFrom, at); // it says which statement the row is of
        const after = this.#takeRows(chunk, at);
        forwardedFrom = after ?? at;
        if (after === undefined) this.#forwardBytes = messageLength(chunk, at);
        else if (after === at) break;
        else at = after;
      }
    }
    this.#forward(chunk, forwardedFrom, at);
    // A copy: a few bytes must not keep the whole chunk.
    if (at < chunk.length) this.#buffered = Buffer.from(chunk.subarray(at));
  }

  #forward(chunk: Buffer, from: number, to: number): void {
    if (from < to) this.#toDriver(from === 0 && to === chunk.length ? chunk : chunk.subarray(from, to));
  }

  /** All whole rows from here on: where they end, or undefined where nobody wants them. */
  #takeRows(chunk: Buffer, start: number): number | undefined {
    const sink = this.#findSink?.();
    if (sink === undefined) return undefined;
    let at = start;
    while (chunk.length - at >= headerLength && chunk[at] === rowCode) {
      const end = at + messageLength(chunk, at);
      if (end > chunk.length) break;
      sink.take(chunk, at + headerLength);
      at = end;
    }
    return at;
  }
}

const decoders = new WeakMap<ByteStream, RowDecoder>();

/** The sieve of a stream: put before the driver when it is first asked for, and there for good, so that it never loses count. */
export function decoderFor(stream: ByteStream): RowDecoder {
  const known = decoders.get(stream);
  if (known !== undefined) return known;
  const listeners = stream.listeners('data');
  const decoder = new RowDecoder((bytes) => listeners.forEach((listener) => listener.call(stream, bytes)));
  stream.on('data', (chunk) => decoder.receive(chunk));
  for (const listener of listeners) stream.off('data', listener);
  decoders.set(stream, decoder);
  return decoder;
}
