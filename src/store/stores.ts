// The one way to the database: opens a store for a scope, the store that is used before the tenant is known, and the queues.

import type { Scope, Tenant } from '../model/access/scope.ts';
import { listNamedWorkspaces, type NamedWorkspace } from './access/workspaces.ts';
import type { Database } from './postgres/database.ts';
import type { RefusedChanges, ServerState } from './server-state.ts';
import { makeCall, type ReadStatement, type Run } from './postgres/statement-runner.ts';
import type { Call } from './postgres/statement.ts';
import { PreAuthStore } from './pre-auth-store.ts';
import { DeliveryQueues, findDueDeliveries, type DueDeliveries } from './queues/delivery-queues.ts';
import { findDueFeeds, type DueFeeds } from './queues/feed-queue.ts';
import { findDueShipments, type DueShipmentQuery, type DueShipments } from './queues/log-shipments.ts';
import { findDueMails, MailQueue, type DueMails } from './queues/mail-queue.ts';
import { findDueRounds, type DueQuery, type DueRounds } from './queues/round-queue.ts';
import type { Replica } from './replica.ts';
import type { StoreOptions } from './scoped-tables.ts';
import { SnapshotStore, Store } from './store.ts';

function rejectWrite(): never {
  throw new Error('A store for reading cannot enqueue statements.');
}

function rejectSwitch(): never {
  throw new Error('Only a transaction can change its scope.');
}

function rejectRead(): never {
  throw new Error('A store for enqueued writes cannot wait for a statement.');
}

export class Stores {
  readonly #database: Database;
  /** Lookups before the tenant is known. */
  readonly preAuth: PreAuthStore;
  /** Where reports are loaded from first; undefined if there is none. */
  readonly replica: Replica | undefined;

  constructor(database: Database, replica?: Replica) {
    this.#database = database;
    this.replica = replica;
    this.preAuth = new PreAuthStore((...query) => database.readPreAuth(...query));
  }

  /** A store for reading: each statement is its own transaction and round trip. */
  forReading(options: StoreOptions): Store {
    const database = this.#database;
    const scope = database.openScope(options.scope);
    const read: ReadStatement = (statement, values) => database.read(scope, statement, values);
    const run: Run = Object.assign(read, {
      columns: ((calls) => database.readColumns(scope, calls)) satisfies Run['columns'],
      enqueue: rejectWrite,
      discardQueued: rejectWrite,
      set: rejectWrite,
      switchScope: rejectSwitch,
      showClient: rejectSwitch,
      moveClients: rejectSwitch,
      withAllVisible: rejectSwitch,
      enqueueWithAllVisible: rejectSwitch,
      readPreAuth: rejectSwitch,
    });
    return new Store({ ...options, scope, run });
  }

  /** Reads that all see the same moment. */
  inSnapshot<T>(options: StoreOptions, work: (store: SnapshotStore) => Promise<T>): Promise<T> {
    const scope = this.#database.openScope(options.scope);
    return this.#database.readSnapshot(scope, (run) => work(new SnapshotStore({ ...options, scope, run })));
  }

  /** One transaction: everything done with the store is committed together or not at all. */
  forWriting<T>(options: StoreOptions, work: (store: Store) => Promise<T>): Promise<T> {
    const scope = this.#database.openScope(options.scope);
    return this.#database.write(scope, (run) => work(new Store({ ...options, scope, run })));
  }

  /** Commits what `work` enqueues, as one transaction in one round trip. `work` cannot read. */
  async writeEnqueued(options: StoreOptions, work: (store: Store) => void): Promise<void> {
    const calls: Call[] = [];
    const run: Run = Object.assign(rejectRead, {
      columns: rejectRead,
      enqueue: ((...call) => void calls.push(makeCall(...call))) satisfies Run['enqueue'],
      discardQueued: () => void calls.splice(0),
      set: rejectSwitch,
      switchScope: rejectSwitch,
      showClient: rejectSwitch,
      moveClients: rejectSwitch,
      withAllVisible: rejectSwitch,
      enqueueWithAllVisible: rejectSwitch,
      readPreAuth: rejectSwitch,
    });
    const scope = this.#database.openScope(options.scope);
    work(new Store({ ...options, scope, run }));
    await this.#database.writeBatch(scope, calls);
  }

  /** Throws a refusal if the scope's application or key has been deleted. */
  checkCredential(scope: Scope): Promise<void> {
    return this.#database.checkCredential(scope);
  }

  /** The names of several workspaces in one round trip, in the order of the scopes. */
  listNamedWorkspaces(scopes: readonly Scope[]): Promise<readonly (NamedWorkspace | undefined)[]> {
    return listNamedWorkspaces(this.#database, scopes);
  }

  deliveryQueues(scope: Scope): DeliveryQueues {
    return new DeliveryQueues(this.#database, scope);
  }

  findDueDeliveries(tenants: readonly Tenant[], now: number): Promise<DueDeliveries[]> {
    return findDueDeliveries(this.#database, tenants, now);
  }

  mailQueue(scope: Scope): MailQueue {
    return new MailQueue(this.#database, scope);
  }

  findDueMails(tenants: readonly Tenant[], now: number): Promise<DueMails[]> {
    return findDueMails(this.#database, tenants, now);
  }

  findDueShipments(tenants: readonly Tenant[], query: DueShipmentQuery): Promise<DueShipments[]> {
    return findDueShipments(this.#database, tenants, query);
  }

  findDueFeeds(tenants: readonly Tenant[], now: number): Promise<DueFeeds[]> {
    return findDueFeeds(this.#database, tenants, now);
  }

  findDueRounds(tenants: readonly Tenant[], query: DueQuery): Promise<DueRounds[]> {
    return findDueRounds(this.#database, tenants, query);
  }

  /** Sends messages to all nodes that listen. */
  sendMessages(messages: readonly string[]): Promise<void> {
    return this.#database.sendMessages(messages);
  }

  /** The servers that workspaces are spread over, and whether each answers and accepts changes; none where there is only one. */
  checkServers(): Promise<readonly ServerState[]> {
    return this.#database.checkServers();
  }

  /** Throws if the database cannot be used. */
  ping(): Promise<void> {
    return this.#database.ping();
  }

  /** Throws a refusal if the database accepts no changes. */
  checkWritable(): Promise<void> {
    return this.#database.checkWritable();
  }

  /** Throws a refusal if the database has no room for new records. */
  checkRoom(): Promise<void> {
    return this.#database.checkRoom();
  }

  /** The changes that were refused because the database accepts none. */
  get refusedChanges(): RefusedChanges {
    return this.#database.refusedChanges;
  }

  /** What the operator has set for all nodes; null for nothing. */
  readOperatorMode(): Promise<string | null> {
    return this.#database.readOperatorMode();
  }

  /** Fails whatever waits for the database; nothing can be sent afterwards. */
  abort(): void {
    this.#database.abort();
    this.replica?.abort();
  }

  async close(): Promise<void> {
    await Promise.all([this.#database.close(), this.replica?.close()]);
  }
}
