// Reads a line of a ledger text word by word and reports errors with file and line.

import { parseCalendarDate, toDayNumber } from '../../../src/kit/calendar-date.ts';
import type { Day } from '../../../src/kit/day.ts';
import { parseDecimal } from '../../../src/kit/decimal.ts';
import { divideRounded, toFixed, type Fixed } from '../../../src/kit/fixed.ts';

export interface Line {
  readonly file: string;
  readonly number: number;
  readonly text: string;
}

export class LedgerTextError extends Error {
  constructor({ file, number }: Line, detail: string) {
    super(`${file}:${number}: ${detail}`);
    this.name = 'LedgerTextFault';
  }
}

export const datePattern = /^\d{4}-\d{2}-\d{2}$/;

/** Maps the first word of each clause to the reader of its remaining words. */
export type ClauseReaders = ReadonlyMap<string, () => void>;

export class Words {
  readonly line: Line;
  readonly #words: readonly string[];
  #next = 0;

  constructor(line: Line) {
    this.line = line;
    this.#words = line.text.split(/[\s,]+/).filter((word) => word !== '');
  }

  get isDone(): boolean {
    return this.#next === this.#words.length;
  }

  fail(detail: string): never {
    throw new LedgerTextError(this.line, detail);
  }

  peek(): string {
    return this.#words[this.#next] ?? '';
  }

  next(what: string): string {
    if (this.isDone) this.fail(`${what} is missing`);
    return this.#words[this.#next++]!;
  }

  /** Skips the word if it comes next, and says whether it did. */
  skip(word: string): boolean {
    if (this.peek() !== word) return false;
    this.#next++;
    return true;
  }

  expect(word: string): void {
    if (!this.skip(word)) this.fail(`"${word}" is missing before "${this.peek()}"`);
  }

  oneOf<Choice extends string>(choices: readonly Choice[], what: string): Choice {
    const word = this.next(what);
    const found = choices.find((choice) => choice === word);
    return found ?? this.fail(`"${word}" is no ${what}: ${choices.join(', ')}`);
  }

  /** Reads all words up to the next clause. */
  list(clauses: readonly string[]): readonly string[] {
    const found: string[] = [];
    while (!this.isDone && !clauses.includes(this.peek())) found.push(this.next('a name'));
    return found;
  }

  date(): Day {
    return this.#parse('date', (word) => toDayNumber(parseCalendarDate(word)));
  }

  amount(): Fixed {
    return this.#parse('amount', (word) => toFixed(parseDecimal(word)));
  }

  whole(): number {
    const word = this.next('a whole number');
    return /^\d+$/.test(word) ? Number(word) : this.fail(`"${word}" is no whole number`);
  }

  /** Reads `5%` or `0.05`. */
  fraction(): Fixed {
    if (!this.peek().endsWith('%')) return this.amount();
    return this.#parse('percentage', (word) => divideRounded(toFixed(parseDecimal(word.slice(0, -1))), 100n));
  }

  /** Reads `2:1`. */
  ratio(): { readonly numerator: bigint; readonly denominator: bigint } {
    const word = this.next('a ratio');
    const [, numerator, denominator] = /^(\d+):(\d+)$/.exec(word) ?? this.fail(`"${word}" is no ratio such as 2:1`);
    return { numerator: BigInt(numerator!), denominator: BigInt(denominator!) };
  }

  /** Reads clauses in any order until the line ends. */
  clauses(readers: ClauseReaders): void {
    while (!this.isDone) {
      const word = this.next('a clause');
      const read = readers.get(word);
      if (read === undefined) this.fail(`does not know the word "${word}"`);
      read();
    }
  }

  end(): void {
    this.clauses(new Map());
  }

  #parse<Value>(what: string, parse: (word: string) => Value): Value {
    const word = this.next(`a ${what}`);
    try {
      return parse(word);
    } catch {
      return this.fail(`"${word}" is no ${what}`);
    }
  }
}
