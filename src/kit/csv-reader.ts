// CSV as RFC 4180 has it, piece by piece: quoted fields, CRLF or LF, a byte order mark at the start. Knows no columns.

export interface CsvRecord {
  /** The line it begins on, counted from one. */
  readonly line: number;
  readonly fields: readonly string[];
}

/** Its message may be shown to whoever sent the text. */
export class CsvFault extends Error {
  constructor(line: number, detail: string) {
    super(`Line ${line}: ${detail}`);
    this.name = 'CsvFault';
  }
}

/** Takes text in pieces that may end anywhere, and gives each record once it is whole. Lines that are empty are none. */
export class CsvReader {
  readonly #lengthMax: number;
  #text = '';
  #position = 0;
  #line = 1;
  #hasStarted = false;

  /** No record may have more characters than this. */
  constructor(lengthMax: number) {
    this.#lengthMax = lengthMax;
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
    if (this.#text.length - this.#position > this.#lengthMax) throw this.#tooLong();
    return records;
  }

  /** The fields of the next record; undefined where its end has not come yet. */
  #readRecord(state: 'more-follows' | 'at-the-end'): string[] | undefined {
    const end = this.#text.indexOf('\n', this.#position);
    if (end < 0 && state === 'more-follows') return undefined;
    const record = this.#text.slice(this.#position, end < 0 ? undefined : end);
    if (record.includes('"')) return this.#readQuotedRecord(state);
    if (record.length > this.#lengthMax) throw this.#tooLong();
    this.#position = end < 0 ? this.#text.length : end + 1;
    this.#line++;
    return (record.endsWith('\r') ? record.slice(0, -1) : record).split(',');
  }

  #readQuotedRecord(state: 'more-follows' | 'at-the-end'): string[] | undefined {
    const fields: string[] = [];
    for (let at = this.#position; ;) {
      const field = this.#text[at] === '"' ? this.#readQuotedField(at) : this.#readPlainField(at);
      if (field === undefined) {
        if (state === 'at-the-end') throw new CsvFault(this.#line, 'The text ends within quotes.');
        return undefined;
      }
      fields.push(field.value);
      if (field.end - this.#position > this.#lengthMax) throw this.#tooLong();
      if (this.#text[field.end] === ',') {
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

  /** Just past the line break that must stand here; past the text where it has ended. */
  #findRecordEnd(at: number): number {
    const breakAt = this.#text[at] === '\r' ? at + 1 : at;
    if (breakAt >= this.#text.length) return this.#text.length + 1;
    if (this.#text[breakAt] === '\n') return breakAt + 1;
    throw new CsvFault(this.#line, 'Something follows the closing quote of a field.');
  }

  /** From the opening quote to past the closing one, with doubled quotes made single. */
  #readQuotedField(from: number): { value: string; end: number } | undefined {
    let value = '';
    for (let at = from + 1; ;) {
      const quote = this.#text.indexOf('"', at);
      if (quote < 0) return undefined;
      value += this.#text.slice(at, quote);
      // At the end of the piece it may be half of a doubled one: the record is then not whole, and read again with the next.
      if (this.#text[quote + 1] !== '"') return { value, end: quote + 1 };
      value += '"';
      at = quote + 2;
    }
  }

  #readPlainField(from: number): { value: string; end: number } {
    let end = from;
    for (; end < this.#text.length; end++) {
      const character = this.#text[end];
      if (character === ',' || character === '\n') break;
      if (character === '"') throw new CsvFault(this.#line, 'A quote stands in the midst of a field.');
    }
    const value = this.#text.slice(from, end);
    return value.endsWith('\r') && this.#text[end] !== ','
      ? { value: value.slice(0, -1), end: end - 1 }
      : { value, end };
  }

  #tooLong(): CsvFault {
    return new CsvFault(this.#line, `A row has at most ${this.#lengthMax} characters.`);
  }
}
