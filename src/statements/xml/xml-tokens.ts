// Splits XML that arrives in pieces into tags and texts, strictly: what is not well-formed is a fault. Document type definitions are refused, and
// with them all entities but the five of XML. It knows no format and keeps no more than one token. Several times as fast as saxes, with which a test
// compares it.

import { ownText } from '../../kit/memory/own-text.ts';
import { StatementFault } from '../../model/custody/statement.ts';

export interface TokenHandler {
  /** `name` is without its prefix. */
  open(name: string, attributes: Readonly<Record<string, string>>): void;
  close(): void;
  text(text: string): void;
}

const namePattern = /^[\p{L}_:][\p{L}\p{N}\p{M}_:.·-]*$/u;
const disallowed = new RegExp(String.raw`[\0-\x08\x0b\x0c\x0e-\x1f\ufffe\uffff]`);
const entities: ReadonlyMap<string, string> = new Map([
  ['amp', '&'],
  ['lt', '<'],
  ['gt', '>'],
  ['quot', '"'],
  ['apos', "'"],
]);
/** Names repeat; so many are remembered without being checked again. */
const namesMax = 10_000;

const lessThan = 0x3c;
const space = /\s/;

export class XmlTokens {
  readonly #handler: TokenHandler;
  readonly #tokenLengthMax: number;
  /** Names as written, and without their prefix. */
  readonly #names = new Map<string, string>();
  /** The names of the open elements, as written. */
  readonly #open: string[] = [];
  #buffer = '';
  #at = 0;
  /** The position of the buffer in the file. */
  #offset = 0;
  #carried = '';
  #line = 1;
  /** Up to where lines have been counted. */
  #countedTo = 0;
  #hasStarted = false;
  #hasRoot = false;

  constructor(handler: TokenHandler, tokenLengthMax: number) {
    this.#handler = handler;
    this.#tokenLengthMax = tokenLengthMax;
  }

  /** The line of the token that is being read. */
  get line(): number {
    let found = this.#buffer.indexOf('\n', this.#countedTo);
    while (found >= 0 && found < this.#at) {
      this.#line++;
      found = this.#buffer.indexOf('\n', found + 1);
    }
    this.#countedTo = this.#at;
    return this.#line;
  }

  get position(): number {
    return this.#offset + this.#at;
  }

  push(chunk: string): void {
    let text = this.#carried + chunk;
    this.#carried = '';
    // A carriage return or half a character may go on in the next piece.
    if (/[\r\ud800-\udbff]$/.test(text)) {
      this.#carried = text.slice(-1);
      text = text.slice(0, -1);
    }
    this.#take(text);
  }

  end(): void {
    if (this.#carried !== '') this.#take(this.#carried);
    if (this.#at < this.#buffer.length) {
      if (this.#buffer.charCodeAt(this.#at) === lessThan) throw this.#malformed('it ends within a tag or comment');
      this.#emitText(this.#buffer.length);
    }
    const unclosed = this.#open.at(-1);
    if (unclosed !== undefined) throw this.#malformed(`it ends before ${shown(unclosed)} is closed`);
    if (!this.#hasRoot) throw this.#malformed('it has no element');
  }

  fault(detail: string): StatementFault {
    return new StatementFault({ line: this.line }, detail);
  }

  #malformed(reason: string): StatementFault {
    return this.fault(`This is not well-formed XML: ${reason}.`);
  }

  #take(chunk: string): void {
    let text = chunk.includes('\r') ? chunk.replace(/\r\n?/g, '\n') : chunk;
    if (!this.#hasStarted && text !== '') {
      this.#hasStarted = true;
      if (text.charCodeAt(0) === 0xfeff) text = text.slice(1);
    }
    const wrongAt = disallowedAt(text);
    // Settles the count of lines before the text moves.
    void this.line;
    this.#offset += this.#at;
    // What comes before a character that is not allowed is read first, so that it does not matter how the text is cut.
    this.#buffer = this.#buffer.slice(this.#at) + (wrongAt < 0 ? text : text.slice(0, wrongAt));
    this.#at = 0;
    this.#countedTo = 0;
    while (this.#readToken());
    if (wrongAt >= 0) throw this.#malformed('it has a character that is not allowed');
    if (this.#buffer.length - this.#at > this.#tokenLengthMax) throw this.#tooLong();
  }

  #tooLong(): StatementFault {
    return this.fault(`A tag, text or comment is longer than ${this.#tokenLengthMax} characters.`);
  }

  /** Whether there was a whole token. */
  #readToken(): boolean {
    const tag = this.#buffer.indexOf('<', this.#at);
    if (tag < 0) return false;
    if (tag > this.#at) this.#emitText(tag);
    const next = this.#buffer[tag + 1];
    if (next === undefined) return false;
    if (next === '/') return this.#readEndTag();
    if (next === '!') return this.#readMarkup();
    if (next === '?') return this.#skipTo('<?', '?>') !== undefined;
    return this.#readStartTag();
  }

  #emitText(end: number): void {
    const raw = this.#buffer.slice(this.#at, end);
    if (raw.length > this.#tokenLengthMax) throw this.#tooLong();
    if (raw.includes(']]>')) throw this.#malformed('"]]>" stands in a text');
    const text = this.#decoded(raw);
    if (this.#open.length === 0 && text.trim() !== '')
      throw this.#malformed('there is text outside of the first element');
    this.#at = end;
    if (this.#open.length > 0) this.#handler.text(text);
  }

  /** Comments and CDATA. Anything else that begins so is a document type or an error. */
  #readMarkup(): boolean {
    const head = this.#buffer.slice(this.#at, this.#at + 9);
    if (head.startsWith('<!--')) {
      const comment = this.#skipTo('<!--', '-->');
      if (comment?.includes('--') || comment?.endsWith('-')) throw this.#malformed('"--" stands in a comment');
      return comment !== undefined;
    }
    if (head === '<![CDATA[') {
      if (this.#open.length === 0) throw this.#malformed('there is text outside of the first element');
      const text = this.#skipTo('<![CDATA[', ']]>');
      if (text !== undefined) this.#handler.text(text);
      return text !== undefined;
    }
    if (head.length < 9 && ('<!--'.startsWith(head) || '<![CDATA['.startsWith(head) || '<!DOCTYPE'.startsWith(head)))
      return false;
    if (head === '<!DOCTYPE')
      throw this.fault('Document type definitions are not accepted. Remove the DOCTYPE and its entities.');
    throw this.#malformed('a tag begins with "<!"');
  }

  /** What is between the two, and continues after it; undefined if the end has not come. */
  #skipTo(start: string, end: string): string | undefined {
    const from = this.#at + start.length;
    const found = this.#buffer.indexOf(end, from);
    if (found < 0) return undefined;
    if (found - this.#at > this.#tokenLengthMax) throw this.#tooLong();
    const content = this.#buffer.slice(from, found);
    this.#at = found + end.length;
    return content;
  }

  #readEndTag(): boolean {
    const end = this.#buffer.indexOf('>', this.#at);
    if (end < 0) return false;
    const name = this.#buffer.slice(this.#at + 2, end).trimEnd();
    const open = this.#open.at(-1);
    if (name !== open) {
      const expected = open === undefined ? 'no element is open' : `${shown(open)} is open`;
      throw this.#malformed(`${shown(name)} is closed while ${expected}`);
    }
    this.#at = end + 1;
    this.#open.pop();
    this.#handler.close();
    return true;
  }

  #readStartTag(): boolean {
    const end = this.#tagEnd();
    if (end === undefined) return false;
    if (end - this.#at > this.#tokenLengthMax) throw this.#tooLong();
    const isClosed = this.#buffer[end - 1] === '/';
    const content = this.#buffer.slice(this.#at + 1, isClosed ? end - 1 : end);
    const nameEnd = content.search(space);
    const name = nameEnd < 0 ? content : content.slice(0, nameEnd);
    const local = this.#localName(name);
    const attributes = nameEnd < 0 ? {} : this.#attributesIn(content, nameEnd);
    if (this.#open.length === 0 && this.#hasRoot) throw this.#malformed('there is a second element after the first');
    this.#hasRoot = true;
    this.#open.push(name);
    this.#handler.open(local, attributes);
    this.#at = end + 1;
    if (isClosed) {
      this.#open.pop();
      this.#handler.close();
    }
    return true;
  }

  /** The place of the ">" that is in no attribute value. */
  #tagEnd(): number | undefined {
    const buffer = this.#buffer;
    for (let at = this.#at; ;) {
      const end = buffer.indexOf('>', at);
      if (end < 0) return undefined;
      const quote = firstQuote(buffer, at, end);
      if (quote < 0) return end;
      const closing = buffer.indexOf(buffer[quote]!, quote + 1);
      if (closing < 0) return undefined;
      at = closing + 1;
    }
  }

  #attributesIn(content: string, from: number): Record<string, string> {
    const attributes: Record<string, string> = {};
    const pattern = /\s+([^\s=<>"'/]+)\s*=\s*(?:"([^"<]*)"|'([^'<]*)')/y;
    let at = from;
    while (true) {
      pattern.lastIndex = at;
      const match = pattern.exec(content);
      if (match === null) break;
      const [whole, name = '', double, single] = match;
      this.#localName(name);
      if (Object.hasOwn(attributes, name)) throw this.#malformed(`the attribute ${shown(name)} is there twice`);
      const value = this.#decoded(double ?? single ?? '');
      attributes[name] = value.includes('\n') || value.includes('\t') ? value.replace(/[\n\t]/g, ' ') : value;
      at += whole.length;
    }
    if (content.slice(at).trim() !== '') throw this.#malformed('an attribute is not written as name="value"');
    return attributes;
  }

  #localName(name: string): string {
    const known = this.#names.get(name);
    if (known !== undefined) return known;
    if (!namePattern.test(name)) throw this.#malformed(`${shown(name)} is not a name`);
    const local = name.slice(name.indexOf(':') + 1);
    if (this.#names.size < namesMax) this.#names.set(name, ownText(local));
    return local;
  }

  #decoded(text: string): string {
    if (!text.includes('&')) return text;
    return text.replace(/&([^;&\s]{0,32};?)/g, (_, name: string) => {
      const value = name.endsWith(';') ? entityValue(name.slice(0, -1)) : undefined;
      if (value === undefined) throw this.#malformed(`the entity &${name.slice(0, 32)} is not defined`);
      return value;
    });
  }
}

/** A control character or half a character; -1 if there is none. */
function disallowedAt(text: string): number {
  const control = text.search(disallowed);
  if (text.isWellFormed()) return control;
  const half = text.search(/[\ud800-\udbff](?![\udc00-\udfff])|(?<![\ud800-\udbff])[\udc00-\udfff]/);
  return control < 0 ? half : Math.min(control, half);
}

function firstQuote(text: string, from: number, to: number): number {
  for (let at = from; at < to; at++) {
    const code = text.charCodeAt(at);
    if (code === 0x22 || code === 0x27) return at;
  }
  return -1;
}

function entityValue(name: string): string | undefined {
  const [, hex, digits] = /^#(?:x([0-9a-fA-F]{1,6})|(\d{1,7}))$/.exec(name) ?? [];
  if (hex === undefined && digits === undefined) return entities.get(name);
  const code = hex === undefined ? Number(digits) : Number.parseInt(hex, 16);
  if (code > 0x10ffff || (code >= 0xd800 && code <= 0xdfff)) return undefined;
  const character = String.fromCodePoint(code);
  return disallowed.test(character) ? undefined : character;
}

function shown(name: string): string {
  return JSON.stringify(name.length > 40 ? `${name.slice(0, 40)}…` : name);
}
