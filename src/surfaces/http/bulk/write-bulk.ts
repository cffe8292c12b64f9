// Writing the rows of a bulk body: read some, write some, and tell what came of it, all in the work's one transaction. Either
// one bad row undoes all, or each row stands for itself. Knows no resource.

import { setImmediate } from 'node:timers/promises';
import { oneOf } from '../../../kit/field.ts';
import type { Json } from '../../../kit/json.ts';
import { Refusal, type Fault } from '../../../kit/refusal.ts';
import type { RequestContext, BulkDescription, Parameter } from '../operation/operation.ts';
import { columnsOf } from './csv-rows.ts';
import {
  BulkReport,
  withLineNumber,
  rowPointer,
  type BulkResult,
  type BulkMode,
  type RefusedRow,
} from './bulk-report.ts';
import { bulkFormats, readRows, UnreadableRow, type BulkRow } from './bulk-rows.ts';

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
export interface RowsWriteResult<Count extends string> {
  readonly counts: Readonly<Record<Count, number>>;
  readonly refused?: readonly { readonly place: number; readonly refusal: Refusal }[];
}

export interface BulkWriter<T, Count extends string> {
  /** What the answer counts. */
  readonly counts: readonly Count[];
  /** What a row asks for. Throws a refusal with what is wrong with it, at places that begin with `at`. */
  read(value: Json, at: string): T;
  /** Writes them in this order. */
  write(rows: readonly T[]): Promise<RowsWriteResult<Count>>;
  /** What would come of them, where nothing is to be written any more. */
  check?(rows: readonly T[]): Promise<RowsWriteResult<Count>>;
  /** The place of a declared field within its row, where writing refuses rows. */
  pointer?(field: string, item?: number | string): string;
}

export async function writeBulk<T, Count extends string>(
  { spool, format, query }: RequestContext,
  { row, dialects = [] }: BulkDescription,
  writer: BulkWriter<T, Count>,
): Promise<BulkResult<Count>> {
  const mode: BulkMode = query['mode'] ?? 'all-or-nothing';
  const report = new BulkReport(mode, writer.counts);
  let pendingWrite: Promise<void> = Promise.resolve();
  try {
    for await (const rows of readRows(spool!, bulkFormats[format!]({ ...columnsOf(row), dialects }), batchMin)) {
      const batch = readBatch(rows, mode, writer);
      await pendingWrite;
      // The next rows are read while these are written.
      pendingWrite = writeBatch(batch, report, writer);
      pendingWrite.catch(() => {}); // it is waited for, only later
      await setImmediate();
    }
  } finally {
    await pendingWrite;
  }
  return report.finish();
}

interface Batch<T> {
  readonly inputs: readonly T[];
  /** Those that were asked for by. */
  readonly rows: readonly BulkRow[];
  readonly refused: readonly RefusedRow[];
}

function readBatch<T>(rows: readonly BulkRow[], mode: BulkMode, { read }: BulkWriter<T, string>): Batch<T> {
  const inputs: T[] = [];
  const readableRows: BulkRow[] = [];
  const refused: RefusedRow[] = [];
  for (const row of rows) {
    try {
      const value = row.value instanceof UnreadableRow ? refuseUnreadable(row, row.value.fault, mode) : row.value;
      inputs.push(read(value, rowPointer(row)));
      readableRows.push(row);
    } catch (error) {
      if (!(error instanceof Refusal) || error instanceof BodyRefusal) throw error;
      refused.push({ row, refusal: error });
    }
  }
  return { inputs, rows: readableRows, refused };
}

/** What one row cannot be left out for. */
class BodyRefusal extends Refusal {}

function refuseUnreadable(row: BulkRow, fault: Fault, mode: BulkMode): never {
  const locatedFault = { ...fault, pointer: rowPointer(row) + (fault.pointer ?? '') };
  if (mode === 'per-row') throw new Refusal(fault.code, fault.detail, { faults: [locatedFault] });
  const reportedFault = withLineNumber(row, locatedFault);
  throw new BodyRefusal(fault.code, `Row ${row.index}: ${reportedFault.detail}`, { faults: [reportedFault] });
}

async function writeBatch<T, Count extends string>(
  { inputs, rows, refused }: Batch<T>,
  report: BulkReport<Count>,
  { write, check, pointer }: BulkWriter<T, Count>,
): Promise<void> {
  const task = report.shouldWrite(refused) ? write : check;
  const written = inputs.length === 0 ? undefined : await task?.(inputs);
  const refusedByWriting = (written?.refused ?? []).map(({ place, refusal }): RefusedRow => {
    const row = rows[place]!;
    return { row, refusal: withRowPointers(row, refusal, pointer) };
  });
  const all = [...refused, ...refusedByWriting].toSorted((one, other) => one.row.index - other.row.index);
  report.refuse(all);
  if (written !== undefined) report.accept(inputs.length - refusedByWriting.length, written.counts);
}

/** The same refusal with its places within the body. */
function withRowPointers(row: BulkRow, refusal: Refusal, pointer: BulkWriter<unknown, string>['pointer']): Refusal {
  const faults = refusal.faults.map(({ code, detail, field, item }) => {
    const at = field === undefined || pointer === undefined ? '' : pointer(field, item);
    return { code, detail, pointer: rowPointer(row) + at };
  });
  return new Refusal(refusal.code, refusal.message, { faults, cause: refusal });
}
