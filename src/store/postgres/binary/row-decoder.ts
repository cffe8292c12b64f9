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
const headLength = 5;
const nothing = Buffer.alloc(0);

/** A message is its code, and the length of what follows the code. */
function lengthOfMessage(bytes: Buffer, at: number): number {
  return 1 + bytes.readUInt32BE(at + 1);
}

export class RowSieve {
  readonly #toDriver: (bytes: Buffer) => void;
  #findSink: SinkFinder | undefined;
  /** How many bytes of the message under way still go to the driver. */
  #passing = 0;
  /** The beginning of a head, or of a row that is wanted, whose rest has not come. */
  #held = nothing;

  constructor(toDriver: (bytes: Buffer) => void) {
    this.#toDriver = toDriver;
  }

  /** Until it is called without one. */
  serve(findSink: SinkFinder | undefined): void {
    this.#findSink = findSink;
  }

  receive(chunk: Buffer): void {
    const at = this.#held.length === 0 ? 0 : this.#fillHeld(chunk);
    if (at < chunk.length) this.#sift(chunk, at);
  }

  /** Puts what was held together with its rest, and says where in the chunk that ends. */
  #fillHeld(chunk: Buffer): number {
    let at = 0;
    while (this.#held.length > 0 && at < chunk.length) {
      const wanted = this.#held.length < headLength ? headLength : lengthOfMessage(this.#held, 0);
      const until = Math.min(chunk.length, at + wanted - this.#held.length);
      this.#held = Buffer.concat([this.#held, chunk.subarray(at, until)]);
      at = until;
      if (this.#held.length === wanted) this.#settleHeld();
    }
    return at;
  }

  #settleHeld(): void {
    const held = this.#held;
    const sink = held[0] === rowCode ? this.#findSink?.() : undefined;
    const length = lengthOfMessage(held, 0);
    if (sink === undefined) {
      this.#held = nothing;
      this.#passing = length - held.length;
      this.#toDriver(held);
    } else if (held.length === length) {
      this.#held = nothing;
      sink.take(held, headLength);
    }
  }

  #sift(chunk: Buffer, start: number): void {
    let [at, passedFrom] = [start, start];
    while (at < chunk.length) {
      if (this.#passing > 0) {
        const step = Math.min(this.#passing, chunk.length - at);
        this.#passing -= step;
        at += step;
      } else if (chunk.length - at < headLength) break;
      else if (chunk[at] !== rowCode || this.#findSink === undefined) this.#passing = lengthOfMessage(chunk, at);
      else {
        this.#pass(chunk, passedFrom, at); // it says which statement the row is of
        const after = this.#takeRows(chunk, at);
        passedFrom = after ?? at;
        if (after === undefined) this.#passing = lengthOfMessage(chunk, at);
        else if (after === at) break;
        else at = after;
      }
    }
    this.#pass(chunk, passedFrom, at);
    // A copy: a few bytes must not keep the whole chunk.
    if (at < chunk.length) this.#held = Buffer.from(chunk.subarray(at));
  }

  #pass(chunk: Buffer, from: number, to: number): void {
    if (from < to) this.#toDriver(from === 0 && to === chunk.length ? chunk : chunk.subarray(from, to));
  }

  /** All whole rows from here on: where they end, or undefined where nobody wants them. */
  #takeRows(chunk: Buffer, start: number): number | undefined {
    const sink = this.#findSink?.();
    if (sink === undefined) return undefined;
    let at = start;
    while (chunk.length - at >= headLength && chunk[at] === rowCode) {
      const end = at + lengthOfMessage(chunk, at);
      if (end > chunk.length) break;
      sink.take(chunk, at + headLength);
      at = end;
    }
    return at;
  }
}

const sieves = new WeakMap<ByteStream, RowSieve>();

/** The sieve of a stream: put before the driver when it is first asked for, and there for good, so that it never loses count. */
export function sieveOn(stream: ByteStream): RowSieve {
  const known = sieves.get(stream);
  if (known !== undefined) return known;
  const listeners = stream.listeners('data');
  const sieve = new RowSieve((bytes) => listeners.forEach((listener) => listener.call(stream, bytes)));
  stream.on('data', (chunk) => sieve.receive(chunk));
  for (const listener of listeners) stream.off('data', listener);
  sieves.set(stream, sieve);
  return sieve;
}
