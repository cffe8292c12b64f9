// Counts the rows of an import that wait because nobody knows their word, so that each word is told once.

import { ownText } from '../../kit/memory/own-text.ts';
import { foldWord } from '../../model/custody/folded-words.ts';
import type { ImportWarning } from '../../model/custody/import.ts';
import type { StatementEntry } from '../../model/custody/statement.ts';
import { cleanText } from './entry-input.ts';

/** How many words are told apart; a file may have another one in every row. */
const wordsMax = 50;
/** How many of them the sentence names. */
const namedMax = 8;

interface UnknownWord {
  readonly word: string;
  readonly line: number;
  rows: number;
}

export class UnknownWords {
  readonly #words = new Map<string, UnknownWord>();
  /** Rows with words beyond these. */
  #otherRows = 0;

  add({ typeWord = '', place: { line } }: StatementEntry): void {
    const key = foldWord(typeWord);
    const known = this.#words.get(key);
    if (known !== undefined) known.rows++;
    else if (this.#words.size < wordsMax)
      this.#words.set(ownText(key), { word: cleanText(typeWord, 200) ?? '', line, rows: 1 });
    else this.#otherRows++;
  }

  listWarnings(): ImportWarning[] {
    const words = [...this.#words.values()];
    if (words.length === 0) return [];
    const rows = words.reduce((sum, one) => sum + one.rows, this.#otherRows);
    const named = words.slice(0, namedMax).map((one) => `"${one.word.slice(0, 60)}" (${one.rows})`);
    const isMore = words.length > named.length || this.#otherRows > 0;
    const waiting = rows === 1 ? '1 row waits' : `${rows} rows wait`;
    const detail = `${waiting} until somebody says what these words mean: ${named.join(', ')}${isMore ? ', and others' : ''}.`;
    return [{ code: 'words-unknown', detail, words }];
  }
}
