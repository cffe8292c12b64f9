// Collects the bytes of a file in the pieces in which they are made, and refuses a file that becomes too large.

import { Refusal } from '../../../kit/refusal.ts';

/** A table of so many bytes is read by API. An XLSX file counts as it is compressed. */
const fileBytesMax = 64 * 1024 * 1024;

export class FileSink {
  readonly pieces: Uint8Array[] = [];
  readonly #noteBytes: (count: number) => void;
  readonly #bytesMax: number;
  #bytes = 0;

  /** `noteBytes` hears how many bytes there are, and may refuse them. */
  constructor(noteBytes: (count: number) => void = () => {}, bytesMax = fileBytesMax) {
    this.#noteBytes = noteBytes;
    this.#bytesMax = bytesMax;
  }

  add(piece: Uint8Array): void {
    this.reserve(piece.length);
    this.pieces.push(piece);
  }

  /** Counts bytes that are added later. */
  reserve(count: number): void {
    this.#bytes += count;
    if (this.#bytes > this.#bytesMax) {
      const most = this.#bytesMax / (1024 * 1024);
      throw new Refusal(
        'report-too-large',
        `The file has more than ${most} MiB. Choose less, such as a shorter period, or read the list by API.`,
      );
    }
    this.#noteBytes(this.#bytes);
  }

  addReserved(pieces: readonly Uint8Array[]): void {
    for (const piece of pieces) this.pieces.push(piece);
  }
}
