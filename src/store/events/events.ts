// Writes events, many with one statement, and at the end of a transaction the outbox entry that has them handed out, numbered in the order
// in which transactions with events of a client commit.

import type { Id } from '../../kit/id.ts';
import type { EventType } from '../../model/event/event.ts';
import type { Scope } from '../../model/access/scope.ts';
import type { Run } from '../postgres/statement-runner.ts';
import { sql, withoutOutcome, type Value } from '../postgres/statement.ts';
import { plainArrayText } from '../postgres/text-format.ts';

export interface NewEvent {
  readonly id: Id;
  readonly type: EventType;
  readonly client: Id | null;
  readonly data: string;
}

/** Events of versions of transactions: their data is read from the ledger. */
export interface TransactionEvents {
  readonly ids: readonly Id[];
  readonly types: readonly EventType[];
  readonly clients: readonly (Id | null)[];
  readonly transactions: readonly Id[];
  readonly versions: readonly number[];
}

/** What events that are written together have in common. */
interface EventBatch {
  readonly batch: Id;
  readonly now: number;
  /** The trace that their deliveries belong to, if what caused them is traced. */
  readonly traceparent: string | undefined;
}

/** The events of one client in one transaction. */
export interface OutboxEntry {
  readonly client: Id | null;
  readonly first: Id;
  readonly last: Id;
}

/** Events with the same key are delivered in order: those of a client, and those of no client. */
function eventQueueName(client: Id | null): string {
  return client ?? '';
}

/** Each array is unnested where it is selected: in FROM, all would be stored first. */
const append = sql(
  'events/append',
  withoutOutcome(`INSERT INTO event (workspace_id, environment, batch_id, created_at, trace, id, client_id, type, transaction_id, transaction_version, data)
   SELECT $1, $2, $3, $4, $5, unnest($6::text[]), unnest($7::text[]), unnest($8::text[]), unnest($9::text[]), unnest($10::bigint[]),
     unnest($11::json[])`),
);

/** Locks the order keys in their order until the commit, which is sent with this statement and the next. */
const number = sql(
  'events/number',
  `INSERT INTO event_order AS l (workspace_id, environment, order_key, client_id, number)
   SELECT $1, $2, e.order_key, e.client_id, 1 FROM unnest($3::text[], $4::text[]) AS e (order_key, client_id) ORDER BY e.order_key
   ON CONFLICT (workspace_id, environment, order_key) DO UPDATE SET number = l.number + 1`,
);

/** A statement of its own: what an insert of the same statement returns, servers that spread tables send to each other, also to one that is away. */
const close = sql(
  'events/close',
  withoutOutcome(`INSERT INTO outbox (workspace_id, environment, order_key, number, client_id, batch_id, first_id, last_id)
   SELECT $1, $2, e.order_key, o.number, e.client_id, $3, e.first_id, e.last_id
   FROM unnest($4::text[], $5::text[], $6::text[], $7::text[]) AS e (order_key, client_id, first_id, last_id)
   JOIN event_order o ON o.workspace_id = $1 AND o.environment = $2 AND o.order_key = e.order_key`),
);

export class Events {
  readonly #scope: Scope;
  readonly #run: Run;

  constructor(scope: Scope, run: Run) {
    this.#scope = scope;
    this.#run = run;
  }

  /** Sends the statement with the next batch, or with the commit. */
  append(events: readonly NewEvent[], batch: EventBatch): void {
    const [ids, clients, types] = [
      events.map(({ id }) => id),
      events.map(({ client }) => client),
      events.map(({ type }) => type),
    ];
    this.#append([ids, clients, types, null, null, events.map(({ data }) => data)], batch);
  }

  /** Sends the statement with the next batch, or with the commit. */
  appendTransactions({ ids, types, clients, transactions, versions }: TransactionEvents, batch: EventBatch): void {
    const known = clients.map((client) => client ?? 'NULL');
    this.#append([...[ids, known, types, transactions, versions].map(plainArrayText), null], batch);
  }

  /** `unnest` fills a null array with nulls. */
  #append(columns: readonly Value[], { batch, now, traceparent }: EventBatch): void {
    const { workspaceId, environment } = this.#scope;
    this.#run.enqueue(append, [workspaceId, environment, batch, new Date(now), traceparent ?? null, ...columns]);
  }

  /** Must be the last statement, sent with the commit. */
  close(batch: Id, entries: readonly OutboxEntry[]): void {
    const { workspaceId, environment } = this.#scope;
    const keys = entries.map(({ client }) => eventQueueName(client));
    const clients = entries.map(({ client }) => client);
    this.#run.enqueue(number, [workspaceId, environment, keys, clients]);
    this.#run.enqueue(close, [
      workspaceId,
      environment,
      batch,
      keys,
      clients,
      entries.map(({ first }) => first),
      entries.map(({ last }) => last),
    ]);
  }
}
