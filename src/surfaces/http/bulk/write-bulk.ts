// Writes the rows of a bulk body in batches, all in one transaction. One bad row refuses the whole body, or only itself, by mode.

import { setImmediate } from 'node:timers/promises';
import { defined } from '../../../kit/assert.ts';
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
import { UnreadableRow, type BulkRow } from './bulk-row.ts';
import { bulkFormats, readRows } from './bulk-rows.ts';

/** Rows that are written to the database together. */
const batchMin = 5_000;

const modes = ['all-or-nothing', 'per-row'] as const satisfies readonly BulkMode[];

export const bulkParameters = {
  mode: {
    kind: oneOf(modes),
    description:
      '`all-or-nothing` (the default): one refused row refuses the whole body, and nothing is written. `per-row`: the other rows are written, and the response lists the refused ones.',
  },
} as const satisfies Record<string, Parameter>;

/** The counts of the rows that were written, and the rows that writing refused. */
interface RowsWriteResult<Count extends string> {
  readonly counts: Readonly<Record<Count, number>>;
  readonly refused?: readonly { readonly place: number; readonly refusal: Refusal }[];
}

interface BulkWriter<T, Count extends string> {
  /** The counts in the response. */
  readonly counts: readonly Count[];
  /** Reads a row. Throws a refusal whose pointers begin with `at`. */
  read(value: Json, at: string): T;
  /** Writes the rows in this order. */
  write(rows: readonly T[]): Promise<RowsWriteResult<Count>>;
  /** Finds the faults of rows without writing them, once the body is refused. */
  check?(rows: readonly T[]): Promise<RowsWriteResult<Count>>;
  /** Points to a declared field within its row, for rows that writing refuses. */
  pointer?(field: string, item?: number | string): string;
}

export async function writeBulk<T, Count extends string>(
  { spool, format, query }: RequestContext,
  { row, dialects = [] }: BulkDescription,
  writer: BulkWriter<T, Count>,
): Promise<BulkResult<Count>> {
  const mode: BulkMode = query['mode'] ?? 'all-or-nothing';
  const report = new BulkReport(mode, writer.counts);
  const body = defined(spool, 'a bulk operation has a received body');
  const reader = bulkFormats[defined(format, 'a bulk operation has a format')]({ ...columnsOf(row), dialects });
  let pendingWrite: Promise<void> = Promise.resolve();
  try {
    for await (const rows of readRows(body, reader, batchMin)) {
      const batch = readBatch(rows, mode, writer);
      await pendingWrite;
      // Reads the next rows while these are written.
      pendingWrite = writeBatch(batch, report, writer);
      pendingWrite.catch(() => {}); // awaited in the next turn or in `finally`
      await setImmediate();
    }
  } finally {
    await pendingWrite;
  }
  return report.finish();
}

interface Batch<T> {
  readonly inputs: readonly T[];
  /** The row of each input. */
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

/** Refuses the whole body, not only the row. */
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
    const row = defined(rows[place], 'a refused place is one of the rows that were written');
    return { row, refusal: withRowPointers(row, refusal, pointer) };
  });
  const all = [...refused, ...refusedByWriting].toSorted((one, other) => one.row.index - other.row.index);
  report.refuse(all);
  if (written !== undefined) report.accept(inputs.length - refusedByWriting.length, written.counts);
}

/** Turns the fields of a refusal into pointers within the body. */
function withRowPointers(row: BulkRow, refusal: Refusal, pointer: BulkWriter<unknown, string>['pointer']): Refusal {
  const faults = refusal.faults.map(({ code, detail, field, item }) => {
    const at = field === undefined || pointer === undefined ? '' : pointer(field, item);
    return { code, detail, pointer: rowPointer(row) + at };
  });
  return new Refusal(refusal.code, refusal.message, { faults, cause: refusal });
}
