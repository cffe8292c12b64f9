// How far the work on an import is. The work is one transaction, of which nobody sees anything before it ends: so this is written beside
// it, once for each batch of rows, without making the work wait.

import type { Id } from '../../kit/id.ts';
import type { ImportWork } from '../../model/custody/import-work.ts';
import type { Store } from '../../store/store.ts';
import { serviceAuthor, type Work } from '../core/work.ts';

/** Longer than any batch takes: what was reported before that belongs to a node that has ended. */
const silenceMsMax = 5 * 60_000;

type ReportedImport = Pick<ImportWork, 'clientId' | 'act' | 'fileName' | 'totalRows'> & { readonly importId: Id };

export class ImportProgress {
  readonly #work: Work;
  readonly #reported: ReportedImport;
  readonly #startedAt: number;
  #next: number | undefined;
  #writing: Promise<void> | undefined;
  #isWritten = false;

  constructor(work: Work, reported: ReportedImport) {
    this.#work = work;
    this.#reported = reported;
    this.#startedAt = work.now;
  }

  /** Small imports report nothing: they end with their first batch. While a report is under way, only the newest waits. */
  report(doneRows: number): void {
    this.#next = doneRows;
    this.#writing ??= this.#write();
  }

  /** A report that fails is left out: the work goes on, and the next one tells more. */
  async #write(): Promise<void> {
    while (this.#next !== undefined) {
      const doneRows = this.#next;
      this.#next = undefined;
      this.#isWritten = true;
      const { context } = this.#work;
      const times = { startedAt: this.#startedAt, reportedAt: context.clock.now() };
      await this.#beside((store) => store.importWorks.put({ ...this.#reported, doneRows, ...times })).catch(() => {});
    }
    this.#writing = undefined;
  }

  /** Opens the store without `runInTransaction`: a report makes no round due. */
  #beside(task: (store: Store) => Promise<void>): Promise<void> {
    const { context, store } = this.#work;
    return context.stores.forWriting(serviceAuthor(store.scope), task);
  }

  /** Ends with the unit of work. */
  async finish(): Promise<void> {
    await this.#remove((task) => task(this.#work.store));
  }

  /** Ends beside a unit of work that comes to nothing. */
  async abandon(): Promise<void> {
    await this.#remove((task) => this.#beside(task).catch(() => {}));
  }

  async #remove(run: (task: (store: Store) => Promise<void>) => Promise<void>): Promise<void> {
    this.#next = undefined;
    await this.#writing;
    if (!this.#isWritten) return;
    const before = this.#work.context.clock.now() - silenceMsMax;
    await run((store) => store.importWorks.remove(this.#reported.importId, { before }));
  }
}

/** Tells how far a task is that goes through the rows of an import. */
export async function withProgress<T>(
  work: Work,
  reported: ReportedImport,
  task: (progress: ImportProgress) => Promise<T>,
): Promise<T> {
  const progress = new ImportProgress(work, reported);
  try {
    const result = await task(progress);
    await progress.finish();
    return result;
  } catch (error) {
    await progress.abandon();
    throw error;
  }
}

export function listImportWork({ store, now }: Work, importId: string | undefined): Promise<ImportWork[]> {
  return store.importWorks.list({ since: now - silenceMsMax, importId });
}
