// Takes rows out of the server's bytes before the driver makes objects of them, and passes every other message on to the driver
// unchanged. It reads the framing of messages only, not the contents of rows.

/** Receives rows. Never throws: it records the first fault and ignores the rows after it. */
export interface RowSink {
  /** Takes one row: the bytes that follow the header of its message. */
  take(bytes: Buffer, at: number): void;
}

/** Returns the sink of the statement whose results arrive now; undefined leaves its rows to the driver. */
type SinkFinder = () => RowSink | undefined;

const rowCode = 0x44; // 'D'
const headerLength = 5;
const emptyBuffer = Buffer.alloc(0);

/** A message begins with its one-byte code and a length, which counts everything but the code. */
function messageLength(bytes: Buffer, at: number): number {
  return 1 + bytes.readUInt32BE(at + 1);
}

export class RowDecoder {
  readonly #toDriver: (bytes: Buffer) => void;
  #findSink: SinkFinder | undefined;
  /** How many bytes of the current message still go to the driver. */
  #forwardBytes = 0;
  /** The beginning of a header, or of a row for a sink, whose rest has not arrived yet. */
  #buffered: Buffer = emptyBuffer;
  /** How many bytes of it have arrived: the buffer of a row has room for all of it. */
  #bufferedLength = 0;

  constructor(toDriver: (bytes: Buffer) => void) {
    this.#toDriver = toDriver;
  }

  /** Sends rows to the sinks that `findSink` returns; undefined leaves all rows to the driver. */
  routeTo(findSink: SinkFinder | undefined): void {
    this.#findSink = findSink;
  }

  receive(chunk: Buffer): void {
    const at = this.#bufferedLength === 0 ? 0 : this.#fillBuffer(chunk);
    if (at < chunk.length) this.#split(chunk, at);
  }

  /** Completes the buffered message from the chunk and returns the position in the chunk after it. */
  #fillBuffer(chunk: Buffer): number {
    let at = 0;
    while (this.#bufferedLength > 0 && at < chunk.length) {
      const wanted = this.#bufferedLength < headerLength ? headerLength : messageLength(this.#buffered, 0);
      if (this.#buffered.length < wanted) this.#makeRoom(wanted);
      const until = Math.min(chunk.length, at + wanted - this.#bufferedLength);
      this.#bufferedLength += chunk.copy(this.#buffered, this.#bufferedLength, at, until);
      at = until;
      if (this.#bufferedLength === wanted) this.#dispatchBuffered();
    }
    return at;
  }

  /** For the whole message at once: a long row arrives in very many chunks. */
  #makeRoom(length: number): void {
    const buffered = this.#buffered.subarray(0, this.#bufferedLength);
    this.#buffered = Buffer.allocUnsafe(length);
    buffered.copy(this.#buffered);
  }

  #dispatchBuffered(): void {
    const buffered = this.#buffered.subarray(0, this.#bufferedLength);
    const sink = buffered[0] === rowCode ? this.#findSink?.() : undefined;
    const length = messageLength(buffered, 0);
    if (sink === undefined) {
      this.#setBuffered(emptyBuffer);
      this.#forwardBytes = length - buffered.length;
      this.#toDriver(buffered);
    } else if (buffered.length === length) {
      this.#setBuffered(emptyBuffer);
      sink.take(buffered, headerLength);
    }
  }

  #setBuffered(bytes: Buffer): void {
    this.#buffered = bytes;
    this.#bufferedLength = bytes.length;
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
        this.#forward(chunk, forwardedFrom, at); // once the driver has handled these messages, the sink is known
        const after = this.#takeRows(chunk, at);
        forwardedFrom = after ?? at;
        if (after === undefined) this.#forwardBytes = messageLength(chunk, at);
        else if (after === at) break;
        else at = after;
      }
    }
    this.#forward(chunk, forwardedFrom, at);
    // A copy, so that a few bytes do not keep the whole chunk in memory.
    if (at < chunk.length) this.#setBuffered(Buffer.from(chunk.subarray(at)));
  }

  #forward(chunk: Buffer, from: number, to: number): void {
    if (from < to) this.#toDriver(from === 0 && to === chunk.length ? chunk : chunk.subarray(from, to));
  }

  /** Takes all complete rows from `start` on and returns where they end; undefined if there is no sink for them. */
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
