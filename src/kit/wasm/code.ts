// Builds the code of WebAssembly functions from expressions that read like TypeScript. Integers are unsigned unless a name says otherwise.

export type Integer = 'i32' | 'i64';

/** Code that leaves nothing behind. */
export interface Statement {
  readonly type: 'none';
  readonly bytes: readonly number[];
}

/** Code that leaves an integer behind. */
export interface Value<T extends Integer> {
  readonly type: T;
  readonly bytes: readonly number[];
}

export interface Local<T extends Integer> extends Value<T> {
  set(value: Operand<T>): Statement;
}

export type Operand<T extends Integer> = Value<T> | number | bigint;

type Condition = Value<'i32'>;

const none = 0x40;
export const typeCode: Readonly<Record<Integer, number>> = { i32: 0x7f, i64: 0x7e };

/** LEB128: seven bits in a byte, the lowest first. */
export function signedNumber(value: bigint): number[] {
  const low = Number(value & 0x7fn);
  const rest = value >> 7n;
  const isLast = (rest === 0n && low < 0x40) || (rest === -1n && low >= 0x40);
  return isLast ? [low] : [low | 0x80, ...signedNumber(rest)];
}

export function unsignedNumber(value: number): number[] {
  return value < 0x80 ? [value] : [(value & 0x7f) | 0x80, ...unsignedNumber(value >>> 7)];
}

export function i32(value: number): Value<'i32'> {
  return { type: 'i32', bytes: [0x41, ...signedNumber(BigInt.asIntN(32, BigInt(value)))] };
}

export function i64(value: number | bigint): Value<'i64'> {
  return { type: 'i64', bytes: [0x42, ...signedNumber(BigInt.asIntN(64, BigInt(value)))] };
}

export function valueOf<T extends Integer>(type: T, operand: Operand<T>): Value<T> {
  if (typeof operand === 'object') return operand;
  const { bytes } = type === 'i32' ? i32(Number(operand)) : i64(operand);
  return { type, bytes };
}

export function local<T extends Integer>(type: T, index: number): Local<T> {
  return {
    type,
    bytes: [0x20, ...unsignedNumber(index)],
    set: (value) => statement(valueOf(type, value).bytes, [0x21, ...unsignedNumber(index)]),
  };
}

function statement(...parts: readonly (readonly number[])[]): Statement {
  return { type: 'none', bytes: parts.flat() };
}

function all(statements: readonly Statement[]): number[] {
  return statements.flatMap(({ bytes }) => bytes);
}

type Opcodes = Readonly<Record<Integer, number>>;

function operator(opcodes: Opcodes) {
  return <T extends Integer>(one: Value<T>, other: Operand<T>): Value<T> => ({
    type: one.type,
    bytes: [...one.bytes, ...valueOf(one.type, other).bytes, opcodes[one.type]],
  });
}

function comparison(opcodes: Opcodes) {
  return <T extends Integer>(one: Value<T>, other: Operand<T>): Condition => ({
    type: 'i32',
    bytes: [...one.bytes, ...valueOf(one.type, other).bytes, opcodes[one.type]],
  });
}

export const add = operator({ i32: 0x6a, i64: 0x7c });
export const subtract = operator({ i32: 0x6b, i64: 0x7d });
/** Of a product that is too long, the lower bits. */
export const multiply = operator({ i32: 0x6c, i64: 0x7e });
export const divide = operator({ i32: 0x6e, i64: 0x80 });
export const remainder = operator({ i32: 0x70, i64: 0x82 });
export const and = operator({ i32: 0x71, i64: 0x83 });
export const or = operator({ i32: 0x72, i64: 0x84 });
export const shiftLeft = operator({ i32: 0x74, i64: 0x86 });
export const shiftRight = operator({ i32: 0x76, i64: 0x88 });
/** Rounds towards −∞. */
export const shiftRightSigned = operator({ i32: 0x75, i64: 0x87 });

export const equals = comparison({ i32: 0x46, i64: 0x51 });
export const differs = comparison({ i32: 0x47, i64: 0x52 });
export const isBelow = comparison({ i32: 0x49, i64: 0x54 });
export const isAbove = comparison({ i32: 0x4b, i64: 0x56 });
export const isAtMost = comparison({ i32: 0x4d, i64: 0x58 });
export const isBelowSigned = comparison({ i32: 0x48, i64: 0x53 });
export const isAtMostSigned = comparison({ i32: 0x4c, i64: 0x57 });
export const isAboveSigned = comparison({ i32: 0x4a, i64: 0x55 });

function unary<From extends Integer, To extends Integer>(opcode: number, to: To) {
  return (value: Value<From>): Value<To> => ({ type: to, bytes: [...value.bytes, opcode] });
}

/** How many bits before the first that is set. */
export const countLeadingZeros = unary<'i64', 'i64'>(0x79, 'i64');
/** How many bits after the last that is set. */
export const countTrailingZeros = unary<'i64', 'i64'>(0x7a, 'i64');
export const toI32 = unary<'i64', 'i32'>(0xa7, 'i32');
export const toI64 = unary<'i32', 'i64'>(0xad, 'i64');

export function negate<T extends Integer>(value: Value<T>): Value<T> {
  return subtract(valueOf(value.type, 0), value);
}

export function choose<T extends Integer>(condition: Condition, one: Value<T>, other: Operand<T>): Value<T> {
  return { type: one.type, bytes: [...one.bytes, ...valueOf(one.type, other).bytes, ...condition.bytes, 0x1b] };
}

/** Addresses are not aligned. */
function at(offset: number): number[] {
  return [0, ...unsignedNumber(offset)];
}

function loader<T extends Integer>(type: T, ...opcode: number[]) {
  return (address: Value<'i32'>, offset = 0): Value<T> => {
    const [first = 0, ...after] = opcode;
    return { type, bytes: [...address.bytes, first, ...at(offset), ...after] };
  };
}

export const load8 = loader('i32', 0x2d);
export const load32 = loader('i32', 0x28);
export const load64 = loader('i64', 0x29);
/** Loads a double that is an integer. */
export const loadIntegerDouble = loader('i64', 0x2b, 0xb0);

function storer<T extends Integer>(type: T, opcode: number) {
  return (address: Value<'i32'>, value: Operand<T>): Statement =>
    statement(address.bytes, valueOf(type, value).bytes, [opcode, ...at(0)]);
}

export const store8 = storer('i32', 0x3a);
export const store16 = storer('i32', 0x3b);
export const store32 = storer('i32', 0x36);
export const store64 = storer('i64', 0x37);

/** Copies sixteen bytes. */
export function copySixteen(to: Value<'i32'>, from: Value<'i32'>): Statement {
  return statement(to.bytes, from.bytes, [0xfd, 0x00, ...at(0), 0xfd, 0x0b, ...at(0)]);
}

export function when(
  condition: Condition,
  then: readonly Statement[],
  otherwise: readonly Statement[] = [],
): Statement {
  const after = otherwise.length === 0 ? [] : [0x05, ...all(otherwise)];
  return statement(condition.bytes, [0x04, none], all(then), after, [0x0b]);
}

export function repeatWhile(condition: Condition, body: readonly Statement[]): Statement {
  return statement([0x03, none], condition.bytes, [0x04, none], all(body), [0x0c, 1, 0x0b, 0x0b]);
}

export function giveBack<T extends Integer>(value: Value<T>): Statement {
  return statement(value.bytes, [0x0f]);
}
