// Turns the events in the outbox into deliveries: one for each subscribed webhook, in the queues that keep their order. Sees all clients of
// a tenant.

import { append } from '../../kit/memory/long-list.ts';
import { defined } from '../../kit/assert.ts';
import type { Id, IdSource } from '../../kit/id.ts';
import type { Run } from '../postgres/statement-runner.ts';
import { arrayOfAnyLength, sql } from '../postgres/statement.ts';
import type { Scope } from '../../model/access/scope.ts';

/** How much one transaction hands out. Kept small, since the first of it is sent only when the last is written. */
const entriesMax = 100;
const eventsMax = 1_000;

interface OutboxRow {
  /** Events with the same key are handed out in order. */
  readonly orderKey: string;
  readonly number: number;
  readonly client: Id | null;
  readonly batch: Id;
  readonly first: Id;
  readonly last: Id;
}

interface ListedEvent {
  readonly id: Id;
  readonly type: string;
}

interface SubscribedWebhook {
  readonly id: Id;
  readonly client: Id | null;
  readonly events: readonly string[];
  /** For a webhook of one client: which of the clients with events here are that client or below it. */
  readonly below: readonly Id[];
}

/**
 * Locks the first entry of each order key, so that a later event of a key cannot overtake an earlier one. Skips the keys whose first entry another
 * node has. Whoever writes more events of the same clients does not wait: their entries come after it.
 */
const lockOrderKeys = sql<{ orderKey: string }>(
  'handout/lock',
  `SELECT o.order_key AS "orderKey" FROM (SELECT DISTINCT x.order_key FROM (SELECT order_key FROM outbox WHERE workspace_id = $1 AND environment = $2
       LIMIT ${entriesMax}) x ORDER BY x.order_key) o
   CROSS JOIN LATERAL (SELECT number FROM outbox WHERE workspace_id = $1 AND environment = $2 AND order_key = o.order_key
     ORDER BY number LIMIT 1) f
   CROSS JOIN LATERAL (SELECT FROM outbox WHERE workspace_id = $1 AND environment = $2 AND order_key = o.order_key AND number = f.number
     FOR UPDATE SKIP LOCKED) l`,
);

const listEntries = sql<OutboxRow>(
  'handout/entries',
  `SELECT order_key AS "orderKey", number, client_id AS client, batch_id AS batch, first_id AS first, last_id AS last FROM outbox
   WHERE workspace_id = $1 AND environment = $2 AND order_key = ANY (${arrayOfAnyLength('$3')}) ORDER BY order_key, number LIMIT ${entriesMax}`,
);

const listWebhooks = sql<SubscribedWebhook>(
  'handout/webhooks',
  `SELECT w.id, w.client_id AS client, w.events, ARRAY(SELECT c.id FROM client c WHERE c.workspace_id = $1
     AND c.environment = $2 AND c.id = ANY (${arrayOfAnyLength('$3')}) AND w.client_id = ANY (c.path)) AS below
   FROM webhook w WHERE w.workspace_id = $1 AND w.environment = $2 AND w.state = 'enabled' ORDER BY w.id FOR KEY SHARE`,
);

const listEvents = sql<ListedEvent>(
  'handout/events',
  `SELECT id, type FROM event WHERE workspace_id = $1 AND environment = $2 AND id >= $3 AND id <= $4 AND batch_id = $5
     AND client_id IS NOT DISTINCT FROM $6 AND type = ANY (${arrayOfAnyLength('$7')}) ORDER BY id LIMIT ${eventsMax + 1}`,
);

const putDeliveries = sql(
  'handout/deliveries',
  `INSERT INTO delivery (workspace_id, environment, state, created_at, id, client_id, webhook_id, event_id, order_key, number)
   SELECT $1, $2, 'pending', $3, s.*
   FROM unnest($4::text[], $5::text[], $6::text[], $7::text[], $8::text[], $9::bigint[]) s
   ON CONFLICT (workspace_id, event_id, webhook_id) DO NOTHING`,
);

/** Leaves the due moment of a queue that exists: where it waits for its next attempt, it goes on waiting. */
export const enqueueDeliveries = sql(
  'handout/queues',
  `INSERT INTO delivery_queue AS l (workspace_id, environment, due_at, webhook_id, order_key, client_id)
   SELECT $1, $2, $3, s.* FROM unnest($4::text[], $5::text[], $6::text[]) s (webhook_id, order_key, client_id)
   ORDER BY s.webhook_id, s.order_key
   ON CONFLICT (workspace_id, environment, webhook_id, order_key) DO UPDATE SET queued = l.queued + 1`,
);

const dropEntry = sql(
  'handout/drop',
  'DELETE FROM outbox WHERE workspace_id = $1 AND environment = $2 AND order_key = $3 AND number = $4',
);
const shortenEntry = sql(
  'handout/shorten',
  'UPDATE outbox SET first_id = $5 WHERE workspace_id = $1 AND environment = $2 AND order_key = $3 AND number = $4',
);

/** What is left in the outbox: nothing; more; or events that another node is handing out now, so that it has to be checked again. */
export type FanoutRemainder = 'nothing' | 'more' | 'others';

interface PlannedDelivery {
  readonly entry: OutboxRow;
  readonly event: Id;
  readonly webhook: SubscribedWebhook;
}

export class EventFanout {
  readonly #run: Run;
  readonly #tenant: readonly [string, string];
  readonly #ids: IdSource;
  readonly #now: Date;

  constructor({ scope, run }: { scope: Scope; run: Run }, { ids, now }: { ids: IdSource; now: number }) {
    this.#run = run;
    this.#tenant = [scope.workspaceId, scope.environment];
    this.#ids = ids;
    this.#now = new Date(now);
  }

  /** Hands out some of the events in the outbox, which must not be empty. */
  async fanOut(): Promise<FanoutRemainder> {
    const orderKeys = (await this.#run(lockOrderKeys, this.#tenant)).rows.map(({ orderKey }) => orderKey);
    if (orderKeys.length === 0) return 'others';
    const entries = (await this.#run(listEntries, [...this.#tenant, orderKeys])).rows;
    const clients = [...new Set(entries.flatMap(({ client }) => client ?? []))];
    const webhooks = (await this.#run(listWebhooks, [...this.#tenant, clients])).rows;
    const wantedTypes = [...new Set(webhooks.flatMap(({ events }) => events))];
    const planned: PlannedDelivery[] = [];
    let hasMore = entries.length >= entriesMax;
    const listed = await this.#listEvents(entries, wantedTypes);
    for (const [index, entry] of entries.entries()) {
      if (planned.length >= eventsMax) {
        hasMore = true;
        break;
      }
      const events = defined(listed[index], 'events are listed for each entry');
      append(planned, this.#plan(entry, events.slice(0, eventsMax), webhooks));
      hasMore = this.#finishEntry(entry, events) || hasMore;
    }
    if (planned.length > 0) this.#putDeliveries(planned);
    return hasMore ? 'more' : 'nothing';
  }

  async #listEvents(entries: readonly OutboxRow[], wantedTypes: readonly string[]): Promise<ListedEvent[][]> {
    if (wantedTypes.length === 0) return entries.map(() => []);
    const requests = entries.map(({ first, last, batch, client }) =>
      this.#run(listEvents, [...this.#tenant, first, last, batch, client, wantedTypes]),
    );
    return (await Promise.all(requests)).map(({ rows }) => rows);
  }

  #plan(entry: OutboxRow, events: readonly ListedEvent[], webhooks: readonly SubscribedWebhook[]): PlannedDelivery[] {
    const { client } = entry;
    const subscribed = webhooks.filter((one) => one.client === null || (client !== null && one.below.includes(client)));
    return events.flatMap(({ id, type }) =>
      subscribed.filter((one) => one.events.includes(type)).map((webhook) => ({ entry, event: id, webhook })),
    );
  }

  /** Removes from the outbox what was handed out. Returns whether some of the entry is left. */
  #finishEntry({ orderKey, number }: OutboxRow, events: readonly ListedEvent[]): boolean {
    const next = events[eventsMax];
    if (next === undefined) this.#run.enqueue(dropEntry, [...this.#tenant, orderKey, number]);
    else this.#run.enqueue(shortenEntry, [...this.#tenant, orderKey, number, next.id]);
    return next !== undefined;
  }

  #putDeliveries(planned: readonly PlannedDelivery[]): void {
    this.#run.enqueue(putDeliveries, [
      ...this.#tenant,
      this.#now,
      planned.map(() => this.#ids.next()),
      planned.map(({ webhook }) => webhook.client),
      planned.map(({ webhook }) => webhook.id),
      planned.map(({ event }) => event),
      planned.map(({ entry }) => entry.orderKey),
      planned.map(({ entry }) => String(entry.number)),
    ]);
    const queues = [...new Map(planned.map((one) => [`${one.webhook.id} ${one.entry.orderKey}`, one])).values()];
    this.#run.enqueue(enqueueDeliveries, [
      ...this.#tenant,
      this.#now,
      queues.map(({ webhook }) => webhook.id),
      queues.map(({ entry }) => entry.orderKey),
      queues.map(({ webhook }) => webhook.client),
    ]);
  }
}
