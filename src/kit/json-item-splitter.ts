// The items of a JSON document {"data": […]}, one by one, out of text that comes in pieces. Finds where an item ends and
// leaves the reading of it to others, so that a document of any size is never held.

import { JsonFault } from './json-value.ts';

const [tab, lineFeed, carriageReturn, space] = [0x09, 0x0a, 0x0d, 0x20];
const [quote, backslash, comma] = [0x22, 0x5c, 0x2c];
const [openBrace, closeBrace, openBracket, closeBracket] = [0x7b, 0x7d, 0x5b, 0x5d];

/** What stands around the items. Between the tokens there may be white space. */
const openingTokens = ['{', '"data"', ':', '['];
const closingTokens = [']', '}'];

type State = 'beginning' | 'first-item' | 'item' | 'after-item' | 'ending';

export class JsonItemSplitter {
  readonly #lengthMax: number;
  #state: State = 'beginning';
  #text = '';
  #position = 0;
  /** How many tokens of `beginning` or `ending` have been met. */
  #tokensRead = 0;
  /** Of the item that is being looked through: how far, how many brackets are open, whether within a string. */
  #scannedTo = 0;
  #depth = 0;
  #isInString = false;
  /** Characters in the pieces before this one. */
  #offsetBefore = 0;

  /** No item may have more characters than this. */
  constructor(lengthMax: number) {
    this.#lengthMax = lengthMax;
  }

  /** The texts of the items that are whole by now. */
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

  /** Whether it can go on with what has come so far. */
  #step(items: string[]): boolean {
    if (this.#state === 'beginning' || this.#state === 'ending') return this.#readToken();
    return this.#state === 'after-item' ? this.#readSeparator() : this.#readItem(items);
  }

  /** Whether something else than white space is left. An item that is being looked through has begun with something else. */
  #skipSpace(): boolean {
    const text = this.#text;
    while (this.#position < text.length) {
      const code = text.charCodeAt(this.#position);
      if (code !== space && code !== lineFeed && code !== carriageReturn && code !== tab) return true;
      this.#position++;
    }
    return false;
  }

  /** One more token of what stands around the items. */
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

  /** Where the item that begins here ends: at the comma or bracket after it, or with the text so far. */
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
    return new JsonFault('malformed', `${detail} at offset ${offset}; a body of many rows is {"data": […]}.`, {
      offset,
    });
  }
}
