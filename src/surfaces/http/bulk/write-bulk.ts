// Writing the rows of a bulk body: read some, write some, and tell what came of it, all in the work's one transaction. Either
// one bad row undoes all, or each row stands for itself. Knows no resource.

import { setImmediate } from 'node:timers/promises';
import { oneOf } from '../../../kit/field.ts';
import type { Json } from '../../../kit/json.ts';
import { Refusal, type Fault } from '../../../kit/refusal.ts';
import type { Ask, BulkDescription, Parameter } from '../operation/operation.ts';
import { columnsOf } from './csv-rows.ts';
import { BulkReport, inLine, placeOf, type BulkAnswer, type BulkMode, type RefusedRow } from './bulk-report.ts';
import { bulkFormats, readRows, UnreadableRow, type Row } from './bulk-rows.ts';

/** Rows that go to the database together. */
const batchMin = 5_000;

const modes = ['all-or-nothing', 'per-row'] as const satisfies readonly BulkMode[];

export const bulkParameters = {
  mode: {
    kind: oneOf(modes),
    description:
      '`all-or-nothing`, when it is not sent: one row that is refused refuses the whole body, and nothing is written. `per-row`: the others are written, and the answer lists those that were refused.',
  },
} as const satisfies Record<string, Parameter>;

/** What came of rows that were written: how many of each count, and which of them were refused after all. */
export interface RowsWritten<Count extends string> {
  readonly counts: Readonly<Record<Count, number>>;
  readonly refused?: readonly { readonly place: number; readonly refusal: Refusal }[];
}

export interface BulkWriting<T, Count extends string> {
  /** What the answer counts. */
  readonly counts: readonly Count[];
  /** What a row asks for. Throws a refusal with what is wrong with it, at places that begin with `at`. */
  read(value: Json, at: string): T;
  /** Writes them in this order. */
  write(rows: readonly T[]): Promise<RowsWritten<Count>>;
  /** What would come of them, where nothing is to be written any more. */
  check?(rows: readonly T[]): Promise<RowsWritten<Count>>;
  /** The place of a declared field within its row, where writing refuses rows. */
  pointer?(field: string, item?: number | string): string;
}

export async function writeBulk<T, Count extends string>(
  { spool, format, query }: Ask,
  { row, dialects = [] }: BulkDescription,
  writing: BulkWriting<T, Count>,
): Promise<BulkAnswer<Count>> {
  const mode: BulkMode = query['mode'] ?? 'all-or-nothing';
  const report = new BulkReport(mode, writing.counts);
  let writes: Promise<void> = Promise.resolve();
  try {
    for await (const rows of readRows(spool!, bulkFormats[format!]({ ...columnsOf(row), dialects }), batchMin)) {
      const batch = readBatch(rows, mode, writing);
      await writes;
      // The next rows are read while these are written.
      writes = writeBatch(batch, report, writing);
      writes.catch(() => {}); // it is waited for, only later
      await setImmediate();
    }
  } finally {
    await writes;
  }
  return report.conclude();
}

interface Batch<T> {
  readonly asked: readonly T[];
  /** Those that were asked for by. */
  readonly rows: readonly Row[];
  readonly refused: readonly RefusedRow[];
}

function readBatch<T>(rows: readonly Row[], mode: BulkMode, { read }: BulkWriting<T, string>): Batch<T> {
  const asked: T[] = [];
  const readable: Row[] = [];
  const refused: RefusedRow[] = [];
  for (const row of rows) {
    try {
      const value = row.value instanceof UnreadableRow ? refuseUnreadable(row, row.value.fault, mode) : row.value;
      asked.push(read(value, placeOf(row)));
      readable.push(row);
    } catch (error) {
      if (!(error instanceof Refusal) || error instanceof WholeRefusal) throw error;
      refused.push({ row, refusal: error });
    }
  }
  return { asked, rows: readable, refused };
}

/** What one row cannot be left out for. */
class WholeRefusal extends Refusal {}

function refuseUnreadable(row: Row, fault: Fault, mode: BulkMode): never {
  const placed = { ...fault, pointer: placeOf(row) + (fault.pointer ?? '') };
  if (mode === 'per-row') throw new Refusal(fault.code, fault.detail, { faults: [placed] });
  const told = inLine(row, placed);
  throw new WholeRefusal(fault.code, `Row ${row.index}: ${told.detail}`, { faults: [told] });
}

async function writeBatch<T, Count extends string>(
  { asked, rows, refused }: Batch<T>,
  report: BulkReport<Count>,
  { write, check, pointer }: BulkWriting<T, Count>,
): Promise<void> {
  const task = report.isWorthWriting(refused) ? write : check;
  const written = asked.length === 0 ? undefined : await task?.(asked);
  const refusedByWriting = (written?.refused ?? []).map(({ place, refusal }): RefusedRow => {
    const row = rows[place]!;
    return { row, refusal: placedIn(row, refusal, pointer) };
  });
  const all = [...refused, ...refusedByWriting].toSorted((one, other) => one.row.index - other.row.index);
  report.refuse(all);
  if (written !== undefined) report.accept(asked.length - refusedByWriting.length, written.counts);
}

/** The same refusal with its places within the body. */
function placedIn(row: Row, refusal: Refusal, pointer: BulkWriting<unknown, string>['pointer']): Refusal {
  const faults = refusal.faults.map(({ code, detail, field, item }) => {
    const at = field === undefined || pointer === undefined ? '' : pointer(field, item);
    return { code, detail, pointer: placeOf(row) + at };
  });
  return new Refusal(refusal.code, refusal.message, { faults, cause: refusal });
}
