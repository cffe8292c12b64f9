// Gives the elements of XML that arrives in pieces to a reader, in bounded memory. It knows no format; namespaces and prefixes are
// ignored.

import type { StatementFault } from '../../model/custody/statement.ts';
import { XmlElement } from './xml-element.ts';
import { XmlTokens } from './xml-tokens.ts';

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
  readonly #tokens: XmlTokens;
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
  #text = '';

  constructor(handler: XmlHandler, bounds: Partial<XmlBounds> = {}) {
    this.#handler = handler;
    this.#bounds = { ...defaultBounds, ...bounds };
    const tokens = {
      open: (name: string, attributes: Readonly<Record<string, string>>) => this.#openTag(name, attributes),
      close: () => this.#closeTag(),
      text: (text: string) => this.#addText(text),
      ignoresSpace: true,
    };
    this.#tokens = new XmlTokens(tokens, this.#bounds.tokenLengthMax);
  }

  push(chunk: string): void {
    for (let at = 0; at < chunk.length; at += pieceLength) this.#tokens.push(chunk.slice(at, at + pieceLength));
  }

  end(): void {
    this.#tokens.end();
  }

  fault(detail: string): StatementFault {
    return this.#tokens.fault(detail);
  }

  #openTag(name: string, attributes: Readonly<Record<string, string>>): void {
    this.#depth++;
    if (this.#depth > this.#bounds.depthMax) {
      throw this.fault(`Elements are nested deeper than ${this.#bounds.depthMax} levels.`);
    }
    if (this.#passingOverFrom !== undefined) return;
    const element = new XmlElement(name, this.#tokens.line, attributes);
    if (this.#open.length > 0) return this.#openWithinKept(element);
    const choice = this.#handler.open(element, this.#entered);
    if (choice === 'enter') this.#entered.push(element.name);
    else if (choice === 'pass-over') this.#passingOverFrom = this.#depth;
    else this.#startKeeping(element);
  }

  #startKeeping(element: XmlElement): void {
    this.#open.push(element);
    this.#keptCount = 0;
    this.#keptSince = this.#tokens.position;
    this.#text = '';
  }

  #openWithinKept(element: XmlElement): void {
    this.#keptCount++;
    const { elementsKeptMax, charactersKeptMax } = this.#bounds;
    const length = this.#tokens.position - this.#keptSince;
    if (this.#keptCount > elementsKeptMax || length > charactersKeptMax) {
      this.#open[0]!.isCut = true;
    } else {
      this.#open.at(-1)!.children.push(element);
    }
    this.#open.push(element);
    this.#text = '';
  }

  #closeTag(): void {
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
    if (this.#open.length === 0) return;
    this.#text = this.#text === '' ? text : this.#text + text;
    const { tokenLengthMax } = this.#bounds;
    if (this.#text.length > tokenLengthMax) throw this.fault(`A text is longer than ${tokenLengthMax} characters.`);
  }
}
