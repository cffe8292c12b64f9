// Splits text that arrives in pieces into lines, which end with LF, CR or CRLF, and refuses endless ones.

import { StatementFault } from '../model/custody/statement.ts';

const lengthMax = 1 << 16;

export class LineSplitter {
  readonly #handle: (text: string, line: number) => void;
  #rest = '';
  #line = 1;
  #isStarted = false;
  /** A line feed at the beginning of the next piece belongs to the last line. */
  #endedWithReturn = false;

  constructor(handle: (text: string, line: number) => void) {
    this.#handle = handle;
  }

  /** The line that is being read. */
  get line(): number {
    return this.#line;
  }

  push(chunk: string): void {
    if (chunk === '') return;
    if (!this.#isStarted && chunk.charCodeAt(0) === 0xfeff) chunk = chunk.slice(1);
    this.#isStarted = true;
    if (this.#endedWithReturn && chunk.startsWith('\n')) chunk = chunk.slice(1);
    this.#endedWithReturn = chunk.endsWith('\r');
    let start = 0;
    const ending = /\r\n|\n|\r/g;
    for (let match = ending.exec(chunk); match; match = ending.exec(chunk)) {
      const text = this.#rest + chunk.slice(start, match.index);
      this.#rest = '';
      start = match.index + match[0].length;
      this.#emit(text);
    }
    this.#rest += chunk.slice(start);
    this.#checkLength(this.#rest);
  }

  end(): void {
    if (this.#rest !== '') this.#emit(this.#rest);
    this.#rest = '';
  }

  #emit(text: string): void {
    this.#checkLength(text);
    const line = this.#line++;
    this.#handle(text, line);
  }

  #checkLength(text: string): void {
    if (text.length > lengthMax)
      throw new StatementFault({ line: this.#line }, `A line is longer than ${lengthMax} characters.`);
  }
}
