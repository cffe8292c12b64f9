// Reads one JSON document from well-formed UTF-16 text, character by character.

import { JsonFault, JsonNumber } from './json-value.ts';
import type { Json, JsonFaultReason, JsonLimits, JsonObject } from './json-value.ts';

const numberLengthMax = 400;
const pointerLengthMax = 1_000;
const nameLengthShownMax = 60;

const [tab, lineFeed, carriageReturn, space] = [0x09, 0x0a, 0x0d, 0x20];
const [quote, backslash, comma, colon] = [0x22, 0x5c, 0x2c, 0x3a];
const [openBrace, closeBrace, openBracket, closeBracket] = [0x7b, 0x7d, 0x5b, 0x5d];
const [plus, minus, point, zero, nine] = [0x2b, 0x2d, 0x2e, 0x30, 0x39];
const [lowerE, lowerF, lowerN, lowerT] = [0x65, 0x66, 0x6e, 0x74];

const escapes = new Map(
  Object.entries({ '"': '"', '\\': '\\', '/': '/', b: '\b', f: '\f', n: '\n', r: '\r', t: '\t' }),
);

// Objects with an empty prototype inherit nothing, like those of Object.create(null), but V8 does not store them as dictionaries,
// which take four times the memory and are a tenth slower to fill.
const Members = function Members() {} as unknown as new () => JsonObject;
Members.prototype = Object.freeze(Object.create(null));

export class JsonReader {
  readonly #text: string;
  readonly #limits: Required<JsonLimits>;
  #values = 0;
  #position = 0;
  /** One entry per open object or array: the member or index being read, or null before the first. */
  readonly #path: (string | number | null)[] = [];

  constructor(text: string, limits: Required<JsonLimits>) {
    this.#text = text;
    this.#limits = limits;
  }

  readDocument(): Json {
    const start = this.#skipSpace();
    if (Number.isNaN(start)) throw new JsonFault('empty', 'The text is empty.', { offset: this.#position });
    const value = this.#readValue();
    const rest = this.#skipSpace();
    if (Number.isNaN(rest)) return value;
    throw new JsonFault('trailing-text', `Text follows the document at offset ${this.#position}.`, {
      offset: this.#position,
    });
  }

  #readValue(): Json {
    const { valuesMax } = this.#limits;
    if (++this.#values > valuesMax)
      throw this.#fault('too-many-values', `The document has more than ${valuesMax} values`);
    switch (this.#text.charCodeAt(this.#position)) {
      case quote:
        return this.#readString();
      case openBrace:
        return this.#readObject();
      case openBracket:
        return this.#readArray();
      case lowerT:
        return this.#readWord('true', true);
      case lowerF:
        return this.#readWord('false', false);
      case lowerN:
        return this.#readWord('null', null);
      default:
        return this.#readNumber();
    }
  }

  #readObject(): JsonObject {
    const level = this.#open();
    const members = new Members();
    const { membersMax } = this.#limits;
    let code = this.#skipSpace();
    if (code === closeBrace) return this.#close(members);
    for (let count = 1; ; count++) {
      if (code !== quote) throw this.#unexpected();
      if (count > membersMax) throw this.#fault('too-many-members', `An object has more than ${membersMax} members`);
      const nameStart = this.#position;
      const name = this.#readString();
      this.#path[level] = name;
      if (members[name] !== undefined) throw this.#duplicate(name, nameStart);
      if (this.#skipSpace() !== colon) throw this.#unexpected();
      this.#position++;
      this.#skipSpace();
      members[name] = this.#readValue();
      this.#path[level] = null;
      code = this.#skipSpace();
      if (code === closeBrace) return this.#close(members);
      if (code !== comma) throw this.#unexpected();
      this.#position++;
      code = this.#skipSpace();
    }
  }

  #readArray(): Json[] {
    const level = this.#open();
    const items: Json[] = [];
    if (this.#skipSpace() === closeBracket) return this.#close(items);
    for (;;) {
      this.#path[level] = items.length;
      this.#skipSpace();
      items.push(this.#readValue());
      const code = this.#skipSpace();
      if (code === closeBracket) return this.#close(items);
      if (code !== comma) throw this.#unexpected();
      this.#position++;
    }
  }

  #open(): number {
    const level = this.#path.length;
    const { depthMax } = this.#limits;
    if (level >= depthMax) throw this.#fault('too-deep', `Nested deeper than ${depthMax} levels`);
    this.#path.push(null);
    this.#position++;
    return level;
  }

  #close<T>(value: T): T {
    this.#path.pop();
    this.#position++;
    return value;
  }

  #readString(): string {
    const text = this.#text;
    let value = '';
    let at = this.#position + 1;
    let segmentStart = at;
    for (;;) {
      const code = text.charCodeAt(at);
      if (code === quote) break;
      if (code === backslash) {
        const segment = text.slice(segmentStart, at);
        this.#position = at;
        value += segment + this.#readEscape();
        at = segmentStart = this.#position;
      } else if (code >= space) at++;
      else throw this.#invalidCharacter(at);
    }
    this.#position = at + 1;
    return value === '' ? text.slice(segmentStart, at) : value + text.slice(segmentStart, at);
  }

  #readEscape(): string {
    const escapeStart = this.#position;
    const character = escapes.get(this.#text.charAt(escapeStart + 1));
    if (character !== undefined) {
      this.#position += 2;
      return character;
    }
    const unit = this.#readUnit();
    if (unit === 0) throw this.#nul(escapeStart);
    if (unit < 0xd800 || unit > 0xdfff) return String.fromCharCode(unit);
    const low = unit < 0xdc00 && this.#text.startsWith('\\u', this.#position) ? this.#readUnit() : 0;
    if (low >= 0xdc00 && low <= 0xdfff) return String.fromCharCode(unit, low);
    throw this.#fault('lone-surrogate', 'A surrogate has no partner', escapeStart);
  }

  /** Reads one `\uXXXX`, which may be half of a surrogate pair. */
  #readUnit(): number {
    const digits = this.#text.slice(this.#position + 1, this.#position + 6);
    if (!/^u[0-9a-fA-F]{4}$/.test(digits)) throw this.#unexpected();
    this.#position += 6;
    return Number.parseInt(digits.slice(1), 16);
  }

  #readNumber(): JsonNumber {
    const text = this.#text;
    const from = this.#position;
    if (text.charCodeAt(from) === minus) this.#position++;
    if (text.charCodeAt(this.#position) === zero) this.#position++;
    else this.#skipDigits();
    if (text.charCodeAt(this.#position) === point) {
      this.#position++;
      this.#skipDigits();
    }
    if ((text.charCodeAt(this.#position) | 0x20) === lowerE) {
      const sign = text.charCodeAt(++this.#position);
      if (sign === plus || sign === minus) this.#position++;
      this.#skipDigits();
    }
    if (this.#position - from <= numberLengthMax) return new JsonNumber(text.slice(from, this.#position));
    throw this.#fault('number-too-long', `A number has more than ${numberLengthMax} characters`, from);
  }

  #skipDigits(): void {
    let at = this.#position;
    let code = this.#text.charCodeAt(at);
    if (!(code >= zero && code <= nine)) throw this.#unexpected();
    while (code >= zero && code <= nine) code = this.#text.charCodeAt(++at);
    this.#position = at;
  }

  #readWord<T extends Json>(word: string, value: T): T {
    if (!this.#text.startsWith(word, this.#position)) throw this.#unexpected();
    this.#position += word.length;
    return value;
  }

  /** Skips white space and returns the code of the next character; NaN at the end. */
  #skipSpace(): number {
    for (;;) {
      const code = this.#text.charCodeAt(this.#position);
      if (code !== space && code !== lineFeed && code !== carriageReturn && code !== tab) return code;
      this.#position++;
    }
  }

  #unexpected(offset = this.#position): JsonFault {
    const code = this.#text.codePointAt(offset);
    const found =
      code === undefined ? 'The text ends early' : `Unexpected ${JSON.stringify(String.fromCodePoint(code))}`;
    return new JsonFault('malformed', `${found} at offset ${offset}.`, { offset });
  }

  #invalidCharacter(offset: number): JsonFault {
    const code = this.#text.charCodeAt(offset);
    if (code === 0) return this.#nul(offset);
    if (code < space) return this.#fault('control-character', 'A control character is not escaped', offset);
    return this.#unexpected(offset);
  }

  #nul(offset: number): JsonFault {
    // PostgreSQL's text type does not support it.
    return this.#fault('nul-character', 'The character U+0000 cannot be stored', offset);
  }

  #duplicate(name: string, offset: number): JsonFault {
    const shown = name.length > nameLengthShownMax ? `${name.slice(0, nameLengthShownMax).toWellFormed()}…` : name;
    return this.#fault('duplicate-member', `The member ${JSON.stringify(shown)} appears twice`, offset);
  }

  #fault(reason: JsonFaultReason, detail: string, offset = this.#position): JsonFault {
    const steps = this.#path.filter((step) => step !== null);
    const pointer = steps.map((step) => `/${String(step).replaceAll('~', '~0').replaceAll('/', '~1')}`).join('');
    const location = { offset, pointer: pointer.length > pointerLengthMax ? undefined : pointer };
    return new JsonFault(reason, `${detail} at offset ${offset}.`, location);
  }
}
