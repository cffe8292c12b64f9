// Which rows of an import are stored one by one. Rows that tell nothing but that they cannot be read or booked are counted by their problem
// beyond some hundreds: very short ones would fill the disk.

import { defined } from '../../kit/assert.ts';
import { unkeptProblemsMax, type UnkeptProblem, type UnkeptRows } from '../../model/custody/import.ts';
import { cutText } from '../../statements/short-text.ts';
import type { RowResult, RowSource } from '../../store/imports/import-rows.ts';

/** How many rows are kept that say nothing which could be booked. */
export const unreadableKeptMax = 500;
/** How many refused rows are kept that booking the import again may book. */
export const refusedKeptMax = 10_000;
/** How much text of lines is kept that wait for somebody to say what their columns mean. */
export const unmappedCharactersMax = 8_000_000;
/** How much of a reason tells it from others. */
const detailLengthMax = 300;

type Writable<T> = { -readonly [Name in keyof T]: T[Name] };

export class RowKeeping {
  #unreadableCount = 0;
  #refusedCount = 0;
  #unmappedCharacters = 0;
  #unkeptCount = 0;
  readonly #problems = new Map<string, Writable<UnkeptProblem>>();

  /** Returns the rows that are stored, and counts the others. */
  keep<Row extends RowSource & RowResult>(rows: readonly Row[]): readonly Row[] {
    return rows.filter((row) => this.#isKept(row));
  }

  #isKept(row: RowSource & RowResult): boolean {
    const { stated, outcome } = row;
    if (outcome !== 'refused' && outcome !== 'needs') return true;
    if (stated.item === 'problem' && stated.cells !== undefined) {
      if (this.#isRoomFor(stated.cells) && ++this.#refusedCount <= refusedKeptMax) return true;
    } else if (stated.item === 'problem' && stated.readings === undefined) {
      if (++this.#unreadableCount <= unreadableKeptMax) return true;
    } else if (outcome === 'needs' || ++this.#refusedCount <= refusedKeptMax) return true;
    this.#count(outcome, row);
    return false;
  }

  #isRoomFor(cells: readonly string[]): boolean {
    this.#unmappedCharacters += cells.reduce((length, cell) => length + cell.length, cells.length);
    return this.#unmappedCharacters <= unmappedCharactersMax;
  }

  #count(outcome: UnkeptProblem['outcome'], { stated, code: reason, detail: words }: RowSource & RowResult): void {
    const code = defined(reason, 'a row that is not booked says why');
    const detail = cutText(words ?? '', detailLengthMax);
    this.#unkeptCount++;
    const exact = `${outcome} ${code} ${detail}`;
    const isListed = this.#problems.has(exact) || this.#problems.size < unkeptProblemsMax;
    const key = isListed ? exact : `${outcome} ${code}`;
    const shown = isListed ? detail : 'Rows with other reasons of this code.';
    const first = { outcome, code, detail: shown, rows: 0, firstLine: stated.place.line };
    this.#problems.getOrInsert(key, first).rows++;
  }

  /** What is not kept, the most frequent problem first. */
  get notKept(): UnkeptRows {
    const problems = [...this.#problems.values()].toSorted((one, other) => other.rows - one.rows);
    return { rows: this.#unkeptCount, problems };
  }
}
