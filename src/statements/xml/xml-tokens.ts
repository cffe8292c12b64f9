// Splits XML that arrives in pieces into tags and texts, strictly: what is not well-formed is a fault. Document type definitions are refused, with
// all entities but the five of XML. It knows no format and keeps no more than one token. Several times as fast as saxes, which a test compares it with.

import { ownData, ownText } from '../../kit/memory/own-text.ts';
import { StatementFault } from '../../model/custody/statement.ts';
import { codes, disallowedAt, entityValue, isSpace, shown, tagEnd } from './xml-characters.ts';

export interface TokenHandler {
  /** `name` is without its prefix. */
  open(name: string, attributes: Readonly<Record<string, string>>): void;
  close(): void;
  text(text: string): void;
  /** Whether white space alone, up to the next tag, means nothing: then it is passed over. */
  readonly ignoresSpace?: boolean;
}

const namePattern = /^[\p{L}_:][\p{L}\p{N}\p{M}_:.·-]*$/u;
/** Names repeat; so many are remembered without being checked again. */
const namesMax = 10_000;

/** So many tags are kept, each no longer than this. */
const keptTagsMax = 1_000;
const keptTagLengthMax = 48;

interface StartTag {
  readonly name: string;
  readonly local: string;
  readonly attributes: Readonly<Record<string, string>>;
}

const { lessThan, greaterThan, slash, exclamationMark, questionMark } = codes;
const space = /\s/;
const attribute = /\s+([^\s=<>"'/]+)\s*=\s*(?:"([^"<]*)"|'([^'<]*)')/y;

export class XmlTokens {
  readonly #handler: TokenHandler;
  readonly #ignoresSpace: boolean;
  readonly #tokenLengthMax: number;
  /** Names as written, and without their prefix. */
  readonly #names = new Map<string, string>();
  readonly #tags = new Map<string, StartTag>();
  /** The names of the open elements, as written. */
  readonly #open: string[] = [];
  #buffer = '';
  #at = 0;
  /** The position of the buffer in the file. */
  #offset = 0;
  #carried = '';
  #line = 1;
  /** Where the next line break is that has not been counted: many files have very few. */
  #nextBreak = Infinity;
  #hasStarted = false;
  #hasRoot = false;

  constructor(handler: TokenHandler, tokenLengthMax: number) {
    this.#handler = handler;
    this.#ignoresSpace = handler.ignoresSpace ?? false;
    this.#tokenLengthMax = tokenLengthMax;
  }

  /** The line of the token that is being read. */
  get line(): number {
    while (this.#nextBreak < this.#at) {
      this.#line++;
      this.#nextBreak = this.#breakFrom(this.#nextBreak + 1);
    }
    return this.#line;
  }

  #breakFrom(at: number): number {
    const found = this.#buffer.indexOf('\n', at);
    return found < 0 ? Infinity : found;
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
    this.#nextBreak = this.#breakFrom(0);
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
    const next = this.#buffer.charCodeAt(tag + 1);
    if (tag > this.#at && !this.#passesOver(tag, next)) this.#emitText(tag);
    if (Number.isNaN(next)) return false;
    if (next === slash) return this.#readEndTag();
    if (next === exclamationMark) return this.#readMarkup();
    if (next === questionMark) return this.#skipTo('<?', '?>') !== undefined;
    return this.#readStartTag();
  }

  /** Of what lines are indented with, nothing remains. Within a text, around a comment, it does. */
  #passesOver(tag: number, next: number): boolean {
    const isBeforeTag = next !== exclamationMark && next !== questionMark && !Number.isNaN(next);
    const isShort = tag - this.#at <= this.#tokenLengthMax;
    if (!this.#ignoresSpace || !isBeforeTag || !isShort || !isSpace(this.#buffer, this.#at, tag)) return false;
    this.#at = tag;
    return true;
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
    const open = this.#open.at(-1);
    // Nearly all are written without a space.
    const expectedEnd = this.#at + 2 + (open?.length ?? 0);
    if (
      open !== undefined &&
      this.#buffer.charCodeAt(expectedEnd) === greaterThan &&
      this.#buffer.startsWith(open, this.#at + 2)
    ) {
      this.#at = expectedEnd + 1;
      this.#close();
      return true;
    }
    const end = this.#buffer.indexOf('>', this.#at);
    if (end < 0) return false;
    const name = this.#buffer.slice(this.#at + 2, end).trimEnd();
    if (name !== open) {
      const expected = open === undefined ? 'no element is open' : `${shown(open)} is open`;
      throw this.#malformed(`${shown(name)} is closed while ${expected}`);
    }
    this.#at = end + 1;
    this.#close();
    return true;
  }

  #close(): void {
    this.#open.pop();
    this.#handler.close();
  }

  #readStartTag(): boolean {
    const end = tagEnd(this.#buffer, this.#at);
    if (end === undefined) return false;
    if (end - this.#at > this.#tokenLengthMax) throw this.#tooLong();
    const isClosed = this.#buffer[end - 1] === '/';
    const { name, local, attributes } = this.#tagOf(this.#buffer.slice(this.#at + 1, isClosed ? end - 1 : end));
    if (this.#open.length === 0 && this.#hasRoot) throw this.#malformed('there is a second element after the first');
    this.#hasRoot = true;
    this.#open.push(name);
    this.#handler.open(local, attributes);
    this.#at = end + 1;
    if (isClosed) this.#close();
    return true;
  }

  /** Most tags of a file are the same few: a short one is read once. */
  #tagOf(content: string): StartTag {
    const known = content.length <= keptTagLengthMax ? this.#tags.get(content) : undefined;
    if (known !== undefined) return known;
    const nameEnd = content.search(space);
    const name = nameEnd < 0 ? content : content.slice(0, nameEnd);
    const local = this.#localName(name);
    const tag = { name, local, attributes: nameEnd < 0 ? {} : this.#attributesIn(content, nameEnd) };
    if (content.length > keptTagLengthMax || this.#tags.size >= keptTagsMax) return tag;
    const own = ownData(tag);
    this.#tags.set(ownText(content), own);
    return own;
  }

  #attributesIn(content: string, from: number): Record<string, string> {
    const attributes: Record<string, string> = {};
    let at = from;
    while (true) {
      attribute.lastIndex = at;
      const match = attribute.exec(content);
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
