// The lines of a CSV file that nobody could read: kept cell by cell until somebody says what the columns mean, and then read again as a file.

import { Refusal } from '../../kit/refusal.ts';
import { snakeCase } from '../../kit/resource.ts';
import type { Import } from '../../model/custody/import.ts';
import type { ImportProfile } from '../../model/custody/import-profile.ts';
import type { UnmappedColumn } from '../../model/custody/import-group.ts';
import type { UnreadLine } from '../../model/custody/statement.ts';
import { proposedFields } from '../../statements/csv/proposed-fields.ts';
import { shortened } from '../../statements/short-text.ts';
import { delimiters, type Delimiter } from '../../statements/csv/csv-layout.ts';
import { importProfileActions } from './profiles/import-profile.ts';
import type { StoredImportRow } from '../../store/imports/import-rows.ts';
import type { Work } from '../core/work.ts';
import { batchRowsMax } from './batch-size.ts';
import { readFileAgain } from './import-file.ts';

interface MappedImport {
  readonly before: Import;
  /** With what is said of it together with the profile. */
  readonly changed: Import;
}

/** Reads the lines of an import that waits for a mapping by this profile. Its rows and outcomes are then those of the lines. */
export async function mapColumns(work: Work, { before, changed }: MappedImport, profileId: string): Promise<Import> {
  const profile = await importProfileActions.get(work, profileId);
  const text = await unmappedText(work, before, profile);
  const { client, account, depository, custodian, fileName, digest, createInstruments, dateOrder } = changed;
  const file = {
    client,
    account,
    depository,
    custodian,
    fileName,
    dateOrder,
    format: 'csv',
    profile: profile.id,
    digest: digest ?? '',
    mode: 'check',
    createsInstruments: createInstruments,
    allowsCashAlone: true,
    async *chunks() {
      yield text;
    },
  } as const;
  return readFileAgain(work, file, before);
}

/** How many lines are looked at for examples. */
const exampleLinesMax = 20;
/** How many examples a column has. */
const examplesMax = 3;
const exampleLengthMax = 60;
const nameLengthMax = 200;
/** Of a wider file, the rest is not offered. */
const columnsMax = 200;

/** The columns of a file that waits for a mapping, with examples and with what they probably say. */
export async function unmappedColumns(work: Work, importId: string): Promise<readonly UnmappedColumn[]> {
  const waiting = { importId, outcomes: ['needs'], needs: 'mapping', after: 0, limit: exampleLinesMax } as const;
  const [first, ...others] = await work.store.importRows.list(waiting);
  if (first?.stated.item !== 'problem') return [];
  const { linesAbove = [], cells = [] } = first.stated;
  const header = linesAbove.at(-1)?.cells.slice(0, columnsMax) ?? [];
  const lines = [cells, ...others.flatMap(linesOf).map((line) => line.cells)];
  const columns = header.map((name, index) => {
    const values = lines.map((line) => line[index]?.trim() ?? '').filter((value) => value !== '');
    return { name, values };
  });
  const proposed = proposedFields(columns);
  return columns.map(({ name, values }, index) => {
    const examples = [...new Set(values)].slice(0, examplesMax).map((value) => shortened(value, exampleLengthMax));
    const field = proposed[index];
    const names = { name: shortened(name.trim(), nameLengthMax), place: `#${index + 1}` };
    return { ...names, examples, field: field === undefined ? undefined : snakeCase(field) };
  });
}

async function unmappedText(work: Work, record: Import, profile: ImportProfile): Promise<Uint8Array> {
  if (record.state !== 'checked' || record.notKept.rows > 0) throw sendAgain();
  const delimiter = delimiters[profile.delimiter === 'detect' ? 'comma' : profile.delimiter];
  const parts: string[] = [];
  let nextLine = 1;
  for (let after = 0; ;) {
    const rows = await work.store.importRows.list({ importId: record.id, after, limit: batchRowsMax });
    const last = rows.at(-1);
    if (last === undefined) break;
    for (const { line, cells } of rows.flatMap(linesOrRefusal)) {
      // Each line stays where it was: rows are found in the file by its number.
      parts.push('\n'.repeat(Math.max(0, line - nextLine)), lineText(cells, delimiter));
      nextLine = Math.max(nextLine, line) + 1 + lineBreaksIn(cells);
    }
    after = last.number;
  }
  return Buffer.from(parts.join(''));
}

function linesOrRefusal(row: StoredImportRow): readonly UnreadLine[] {
  const lines = linesOf(row);
  if (lines.length === 0) throw sendAgain();
  return lines;
}

function linesOf({ stated }: StoredImportRow): readonly UnreadLine[] {
  if (stated.item !== 'problem' || stated.cells === undefined) return [];
  return [...(stated.linesAbove ?? []), { line: stated.place.line, cells: stated.cells }];
}

function lineText(cells: readonly string[], delimiter: Delimiter): string {
  const quoted = cells.map((cell) => (needsQuotes(cell, delimiter) ? `"${cell.replaceAll('"', '""')}"` : cell));
  return `${quoted.join(delimiter)}\n`;
}

function needsQuotes(cell: string, delimiter: Delimiter): boolean {
  return cell.includes(delimiter) || cell.includes('"') || cell.includes('\n') || cell.includes('\r');
}

function lineBreaksIn(cells: readonly string[]): number {
  return cells.reduce((count, cell) => count + cell.split('\n').length - 1, 0);
}

function sendAgain(): Refusal {
  const detail =
    'Only a checked import whose lines all wait for a mapping can be read by another profile. Send the file again with the profile.';
  return new Refusal('import-not-possible', detail);
}
