// Everything one reach can see and change, table by table. A stranger's row does not exist here.

import { ownColumnsOnly, type FieldSelection } from '../kit/field-selection.ts';
import type { AnyRecord, RecordOf, Resource } from '../kit/resource.ts';
import type { Scope } from '../model/access/scope.ts';
import { ClassTree } from './resources/class-tree.ts';
import { ClientHierarchy } from './resources/client-hierarchy.ts';
import type { Database, Run } from './postgres/database.ts';
import { DatedValues } from './series/dated-values.ts';
import { DeliveryTable } from './events/deliveries.ts';
import { Events } from './events/events.ts';
import { IdempotentAnswers } from './access/idempotent-answers.ts';
import { InputChanges } from './report-inputs/input-changes.ts';
import { LedgerReader } from './ledger/ledger-reader.ts';
import { LedgerColumns } from './ledger/ledger-columns.ts';
import type { LedgerCache } from './ledger/ledger-cache.ts';
import { LedgerCounters } from './ledger/ledger-counters.ts';
import { LimitStates } from './resources/limit-states.ts';
import { LinkVersions } from './resources/link-versions.ts';
import { TransactionVersions } from './ledger/transaction-versions.ts';
import { MailTable } from './queues/mails.ts';
import { sql, type Outcome, type Statement, type Value } from './postgres/statement.ts';
import { PersonKeys } from './people/person-keys.ts';
import { RoundQueue } from './queues/round-queue.ts';
import { SeriesColumns } from './series/series-columns.ts';
import { SeriesVersions } from './series/series-versions.ts';
import { Table } from './resources/table.ts';
import { RecordVersions } from './resources/record-versions.ts';
import { Uploads } from './ledger/uploads.ts';
import { VersionedTable } from './resources/versioned-table.ts';
import { WebhookSecrets } from './events/webhook-secrets.ts';

const savepoint = sql('store/savepoint', 'SAVEPOINT attempt');
const rollbackToSavepoint = sql('store/back-to-savepoint', 'ROLLBACK TO SAVEPOINT attempt');

export interface StoreOptions {
  readonly scope: Scope;
  /** What is read of records beyond their own columns; nothing where it is not given. */
  readonly fields?: FieldSelection;
}

export class Store {
  readonly scope: Scope;
  readonly run: Run;
  /** What is read of records beyond their own columns. */
  readonly fields: FieldSelection;

  constructor({ scope, run, fields = ownColumnsOnly }: StoreOptions & { readonly run: Run }) {
    this.scope = scope;
    this.run = run;
    this.fields = fields;
  }

  /** The same store, reading other fields of records. */
  withFields(fields: FieldSelection): Store {
    return new Store({ scope: this.scope, run: this.run, fields });
  }

  table<R extends Resource>(resource: R): Table<RecordOf<R> & AnyRecord> {
    return new Table(resource, this);
  }

  /** The writing of things of which every version is kept. */
  versionedTable(resource: Resource): VersionedTable {
    return new VersionedTable(resource, this);
  }

  /** Every state of things that figures are made of. */
  recordVersions(resource: Resource): RecordVersions {
    return new RecordVersions(resource, this);
  }

  get linkVersions(): LinkVersions {
    return new LinkVersions(this.scope, this.run);
  }

  /** Lists of what several sources may say of a day. */
  datedValues<R extends Resource>(resource: R): DatedValues<RecordOf<R> & AnyRecord> {
    return new DatedValues(resource, this);
  }

  /** Tries `task`; if it fails, what it changed is undone and `otherwise` decides, with the transaction still open. */
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

  /** Whole series and rates, for whoever computes with them. */
  get seriesColumns(): SeriesColumns {
    return new SeriesColumns(this);
  }

  get seriesVersions(): SeriesVersions {
    return new SeriesVersions(this.scope, this.run);
  }

  get deliveries(): DeliveryTable {
    return new DeliveryTable(this.scope, this.run);
  }

  get events(): Events {
    return new Events(this.scope, this.run);
  }

  get clientHierarchy(): ClientHierarchy {
    return new ClientHierarchy(this.scope, this.run);
  }

  get classTree(): ClassTree {
    return new ClassTree(this.scope, this.run);
  }

  get ledger(): LedgerReader {
    return new LedgerReader(this.scope, this.run);
  }

  get ledgerCounters(): LedgerCounters {
    return new LedgerCounters(this.scope, this.run);
  }

  get transactionVersions(): TransactionVersions {
    return new TransactionVersions(this.scope, this.run);
  }

  get limitStates(): LimitStates {
    return new LimitStates(this.scope, this.run);
  }

  get personKeys(): PersonKeys {
    return new PersonKeys(this.scope, this.run);
  }

  get mails(): MailTable {
    return new MailTable(this.scope, this.run);
  }

  get rounds(): RoundQueue {
    return new RoundQueue(this.scope, this.run);
  }

  /** What has changed between two moments. */
  get inputChanges(): InputChanges {
    return new InputChanges(this.scope, this.run);
  }

  get uploads(): Uploads {
    return new Uploads(this.scope, this.run);
  }

  get webhookSecrets(): WebhookSecrets {
    return new WebhookSecrets(this.scope, this.run);
  }

  get idempotentAnswers(): IdempotentAnswers {
    return new IdempotentAnswers(this.scope, this.run);
  }
}

/** A store whose questions are all about one moment. */
export class SnapshotStore extends Store {
  /** Whole ledgers, for whoever computes with them. */
  ledgerColumns(cache: LedgerCache): LedgerColumns {
    return new LedgerColumns(this, cache);
  }
}

function rejectWrite(): never {
  throw new Error('A store for questions writes nothing.');
}

function rejectSwitch(): never {
  throw new Error('Only a transaction can change its scope.');
}

/** A store for questions: each statement is a transaction and a trip of its own. */
export function openForReading(database: Database, options: StoreOptions): Store {
  const { scope } = options;
  const read = <Row>(statement: Statement<Row>, values: readonly Value[]): Promise<Outcome<Row>> =>
    database.read(scope, statement, values);
  const columns: Run['columns'] = (calls) => database.readColumns(scope, calls);
  const run = Object.assign(read, {
    columns,
    enqueue: rejectWrite,
    discardQueued: rejectWrite,
    switchScope: rejectSwitch,
    readPreAuth: rejectSwitch,
  });
  return new Store({ ...options, run });
}

/** A store for questions that must all be answered as of one moment. */
export function openSnapshot<T>(
  database: Database,
  options: StoreOptions,
  work: (store: SnapshotStore) => Promise<T>,
): Promise<T> {
  return database.readSnapshot(options.scope, (run) => work(new SnapshotStore({ ...options, run })));
}

/** A store for one change: everything done with it happens together or not at all. */
export function openForWriting<T>(
  database: Database,
  options: StoreOptions,
  work: (store: Store) => Promise<T>,
): Promise<T> {
  return database.write(options.scope, (run) => work(new Store({ ...options, run })));
}
