// Reads XML from text that arrives in pieces, strictly and in bounded memory. It knows no format. Document type definitions and
// entities beyond the five of XML are refused; namespaces and prefixes are ignored.

import { SaxesParser, type SaxesTagPlain } from 'saxes';
import { StatementFault } from '../../model/custody/statement.ts';
import { XmlElement } from './xml-element.ts';

export interface XmlBounds {
  readonly depthMax: number;
  /** Characters from one tag to the next, and within one tag. */
  readonly tokenLengthMax: number;
  /** Elements within one that is kept whole. Of a larger one, only the first are kept. */
  readonly elementsKeptMax: number;
  readonly charactersKeptMax: number;
}

const defaultBounds: XmlBounds = {
  depthMax: 64,
  tokenLengthMax: 1 << 16,
  elementsKeptMax: 100_000,
  charactersKeptMax: 1 << 23,
};

/** Pieces are read in parts of this length, so that the length of a token is checked often enough. */
const pieceLength = 1 << 16;

/** What to do with an element: look at those in it, take it with everything in it, or pass over it. */
export type ElementChoice = 'enter' | 'keep' | 'pass-over';

export interface XmlHandler {
  /** Called for every element that is in none that is kept or passed over. The element has its attributes only. */
  open(element: XmlElement, parents: readonly string[]): ElementChoice;
  /** Called with each kept element at its end. */
  kept(element: XmlElement, parents: readonly string[]): void;
  /** Called at the end of each element that was entered. */
  close?(name: string, parents: readonly string[]): void;
}

export class XmlStream {
  readonly #parser = new SaxesParser({ xmlns: false });
  readonly #handler: XmlHandler;
  readonly #bounds: XmlBounds;
  /** The names of the elements that have been entered. */
  readonly #entered: string[] = [];
  /** The kept element and those open in it. */
  readonly #open: XmlElement[] = [];
  #depth = 0;
  #passingOverFrom: number | undefined;
  #keptCount = 0;
  #keptSince = 0;
  #lastToken = 0;
  /** The parser's own position is right only while it calls back. */
  #written = 0;
  #tagLine = 1;
  #text = '';

  constructor(handler: XmlHandler, bounds: Partial<XmlBounds> = {}) {
    this.#handler = handler;
    this.#bounds = { ...defaultBounds, ...bounds };
    const parser = this.#parser;
    parser.on('error', (error) => {
      throw this.fault(`This is not well-formed XML: ${plainReason(error.message)}`);
    });
    parser.on('doctype', () => {
      throw this.fault('Document type definitions are not accepted. Remove the DOCTYPE and its entities.');
    });
    parser.on('opentagstart', () => {
      this.#tagLine = parser.line;
    });
    parser.on('opentag', (tag) => this.#openTag(tag));
    parser.on('closetag', () => this.#closeTag());
    parser.on('text', (text) => this.#addText(text));
    parser.on('cdata', (text) => this.#addText(text));
    parser.on('comment', () => this.#checkToken());
    parser.on('processinginstruction', () => this.#checkToken());
  }

  get line(): number {
    return this.#parser.line;
  }

  push(chunk: string): void {
    for (let at = 0; at < chunk.length; at += pieceLength) {
      const piece = chunk.slice(at, at + pieceLength);
      this.#parser.write(piece);
      this.#written += piece.length;
      this.#checkLength(this.#written);
    }
  }

  end(): void {
    this.#parser.close();
  }

  fault(detail: string): StatementFault {
    return new StatementFault({ line: this.#parser.line }, detail);
  }

  #openTag(tag: SaxesTagPlain): void {
    this.#checkToken();
    this.#depth++;
    if (this.#depth > this.#bounds.depthMax) {
      throw this.fault(`Elements are nested deeper than ${this.#bounds.depthMax} levels.`);
    }
    if (this.#passingOverFrom !== undefined) return;
    const element = new XmlElement(localName(tag.name), this.#tagLine, tag.attributes);
    if (this.#open.length > 0) return this.#openWithinKept(element);
    const choice = this.#handler.open(element, this.#entered);
    if (choice === 'enter') this.#entered.push(element.name);
    else if (choice === 'pass-over') this.#passingOverFrom = this.#depth;
    else this.#startKeeping(element);
  }

  #startKeeping(element: XmlElement): void {
    this.#open.push(element);
    this.#keptCount = 0;
    this.#keptSince = this.#parser.position;
    this.#text = '';
  }

  #openWithinKept(element: XmlElement): void {
    this.#keptCount++;
    const { elementsKeptMax, charactersKeptMax } = this.#bounds;
    const length = this.#parser.position - this.#keptSince;
    if (this.#keptCount > elementsKeptMax || length > charactersKeptMax) {
      this.#open[0]!.isCut = true;
    } else {
      this.#open.at(-1)!.children.push(element);
    }
    this.#open.push(element);
    this.#text = '';
  }

  #closeTag(): void {
    this.#checkToken();
    const depth = this.#depth--;
    if (this.#passingOverFrom !== undefined) {
      if (this.#passingOverFrom === depth) this.#passingOverFrom = undefined;
      return;
    }
    const element = this.#open.pop();
    if (element === undefined) {
      const name = this.#entered.pop()!;
      return this.#handler.close?.(name, this.#entered);
    }
    element.text = this.#text.trim();
    this.#text = '';
    if (this.#open.length === 0) this.#handler.kept(element, this.#entered);
  }

  #addText(text: string): void {
    this.#checkToken();
    if (this.#open.length === 0) return;
    this.#text += text;
    if (this.#text.length > this.#bounds.tokenLengthMax) throw this.#tooLong();
  }

  #checkToken(): void {
    this.#checkLength(this.#parser.position);
    this.#lastToken = this.#parser.position;
  }

  #checkLength(position: number): void {
    if (position - this.#lastToken > this.#bounds.tokenLengthMax) throw this.#tooLong();
  }

  #tooLong(): StatementFault {
    return this.fault(`A tag, text or comment is longer than ${this.#bounds.tokenLengthMax} characters.`);
  }
}

function localName(name: string): string {
  return name.slice(name.indexOf(':') + 1);
}

/** Without the line and column that the parser puts first, since the place is said apart. */
function plainReason(message: string): string {
  return message.replace(/^(?:undefined:)?\d+:\d+: /, '');
}
