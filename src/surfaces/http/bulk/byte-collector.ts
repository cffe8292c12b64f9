// Collects bytes that arrive in pieces of any size in one buffer, which can be emptied and filled again: a body of any length takes no
// more memory than the buffer, and one that arrives byte by byte no more than another.

/** Room for the first bytes of a body; it doubles when it is full. */
const firstBytes = 64 * 1024;

export class ByteCollector {
  readonly #bytesMax: number;
  #buffer: ArrayBuffer;
  #size = 0;

  /** `expectedBytes` is zero if nobody knows. */
  constructor({ bytesMax, expectedBytes }: { bytesMax: number; expectedBytes: number }) {
    this.#bytesMax = bytesMax;
    this.#buffer = new ArrayBuffer(Math.min(expectedBytes > 0 ? expectedBytes : firstBytes, bytesMax));
  }

  /** Copies as many of the bytes as there is room for, and returns how many. */
  add(bytes: Uint8Array): number {
    const size = Math.min(this.#size + bytes.length, this.#bytesMax);
    if (size > this.#buffer.byteLength)
      this.#buffer = this.#buffer.transfer(Math.min(Math.max(size, 2 * this.#buffer.byteLength), this.#bytesMax));
    const added = size - this.#size;
    new Uint8Array(this.#buffer).set(bytes.subarray(0, added), this.#size);
    this.#size = size;
    return added;
  }

  /** What was added since it was emptied. The next call of `add` may change these bytes. */
  collected(): Buffer {
    return Buffer.from(this.#buffer, 0, this.#size);
  }

  empty(): void {
    this.#size = 0;
  }
}
