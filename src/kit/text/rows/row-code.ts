// The WebAssembly code that writes rows of text: in each the same fields, each a text that stays the same and a value of a column.

import {
  add,
  copySixteen,
  differs,
  equals,
  giveBack,
  isBelow,
  load32,
  load64,
  loadIntegerDouble,
  multiply,
  repeatWhile,
  shiftLeft,
  store32,
  subtract,
  when,
  type Local,
  type Statement,
  type Value,
} from '../../wasm/code.ts';
import { WasmModule, type WasmFunction, type WasmInstance } from '../../wasm/module.ts';
import { digitCode, definePutDecimal } from './digit-code.ts';
import { definePutDouble } from './double-code.ts';
import { fillPowerTable, powerTableLength } from './shortest-code.ts';

/** What a field writes after its text. */
export const fieldKinds = {
  nothing: 0,
  /** A column of highs and one of lows: high × 10^-4 + low × 10^-18. */
  decimal: 1,
  /** A column of doubles, as JSON writes them. */
  number: 2,
  /** The same without exponents. */
  plainNumber: 3,
  /** A column of where each text starts, and the last one ends, and the texts. */
  text: 4,
} as const;

/** Where the parts of a field are in memory. The last two are written while rows are: where the last value is, and its length. */
export const fieldOffsets = {
  kind: 0,
  text: 4,
  textLength: 8,
  column: 12,
  other: 16,
  last: 20,
  lastLength: 24,
} as const;
export const fieldLength = 32;

/** Where memory is free. */
export const rowMemoryStart = powerTableLength;

const wordLength = 8;
const powers = 0;

/** The instance has one function: `putRows(fields, fieldsEnd, count, at)`, which returns where the rows end. */
export function makeRowCode(): WasmInstance {
  const module = new WasmModule();
  definePutRows(module, definePutField(module, definePutValue(module)));
  const instance = module.instantiate();
  fillPowerTable(new DataView(instance.memory.buffer), powers);
  return instance;
}

type PutField = WasmFunction<{ field: 'i32'; row: 'i32'; at: 'i32' }, 'i32'>;

const putField = { parameters: { field: 'i32', row: 'i32', at: 'i32' }, result: 'i32' } as const;

function part(field: Value<'i32'>, name: keyof typeof fieldOffsets): Value<'i32'> {
  return load32(field, fieldOffsets[name]);
}

/** How many bytes are copied at a time: what comes next overwrites what is too much. */
export const copyLength = 16;

function copyText(from: Local<'i32'>, at: Local<'i32'>, end: Value<'i32'>): Statement {
  const step = [copySixteen(at, from), at.set(add(at, copyLength)), from.set(add(from, copyLength))];
  return repeatWhile(isBelow(at, end), step);
}

function definePutField(module: WasmModule, putValue: PutField): PutField {
  return module.define({ name: 'putField', ...putField }, ({ field, row, at }, newLocal) => {
    const [from, end] = [newLocal('i32'), newLocal('i32')];
    return [
      from.set(part(field, 'text')),
      end.set(add(at, part(field, 'textLength'))),
      copyText(from, at, end),
      giveBack(putValue({ field, row, at: end })),
    ];
  });
}

function definePutValue(module: WasmModule): PutField {
  const digits = digitCode(module);
  const putDecimal = definePutDecimal(module, digits);
  const putNumber = definePutNumber(module, definePutDouble(module, digits, powers));
  const putText = definePutText(module);
  return module.define({ name: 'putValue', ...putField }, ({ field, row, at }, newLocal) => {
    const [kind, offset] = [newLocal('i32'), newLocal('i32')];
    const decimal = (name: 'column' | 'other'): Value<'i64'> => loadIntegerDouble(add(part(field, name), offset));
    return [
      kind.set(part(field, 'kind')),
      when(equals(kind, fieldKinds.nothing), [giveBack(at)]),
      when(equals(kind, fieldKinds.text), [giveBack(putText({ field, row, at }))]),
      offset.set(multiply(row, wordLength)),
      when(equals(kind, fieldKinds.decimal), [
        giveBack(putDecimal({ high: decimal('column'), low: decimal('other'), at })),
      ]),
      giveBack(putNumber({ field, row, at })),
    ];
  });
}

function definePutText(module: WasmModule): PutField {
  return module.define({ name: 'putText', ...putField }, ({ field, row, at }, newLocal) => {
    const [start, from, end] = [newLocal('i32'), newLocal('i32'), newLocal('i32')];
    const address = add(part(field, 'column'), shiftLeft(row, 2));
    return [
      start.set(load32(address)),
      end.set(add(at, subtract(load32(address, 4), start))),
      from.set(add(part(field, 'other'), start)),
      copyText(from, at, end),
      giveBack(end),
    ];
  });
}

/** Copies the text of the row before where the number is the same: figures stay the same over weekends. */
function definePutNumber(
  module: WasmModule,
  putDouble: WasmFunction<{ bits: 'i64'; at: 'i32'; isPlain: 'i32' }, 'i32'>,
): PutField {
  return module.define({ name: 'putNumber', ...putField }, ({ field, row, at }, newLocal) => {
    const [address, bits, from, end] = [newLocal('i32'), newLocal('i64'), newLocal('i32'), newLocal('i32')];
    return [
      address.set(add(part(field, 'column'), multiply(row, wordLength))),
      bits.set(load64(address)),
      from.set(part(field, 'last')),
      store32(add(field, fieldOffsets.last), at),
      when(differs(row, 0), [
        when(equals(load64(subtract(address, wordLength)), bits), [
          end.set(add(at, part(field, 'lastLength'))),
          copyText(from, at, end),
          giveBack(end),
        ]),
      ]),
      end.set(putDouble({ bits, at, isPlain: equals(part(field, 'kind'), fieldKinds.plainNumber) })),
      store32(add(field, fieldOffsets.lastLength), subtract(end, at)),
      giveBack(end),
    ];
  });
}

function definePutRows(module: WasmModule, putOne: PutField): void {
  const parameters = { fields: 'i32', fieldsEnd: 'i32', count: 'i32', at: 'i32' } as const;
  module.define({ name: 'putRows', parameters, result: 'i32' }, ({ fields, fieldsEnd, count, at }, newLocal) => {
    const [row, field] = [newLocal('i32'), newLocal('i32')];
    return [
      row.set(0),
      repeatWhile(isBelow(row, count), [
        field.set(fields),
        repeatWhile(isBelow(field, fieldsEnd), [
          at.set(putOne({ field, row, at })),
          field.set(add(field, fieldLength)),
        ]),
        row.set(add(row, 1)),
      ]),
      giveBack(at),
    ];
  });
}
