// Files without a header: their columns are named #1, #2, … from the left.

import type { CsvRecord } from '../../kit/csv-reader.ts';
import { greatestOf } from '../../kit/memory/long-list.ts';
import type { CsvMapping } from '../../model/custody/import-profile.ts';
import { FieldFault } from '../field-fault.ts';
import { CsvCells } from './csv-cells.ts';
import { CsvColumns, CsvHeader } from './csv-header.ts';
import { matchesWord } from './folded-name.ts';
import { delimiters, type CsvHead, type FoundHeader } from './csv-layout.ts';
import { spellingOf } from './csv-spelling.ts';

/** How many lines tell what separates the columns. */
const triedLines = 10;

/** The columns as the first separator cuts them by which a line has a date and an amount where the profile says. */
export function columnsByPlace(head: CsvHead, profile: CsvMapping): FoundHeader | undefined {
  return tableByPlace(head, profile)?.found;
}

/** Whether every line at the beginning has what the profile is recognised by, such as `#1=CH93*`. */
export function recognisedByPlace(head: CsvHead, profile: CsvMapping): FoundHeader | undefined {
  const conditions = profile.recognisedBy.map(conditionOf);
  if (conditions.length === 0) return undefined;
  const table = tableByPlace(head, profile);
  if (table === undefined) return undefined;
  const { found, records } = table;
  const columns = new CsvColumns(found.header, profile);
  // The last of several lines may be cut off.
  const whole = records.length > 1 ? records.slice(0, -1) : records;
  const fits = whole.every(
    (record) =>
      isReadable(record, columns) &&
      conditions.every(({ place, words }) => words.some((word) => matchesWord(record.fields[place - 1] ?? '', word))),
  );
  return fits ? found : undefined;
}

/** `#3=*` is an asterisk; `#1=CH93*|DE89*` one of two beginnings. */
function conditionOf(text: string): { readonly place: number; readonly words: readonly string[] } {
  const [, place, words] = /^#([1-9]\d{0,2})=(.+)$/.exec(text.trim()) ?? [];
  return { place: Number(place ?? 0), words: words?.split('|') ?? [] };
}

interface Table {
  readonly found: FoundHeader;
  readonly records: readonly CsvRecord[];
}

function tableByPlace(head: CsvHead, profile: CsvMapping): Table | undefined {
  const candidates = profile.delimiter === 'detect' ? Object.values(delimiters) : [delimiters[profile.delimiter]];
  for (const delimiter of candidates) {
    const records = head.records(delimiter);
    const width = greatestOf(records.map(({ fields }) => fields.length));
    const header = new CsvHeader(Array.from({ length: Math.max(0, width) }, (_, index) => `#${index + 1}`));
    const columns = new CsvColumns(header, profile);
    if (records.slice(0, triedLines).some((record) => isReadable(record, columns)))
      return { found: { delimiter, line: 0, header }, records };
  }
  return undefined;
}

function isReadable(record: CsvRecord, columns: CsvColumns): boolean {
  const cells = new CsvCells(record, columns, { above: new Map(), spelling: spellingOf(columns.profile) });
  try {
    const amounts = (['amount', 'debit', 'credit', 'quantity', 'price', 'exchangeRate'] as const).map((field) =>
      cells.number(field),
    );
    return cells.date('date') !== undefined && amounts.some((amount) => amount !== undefined);
  } catch (error) {
    if (error instanceof FieldFault) return false;
    throw error;
  }
}
