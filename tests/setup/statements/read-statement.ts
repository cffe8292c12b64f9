// Reads a whole text with the reader that recognises it.

import type { StatementItem } from '../../../src/model/custody/statement.ts';
import { openStatementReader, recogniseFormat } from '../../../src/statements/recognise.ts';

export function readStatement(text: string): StatementItem[] {
  return readPieces(text, [text]);
}

/** `text` decides the format; the pieces are what is read. */
export function readPieces(text: string, pieces: readonly string[]): StatementItem[] {
  const format = recogniseFormat(text);
  if (format === undefined) throw new Error('the format is not recognised');
  const reader = openStatementReader(format);
  return [...pieces.flatMap((piece) => reader.push(piece)), ...reader.end()];
}
