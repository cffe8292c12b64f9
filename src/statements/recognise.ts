// The formats of statements that can be read, how each is recognised by its content, and its reader.

import type { StatementReader } from '../model/custody/statement.ts';
import { BufferedReader } from './format-reader.ts';
import type { StatementFormat } from './statement-format.ts';
import { ecbCsvFormat } from './csv/ecb-reference-rates.ts';
import { ibActivityFormat } from './ib-activity/activity-reader.ts';
import { ofxFormat } from './ofx/ofx-reader.ts';
import { swiftFormats } from './swift/swift-formats.ts';
import { xmlFormats } from './xml-formats.ts';

/** How many characters from the beginning of a file are enough to recognise it. */
export const recognitionLength = 16_384;

/** In the order in which they are tried: the first that recognises a file reads it. */
export const statementFormats: readonly StatementFormat[] = [
  ...xmlFormats,
  ...swiftFormats,
  ofxFormat,
  ibActivityFormat,
  ecbCsvFormat,
];

/** The format of a file that begins like this, if it is one that can be read. */
export function recogniseFormat(head: string): StatementFormat | undefined {
  const text = head.slice(0, recognitionLength);
  return statementFormats.find((format) => format.recognises(text));
}

export function findFormat(name: string): StatementFormat | undefined {
  return statementFormats.find((format) => format.name === name);
}

export function openStatementReader(format: StatementFormat): StatementReader {
  return new BufferedReader((emit) => format.open(emit));
}
