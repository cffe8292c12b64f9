// The lanes of webhooks: which are due, whose a lane is, and what became of what was delivered in it. A lane is taken by comparing and
// setting, and whoever does anything to it names itself, so that one who was slow touches nothing. Knows no receiver.

import type { Id } from '../../kit/id.ts';
import type { Event } from '../../model/event/event.ts';
import type { Reach } from '../../model/access/scope.ts';
import type { WebhookScheme } from '../../model/event/webhook.ts';
import type { Database } from '../postgres/database.ts';
import { sql, type Outcome } from '../postgres/statement.ts';

/** So many lanes of a tenant are found at once. */
export const lanesFoundMax = 500;
/** So many deliveries of a lane are read at first, most lanes having one or two and failing ones needing no more, and then at once. */
const headsMax = { atFirst: 5, later: 20 };
/** So many tenants are asked about on one trip. */
const tenantsOnATrip = 50;

export interface LaneName {
  readonly webhook: Id;
  readonly lane: string;
}

/** Now, and until when what is held now stays so; it is prolonged where it would end before another moment. */
export interface Lease {
  readonly now: number;
  readonly until: number;
  readonly prolongedBefore: number;
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

/** A lane that may be due, or one that is held already and has more in it. */
export interface AskedLane extends LaneName {
  readonly holder?: Id;
}

export interface HeldLane extends LaneName {
  readonly holder: Id;
  readonly queued: number;
  readonly target: Target;
  readonly heads: readonly Head[];
  /** There was nothing else in it. */
  readonly isWhole: boolean;
}

/** What came of one attempt, and what that makes of the delivery and its lane. */
export interface Attempted {
  readonly held: HeldLane;
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
  /** Nothing that was seen in the lane comes after it. */
  readonly isLast: boolean;
}

/**
 * What became of the lane: it is still ours, or would be if the webhook were not another now; it waits for its next attempt; it was
 * empty and is gone; something has come into it and it is due at once; or it was not ours any more, and nothing was written.
 */
export type LaneAfter = 'open' | 'closed' | 'waiting' | 'empty' | 'refilled' | 'lost';

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

/** Rows that another one names. By themselves, so that they are looked up by all that is said of them, whatever is known of the table. */
const named = (columns: string, from: string, where: string): string =>
  `CROSS JOIN LATERAL (SELECT ${columns} FROM ${from} WHERE workspace_id = $1 AND environment = $2 AND ${where})`;
const laneNamed = 'webhook_id = a.webhook_id AND lane = a.lane';
/** The lanes of rows, to be changed with them: for the same reason. */
const lanesOf = (rows: string): string => `l.workspace_id = $1 AND l.environment = $2
  AND l.webhook_id = ANY (ARRAY(SELECT webhook_id ${rows})) AND l.lane = ANY (ARRAY(SELECT lane ${rows}))
  AND l.webhook_id = r.webhook_id AND l.lane = r.lane`;
const lanesWith = (fate: string): string => `${lanesOf(`FROM done WHERE fate = '${fate}'`)} AND r.fate = '${fate}'`;

/** Lanes are locked in the order in which they are asked for. */
const take = sql<Target & LaneName & { holder: Id; queued: number }>(
  'webhook-lanes/take',
  `WITH free AS MATERIALIZED (SELECT a.webhook_id, a.lane, coalesce(a.holder, $6) AS by, w.*
       FROM unnest($3::text[], $4::text[], $5::text[]) a (webhook_id, lane, holder)
       ${named('url, scheme, secret_sealed, previous_secret_sealed, previous_secret_until', 'webhook', "id = a.webhook_id AND state = 'enabled' LIMIT 1")} w
       ${named('1', 'webhook_lane', `${laneNamed} AND (holder = a.holder OR a.holder IS NULL AND due_at <= $7) FOR NO KEY UPDATE`)} l)
   UPDATE webhook_lane l SET holder = r.by, due_at = $8 FROM free r WHERE ${lanesOf('FROM free')}
   RETURNING l.webhook_id AS webhook, l.lane, l.holder, l.queued, r.url, r.scheme, r.secret_sealed AS "secretSealed",
     r.previous_secret_sealed AS "previousSecretSealed", r.previous_secret_until AS "previousSecretUntil"`,
);

const listHeads = sql<Head & LaneName>(
  'webhook-lanes/heads',
  `SELECT a.webhook_id AS webhook, a.lane, d.id AS delivery, d.attempt_count AS "attemptCount",
     d.first_attempt_at AS "firstAttemptAt", e.id, e.type, e.client_id AS client, e.created_at AS "createdAt", e.data,
     e.transaction_id AS "transactionId", e.transaction_version AS "transactionVersion"
   FROM unnest($3::text[], $4::text[], $5::text[]) a (webhook_id, lane, holder) 
   ${named('1', 'webhook_lane', `${laneNamed} AND holder = coalesce(a.holder, $6) LIMIT 1`)} l
   ${named(
     '*',
     'delivery',
     `${laneNamed} AND state = 'pending' ORDER BY number, event_id
     LIMIT CASE WHEN a.holder IS NULL THEN ${headsMax.atFirst} ELSE ${headsMax.later} END`,
   )} d
   ${named('*', 'event', 'id = d.event_id LIMIT 1')} e
   ORDER BY a.webhook_id, a.lane, d.number, d.event_id`,
);

/**
 * `queued` is told with the last of a lane: where it is as it was, nothing is left in it. What is pending has not ended; said by its
 * state, deliveries would be looked for in the queues of all lanes.
 */
const settle = sql<{ delivery: Id; after: LaneAfter }>(
  'webhook-lanes/settle',
  `WITH held AS MATERIALIZED (SELECT a.*, CASE WHEN a.state = 'pending' THEN 'waiting' WHEN l.queued = a.queued THEN 'empty'
         WHEN a.queued IS NOT NULL THEN 'refilled' WHEN l.due_at < $18 THEN 'prolonged' ELSE 'kept' END AS fate
       FROM unnest($3::text[], $4::text[], $5::text[], $6::text[], $7::text[], $8::timestamptz[], $9::timestamptz[],
         $10::timestamptz[], $11::int[], $12::text[], $13::int[], $14::text[], $15::text[], $16::bigint[])
         a (webhook_id, lane, holder, delivery_id, state, at, next_attempt_at, ended_at, status, error, duration_ms, answer, url,
           queued)
       ${named('queued, due_at', 'webhook_lane', `${laneNamed} AND holder = a.holder FOR NO KEY UPDATE`)} l),
     done AS (UPDATE delivery d SET state = h.state, attempt_count = d.attempt_count + 1,
         first_attempt_at = coalesce(d.first_attempt_at, h.at), next_attempt_at = h.next_attempt_at, ended_at = h.ended_at
       FROM held h WHERE d.workspace_id = $1 AND d.environment = $2 AND d.id = ANY ($6::text[]) AND d.id = h.delivery_id
         AND d.ended_at IS NULL RETURNING h.*, d.client_id, d.attempt_count),
     noted AS (INSERT INTO delivery_attempt (workspace_id, environment, delivery_id, number, client_id, at, status, error,
         duration_ms, answer)
       SELECT $1, $2, delivery_id, attempt_count, client_id, at, status, error, duration_ms, answer FROM done),
     emptied AS (DELETE FROM webhook_lane l USING done r WHERE ${lanesWith('empty')}),
     waiting AS (UPDATE webhook_lane l SET holder = NULL, due_at = r.next_attempt_at FROM done r WHERE ${lanesWith('waiting')}),
     refilled AS (UPDATE webhook_lane l SET holder = NULL, due_at = r.ended_at FROM done r WHERE ${lanesWith('refilled')}),
     prolonged AS (UPDATE webhook_lane l SET due_at = $17 FROM done r WHERE ${lanesWith('prolonged')})
   SELECT r.delivery_id AS delivery, CASE WHEN r.fate IN ('waiting', 'empty', 'refilled') THEN r.fate
     WHEN w.state = 'enabled' AND w.url = r.url THEN 'open' ELSE 'closed' END AS after
   FROM done r ${named('state, url', 'webhook', 'id = r.webhook_id LIMIT 1')} w`,
);

const lane = 'l.workspace_id = $1 AND l.environment = $2 AND l.webhook_id = $3 AND l.lane = $4';
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

function textOf(moment: number | null): string | null {
  return moment === null ? null : new Date(moment).toISOString();
}

/** The order in which everybody locks lanes who locks several. */
function byLane(one: LaneName, other: LaneName): number {
  return keyOf(one) < keyOf(other) ? -1 : 1;
}

function keyOf({ webhook, lane: name }: LaneName): string {
  return `${webhook} ${name}`;
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

  /** Each with what is next in it. Undefined where it is not due, or somebody else has it. */
  async take(asked: readonly AskedLane[], holder: Id, { now, until }: Lease): Promise<(HeldLane | undefined)[]> {
    const ordered = asked.toSorted(byLane);
    const lanes = [
      ...placeOf(this.#reach),
      ordered.map(({ webhook }) => webhook),
      ordered.map(({ lane: name }) => name),
      ordered.map((one) => one.holder ?? null),
      holder,
    ];
    const [taken, listed] = await this.#database.changeAtOnce(this.#reach, [
      { statement: take, values: [...lanes, new Date(now), new Date(until)] },
      { statement: listHeads, values: lanes },
    ]);
    const heads = Map.groupBy((listed as Outcome<Head & LaneName>).rows, keyOf);
    const held = new Map<string, HeldLane>();
    for (const { webhook, lane: name, holder: by, queued, ...target } of taken!.rows) {
      const key = keyOf({ webhook, lane: name });
      const found = heads.get(key) ?? [];
      const isWhole = found.length < (by === holder ? headsMax.atFirst : headsMax.later);
      held.set(key, { webhook, lane: name, holder: by, queued, target, heads: found, isWhole });
    }
    return asked.map((one) => held.get(keyOf(one)));
  }

  /** What became of the lane of each. */
  async settle(made: readonly Attempted[], { until, prolongedBefore }: Lease): Promise<LaneAfter[]> {
    const attempted = made.toSorted((one, other) => byLane(one.held, other.held));
    const values = [
      ...placeOf(this.#reach),
      attempted.map(({ held }) => held.webhook),
      attempted.map(({ held }) => held.lane),
      attempted.map(({ held }) => held.holder),
      attempted.map(({ delivery }) => delivery),
      attempted.map(({ state }) => state),
      attempted.map(({ at }) => textOf(at)),
      attempted.map(({ nextAttemptAt }) => textOf(nextAttemptAt)),
      attempted.map(({ state, endedAt }) => (state === 'pending' ? null : textOf(endedAt))),
      attempted.map(({ status }) => status?.toString() ?? null),
      attempted.map(({ error }) => error),
      attempted.map(({ durationMs }) => String(durationMs)),
      attempted.map(({ answer }) => answer),
      attempted.map(({ held }) => held.target.url),
      attempted.map(({ held, isLast, state }) => (isLast && state !== 'pending' ? String(held.queued) : null)),
      new Date(until),
      new Date(prolongedBefore),
    ];
    const [outcome] = await this.#database.changeAtOnce(this.#reach, [{ statement: settle, values }]);
    const { rows } = outcome as Outcome<{ delivery: Id; after: LaneAfter }>;
    const after = new Map(rows.map((row) => [row.delivery, row.after]));
    return made.map(({ delivery }) => after.get(delivery) ?? 'lost');
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
