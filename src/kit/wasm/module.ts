// Makes a WebAssembly module from functions that are written with `code.ts`. Nothing is compiled ahead: the module is made when it is
// first needed, which takes milliseconds.

import {
  local,
  typeCode,
  unsignedNumber,
  valueOf,
  type Integer,
  type Local,
  type Operand,
  type Statement,
  type Value,
} from './code.ts';

/** The part of WebAssembly that is used here: the language itself does not declare it. */
declare const WebAssembly: {
  Module: new (bytes: Uint8Array<ArrayBuffer>) => object;
  Instance: new (module: object) => { readonly exports: Pick<WasmInstance, 'memory'> & WasmInstance['call'] };
};

export interface WasmMemory {
  readonly buffer: ArrayBuffer;
  grow(pages: number): number;
}

/** An instance of a module. */
export interface WasmInstance {
  readonly memory: WasmMemory;
  /** Its functions. Arguments are checked by nobody. */
  readonly call: Readonly<Record<string, (...values: (number | bigint)[]) => number>>;
}

export const pageLength = 65_536;

type Types = Readonly<Record<string, Integer>>;
type Parameters<P extends Types> = { readonly [Name in keyof P]: Local<P[Name]> };
type Operands<P extends Types> = { readonly [Name in keyof P]: Operand<P[Name]> };

/** A function of the module, to be called in the code of later ones. */
export type WasmFunction<P extends Types, R extends Integer> = (operands: Operands<P>) => Value<R>;

export interface Declaration<P extends Types, R extends Integer> {
  readonly name: string;
  readonly parameters: P;
  readonly result: R;
}

/** Ends with the value that the function gives back. */
type Body = readonly Statement[];

export class WasmModule {
  readonly #types: number[][] = [];
  readonly #names: string[] = [];
  readonly #bodies: number[][] = [];

  /** Declares and writes a function. `newLocal` declares a variable of it. */
  define<P extends Types, R extends Integer>(
    { name, parameters, result }: Declaration<P, R>,
    write: (parameters: Parameters<P>, newLocal: <T extends Integer>(type: T) => Local<T>) => Body,
  ): WasmFunction<P, R> {
    const index = this.#names.push(name) - 1;
    const types = Object.values(parameters);
    this.#types.push([0x60, ...listOf(types.map((type) => [typeCode[type]])), 1, typeCode[result]]);
    const variables: Integer[] = [];
    const newLocal = <T extends Integer>(type: T): Local<T> => local(type, types.length + variables.push(type) - 1);
    const named = Object.entries(parameters).map(([name, type], position) => [name, local(type, position)]);
    const statements = write(Object.fromEntries(named) as Parameters<P>, newLocal);
    const code = statements.flatMap(({ bytes }) => bytes);
    const declared = listOf(variables.map((type) => [1, typeCode[type]]));
    // What comes after the value that is given back is not reached.
    this.#bodies.push(withLength([...declared, ...code, 0x00, 0x0b]));
    return (operands) => ({
      type: result,
      bytes: [...argumentBytes(parameters, operands), 0x10, ...unsignedNumber(index)],
    });
  }

  bytes(): Uint8Array<ArrayBuffer> {
    const named = this.#names.map((name, index) => [...textBytes(name), 0x00, ...unsignedNumber(index)]);
    const sections = [
      [1, listOf(this.#types)],
      [3, listOf(this.#names.map((_, index) => unsignedNumber(index)))],
      [5, listOf([[0x00, 1]])],
      [7, listOf([[...textBytes('memory'), 0x02, 0], ...named])],
      [10, listOf(this.#bodies)],
    ] as const;
    const header = [0x00, 0x61, 0x73, 0x6d, 1, 0, 0, 0];
    return Uint8Array.from([...header, ...sections.flatMap(([id, content]) => [id, ...withLength(content)])]);
  }

  instantiate(): WasmInstance {
    const { memory, ...call } = new WebAssembly.Instance(new WebAssembly.Module(this.bytes())).exports;
    return { memory, call };
  }
}

function argumentBytes<P extends Types>(parameters: P, operands: Operands<P>): number[] {
  return Object.entries(parameters).flatMap(([name, type]) => [...valueOf(type, operands[name]!).bytes]);
}

function listOf(items: readonly (readonly number[])[]): number[] {
  return [...unsignedNumber(items.length), ...items.flat()];
}

function withLength(bytes: readonly number[]): number[] {
  return [...unsignedNumber(bytes.length), ...bytes];
}

function textBytes(text: string): number[] {
  return withLength([...new TextEncoder().encode(text)]);
}
