// Writes ASCII text into bytes, for answers of very many numbers: a string for each would take most of the time. Every function returns
// the position after what it wrote; the caller provides room, eight bytes more than is written.

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
    this.#wordsEach = Math.ceil(Math.max(1, ...encoded.map(({ length }) => length)) / wordLength);
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

/** The digits of 00 to 99. */
const pairs = Uint8Array.from({ length: 200 }, (_, index) =>
  index % 2 === 0 ? zero + Math.floor(index / 20) : zero + (((index - 1) / 2) % 10),
);

/** Writes an integer below 10^8 with leading zeros; `count` is even. */
function putPadded(value: number, count: number, bytes: Uint8Array, at: number): number {
  let rest = value | 0;
  for (let position = at + count - 2; position >= at; position -= 2) {
    const next = (rest / 100) | 0;
    const pair = 2 * (rest - 100 * next);
    bytes[position] = pairs[pair]!;
    bytes[position + 1] = pairs[pair + 1]!;
    rest = next;
  }
  return at + count;
}

export function putFourDigits(value: number, { bytes }: AsciiTarget, at: number): number {
  return putPadded(value, 4, bytes, at);
}

/** Writes an integer below 10^14 with leading zeros. */
export function putFourteenDigits(value: number, { bytes }: AsciiTarget, at: number): number {
  const upper = Math.floor(value / 1e8);
  return putPadded(value - upper * 1e8, 8, bytes, putPadded(upper, 6, bytes, at));
}

/** Writes an integer from 0 up to 2^53. */
export function putInteger(value: number, { bytes }: AsciiTarget, at: number): number {
  if (value < 1e8) return putSmallInteger(value | 0, bytes, at);
  const upper = Math.floor(value / 1e8);
  return putPadded(value - upper * 1e8, 8, bytes, putSmallInteger(upper | 0, bytes, at));
}

/** An integer below 10^8. */
function putSmallInteger(value: number, bytes: Uint8Array, at: number): number {
  if (value < 10) {
    bytes[at] = zero + value;
    return at + 1;
  }
  const count = value < 100 ? 2 : value < 10_000 ? 4 : value < 1_000_000 ? 6 : 8;
  const isOdd = value < 10 ** (count - 1);
  // An odd number of digits is written one place too early, over what is before, which is put back.
  const before = bytes[at - 1]!;
  const end = putPadded(value, count, bytes, isOdd ? at - 1 : at);
  if (isOdd) bytes[at - 1] = before;
  return end;
}

/** Goes back over zeros before a position. */
export function trimZeros({ bytes }: AsciiTarget, at: number): number {
  let end = at;
  while (bytes[end - 1] === zero) end--;
  return end;
}
