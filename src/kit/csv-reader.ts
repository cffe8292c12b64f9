// Reads CSV as RFC 4180 defines it from text that arrives in pieces. Why this is not a library: docs/decisions/0030-libraries.md.

export interface CsvRecord {
  /** The line where the record begins, counted from one. */
  readonly line: number;
  readonly fields: readonly string[];
}

/** A syntax error. Its message is for the sender of the text. */
export class CsvFault extends Error {
  readonly line: number;
  /** The message without the line. */
  readonly detail: string;

  constructor(line: number, detail: string) {
    super(`Line ${line}: ${detail}`);
    this.name = 'CsvFault';
    this.line = line;
    this.detail = detail;
  }
}

/** How a text differs from RFC 4180. */
export interface CsvLayout {
  /** One character. Default: a comma. */
  readonly delimiter?: string;
  /** Whether a quote within a field, and text after a closing quote, are taken as they are. Default: they are refused. */
  readonly allowsStrayQuotes?: true;
}

/** Takes pieces that may end anywhere, and returns each record once it is complete. Accepts LF, CRLF and a byte order mark; skips empty lines. */
export class CsvReader {
  readonly #lengthMax: number;
  readonly #delimiter: string;
  readonly #allowsStrayQuotes: boolean;
  #text = '';
  #position = 0;
  #line = 1;
  #hasStarted = false;

  /** `lengthMax` is the maximum number of characters in a record, without the line break at its end. */
  constructor(lengthMax: number, { delimiter = ',', allowsStrayQuotes }: CsvLayout = {}) {
    this.#lengthMax = lengthMax;
    this.#delimiter = delimiter;
    this.#allowsStrayQuotes = allowsStrayQuotes === true;
  }

  push(chunk: string): CsvRecord[] {
    if (!this.#hasStarted && chunk !== '') {
      this.#hasStarted = true;
      if (chunk.charCodeAt(0) === 0xfeff) chunk = chunk.slice(1);
    }
    this.#text = this.#text.slice(this.#position) + chunk;
    this.#position = 0;
    return this.#readAll('more-follows');
  }

  end(): CsvRecord[] {
    return this.#readAll('at-the-end');
  }

  #readAll(state: 'more-follows' | 'at-the-end'): CsvRecord[] {
    const records: CsvRecord[] = [];
    while (this.#position < this.#text.length) {
      const line = this.#line;
      const fields = this.#readRecord(state);
      if (fields === undefined) break;
      if (fields.length > 1 || fields[0] !== '') records.push({ line, fields });
    }
    const rest = withoutReturn(this.#text.slice(this.#position));
    if (rest.length > this.#lengthMax) throw this.#tooLong();
    return records;
  }

  /** Returns the fields of the next record, or undefined if its end has not arrived yet. */
  #readRecord(state: 'more-follows' | 'at-the-end'): string[] | undefined {
    const end = this.#text.indexOf('\n', this.#position);
    if (end < 0 && state === 'more-follows') return undefined;
    const record = withoutReturn(this.#text.slice(this.#position, end < 0 ? undefined : end));
    if (record.includes('"')) return this.#readQuotedRecord(state);
    if (record.length > this.#lengthMax) throw this.#tooLong();
    this.#position = end < 0 ? this.#text.length : end + 1;
    this.#line++;
    return record.split(this.#delimiter);
  }

  #readQuotedRecord(state: 'more-follows' | 'at-the-end'): string[] | undefined {
    const fields: string[] = [];
    for (let at = this.#position; ;) {
      const field = this.#text[at] === '"' ? this.#readQuotedField(at) : this.#readPlainField(at);
      if (field === undefined) {
        if (state === 'at-the-end') throw new CsvFault(this.#line, 'The text ends inside a quoted field.');
        return undefined;
      }
      fields.push(field.value);
      if (field.end - this.#position > this.#lengthMax) throw this.#tooLong();
      if (this.#text[field.end] === this.#delimiter) {
        at = field.end + 1;
        continue;
      }
      const end = this.#findRecordEnd(field.end);
      if (end > this.#text.length && state === 'more-follows') return undefined;
      this.#line += this.#text.slice(this.#position, end).split('\n').length - 1;
      this.#position = end;
      return fields;
    }
  }

  /** Returns the position after the line break that must follow, or one past the end of the text. */
  #findRecordEnd(at: number): number {
    const breakAt = this.#text[at] === '\r' ? at + 1 : at;
    if (breakAt >= this.#text.length) return this.#text.length + 1;
    if (this.#text[breakAt] === '\n') return breakAt + 1;
    throw new CsvFault(this.#line, 'Only a comma or a line break may follow the closing quote of a field.');
  }

  /** Reads from the opening quote to the closing one; a doubled quote stands for one. */
  #readQuotedField(from: number): { value: string; end: number } | undefined {
    let value = '';
    for (let at = from + 1; ;) {
      const quote = this.#text.indexOf('"', at);
      if (quote < 0) return undefined;
      value += this.#text.slice(at, quote);
      // At the end of a piece this may be the first half of a doubled quote: the record is incomplete then, and read again.
      if (this.#text[quote + 1] !== '"') return this.#readAfterQuote(value, quote + 1);
      value += '"';
      at = quote + 2;
    }
  }

  #readAfterQuote(value: string, from: number): { value: string; end: number } {
    if (!this.#allowsStrayQuotes) return { value, end: from };
    const { value: rest, end } = this.#readPlainField(from);
    return { value: value + rest, end };
  }

  #readPlainField(from: number): { value: string; end: number } {
    let end = from;
    for (; end < this.#text.length; end++) {
      const character = this.#text[end];
      if (character === this.#delimiter || character === '\n') break;
      if (character === '"' && !this.#allowsStrayQuotes)
        throw new CsvFault(
          this.#line,
          'A quote inside a field: put the whole field in quotes, and double the quotes in it.',
        );
    }
    const value = this.#text.slice(from, end);
    return value.endsWith('\r') && this.#text[end] !== this.#delimiter
      ? { value: value.slice(0, -1), end: end - 1 }
      : { value, end };
  }

  #tooLong(): CsvFault {
    return new CsvFault(this.#line, `A row may have at most ${this.#lengthMax} characters.`);
  }
}

/** A carriage return at the end belongs to the line break, which may not be complete yet. */
function withoutReturn(text: string): string {
  return text.endsWith('\r') ? text.slice(0, -1) : text;
}
