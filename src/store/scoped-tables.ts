// The tables of every declared resource within a scope, and attempts that can fail without ending the transaction.

import { ownColumnsOnly, type FieldSelection } from '../kit/field-selection.ts';
import type { AnyRecord, RecordOf, Resource } from '../kit/resource.ts';
import type { Scope } from '../model/access/scope.ts';
import type { Run } from './postgres/statement-runner.ts';
import { sql } from './postgres/statement.ts';
import { RecordVersions } from './resources/record-versions.ts';
import { NewRecords } from './resources/new-records.ts';
import { Table } from './resources/table.ts';
import { VersionedTable } from './resources/versioned-table.ts';
import { DatedValues } from './series/dated-values.ts';

const savepoint = sql('store/savepoint', 'SAVEPOINT attempt');
const rollbackToSavepoint = sql('store/back-to-savepoint', 'ROLLBACK TO SAVEPOINT attempt');

export interface StoreOptions {
  readonly scope: Scope;
  /** What is read of records beyond their own columns; nothing if left out. */
  readonly fields?: FieldSelection;
}

export class ScopedTables {
  readonly scope: Scope;
  readonly run: Run;
  /** What is read of records beyond their own columns. */
  readonly fields: FieldSelection;

  constructor({ scope, run, fields = ownColumnsOnly }: StoreOptions & { readonly run: Run }) {
    this.scope = scope;
    this.run = run;
    this.fields = fields;
  }

  table<R extends Resource>(resource: R): Table<RecordOf<R> & AnyRecord> {
    return new Table(resource, this);
  }

  /** Writes new records of which one row is stored. */
  newRecords<R extends Resource>(resource: R): NewRecords<RecordOf<R> & AnyRecord> {
    return new NewRecords(resource, this);
  }

  /** Writes records of which every version is stored. */
  versionedTable(resource: Resource): VersionedTable {
    return new VersionedTable(resource, this);
  }

  /** Every stored state of records that reports are computed from. */
  recordVersions(resource: Resource): RecordVersions {
    return new RecordVersions(resource, this);
  }

  /** Lists values by day, where several sources may have one for the same day. */
  datedValues<R extends Resource>(resource: R): DatedValues<RecordOf<R> & AnyRecord> {
    return new DatedValues(resource, this);
  }

  /** Runs `task`; if it fails, undoes its changes and returns what `onError` makes of the error. The transaction stays open. */
  async attempt<T>(task: () => Promise<T>, onError: (error: unknown) => T): Promise<T> {
    await this.run(savepoint, []);
    try {
      return await task();
    } catch (error) {
      const outcome = onError(error);
      this.run.discardQueued();
      await this.run(rollbackToSavepoint, []);
      return outcome;
    }
  }
}
