// The lanes of webhooks: which are due, whose a lane is, and what became of what was delivered in it. A lane is taken by comparing and
// setting, and whoever does anything to it names itself, so that one who was slow touches nothing. Knows no receiver.

import type { Id } from '../kit/id.ts';
import type { Event } from '../model/event.ts';
import type { Reach } from '../model/reach.ts';
import type { WebhookScheme } from '../model/webhook.ts';
import type { Database } from './database.ts';
import { sql, type Value } from './statement.ts';

/** So many lanes of a tenant are found at once. */
export const lanesFoundMax = 500;
/** So many deliveries of a lane are read at once. */
export const headsMax = 20;
/** So many tenants are asked about on one trip. */
const tenantsOnATrip = 50;

export interface LaneName {
  readonly webhook: Id;
  readonly lane: string;
}

export interface DueLanes {
  readonly hasOutbox: boolean;
  readonly lanes: readonly LaneName[];
}

/** How a webhook is reached, and what its deliveries are signed with. */
export interface Target {
  readonly url: string;
  readonly scheme: WebhookScheme;
  readonly secretSealed: Buffer | null;
  readonly previousSecretSealed: Buffer | null;
  readonly previousSecretUntil: number | null;
}

/** A delivery that is next in its lane, and its event. */
export interface Head extends Pick<
  Event,
  'type' | 'client' | 'createdAt' | 'data' | 'transactionId' | 'transactionVersion'
> {
  readonly delivery: Id;
  readonly id: Id;
  readonly attemptCount: number;
  readonly firstAttemptAt: number | null;
}

export interface HeldLane extends LaneName {
  readonly holder: Id;
  readonly queued: number;
  readonly target: Target;
  readonly heads: readonly Head[];
}

/** What came of one attempt, and what that makes of the delivery and its lane. */
export interface Attempted {
  readonly delivery: Id;
  readonly at: number;
  readonly status: number | null;
  readonly error: string | null;
  readonly durationMs: number;
  readonly answer: string | null;
  readonly state: 'pending' | 'delivered' | 'dead';
  readonly endedAt: number;
  /** Of what is pending still. */
  readonly nextAttemptAt: number | null;
  /** Until when the lane stays ours, where it does. */
  readonly leaseUntil: number;
}

const findDue = sql<{ hasOutbox: boolean; lanes: readonly string[] }>(
  'webhook-lanes/due',
  `SELECT EXISTS (SELECT FROM outbox o WHERE o.workspace_id = $1 AND o.environment = $2) AS "hasOutbox",
     ARRAY(SELECT l.webhook_id || ' ' || l.lane FROM webhook_lane l
       JOIN webhook w ON w.workspace_id = $1 AND w.environment = $2 AND w.id = l.webhook_id AND w.state = 'enabled'
       WHERE l.workspace_id = $1 AND l.environment = $2 AND l.due_at <= $3
       ORDER BY l.due_at, l.webhook_id, l.lane LIMIT ${lanesFoundMax}) AS lanes`,
);

/** Of each tenant, in their order: one trip for many of them, and no question across any two. */
export async function findDueLanes(database: Database, tenants: readonly Reach[], now: number): Promise<DueLanes[]> {
  const found: DueLanes[] = [];
  for (let first = 0; first < tenants.length; first += tenantsOnATrip) {
    const some = tenants.slice(first, first + tenantsOnATrip);
    const calls = some.map((reach) => ({ reach, values: [...placeOf(reach), new Date(now)] }));
    for (const { rows } of await database.readOfEach(findDue, calls)) {
      found.push({ hasOutbox: rows[0]!.hasOutbox, lanes: rows[0]!.lanes.map(nameOf) });
    }
  }
  return found;
}

function nameOf(text: string): LaneName {
  const at = text.indexOf(' ');
  return { webhook: text.slice(0, at) as Id, lane: text.slice(at + 1) };
}

const lane = 'l.workspace_id = $1 AND l.environment = $2 AND l.webhook_id = $3 AND l.lane = $4';
const ofWebhook = `w.workspace_id = $1 AND w.environment = $2 AND w.id = $3`;

const targetColumns = `w.url, w.scheme, w.secret_sealed AS "secretSealed", w.previous_secret_sealed AS "previousSecretSealed",
  w.previous_secret_until AS "previousSecretUntil"`;

const take = sql<Target & { queued: number }>(
  'webhook-lanes/take',
  `UPDATE webhook_lane l SET holder = $5, due_at = $6 FROM webhook w
   WHERE ${lane} AND l.due_at <= $7 AND ${ofWebhook} AND w.state = 'enabled' RETURNING l.queued, ${targetColumns}`,
);

const keep = sql<Target & { queued: number }>(
  'webhook-lanes/keep',
  `UPDATE webhook_lane l SET due_at = $6 FROM webhook w
   WHERE ${lane} AND l.holder = $5 AND ${ofWebhook} AND w.state = 'enabled' RETURNING l.queued, ${targetColumns}`,
);

const listHeads = sql<Head>(
  'webhook-lanes/heads',
  `SELECT d.id AS delivery, d.attempt_count AS "attemptCount", d.first_attempt_at AS "firstAttemptAt", e.id, e.type,
     e.client_id AS client, e.created_at AS "createdAt", e.data, e.transaction_id AS "transactionId",
     e.transaction_version AS "transactionVersion"
   FROM (SELECT * FROM delivery d WHERE d.workspace_id = $1 AND d.environment = $2 AND d.webhook_id = $3 AND d.lane = $4
     AND d.state = 'pending' ORDER BY d.number, d.event_id LIMIT ${headsMax}) d
   JOIN event e ON e.workspace_id = $1 AND e.environment = $2 AND e.id = d.event_id ORDER BY d.number, d.event_id`,
);

const settle = sql<{ isOpen: boolean }>(
  'webhook-lanes/settle',
  `WITH held AS (UPDATE webhook_lane l SET due_at = $6, holder = CASE WHEN $7 = 'pending' THEN NULL ELSE l.holder END
       WHERE ${lane} AND l.holder = $5 RETURNING l.webhook_id),
     done AS (UPDATE delivery d SET state = $7, attempt_count = d.attempt_count + 1,
         first_attempt_at = coalesce(d.first_attempt_at, $9), next_attempt_at = $10, ended_at = $11
       FROM held WHERE d.workspace_id = $1 AND d.environment = $2 AND d.id = $8 AND d.state = 'pending'
       RETURNING d.client_id, d.attempt_count),
     noted AS (INSERT INTO delivery_attempt (workspace_id, environment, delivery_id, number, client_id, at, status, error,
         duration_ms, answer)
       SELECT $1, $2, $8, d.attempt_count, d.client_id, $9, $12, $13, $14, $15 FROM done d)
   SELECT w.state = 'enabled' AND w.url = $16 AS "isOpen" FROM done, webhook w WHERE ${ofWebhook}`,
);

const leaveEmpty = sql(
  'webhook-lanes/leave-empty',
  `DELETE FROM webhook_lane l WHERE ${lane} AND l.holder = $5 AND l.queued = $6`,
);
const leave = sql(
  'webhook-lanes/leave',
  `UPDATE webhook_lane l SET holder = NULL, due_at = $6 WHERE ${lane} AND l.holder = $5`,
);

function placeOf({ workspaceId, environment }: Reach): [string, string] {
  return [workspaceId, environment];
}

export class WebhookLanes {
  readonly #database: Database;
  readonly #reach: Reach;

  constructor(database: Database, reach: Reach) {
    this.#database = database;
    this.#reach = reach;
  }

  #of({ webhook, lane: name }: LaneName): [string, string, string, string] {
    return [...placeOf(this.#reach), webhook, name];
  }

  /** Ours until the lease is over. Undefined where it is not due, or somebody else has it. */
  take(name: LaneName, holder: Id, { now, leaseUntil }: { now: number; leaseUntil: number }) {
    return this.#hold(name, holder, { statement: take, values: [new Date(leaseUntil), new Date(now)] });
  }

  /** The same lane with what is next in it. Undefined where it is not ours any more. */
  keep(held: HeldLane, leaseUntil: number): Promise<HeldLane | undefined> {
    return this.#hold(held, held.holder, { statement: keep, values: [new Date(leaseUntil)] });
  }

  async #hold(
    { webhook, lane: name }: LaneName,
    holder: Id,
    { statement, values }: { statement: typeof take; values: readonly Value[] },
  ): Promise<HeldLane | undefined> {
    const place = this.#of({ webhook, lane: name });
    const [taken, heads] = await this.#database.changeAtOnce(this.#reach, [
      { statement, values: [...place, holder, ...values] },
      { statement: listHeads, values: place },
    ]);
    const row = taken!.rows[0];
    if (row === undefined) return undefined;
    const { queued, ...target } = row;
    return { webhook, lane: name, holder, queued, target, heads: heads!.rows };
  }

  /** `lost` where the lane was not ours any more, and nothing was written; `closed` where the webhook is another now. */
  async settle(held: HeldLane, attempted: Attempted): Promise<'open' | 'closed' | 'lost'> {
    const { delivery, at, status, error, durationMs, answer, state, endedAt, nextAttemptAt, leaseUntil } = attempted;
    const isPending = state === 'pending';
    const values = [
      ...this.#of(held),
      held.holder,
      new Date(isPending ? nextAttemptAt! : leaseUntil),
      state,
      delivery,
      new Date(at),
      isPending ? new Date(nextAttemptAt!) : null,
      isPending ? null : new Date(endedAt),
      status,
      error,
      durationMs,
      answer,
      held.target.url,
    ];
    const [outcome] = await this.#database.changeAtOnce(this.#reach, [{ statement: settle, values }]);
    const row = outcome!.rows[0];
    return row === undefined ? 'lost' : row.isOpen ? 'open' : 'closed';
  }

  /** Nothing is left of what was seen in it. Where something has come meanwhile it is due at once: whether that is so. */
  async leaveEmpty(held: HeldLane, now: number): Promise<boolean> {
    const place = [...this.#of(held), held.holder];
    const [, left] = await this.#database.changeAtOnce(this.#reach, [
      { statement: leaveEmpty, values: [...place, held.queued] },
      { statement: leave, values: [...place, new Date(now)] },
    ]);
    return left!.count > 0;
  }

  async leave(held: HeldLane, dueAt: number): Promise<void> {
    const values = [...this.#of(held), held.holder, new Date(dueAt)];
    await this.#database.changeAtOnce(this.#reach, [{ statement: leave, values }]);
  }
}
