// Everything one reach can see and change, table by table. A stranger's row does not exist here.

import type { AnyRecord, RecordOf, Resource } from '../kit/resource.ts';
import type { Reach } from '../model/access/scope.ts';
import { ClassTree } from './resources/class-tree.ts';
import { ClientTree } from './resources/client-hierarchy.ts';
import type { Database, Run } from './postgres/database.ts';
import { DatedValues } from './series/dated-values.ts';
import { Deliveries } from './events/deliveries.ts';
import { Events } from './events/events.ts';
import { IdempotentAnswers } from './access/idempotent-answers.ts';
import { InputChanges } from './report-inputs/input-changes.ts';
import { Ledger } from './ledger/ledger-reader.ts';
import { LedgerColumns } from './ledger/ledger-columns.ts';
import type { LedgerMemory } from './ledger/ledger-cache.ts';
import { LedgerNumbers } from './ledger/ledger-counters.ts';
import { LimitStates } from './resources/limit-states.ts';
import { LinkVersions } from './resources/link-versions.ts';
import { LedgerVersions } from './ledger/transaction-versions.ts';
import { Mails } from './queues/mails.ts';
import { sql, type Outcome, type Statement, type Value } from './postgres/statement.ts';
import type { View } from './resources/resource-sql.ts';
import { PersonKeys } from './people/person-keys.ts';
import { Rounds } from './queues/round-queue.ts';
import { SeriesColumns } from './series/series-columns.ts';
import { SeriesNumbers } from './series/series-versions.ts';
import { Table } from './resources/table.ts';
import { ThingVersions } from './resources/record-versions.ts';
import { Uploads } from './ledger/uploads.ts';
import { Versions } from './resources/versioned-table.ts';
import { WebhookSecrets } from './events/webhook-secrets.ts';

const savepoint = sql('store/savepoint', 'SAVEPOINT attempt');
const backToSavepoint = sql('store/back-to-savepoint', 'ROLLBACK TO SAVEPOINT attempt');

export class Store {
  readonly reach: Reach;
  readonly run: Run;
  readonly view: View;

  constructor({ reach, run, view }: { reach: Reach; run: Run; view: View }) {
    this.reach = reach;
    this.run = run;
    this.view = view;
  }

  /** The same store with what another wire shows of things. */
  asSeenOn(view: View): Store {
    return new Store({ reach: this.reach, run: this.run, view });
  }

  table<R extends Resource>(resource: R): Table<RecordOf<R> & AnyRecord> {
    return new Table(resource, this);
  }

  /** The writing of things of which every version is kept. */
  versions(resource: Resource): Versions {
    return new Versions(resource, this);
  }

  /** Every state of things that figures are made of. */
  thingVersions(resource: Resource): ThingVersions {
    return new ThingVersions(resource, this);
  }

  get linkVersions(): LinkVersions {
    return new LinkVersions(this.reach, this.run);
  }

  /** Lists of what several sources may say of a day. */
  datedValues<R extends Resource>(resource: R): DatedValues<RecordOf<R> & AnyRecord> {
    return new DatedValues(resource, this);
  }

  /** Tries `task`; if it fails, what it changed is undone and `otherwise` decides, with the transaction still open. */
  async attempt<T>(task: () => Promise<T>, otherwise: (error: unknown) => T): Promise<T> {
    await this.run(savepoint, []);
    try {
      return await task();
    } catch (error) {
      const outcome = otherwise(error);
      this.run.forgetLater();
      await this.run(backToSavepoint, []);
      return outcome;
    }
  }

  /** Whole series and rates, for whoever computes with them. */
  get seriesColumns(): SeriesColumns {
    return new SeriesColumns(this);
  }

  get seriesNumbers(): SeriesNumbers {
    return new SeriesNumbers(this.reach, this.run);
  }

  get deliveries(): Deliveries {
    return new Deliveries(this.reach, this.run);
  }

  get events(): Events {
    return new Events(this.reach, this.run);
  }

  get clientTree(): ClientTree {
    return new ClientTree(this.reach, this.run);
  }

  get classTree(): ClassTree {
    return new ClassTree(this.reach, this.run);
  }

  get ledger(): Ledger {
    return new Ledger(this.reach, this.run);
  }

  get ledgerNumbers(): LedgerNumbers {
    return new LedgerNumbers(this.reach, this.run);
  }

  get ledgerVersions(): LedgerVersions {
    return new LedgerVersions(this.reach, this.run);
  }

  get limitStates(): LimitStates {
    return new LimitStates(this.reach, this.run);
  }

  get personKeys(): PersonKeys {
    return new PersonKeys(this.reach, this.run);
  }

  get mails(): Mails {
    return new Mails(this.reach, this.run);
  }

  get rounds(): Rounds {
    return new Rounds(this.reach, this.run);
  }

  /** What has changed between two moments. */
  get inputChanges(): InputChanges {
    return new InputChanges(this.reach, this.run);
  }

  get uploads(): Uploads {
    return new Uploads(this.reach, this.run);
  }

  get webhookSecrets(): WebhookSecrets {
    return new WebhookSecrets(this.reach, this.run);
  }

  get idempotentAnswers(): IdempotentAnswers {
    return new IdempotentAnswers(this.reach, this.run);
  }
}

/** A store whose questions are all about one moment. */
export class SnapshotStore extends Store {
  /** Whole ledgers, for whoever computes with them. */
  ledgerColumns(memory: LedgerMemory): LedgerColumns {
    return new LedgerColumns(this, memory);
  }
}

function writesNothing(): never {
  throw new Error('A store for questions writes nothing.');
}

/** A store for questions: each statement is a transaction and a trip of its own. */
export function openForReading(database: Database, { reach, view }: { reach: Reach; view: View }): Store {
  const read = <Row>(statement: Statement<Row>, values: readonly Value[]): Promise<Outcome<Row>> =>
    database.read(reach, statement, values);
  const columns: Run['columns'] = (calls) => database.readColumns(reach, calls);
  const run = Object.assign(read, { columns, later: writesNothing, forgetLater: writesNothing });
  return new Store({ reach, view, run });
}

/** A store for questions that must all be answered as of one moment. */
export function openTogether<T>(
  database: Database,
  { reach, view }: { reach: Reach; view: View },
  work: (store: SnapshotStore) => Promise<T>,
): Promise<T> {
  return database.readTogether(reach, (run) => work(new SnapshotStore({ reach, view, run })));
}

/** A store for one change: everything done with it happens together or not at all. */
export function openForWriting<T>(
  database: Database,
  { reach, view }: { reach: Reach; view: View },
  work: (store: Store) => Promise<T>,
): Promise<T> {
  return database.write(reach, (run) => work(new Store({ reach, view, run })));
}
