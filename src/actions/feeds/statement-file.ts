// Reads a dropped file piece by piece, in whatever format it turns out to be. What cannot be read becomes a problem, which is a refused
// row: a file is never skipped in silence.

import { StatementFault, type StatementItem, type StatementReader } from '../../model/custody/statement.ts';
import { StatementDecoder } from '../../statements/decode.ts';
import { openStatementReader, recogniseFormat, recognitionLength } from '../../statements/recognise.ts';

/** Text until enough of it is there to recognise the format, then its reader. */
class RecognisingReader implements StatementReader {
  #head = '';
  #reader: StatementReader | undefined;

  push(chunk: string): StatementItem[] {
    if (this.#reader !== undefined) return this.#reader.push(chunk);
    this.#head += chunk;
    return this.#head.length < recognitionLength ? [] : this.#open().push(this.#takeHead());
  }

  end(): StatementItem[] {
    if (this.#reader !== undefined) return this.#reader.end();
    const reader = this.#open();
    return [...reader.push(this.#takeHead()), ...reader.end()];
  }

  #open(): StatementReader {
    const format = recogniseFormat(this.#head);
    if (format === undefined) {
      const detail = 'The format of the file is not known. Import it with a mapping profile instead.';
      throw new StatementFault({ line: 1 }, detail);
    }
    this.#reader = openStatementReader(format);
    return this.#reader;
  }

  #takeHead(): string {
    const head = this.#head;
    this.#head = '';
    return head;
  }
}

export async function* statementFileReader(chunks: AsyncIterable<Uint8Array>): AsyncIterable<readonly StatementItem[]> {
  const [decoder, reader] = [new StatementDecoder(), new RecognisingReader()];
  try {
    for await (const chunk of chunks) {
      const items = reader.push(decoder.push(chunk));
      if (items.length > 0) yield items;
    }
    yield [...reader.push(decoder.end()), ...reader.end()];
  } catch (error) {
    if (!(error instanceof StatementFault)) throw error;
    yield [{ item: 'problem', place: error.place, detail: error.message }];
  }
}
