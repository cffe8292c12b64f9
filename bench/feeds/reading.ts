// Measures the readers alone: rows and bytes a second from bytes to items.

import type { StatementItem } from '../../src/model/custody/statement.ts';
import { StatementDecoder } from '../../src/statements/decode.ts';
import { openStatementReader, recogniseFormat } from '../../src/statements/recognise.ts';
import type { FeedFile } from './files.ts';

export interface ReadingFigures {
  readonly rowsPerSecond: number;
  readonly megabytesPerSecond: number;
}

/** Hands over the items of a file as they come. Returns how many bytes it had. */
export function readFile(pieces: Iterable<Uint8Array>, take: (items: readonly StatementItem[]) => void): number {
  const decoder = new StatementDecoder();
  let bytes = 0;
  let reader: ReturnType<typeof openStatementReader> | undefined;
  for (const piece of pieces) {
    bytes += piece.length;
    const text = decoder.push(piece);
    if (reader === undefined) {
      const format = recogniseFormat(text);
      if (format === undefined) throw new Error(`The format of ${text.slice(0, 100)} is not recognised.`);
      reader = openStatementReader(format);
    }
    take(reader.push(text));
  }
  if (reader === undefined) throw new Error('The file is empty.');
  take(reader.push(decoder.end()));
  take(reader.end());
  return bytes;
}

export function measureReading(file: FeedFile, rows: number): ReadingFigures {
  const pieces = [...file.write(rows)].map((piece) => Buffer.from(piece));
  let entries = 0;
  const began = performance.now();
  const bytes = readFile(pieces, (items) => {
    for (const item of items) {
      if (item.item === 'problem') throw new Error(`${file.format}, line ${item.place.line}: ${item.detail}`);
      if (item.item === 'entry') entries++;
    }
  });
  const seconds = (performance.now() - began) / 1_000;
  if (entries !== rows) throw new Error(`${file.format}: expected ${rows} entries, got ${entries}.`);
  return { rowsPerSecond: rows / seconds, megabytesPerSecond: bytes / 1e6 / seconds };
}
