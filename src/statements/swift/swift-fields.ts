// Splits SWIFT messages into fields: `:61:` with the lines that follow it. Messages may be in blocks (`{1:…}{2:…}{4:` … `-}`) or bare,
// and several may follow each other. It knows no message.

import { StatementFault } from '../../model/custody/statement.ts';
import { LineSplitter } from '../line-splitter.ts';

export interface SwiftField {
  /** `61`, `60F`, `93B`. */
  readonly tag: string;
  /** Without the tag; never empty. */
  readonly lines: readonly string[];
  readonly line: number;
}

/** What the blocks around a message say about it. */
export interface SwiftHeader {
  /** `940`. */
  readonly messageType?: string;
  /** When it was delivered: `2024-01-31T09:30:00Z`. */
  readonly deliveredAt?: string;
}

export interface SwiftHandler {
  beginMessage(header: SwiftHeader): void;
  field(field: SwiftField): void;
  endMessage(line: number): void;
}

/** No field of a statement is longer: this is more than ten times what the standard allows. */
const fieldLinesMax = 500;

const fieldStart = /^:(\d{2}[A-Z]?|NS):/;
/** The beginning or the end of a block; some systems put a control character before it. */
const blockStart = /^[^\x20-\x7e]?(?:\{[1-5S]:|-\}\{)/;
/** The application header of a message that was delivered: type, time, date. */
const outputHeader = /\{2:O(\d{3})\d{10}[A-Z0-9]{12}\d{10}(\d{2})(\d{2})(\d{2})(\d{2})(\d{2})/;
const inputHeader = /\{2:I(\d{3})/;

export class SwiftFieldReader {
  readonly #lines = new LineSplitter((text, line) => this.#read(text, line));
  readonly #handler: SwiftHandler;
  #header: SwiftHeader = {};
  #isInMessage = false;
  #field: { tag: string; lines: string[]; line: number } | undefined;

  constructor(handler: SwiftHandler) {
    this.#handler = handler;
  }

  push(chunk: string): void {
    this.#lines.push(chunk);
  }

  end(): void {
    this.#lines.end();
    this.#endMessage(this.#lines.line);
  }

  #read(text: string, line: number): void {
    if (!blockStart.test(text)) return this.#readLine(text, line);
    const blockEnd = text.lastIndexOf('{4:');
    this.#endMessage(line);
    this.#header = { ...this.#header, ...headerIn(text) };
    if (blockEnd >= 0 && blockEnd + 3 < text.length) this.#readLine(text.slice(blockEnd + 3), line);
  }

  #readLine(text: string, line: number): void {
    const trimmed = text.trimEnd();
    const [start, tag] = fieldStart.exec(trimmed) ?? [];
    if (start !== undefined && tag !== undefined) return this.#startField(tag, trimmed.slice(start.length), line);
    // No line within a field begins with a colon: this is a field whose tag is damaged.
    if (trimmed.startsWith(':')) return this.#startField(trimmed.slice(1, 5), trimmed, line);
    if (trimmed === '-' || trimmed === '-}') return this.#endMessage(line);
    if (this.#field === undefined) return;
    if (this.#field.lines.length >= fieldLinesMax) {
      throw new StatementFault(
        { line: this.#field.line, field: `:${this.#field.tag}:` },
        `The field has more than ${fieldLinesMax} lines.`,
      );
    }
    this.#field.lines.push(trimmed);
  }

  #startField(tag: string, text: string, line: number): void {
    this.#endField();
    if (!this.#isInMessage) {
      this.#isInMessage = true;
      this.#handler.beginMessage(this.#header);
      this.#header = {};
    }
    this.#field = { tag, lines: [text], line };
  }

  #endField(): void {
    const field = this.#field;
    this.#field = undefined;
    if (field !== undefined) this.#handler.field(field);
  }

  #endMessage(line: number): void {
    this.#endField();
    if (!this.#isInMessage) return;
    this.#isInMessage = false;
    this.#handler.endMessage(line);
  }
}

function headerIn(text: string): SwiftHeader {
  const [, type, year, month, day, hour, minute] = outputHeader.exec(text) ?? [];
  if (type !== undefined) return { messageType: type, deliveredAt: `20${year}-${month}-${day}T${hour}:${minute}:00Z` };
  const messageType = inputHeader.exec(text)?.[1];
  return messageType === undefined ? {} : { messageType };
}
