// Takes the items of a file or feed in batches, whoever brings them, and makes an import of them: checked only, or booked at once.

import { yieldWhenBusy } from '../../kit/event-loop.ts';
import { importResource, type Import } from '../../model/custody/import.ts';
import type { StatementBalance, StatementItem, StatementNotice } from '../../model/custody/statement.ts';
import type { RowSource } from '../../store/imports/import-rows.ts';
import type { Work } from '../core/work.ts';
import { writtenRowsMax } from './batch-size.ts';
import { boundedItem } from './bounded-item.ts';
import { quotedItem } from './quoted-item.ts';
import { OrdinalCounter } from './entry-identity.ts';
import { ImportProgress } from './import-progress.ts';
import { ImportQuota } from './import-quota.ts';
import {
  auditImport,
  boundedWarnings,
  countColumns,
  createImport,
  noticeWarning,
  withCounts,
} from './import-record.ts';
import type { ImportSource } from './import-source.ts';
import { RowKeeping } from './row-keeping.ts';
import { RowProcessing } from './row-processing.ts';
import { StatementBalances } from './statement-balances.ts';

/** How many more rows are worth a report. */
const reportedRowsMin = 2_000;

interface OpenedImport {
  readonly record: Import;
  readonly quota: ImportQuota;
  /** As it was, if its lines are read again. */
  readonly before?: Import;
}

export class ImportWriter {
  readonly #work: Work;
  readonly #source: ImportSource;
  readonly record: Import;
  readonly #before: Import | undefined;
  readonly #processing: RowProcessing;
  readonly #ordinals = new OrdinalCounter();
  readonly #balances = new StatementBalances();
  readonly #notices: StatementNotice[] = [];
  readonly #keeping = new RowKeeping();
  readonly #quota: ImportQuota;
  #rows: RowSource[] = [];
  #pendingBalances: StatementBalance[] = [];
  readonly #progress: ImportProgress;
  #rowCount = 0;
  #reportedRows = 0;
  #balanceCount = 0;
  /** The rows before are written while the next are read. */
  #writing: Promise<void> = Promise.resolve();

  private constructor(work: Work, source: ImportSource, { record, quota, before }: OpenedImport) {
    this.#work = work;
    this.#quota = quota;
    this.#source = source;
    this.record = record;
    this.#before = before;
    this.#processing = new RowProcessing(work, source, { importId: record.id, isAgain: false });
    this.#progress = new ImportProgress(work, {
      importId: record.id,
      clientId: record.client,
      act: source.mode,
      fileName: record.fileName,
      totalRows: null,
    });
  }

  /** Everything up to `finish` must be in the same unit of work: what it books is committed with it, or not at all. */
  static async open(work: Work, source: ImportSource): Promise<ImportWriter> {
    const quota = await ImportQuota.open(work);
    return new ImportWriter(work, source, { record: await createImport(work, source), quota });
  }

  /** Reads the lines of an import again, which takes other rows for them. */
  static async reopen(work: Work, source: ImportSource, before: Import): Promise<ImportWriter> {
    const { id, storedRows, storedBytes } = before;
    await work.store.importRows.deleteAll(id);
    await work.store.importUsage.subtract({ rows: storedRows, bytes: storedBytes });
    const quota = await ImportQuota.open(work);
    const changes = { profile: source.profile ?? null, dateOrder: source.dateOrder ?? null };
    const record = withCounts(await work.store.table(importResource).update(id, changes));
    return new ImportWriter(work, source, { record, quota, before });
  }

  /** Takes items in the order of the file. Await each call before the next. */
  async add(items: readonly StatementItem[]): Promise<void> {
    for (const stated of items) {
      const turn = yieldWhenBusy();
      if (turn !== undefined) await turn;
      const item = quotedItem(boundedItem(stated));
      if (item.item === 'notice') this.#notices.push(item);
      else if (item.item === 'balance') {
        this.#balances.addBalance(item);
        this.#processing.noteBalance(item);
        this.#pendingBalances.push(item);
      } else {
        if (item.item === 'entry') this.#balances.addEntry(item);
        const entry = item.item === 'problem' ? item.readings?.['day-month-year'] : item;
        const isUnnamed = entry?.item === 'entry' && entry.reference === undefined;
        const ordinal = isUnnamed ? this.#ordinals.next(entry) : 1;
        this.#rows.push({ number: ++this.#rowCount, ordinal, stated: item });
        this.#quota.read(1);
      }
      if (this.#rows.length >= writtenRowsMax || this.#pendingBalances.length >= writtenRowsMax) await this.#write();
    }
  }

  /** How many rows have been added. */
  get rowCount(): number {
    return this.#rowCount;
  }

  /** Leaves the batch under way, once the one before is written. */
  async #write(): Promise<void> {
    const [rows, balances] = [this.#rows, this.#pendingBalances];
    [this.#rows, this.#pendingBalances] = [[], []];
    try {
      const prepared = await this.#processing.prepare(rows);
      await this.#writing;
      this.#writing = this.#book(prepared, balances);
      // Whoever waits for it next gets its error.
      this.#writing.catch(() => {});
    } catch (error) {
      await this.settle();
      throw error;
    }
  }

  /** Waits until nothing is under way, whatever became of it: the unit of work must not end before. */
  async settle(): Promise<void> {
    await Promise.allSettled([this.#writing]);
    await this.#progress.abandon();
  }

  async #book(
    prepared: Awaited<ReturnType<RowProcessing['prepare']>>,
    balances: readonly StatementBalance[],
  ): Promise<void> {
    const { importRows } = this.#work.store;
    const processed = await this.#processing.book(prepared);
    const { send, size } = importRows.prepareInsert(this.record.id, this.#source.client, this.#keeping.keep(processed));
    this.#quota.add(size);
    this.#processing.sendWithBatch(send);
    this.#report(processed.at(-1)?.number ?? 0);
    if (balances.length === 0) return;
    await this.#processing.recordBalances(balances);
    const stated = { balances, after: this.#balanceCount };
    this.#quota.add(await importRows.insertBalances(this.record.id, this.#source.client, stated));
    this.#balanceCount += balances.length;
  }

  #report(doneRows: number): void {
    if (doneRows < this.#reportedRows + reportedRowsMin) return;
    this.#reportedRows = doneRows;
    this.#progress.report(doneRows);
  }

  /** Returns the import with its counts and warnings. */
  async finish(): Promise<Import> {
    await this.#write();
    try {
      await this.#writing;
      await this.#processing.settle(this.#balances.listWarnings());
    } catch (error) {
      await this.settle();
      throw error;
    }
    await this.#progress.finish();
    if (this.#source.mode === 'book' && this.#source.allowsCashAlone !== true) this.#processing.refuseCashAlone();
    this.#processing.finish();
    const { store, now } = this.#work;
    const { notKept } = this.#keeping;
    const counts = countColumns(await store.importRows.countOutcomes(this.record.id), notKept);
    const booked = this.#source.mode === 'book' ? { state: 'booked', bookedAt: new Date(now) } : {};
    const openings = await this.#processing.listOpeningWarnings();
    const warnings = boundedWarnings([
      ...this.#notices.map(noticeWarning),
      ...this.#processing.listRowWarnings(),
      ...openings,
      ...this.#balances.listWarnings(),
    ]);
    const size = { storedRows: this.#quota.added.rows, storedBytes: this.#quota.added.bytes };
    const changes = { ...counts, ...booked, ...size, notKept, warnings };
    const stored = await store.table(importResource).update(this.record.id, changes);
    await this.#quota.close();
    const record = withCounts(stored);
    if (this.#before === undefined) auditImport(this.#work, 'create', { after: record });
    else auditImport(this.#work, 'change', { before: this.#before, after: record });
    return record;
  }
}
