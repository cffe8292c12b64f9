// Reads the SGML of OFX 1 from text that arrives in pieces: values without end tags, a header before the first tag, five escapes. It
// gives the same elements as the stream of XML. Document types and entities are refused.

import { append } from '../../kit/memory/long-list.ts';
import { StatementFault } from '../../model/custody/statement.ts';
import { shortened } from '../short-text.ts';
import { XmlElement } from '../xml/xml-element.ts';
import type { XmlHandler } from '../xml/xml-stream.ts';

interface OpenElement {
  readonly name: string;
  readonly element: XmlElement;
  readonly state: 'entered' | 'kept' | 'passed-over';
}

const depthMax = 64;
const tokenLengthMax = 1 << 16;
/** Elements within one that is kept whole. */
const childrenMax = 10_000;

const escapes: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'", nbsp: ' ' };

export class SgmlStream {
  readonly #handler: XmlHandler;
  /** Names of elements that never contain each other: one that opens ends another whose end tag is missing. */
  readonly #separate: ReadonlySet<string>;
  readonly #stack: OpenElement[] = [];
  readonly #entered: string[] = [];
  #buffer = '';
  #line = 1;
  #keptCount = 0;

  constructor(handler: XmlHandler, separate: ReadonlySet<string>) {
    this.#handler = handler;
    this.#separate = separate;
  }

  get line(): number {
    return this.#line;
  }

  fault(detail: string): StatementFault {
    return new StatementFault({ line: this.#line }, detail);
  }

  push(chunk: string): void {
    this.#buffer += chunk;
    let at = 0;
    for (;;) {
      const next = this.#readToken(at);
      if (next === undefined) break;
      at = next;
    }
    this.#buffer = this.#buffer.slice(at);
    if (this.#buffer.length > tokenLengthMax) throw this.#tooLong();
  }

  /** Throws if an element is still open: the file was cut off. */
  end(): void {
    this.#addText(this.#buffer);
    this.#buffer = '';
    this.#endLeaf();
    const innermost = this.#stack.at(-1);
    if (innermost !== undefined) throw this.fault(`The file ends within ${innermost.name}: it was cut off.`);
  }

  /** Reads one text or tag and returns the position after it; undefined if its end has not arrived. */
  #readToken(at: number): number | undefined {
    const start = this.#tagStart(at);
    if (start === undefined) return undefined;
    if (start > at) {
      const text = this.#buffer.slice(at, start);
      if (text.length > tokenLengthMax) throw this.#tooLong();
      this.#addText(text);
      return start;
    }
    if (this.#buffer.startsWith('<!--', at)) return this.#skipTo('-->', at);
    if (this.#buffer.startsWith('<?', at)) return this.#skipTo('?>', at);
    if (this.#buffer.startsWith('<!', at)) {
      // Enough must be there to tell a comment from a declaration.
      if (this.#buffer.length - at < 4) return undefined;
      throw this.fault('Document type definitions and other declarations are not accepted.');
    }
    const end = this.#buffer.indexOf('>', at);
    if (end < 0) return undefined;
    if (end - at > tokenLengthMax) throw this.#tooLong();
    this.#readTag(this.#buffer.slice(at + 1, end));
    return end + 1;
  }

  /** Where the next tag begins: a `<` before a space or a digit is text. */
  #tagStart(at: number): number | undefined {
    for (let from = at; ;) {
      const found = this.#buffer.indexOf('<', from);
      if (found < 0 || found + 1 >= this.#buffer.length) return undefined;
      if (/[A-Za-z/!?]/.test(this.#buffer[found + 1] ?? '')) return found;
      from = found + 1;
    }
  }

  #skipTo(ending: string, at: number): number | undefined {
    const end = this.#buffer.indexOf(ending, at);
    if (end < 0) return undefined;
    this.#countLines(this.#buffer.slice(at, end));
    return end + ending.length;
  }

  #tooLong(): StatementFault {
    return this.fault(`A tag, text or comment is longer than ${tokenLengthMax} characters.`);
  }

  #countLines(text: string): void {
    for (let at = text.indexOf('\n'); at >= 0; at = text.indexOf('\n', at + 1)) this.#line++;
  }

  #addText(text: string): void {
    const top = this.#stack.at(-1);
    if (top !== undefined && top.element.children.length === 0 && top.state !== 'passed-over') {
      if (text.trim() !== '') top.element.text += unescaped(text);
      // Comments cut a text into pieces, each of which may be short.
      if (top.element.text.length > tokenLengthMax) throw this.#tooLong();
    } else if (top?.state === 'passed-over' && text.trim() !== '') top.element.text = 'passed over';
    this.#countLines(text);
  }

  #readTag(tag: string): void {
    const name = /^\/?([\w.-]{1,100})/.exec(tag)?.[1]?.toUpperCase();
    if (name === undefined) throw this.fault(`"<${shortened(tag)}>" is not a tag.`);
    if (tag.startsWith('/')) this.#close(name);
    else this.#open(name);
    if (tag.endsWith('/') && !tag.startsWith('/')) this.#close(name);
    this.#countLines(tag);
  }

  /** An element with a text has no others in it: the next tag ends it. */
  #endLeaf(): void {
    const top = this.#stack.at(-1);
    if (top !== undefined && top.element.text !== '') this.#pop('closed');
  }

  #open(name: string): void {
    this.#endLeaf();
    this.#endMissing(name);
    if (this.#stack.length >= depthMax) throw this.fault(`Elements are nested deeper than ${depthMax} levels.`);
    const element = new XmlElement(name, this.#line, {});
    this.#stack.push({ name, element, state: this.#stateOf(element) });
  }

  /** Ends what cannot contain an element of this name and was never closed. */
  #endMissing(name: string): void {
    const kept = this.#stack.findIndex(({ state }) => state === 'kept');
    const root = this.#stack[kept];
    if (root !== undefined && this.#separate.has(name) && this.#separate.has(root.name)) this.#unwindTo(kept);
  }

  #stateOf(element: XmlElement): OpenElement['state'] {
    const parent = this.#stack.at(-1);
    if (parent?.state === 'kept') {
      if (++this.#keptCount > childrenMax) throw this.fault(`An element has more than ${childrenMax} others in it.`);
      parent.element.children.push(element);
      return 'kept';
    }
    if (parent?.state === 'passed-over') return 'passed-over';
    const choice = this.#handler.open(element, this.#entered);
    if (choice === 'enter') this.#entered.push(element.name);
    if (choice === 'keep') this.#keptCount = 0;
    return choice === 'enter' ? 'entered' : choice === 'keep' ? 'kept' : 'passed-over';
  }

  #close(name: string): void {
    const top = this.#stack.at(-1);
    if (top !== undefined && top.name !== name) this.#endLeaf();
    const at = this.#stack.findLastIndex((open) => open.name === name);
    // The end tag of a value that the tag before has ended already.
    if (at >= 0) this.#unwindTo(at);
  }

  /** What is open within the element was never closed: values that are empty, and took what follows for their own. */
  #unwindTo(index: number): void {
    while (this.#stack.length > index + 1) this.#pop('never closed');
    this.#pop('closed');
  }

  #pop(ending: 'closed' | 'never closed'): void {
    const open = this.#stack.pop();
    if (open === undefined) return;
    open.element.text = open.element.text.trim();
    const parent = this.#stack.at(-1);
    if (ending === 'never closed' && parent?.state === 'kept')
      append(parent.element.children, open.element.children.splice(0));
    if (open.state === 'entered') {
      this.#entered.pop();
      this.#handler.close?.(open.name, this.#entered);
    } else if (open.state === 'kept' && parent?.state !== 'kept') this.#handler.kept(open.element, this.#entered);
  }
}

function unescaped(text: string): string {
  return text.replace(/&(#\d{1,7}|#x[\da-f]{1,6}|[a-z]{2,4});/gi, (whole: string, name: string) => {
    if (!name.startsWith('#')) return escapes[name.toLowerCase()] ?? whole;
    const code = /^#x/i.test(name) ? Number.parseInt(name.slice(2), 16) : Number(name.slice(1));
    return code > 0 && code <= 0x10ffff && (code < 0xd800 || code > 0xdfff) ? String.fromCodePoint(code) : whole;
  });
}
