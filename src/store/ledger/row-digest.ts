// Digests the rows of ledger blocks. The same rows have the same digest, in whatever order and blocks they were read.

import { idBytes, nullName, type InternedNames } from '../postgres/binary/column-builder.ts';
import type { DecimalDigits } from '../postgres/binary/numeric.ts';
import type { LedgerBlock, LiveBlock } from './ledger-block.ts';

/** The number of rows, and sums of their hashes modulo 2 ** 32: rows can be added and taken away in any order. */
type HashSums = readonly [count: number, one: number, other: number, both: number];

/** Hashes 32-bit words. Tells ledgers apart that differ by accident; it is no protection against forgery. */
class WordHash {
  one = 0;
  other = 0;

  start(): void {
    this.one = 0x9e3779b9;
    this.other = 0x7f4a7c15;
  }

  add(word: number): void {
    this.one = Math.imul(this.one ^ word, 0x85ebca6b);
    this.one ^= this.one >>> 15;
    this.other = Math.imul(((this.other << 13) | (this.other >>> 19)) ^ word, 0xc2b2ae35);
    this.other ^= this.other >>> 13;
  }

  addText(text: string): void {
    for (let at = 0; at < text.length; at++) this.add(text.charCodeAt(at));
    this.add(text.length);
  }

  /** Mixes all words into all bits. */
  finish(): void {
    const one = this.one;
    this.add(this.other);
    this.add(one);
    this.add(this.one ^ this.other);
  }
}

const absent = 0x5bd1e995;
const number = new Float64Array(1);
const numberWords = new Uint32Array(number.buffer);

function addNumber(hash: WordHash, value: number): void {
  number[0] = value;
  hash.add(numberWords[0]!);
  hash.add(numberWords[1]!);
}

function addDecimal(hash: WordHash, { digits, places, wide }: DecimalDigits, row: number): void {
  if (!Number.isNaN(digits[row])) {
    addNumber(hash, digits[row]!);
    hash.add(places[row]!);
    return;
  }
  const value = wide.get(row);
  if (value === undefined) hash.add(absent);
  else hash.addText(String(value));
}

/** A column of names, and the hash of each: blocks intern them in different orders. */
interface HashedNames {
  readonly numbers: Int32Array;
  readonly hashes: Int32Array;
}

function hashedNames({ numbers, names }: InternedNames): HashedNames {
  const hash = new WordHash();
  const hashes = Int32Array.from(names, (name) => {
    hash.start();
    hash.addText(name);
    hash.finish();
    return hash.one;
  });
  return { numbers, hashes };
}

/** Returns a function that hashes a row. */
function rowHasher(block: LedgerBlock): (hash: WordHash, row: number) => void {
  const { account, kind, depository, instrument, currency } = block;
  const names = [account, kind, depository, instrument, currency].map(hashedNames);
  const { sequence, id, day, settlement, executed, quantity, amount, price, value, details } = block;
  return (hash, row) => {
    hash.start();
    for (let at = row * idBytes; at < (row + 1) * idBytes; at++) hash.add(id[at]!);
    addNumber(hash, sequence[row]!);
    hash.add(day[row]!);
    hash.add(settlement[row]!);
    if (Number.isNaN(executed[row])) hash.add(absent);
    else addNumber(hash, executed[row]!);
    for (const { numbers, hashes } of names) hash.add(numbers[row] === nullName ? absent : hashes[numbers[row]!]!);
    addDecimal(hash, quantity, row);
    addDecimal(hash, amount, row);
    addDecimal(hash, price, row);
    addDecimal(hash, value, row);
    const detail = details.get(row);
    if (detail !== undefined) hash.addText(JSON.stringify(detail));
    hash.finish();
  };
}

function sumOfRows(block: LedgerBlock, rows: Iterable<number>): HashSums {
  const hash = new WordHash();
  const hashRow = rowHasher(block);
  let [count, one, other, both] = [0, 0, 0, 0];
  for (const row of rows) {
    hashRow(hash, row);
    count++;
    one = (one + hash.one) >>> 0;
    other = (other + hash.other) >>> 0;
    both = (both + Math.imul(hash.one ^ 0x2545f491, hash.other | 1)) >>> 0;
  }
  return [count, one, other, both];
}

/** Blocks never change: each is hashed once. */
const sumsByBlock = new WeakMap<LedgerBlock, HashSums>();

function sumOfBlock(block: LedgerBlock): HashSums {
  let sums = sumsByBlock.get(block);
  if (sums === undefined) sumsByBlock.set(block, (sums = sumOfRows(block, block.sequence.keys())));
  return sums;
}

/** Yields after each block. */
export function* rowsDigest(blocks: readonly LiveBlock[]): Generator<void, string, void> {
  const total = [0, 0, 0, 0];
  for (const { rows, removed } of blocks) {
    const all = sumOfBlock(rows);
    const gone = removed.size === 0 ? undefined : sumOfRows(rows, removed);
    for (const [at, sum] of all.entries()) total[at] = (total[at]! + sum - (gone?.[at] ?? 0)) >>> 0;
    yield;
  }
  return total.map((sum) => sum.toString(16)).join('.');
}
