// Cuts the beginning of a CSV file at each separator, to find the header that a profile describes.

import { append } from '../../kit/memory/long-list.ts';
import { CsvFault, CsvReader, type CsvRecord } from '../../kit/csv-reader.ts';
import type { Pieces } from '../../kit/turns/pieces.ts';
import type { CsvMapping } from '../../model/custody/import-profile.ts';
import { CsvHeader } from './csv-header.ts';

/** Longer lines are no lines of a statement. */
export const lineLengthMax = 1 << 16;
/** How many lines may come before the header. */
export const preambleLinesMax = 60;

export const delimiters = { comma: ',', semicolon: ';', tab: '\t', pipe: '|' } as const;

export type Delimiter = (typeof delimiters)[keyof typeof delimiters];

export function openCsv(delimiter: Delimiter): CsvReader {
  return new CsvReader(lineLengthMax, { delimiter, allowsStrayQuotes: true });
}

/** The lines at the beginning; the last may be cut off. */
export function recordsAtStart(head: string, delimiter: Delimiter): CsvRecord[] {
  const reader = openCsv(delimiter);
  const records: CsvRecord[] = [];
  try {
    append(records, reader.push(head));
    append(records, reader.end());
  } catch (error) {
    if (!(error instanceof CsvFault)) throw error;
  }
  return records.slice(0, preambleLinesMax + 1);
}

export interface FoundHeader {
  readonly delimiter: Delimiter;
  readonly line: number;
  readonly header: CsvHeader;
}

/** The beginning of a file as each delimiter cuts it: cut once, however many profiles are compared with it. */
export class CsvHead {
  readonly #text: string;
  readonly #records = new Map<Delimiter, readonly CsvRecord[]>();
  readonly #found = new Map<Delimiter, readonly FoundHeader[]>();

  constructor(text: string) {
    this.#text = text;
  }

  records(delimiter: Delimiter): readonly CsvRecord[] {
    const known = this.#records.get(delimiter);
    if (known !== undefined) return known;
    const records = recordsAtStart(this.#text, delimiter);
    this.#records.set(delimiter, records);
    return records;
  }

  /** The lines that may be the header. */
  headers(delimiter: Delimiter): readonly FoundHeader[] {
    const known = this.#found.get(delimiter);
    if (known !== undefined) return known;
    const found = this.records(delimiter)
      .map(({ line, fields }) => ({ delimiter, line, header: new CsvHeader(fields) }))
      .filter(({ header }) => header.size >= 2);
    this.#found.set(delimiter, found);
    return found;
  }

  /** The first line that a condition accepts, of every delimiter of the profile that gives one. A line is a piece. */
  *headersWhere(
    profile: Pick<CsvMapping, 'delimiter'>,
    accepts: (header: CsvHeader) => boolean,
  ): Pieces<FoundHeader[]> {
    const candidates = profile.delimiter === 'detect' ? Object.values(delimiters) : [delimiters[profile.delimiter]];
    const accepted: FoundHeader[] = [];
    for (const delimiter of candidates) {
      for (const found of this.headers(delimiter)) {
        yield;
        if (!accepts(found.header)) continue;
        accepted.push(found);
        break;
      }
    }
    return accepted;
  }
}
