// Splits a JSON document {"data": […]} that arrives in pieces into the texts of its items, so that a document of any size is
// never in memory as a whole. It finds where an item ends; the caller parses it.

import { JsonFault } from '../../../kit/json-value.ts';

const [tab, lineFeed, carriageReturn, space] = [0x09, 0x0a, 0x0d, 0x20];
const [quote, backslash, comma] = [0x22, 0x5c, 0x2c];
const [openBrace, closeBrace, openBracket, closeBracket] = [0x7b, 0x7d, 0x5b, 0x5d];

/** The tokens around the items. White space is allowed between them. */
const openingTokens = ['{', '"data"', ':', '['];
const closingTokens = [']', '}'];

type State = 'beginning' | 'first-item' | 'item' | 'after-item' | 'ending';

export class JsonItemSplitter {
  readonly #lengthMax: number;
  #state: State = 'beginning';
  #text = '';
  #position = 0;
  /** How many tokens of `beginning` or `ending` have been read. */
  #tokensRead = 0;
  /** The state within the current item: the position, the number of open brackets, and whether it is in a string. */
  #scannedTo = 0;
  #depth = 0;
  #isInString = false;
  /** The number of characters in the previous pieces. */
  #offsetBefore = 0;

  /** The maximum number of characters of an item. */
  constructor(lengthMax: number) {
    this.#lengthMax = lengthMax;
  }

  /** Takes a piece and returns the texts of the items that are complete now. */
  push(chunk: string): string[] {
    this.#offsetBefore += this.#position;
    this.#text = this.#text.slice(this.#position) + chunk;
    this.#scannedTo -= this.#position;
    this.#position = 0;
    const items: string[] = [];
    while (this.#skipSpace() && this.#step(items));
    return items;
  }

  end(): void {
    if (this.#state !== 'ending' || this.#tokensRead < closingTokens.length) throw this.#fault('The text ends early');
  }

  /** Advances by one step; false if more text is needed. */
  #step(items: string[]): boolean {
    if (this.#state === 'beginning' || this.#state === 'ending') return this.#readToken();
    return this.#state === 'after-item' ? this.#readSeparator() : this.#readItem(items);
  }

  /** Skips white space; false if nothing else is left of this piece. */
  #skipSpace(): boolean {
    const text = this.#text;
    while (this.#position < text.length) {
      const code = text.charCodeAt(this.#position);
      if (code !== space && code !== lineFeed && code !== carriageReturn && code !== tab) return true;
      this.#position++;
    }
    return false;
  }

  /** Reads the next token around the items. */
  #readToken(): boolean {
    const token = (this.#state === 'beginning' ? openingTokens : closingTokens)[this.#tokensRead] ?? '';
    const found = this.#text.slice(this.#position, this.#position + token.length);
    if (token === '' || !token.startsWith(found)) throw this.#unexpected();
    if (found !== token) return false;
    this.#position += token.length;
    this.#tokensRead++;
    if (this.#state === 'beginning' && this.#tokensRead === openingTokens.length) this.#enterState('first-item');
    return true;
  }

  #enterState(state: State): void {
    this.#state = state;
    this.#tokensRead = state === 'ending' ? 1 : 0;
    this.#scannedTo = this.#position;
  }

  #readSeparator(): boolean {
    const code = this.#text.charCodeAt(this.#position);
    if (code !== comma && code !== closeBracket) throw this.#unexpected();
    this.#position++;
    this.#enterState(code === comma ? 'item' : 'ending');
    return true;
  }

  #readItem(items: string[]): boolean {
    const first = this.#text.charCodeAt(this.#position);
    if (this.#depth === 0 && first === closeBracket && this.#state === 'first-item') {
      this.#position++;
      this.#enterState('ending');
      return true;
    }
    const end = this.#findItemEnd();
    if (end - this.#position > this.#lengthMax)
      throw this.#fault(`An item has more than ${this.#lengthMax} characters`);
    if (end === this.#text.length) return false;
    if (end === this.#position) throw this.#unexpected();
    items.push(this.#text.slice(this.#position, end));
    this.#position = end;
    this.#enterState('after-item');
    return true;
  }

  /** Finds the end of the current item: the comma or bracket after it, or the end of the text so far. */
  #findItemEnd(): number {
    const text = this.#text;
    let at = Math.max(this.#scannedTo, this.#position);
    for (; at < text.length; at++) {
      const code = text.charCodeAt(at);
      if (this.#isInString) {
        if (code === backslash) at++;
        else if (code === quote) this.#isInString = false;
      } else if (code === quote) this.#isInString = true;
      else if (code === openBrace || code === openBracket) this.#depth++;
      else if (code === comma || code === closeBrace || code === closeBracket) {
        if (this.#depth === 0) break;
        if (code !== comma) this.#depth--;
      }
    }
    this.#scannedTo = at;
    return Math.min(at, text.length);
  }

  #unexpected(): JsonFault {
    return this.#fault(`Unexpected ${JSON.stringify(String.fromCodePoint(this.#text.codePointAt(this.#position)!))}`);
  }

  #fault(detail: string): JsonFault {
    const offset = this.#offsetBefore + this.#position;
    return new JsonFault('malformed', `${detail} at offset ${offset}; a bulk body has the form {"data": […]}.`, {
      offset,
    });
  }
}
