// Reads the files of an export: checks every hash first, then reads rows, some at a time.

import { createHash } from 'node:crypto';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { Readable } from 'node:stream';
import type { ImportedFile, ImportedRow } from '../../../actions/transfer/import-workspace.ts';
import { AgeFault } from '../../../kit/files/age.ts';
import { unguardCell } from '../../../kit/csv-line.ts';
import { CsvReader, type CsvRecord } from '../../../kit/csv-reader.ts';
import type { TenantTable } from '../../../store/workspace-rows/tenant-tables.ts';
import { SettingFault } from '../../setting-reader.ts';
import { csvValue } from './export-file.ts';
import { blockLines, encryptedEnding, readExportFile, type ManifestFile } from './manifest.ts';

/** How many rows are in memory at a time. */
const rowsMax = 500;
const recordLengthMax = 1_000_000;

/** Throws a sentence that names the file and the lines where it differs from the manifest. */
export async function checkFile(
  folder: string,
  { path, lines, sha256, blocks }: ManifestFile,
  identities: readonly string[] = [],
): Promise<void> {
  const [whole, found] = [createHash('sha256'), new Array<string>()];
  let [block, lineCount] = [createHash('sha256'), 0];
  const endBlock = (): void => {
    found.push(block.digest('hex'));
    block = createHash('sha256');
  };
  try {
    for await (const chunk of readExportFile(storedPath(folder, path, identities), identities)) {
      whole.update(chunk);
      for (let at = 0; at < chunk.length;) {
        const end = chunk.indexOf(10, at) + 1;
        const piece = chunk.subarray(at, end === 0 ? chunk.length : end);
        block.update(piece);
        at += piece.length;
        if (end > 0 && ++lineCount % blockLines === 0) endBlock();
      }
    }
  } catch (error) {
    if (error instanceof AgeFault) throw new SettingFault(`${path}: ${error.message} Nothing was imported.`);
    throw new SettingFault(`${path} cannot be read, which the manifest lists. Nothing was imported.`);
  }
  endBlock();
  if (whole.digest('hex') === sha256) return;
  const damaged = blocks.findIndex((hash, index) => hash !== found[index]);
  const where =
    damaged < 0
      ? `after line ${lines}`
      : `in line ${damaged * blockLines + 1} to ${Math.min((damaged + 1) * blockLines, lines)}`;
  throw new SettingFault(`${path} is damaged: it is not what was exported, ${where}. Nothing was imported.`);
}

function storedPath(folder: string, path: string, identities: readonly string[]): string {
  return join(folder, `${path}${encryptedEnding(identities)}`);
}

export function openFile(
  folder: string,
  file: ManifestFile,
  table: TenantTable,
  identities: readonly string[] = [],
): ImportedFile {
  const open = (): Readable =>
    Readable.from(readExportFile(storedPath(folder, file.path, identities), identities), { objectMode: false });
  const readRows = (): AsyncIterable<readonly ImportedRow[]> =>
    inPieces(file.path.endsWith('.csv') ? readCsv(open(), file, table) : readLines(open()));
  return { path: file.path, table: file.table, columns: file.columns, rows: file.rows, readRows };
}

async function* inPieces(rows: AsyncIterable<ImportedRow>): AsyncGenerator<readonly ImportedRow[]> {
  let piece: ImportedRow[] = [];
  for await (const row of rows) {
    piece.push(row);
    if (piece.length < rowsMax) continue;
    yield piece;
    piece = [];
  }
  if (piece.length > 0) yield piece;
}

async function* readLines(content: Readable): AsyncGenerator<ImportedRow> {
  let line = 0;
  const lines = createInterface({ input: content.setEncoding('utf8'), crlfDelay: Infinity });
  for await (const text of lines) yield { line: ++line, text };
}

function isBelowHeader({ line }: CsvRecord): boolean {
  return line > 1;
}

async function* readCsv(content: Readable, { columns }: ManifestFile, table: TenantTable): AsyncGenerator<ImportedRow> {
  const types = new Map(table.columns.map(({ name, type }) => [name, type]));
  const reader = new CsvReader(recordLengthMax);
  const toRow = ({ line, fields }: CsvRecord): ImportedRow => {
    const values = fields.map((field) => csvValue(unguardCell(field)));
    const members = columns.map((name, index) => {
      const value = values[index] ?? null;
      const isJson = types.get(name)?.startsWith('json') === true;
      return `${JSON.stringify(name)}:${value !== null && isJson ? value : JSON.stringify(value)}`;
    });
    return { line, text: `{${members.join(',')}}` };
  };
  const stream: AsyncIterable<string> = content.setEncoding('utf8');
  for await (const chunk of stream) yield* reader.push(chunk).filter(isBelowHeader).map(toRow);
  yield* reader.end().filter(isBelowHeader).map(toRow);
}
