// Writes rows of figures as text, straight from their columns: for answers of very many numbers, where a string for each would take
// most of the time.

import { defined } from '../../assert.ts';
import { copyLength, fieldKinds, fieldLength, fieldOffsets, makeRowCode, rowMemoryStart } from './row-code.ts';
import { pageLength, type WasmInstance } from '../../wasm/module.ts';

/** Texts one after the other, in UTF-8: each from its start to the next. */
export interface Texts {
  readonly bytes: Uint8Array;
  /** One more than there are texts. */
  readonly starts: Uint32Array;
}

/** What a field writes in each row. */
export type RowValue =
  | { readonly kind: 'nothing' }
  /** high × 10^-4 + low × 10^-18, both integers within ±2^53 and low within ±10^14. Without zeros at the end. */
  | { readonly kind: 'decimal'; readonly high: Float64Array; readonly low: Float64Array }
  /** As JSON writes numbers, or without exponents. */
  | { readonly kind: 'number' | 'plainNumber'; readonly doubles: Float64Array }
  /** The texts of some rows. */
  | { readonly kind: 'text'; textsOf(start: number, end: number): Texts };

/** A field of every row: a text that stays the same, and a value. */
export interface RowField {
  readonly before: string;
  readonly value: RowValue;
}

export function encodeTexts(texts: readonly string[]): Texts {
  const encoded = texts.map((text) => Buffer.from(text));
  const starts = new Uint32Array(texts.length + 1);
  for (const [index, { length }] of encoded.entries()) starts[index + 1] = starts[index]! + length;
  return { bytes: Buffer.concat(encoded), starts };
}

export function sliceTexts({ bytes, starts }: Texts, start: number, end: number): Texts {
  return { bytes: bytes.subarray(starts[start], starts[end]), starts: starts.subarray(start, end + 1) };
}

/** How many rows are written at a time: half a tenth of a millisecond. */
const rowsPerPiece = 500;

/** The longest text of a value, but those that are texts already. */
const lengthsMax = { nothing: 0, decimal: 40, number: 30, plainNumber: 350, text: 0 } as const;

let code: WasmInstance | undefined;

/** The rows in pieces. All share memory: whoever takes a piece has copied it before the next is written. */
export function* rowTexts(count: number, fields: readonly RowField[], between = ''): Generator<Uint8Array> {
  code ??= makeRowCode();
  const encoded = withEnd(fields, between).map(({ before, value }) => ({ before: Buffer.from(before), value }));
  for (let start = 0; start < count; start += rowsPerPiece) {
    const end = Math.min(start + rowsPerPiece, count);
    const written = writeRows(code, encoded, { start, end });
    yield end < count ? written : written.subarray(0, written.length - Buffer.byteLength(between));
  }
}

/** Adds a text to the end of each row. */
function withEnd(fields: readonly RowField[], text: string): readonly RowField[] {
  const last = fields.at(-1);
  if (last?.value.kind !== 'nothing') return [...fields, { before: text, value: { kind: 'nothing' } }];
  return [...fields.slice(0, -1), { ...last, before: last.before + text }];
}

interface EncodedField extends Omit<RowField, 'before'> {
  readonly before: Uint8Array;
}

interface RowRange {
  readonly start: number;
  readonly end: number;
}

/** What a field needs in memory for some rows. */
interface FieldInput extends EncodedField {
  readonly columns: readonly Uint8Array[];
  /** In place of the second column: what is added to the starts of texts to give their addresses. */
  readonly firstStart: number;
  /** How many bytes its values take at most. */
  readonly lengthMax: number;
}

function fieldInput(field: EncodedField, { start, end }: RowRange): FieldInput {
  const { value } = field;
  const sized = { ...field, firstStart: 0, lengthMax: (end - start) * lengthsMax[value.kind] };
  switch (value.kind) {
    case 'nothing':
      return { ...sized, columns: [] };
    case 'decimal':
      return { ...sized, columns: [value.high, value.low].map((column) => bytesOf(column.subarray(start, end))) };
    case 'number':
    case 'plainNumber':
      return { ...sized, columns: [bytesOf(value.doubles.subarray(start, end))] };
    case 'text': {
      const { bytes, starts } = value.textsOf(start, end);
      return { ...field, columns: [bytesOf(starts), bytes], firstStart: starts[0] ?? 0, lengthMax: bytes.length };
    }
  }
}

function bytesOf({ buffer, byteOffset, byteLength }: Float64Array | Uint32Array): Uint8Array {
  return new Uint8Array(buffer, byteOffset, byteLength);
}

function writeRows({ memory, call }: WasmInstance, fields: readonly EncodedField[], rows: RowRange): Uint8Array {
  const inputs = fields.map((field) => fieldInput(field, rows));
  const count = rows.end - rows.start;
  makeRoom(memory, inputs, count);
  const [bytes, view] = [new Uint8Array(memory.buffer), new DataView(memory.buffer)];
  const fieldsEnd = rowMemoryStart + inputs.length * fieldLength;
  let next = fieldsEnd;
  const place = (part: Uint8Array): number => {
    const address = next;
    bytes.set(part, address);
    next = address + part.length;
    return address;
  };
  for (const [index, { before, value, columns, firstStart }] of inputs.entries()) {
    const put = (name: keyof typeof fieldOffsets, integer: number): void =>
      view.setInt32(rowMemoryStart + index * fieldLength + fieldOffsets[name], integer, true);
    const [column = 0, other = 0] = columns.map(place);
    put('kind', fieldKinds[value.kind]);
    put('text', place(before));
    put('textLength', before.length);
    put('column', column);
    put('other', other - firstStart);
  }
  // Copying reads beyond the last text.
  const start = next + copyLength;
  return bytes.subarray(
    start,
    defined(call['putRows'], 'the code has this function')(rowMemoryStart, fieldsEnd, count, start),
  );
}

function makeRoom(memory: WasmInstance['memory'], inputs: readonly FieldInput[], count: number): void {
  let needed = rowMemoryStart + 2 * copyLength;
  for (const { before, columns, lengthMax } of inputs) {
    needed += fieldLength + before.length * (count + 1) + lengthMax;
    for (const column of columns) needed += column.length;
  }
  const missing = needed - memory.buffer.byteLength;
  if (missing > 0) memory.grow(Math.ceil(missing / pageLength));
}
