// Writes the rows of a bulk body in batches, all in one transaction. One bad row refuses the whole body, or only itself, by mode.

import { setImmediate } from 'node:timers/promises';
import { defined } from '../../../kit/assert.ts';
import { yieldWhenBusy } from '../../../kit/event-loop.ts';
import type { Json } from '../../../kit/json.ts';
import { Refusal, type FaultItem } from '../../../kit/refusal.ts';
import { keepOpen, type Work } from '../../../actions/core/work.ts';
import type { FaultDetail } from '../operation/declared-fields.ts';
import type { RequestContext, BulkDescription } from '../operation/operation.ts';
import { columnsOf } from './csv-rows.ts';
import {
  BulkReport,
  errorsListedMax,
  withLineNumber,
  rowPointer,
  type BulkResult,
  type RefusedRow,
} from './bulk-report.ts';
import { bulkModeOf, type BulkMode } from './bulk-mode.ts';
import { UnreadableRow, type BulkRow } from './bulk-row.ts';
import { bulkFormats, readRows, type BatchLimits } from './bulk-rows.ts';

/** The rows that are written to the database together. */
const batchLimits: BatchLimits = { rowsMax: 2_000, charactersMax: 4 * 1024 * 1024 };

type Counts<Count extends string> = Readonly<Record<Count, number>>;

/** The rows that writing refused, and the counts of those that were written, at once or when the database has written them. */
interface RowsWriteResult<Count extends string> {
  readonly counts: Counts<Count> | Promise<Counts<Count>>;
  readonly refused?: readonly { readonly place: number; readonly refusal: Refusal }[];
}

interface BulkWriter<T, Count extends string> {
  /** The counts in the response. */
  readonly counts: readonly Count[];
  /** Reads a row. Throws a refusal whose pointers begin with `at`, or any refusal where its faults are not listed. */
  read(value: Json, at: string, faultDetail: FaultDetail): T;
  /** Writes the rows in this order. */
  write(rows: readonly T[]): Promise<RowsWriteResult<Count>>;
  /** Finds the faults of rows without writing them, once the body is refused. */
  check?(rows: readonly T[]): Promise<RowsWriteResult<Count>>;
  /** Points to a declared field within its row, for rows that writing refuses. */
  pointer?(field: string, item?: FaultItem): string;
}

export async function writeBulk<T, Count extends string>(
  request: RequestContext,
  { row, dialects = [] }: BulkDescription,
  writer: BulkWriter<T, Count>,
): Promise<BulkResult<Count>> {
  const { spool, format } = request;
  const mode = bulkModeOf(request);
  const report = new BulkReport(mode, writer.counts);
  const body = defined(spool, 'a bulk operation has a received body');
  const reader = bulkFormats[defined(format, 'a bulk operation has a format')]({ ...columnsOf(row), dialects });
  const written = new WrittenCounts(report);
  let pendingWrite: Promise<void> = Promise.resolve();
  try {
    for await (const rows of readRows(body, reader, batchLimits)) {
      const batch = await readBatch(rows, { mode, report }, writer);
      await pendingWrite;
      // The body is refused, and the response lists no more errors.
      if (mode === 'all-or-nothing' && report.hasUnlisted) break;
      // Reads the next rows while these are written.
      pendingWrite = writeBatch(batch, { report, written, work: request.work }, writer);
      pendingWrite.catch(() => {}); // awaited in the next turn or in `finally`
      await setImmediate();
    }
  } finally {
    await pendingWrite;
    await written.settle();
  }
  return report.finish();
}

/** Adds the counts of batches to the report. The database writes one batch while the next one is prepared, and no more are on their way. */
class WrittenCounts<Count extends string> {
  readonly #report: BulkReport<Count>;
  #pending: Promise<Counts<Count>> | undefined;

  constructor(report: BulkReport<Count>) {
    this.#report = report;
  }

  /** Waits for the batch before. */
  async add(counts: RowsWriteResult<Count>['counts']): Promise<void> {
    const before = this.#pending;
    this.#pending = Promise.resolve(counts);
    this.#pending.catch(() => {}); // awaited with the next batch or by `settle`
    if (before !== undefined) this.#report.count(await before);
  }

  async settle(): Promise<void> {
    if (this.#pending !== undefined) this.#report.count(await this.#pending);
    this.#pending = undefined;
  }
}

interface Batch<T> {
  readonly inputs: T[];
  /** The row of each input. */
  readonly rows: BulkRow[];
  readonly refused: RefusedRow[];
  /** How many other rows are refused, whose errors the response does not list. */
  refusedUnlisted: number;
}

interface ReadContext {
  readonly mode: BulkMode;
  readonly report: BulkReport<string>;
}

/** In mode `all-or-nothing`, does not read further than the response lists errors. */
async function readBatch<T>(
  rows: readonly BulkRow[],
  { mode, report }: ReadContext,
  { read }: BulkWriter<T, string>,
): Promise<Batch<T>> {
  const batch: Batch<T> = { inputs: [], rows: [], refused: [], refusedUnlisted: 0 };
  for (const row of rows) {
    const turn = yieldWhenBusy();
    if (turn !== undefined) await turn;
    const isListed = !report.hasUnlisted && batch.refused.length <= errorsListedMax[mode];
    if (!isListed && mode === 'all-or-nothing') break;
    try {
      const value = readableValue(row, mode);
      batch.inputs.push(read(value, rowPointer(row), isListed ? 'described' : 'undescribed'));
      batch.rows.push(row);
    } catch (error) {
      if (!(error instanceof Refusal) || error instanceof BodyRefusal) throw error;
      if (isListed) batch.refused.push({ row, refusal: error });
      else batch.refusedUnlisted++;
    }
  }
  return batch;
}

/** Refuses the whole body, not only the row. */
class BodyRefusal extends Refusal {}

function readableValue(row: BulkRow, mode: BulkMode): Json {
  const value = row.read();
  if (!(value instanceof UnreadableRow)) return value;
  const { fault } = value;
  const locatedFault = { ...fault, pointer: rowPointer(row) + (fault.pointer ?? '') };
  if (mode !== 'all-or-nothing') throw new Refusal(fault.code, fault.detail, { faults: [locatedFault] });
  const reportedFault = withLineNumber(row, locatedFault);
  throw new BodyRefusal(fault.code, `Row ${row.index}: ${reportedFault.detail}`, { faults: [reportedFault] });
}

interface WriteContext<Count extends string> {
  readonly report: BulkReport<Count>;
  readonly written: WrittenCounts<Count>;
  readonly work: Work;
}

async function writeBatch<T, Count extends string>(
  { inputs, rows, refused, refusedUnlisted }: Batch<T>,
  { report, written, work }: WriteContext<Count>,
  { write, check, pointer }: BulkWriter<T, Count>,
): Promise<void> {
  const task = report.shouldWrite(refused.length) ? write : check;
  const result = inputs.length === 0 ? undefined : await task?.(inputs);
  if (result === undefined) await keepOpen(work);
  const refusedByWriting = result?.refused ?? [];
  if (result !== undefined) {
    report.accept(inputs.length - refusedByWriting.length);
    await written.add(result.counts);
  }
  if (report.hasUnlisted) {
    report.countUnlisted(refused.length + refusedByWriting.length + refusedUnlisted);
    return;
  }
  const located = refusedByWriting.map(({ place, refusal }): RefusedRow => {
    const row = defined(rows[place], 'a refused place is one of the rows that were written');
    return { row, refusal: withRowPointers(row, refusal, pointer) };
  });
  for (const one of [...refused, ...located].toSorted((a, b) => a.row.index - b.row.index)) report.refuse(one);
  report.countUnlisted(refusedUnlisted);
}

/** Turns the fields of a refusal into pointers within the body. */
function withRowPointers(row: BulkRow, refusal: Refusal, pointer: BulkWriter<unknown, string>['pointer']): Refusal {
  const faults = refusal.faults.map(({ code, detail, field, item }) => {
    const at = field === undefined || pointer === undefined ? '' : pointer(field, item);
    return { code, detail, pointer: rowPointer(row) + at };
  });
  return new Refusal(refusal.code, refusal.message, { faults, cause: refusal });
}
