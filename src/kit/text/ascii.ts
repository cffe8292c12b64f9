// Writes ASCII text into bytes, for answers of very many numbers: a string for each would take most of the time. Every function returns
// the position after what it wrote; the caller provides room, eight bytes more than is written.

import { greatestOf } from '../memory/long-list.ts';

/** What is written to. Whole words are written at once, and the next text overwrites what is too much. */
export interface AsciiTarget {
  readonly bytes: Uint8Array;
  readonly view: DataView;
}

/** Writes some value of a row. */
export type PutAscii = (index: number, target: AsciiTarget, at: number) => number;

const zero = 48;
const wordLength = 8;

export function asciiTarget(length: number): AsciiTarget {
  const buffer = new ArrayBuffer(length);
  return { bytes: new Uint8Array(buffer), view: new DataView(buffer) };
}

/** Texts that are written often, as words of eight bytes. A word of UTF-8 is never a NaN, whose bits could change on the way. */
export class AsciiTexts {
  readonly #words: Float64Array;
  readonly #lengths: Int32Array;
  readonly #wordsEach: number;

  /** Each text as UTF-8. */
  constructor(encoded: readonly Uint8Array[]) {
    this.#wordsEach = Math.ceil(Math.max(1, greatestOf(encoded.map(({ length }) => length))) / wordLength);
    this.#lengths = Int32Array.from(encoded, ({ length }) => length);
    const { bytes, view } = asciiTarget(encoded.length * this.#wordsEach * wordLength);
    for (const [index, one] of encoded.entries()) bytes.set(one, index * this.#wordsEach * wordLength);
    this.#words = Float64Array.from({ length: bytes.length / wordLength }, (_, index) =>
      view.getFloat64(index * wordLength, true),
    );
  }

  put(index: number, { view }: AsciiTarget, at: number): number {
    const words = this.#words;
    const end = at + this.#lengths[index]!;
    let next = index * this.#wordsEach;
    for (let position = at; position < end; position += wordLength) view.setFloat64(position, words[next++]!, true);
    return end;
  }
}

export function putText(text: string, { bytes }: AsciiTarget, at: number): number {
  const { length } = text;
  for (let index = 0; index < length; index++) bytes[at + index] = text.charCodeAt(index);
  return at + length;
}

/** The digits of 0000 to 9999, each as one word of four bytes: a division for four digits instead of one for each. */
const fourDigits = new Uint32Array(10_000);
for (let value = 0; value < fourDigits.length; value++) {
  const digit = (unit: number): number => zero + (Math.floor(value / unit) % 10);
  fourDigits[value] = digit(1_000) | (digit(100) << 8) | (digit(10) << 16) | (digit(1) << 24);
}

function putFour(value: number, view: DataView, at: number): void {
  view.setUint32(at, fourDigits[value]!, true);
}

/** Writes an integer below 10^8 with leading zeros. */
function putEight(value: number, view: DataView, at: number): number {
  const upper = ((value | 0) / 10_000) | 0;
  putFour(upper, view, at);
  putFour(value - upper * 10_000, view, at + 4);
  return at + 8;
}

export function putFourDigits(value: number, { view }: AsciiTarget, at: number): number {
  putFour(value, view, at);
  return at + 4;
}

/** Writes an integer below 10^14 with leading zeros. */
export function putFourteenDigits(value: number, { view }: AsciiTarget, at: number): number {
  // The first two are the last two of four digits.
  const upper = Math.floor(value / 1e8);
  const first = (upper / 10_000) | 0;
  view.setUint16(at, fourDigits[first]! >>> 16, true);
  putFour(upper - first * 10_000, view, at + 2);
  return putEight(value - upper * 1e8, view, at + 6);
}

/** Writes an integer from 0 up to 2^53. */
export function putInteger(value: number, { view }: AsciiTarget, at: number): number {
  if (value < 1e8) return putSmallInteger(value | 0, view, at);
  const upper = Math.floor(value / 1e8);
  return putEight(value - upper * 1e8, view, putSmallInteger(upper | 0, view, at));
}

/** An integer below 10^8 without leading zeros. */
function putSmallInteger(value: number, view: DataView, at: number): number {
  if (value >= 10_000) {
    const upper = (value / 10_000) | 0;
    const end = putUpToFour(upper, view, at);
    putFour(value - upper * 10_000, view, end);
    return end + 4;
  }
  return putUpToFour(value, view, at);
}

/** Shifts leading zeros out of the word. Whole words are written: the next text overwrites what is too much. */
function putUpToFour(value: number, view: DataView, at: number): number {
  const count = value < 100 ? (value < 10 ? 1 : 2) : value < 1_000 ? 3 : 4;
  view.setUint32(at, fourDigits[value]! >>> (8 * (4 - count)), true);
  return at + count;
}

/** Goes back over zeros before a position. */
export function trimZeros({ bytes }: AsciiTarget, at: number): number {
  let end = at;
  while (bytes[end - 1] === zero) end--;
  return end;
}
