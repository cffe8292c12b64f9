// The queue of calculation rounds: which are due, taking one for an attempt, and recording its end. A round is taken by compare-and-set
// and every change names the attempt, so that a node that has lost its lease changes nothing.

import type { CalendarDate } from '../../kit/calendar-date.ts';
import type { Id } from '../../kit/id.ts';
import type { RoundCause, RoundCounts, RoundProgress } from '../../model/limit/calculation-round.ts';
import type { Scope, Tenant } from '../../model/access/scope.ts';
import type { Database } from '../postgres/database.ts';
import type { Run } from '../postgres/statement-runner.ts';
import { arrayOfAnyLength, sql, type Value } from '../postgres/statement.ts';
import { DueWorkFinder, type DueWork } from './due-work.ts';

interface RoundDemand {
  /** Flags that several clients share have to be spread before rounds are taken. */
  readonly hasSharedMarks: boolean;
  readonly isNewDay: boolean;
  /** Something is flagged that is not due yet. */
  readonly isMoreComing: boolean;
}

/** Clients whose rounds are due: those whose round was left behind first, then those that have been dirty for the longest time. */
export type DueRounds = DueWork<Id, RoundDemand>;

export interface DueQuery {
  /** Flags of this moment or earlier are due. */
  readonly dirtyBefore: number;
  readonly now: number;
  readonly today: CalendarDate;
}

/** A round that was taken for an attempt, with the number of that attempt. */
export interface TakenRound {
  readonly id: Id;
  readonly client: Id;
  readonly attempts: number;
  readonly causes: readonly RoundCause[];
}

export interface RoundResult extends RoundCounts {
  readonly ledgerVersion: string | null;
  /** The webhooks that changes of holdings are announced to. */
  readonly holdingSubscribers: readonly Id[];
  /** The same figures have the same digest, whatever the day. */
  readonly figuresDigest: string;
}

const unfinished = 'r.workspace_id = $1 AND r.environment = $2 AND r.finished_at IS NULL';
/** Of the clients `$3`. */
const ofWanted = (alias: string): string => `${alias}.client_id = ANY (${arrayOfAnyLength('$3')})`;
const marked = (table: string): string => `FROM ${table} m WHERE m.workspace_id = $1 AND m.environment = $2`;

const dueRounds = new DueWorkFinder<Id, RoundDemand>({
  name: 'rounds/due',
  keys: [
    `SELECT r.client_id FROM calculation_round r WHERE ${unfinished} AND r.lease_until <= $4
     ORDER BY r.lease_until, r.client_id`,
    `SELECT m.client_id ${marked('round_mark')} AND m.since <= $3
       AND NOT EXISTS (SELECT FROM calculation_round r WHERE ${unfinished} AND r.client_id = m.client_id)
     ORDER BY m.since, m.client_id`,
  ],
  keysMax: 500,
  extras: {
    hasSharedMarks: `EXISTS (SELECT ${marked('shared_round_mark')} AND m.since <= $3)`,
    isNewDay: `EXISTS (SELECT FROM environment e WHERE e.workspace_id = $1 AND e.environment = $2
      AND (e.day_marked IS NULL OR e.day_marked < $5))`,
    isMoreComing: `EXISTS (SELECT ${marked('round_mark')} AND m.since > $3)
      OR EXISTS (SELECT ${marked('shared_round_mark')} AND m.since > $3)`,
  },
});

export function findDueRounds(
  database: Database,
  tenants: readonly Tenant[],
  { dirtyBefore, now, today }: DueQuery,
): Promise<DueRounds[]> {
  return dueRounds.find(database, tenants, [new Date(dirtyBefore), new Date(now), today]);
}

const markDay = sql(
  'rounds/mark-day',
  `UPDATE environment SET day_marked = $3 WHERE workspace_id = $1 AND environment = $2
     AND (day_marked IS NULL OR day_marked < $3)`,
);

/** Takes over rounds whose lease has ended. Flags that were set since belong to the attempt that begins now. Mostly there is none, and no flag is read. */
const takeOver = sql<TakenRound>(
  'rounds/take-over',
  `WITH left_over AS MATERIALIZED (SELECT r.id, r.client_id FROM calculation_round r
       WHERE ${unfinished} AND ${ofWanted('r')} AND r.lease_until <= $4 ORDER BY r.client_id FOR UPDATE),
     mark AS (DELETE FROM round_mark m USING left_over l WHERE m.workspace_id = $1 AND m.environment = $2 AND ${ofWanted('m')}
       AND m.client_id = l.client_id AND EXISTS (SELECT FROM left_over) RETURNING m.client_id, m.causes)
   UPDATE calculation_round r SET state = 'running', error = NULL, attempts = r.attempts + 1, lease_until = $5, causes = r.causes
     || ARRAY(SELECT one FROM mark k, unnest(k.causes) one WHERE k.client_id = r.client_id AND one <> ALL (r.causes))
   FROM left_over l WHERE ${unfinished} AND ${ofWanted('r')} AND r.id = l.id
   RETURNING r.id, r.client_id AS client, r.attempts, r.causes`,
);

/**
 * Opens the round of a client from its dirty flag. A statement for each client, by its whole key: the size of a table of flags is never what its
 * statistics say, and for several clients the planner would read all flags of the tenant. Where another node has just opened one, the unique index
 * fails and the transaction is retried.
 */
const open = sql<TakenRound>(
  'rounds/open',
  `WITH mark AS (DELETE FROM round_mark m WHERE m.workspace_id = $1 AND m.environment = $2 AND m.client_id = $3 AND m.since <= $7
       AND NOT EXISTS (SELECT FROM calculation_round r WHERE ${unfinished} AND r.client_id = $3) RETURNING m.since, m.causes)
   INSERT INTO calculation_round AS r (workspace_id, environment, id, client_id, causes, state, marked_since, started_at, lease_until)
   SELECT $1, $2, $6, $3, causes, 'running', since, $4, $5 FROM mark
   RETURNING r.id, r.client_id AS client, r.attempts, r.causes`,
);

const ofAttempt = `r.workspace_id = $1 AND r.environment = $2 AND r.id = $3 AND r.attempts = $4 AND r.state = 'running'`;
const change = (name: string, changes: string) =>
  sql(`rounds/${name}`, `UPDATE calculation_round r SET ${changes} WHERE ${ofAttempt}`);

const renewLease = change('keep', 'lease_until = $5, done_count = $6, total_count = $7');
const release = change('hand-back', 'lease_until = least(r.lease_until, $5)');
const fail = change('fail', `state = 'failed', error = $6, lease_until = $5`);
const finish = change(
  'finish',
  `state = 'finished', finished_at = greatest(r.started_at, $5), ledger_version = $6, done_count = $7, total_count = $7,
     reporting_entity_count = $7, holding_count = $8, limit_count = $9, breach_count = $10, finding_count = $11, holding_subscribers = $12, figures_digest = $13`,
);

function tenantValues({ workspaceId, environment }: Scope): [string, string] {
  return [workspaceId, environment];
}

const isDue = sql<{ readonly isDue: boolean }>(
  'rounds/is-due',
  `SELECT EXISTS (SELECT FROM round_mark m WHERE m.workspace_id = $1 AND m.environment = $2 AND m.client_id = $3)
     OR EXISTS (SELECT FROM shared_round_mark m WHERE m.workspace_id = $1 AND m.environment = $2)
     OR EXISTS (SELECT FROM calculation_round r WHERE r.workspace_id = $1 AND r.environment = $2 AND r.client_id = $3
       AND r.finished_at IS NULL) AS "isDue"`,
);

export class RoundQueue {
  readonly #run: Run;
  readonly #tenant: readonly [string, string];

  constructor(scope: Scope, run: Run) {
    this.#run = run;
    this.#tenant = tenantValues(scope);
  }

  /** Returns whether nobody has marked the day yet. */
  async markDay(today: CalendarDate): Promise<boolean> {
    return (await this.#run(markDay, [...this.#tenant, today])).count === 1;
  }

  /** Whether something has changed since the last finished round of a client, as far as was recorded. */
  async isDue(client: Id): Promise<boolean> {
    return (await this.#run(isDue, [...this.#tenant, client])).rows[0]?.isDue === true;
  }

  /** Leases rounds that were left behind and, for clients that have none, rounds from dirty flags; in no particular order. */
  async take(
    wanted: readonly { readonly client: Id; readonly id: Id }[],
    { now, leaseUntil, dirtyBefore }: { now: number; leaseUntil: number; dirtyBefore: number },
  ): Promise<readonly TakenRound[]> {
    const moments = [new Date(now), new Date(leaseUntil)];
    // Flags are always locked in the order of their clients.
    const sorted = wanted.toSorted((one, other) => (one.client < other.client ? -1 : 1));
    const [left, ...opened] = await Promise.all([
      this.#run(takeOver, [...this.#tenant, sorted.map(({ client }) => client), ...moments]),
      ...sorted.map(({ client, id }) =>
        this.#run(open, [...this.#tenant, client, ...moments, id, new Date(dirtyBefore)]),
      ),
    ]);
    return [...left.rows, ...opened.flatMap(({ rows }) => rows)];
  }

  /** Returns whether the lease was still held, as do all changes below. */
  async renewLease(
    round: TakenRound,
    { leaseUntil, done, total }: RoundProgress & { leaseUntil: number },
  ): Promise<boolean> {
    return this.#change(renewLease, round, [new Date(leaseUntil), done, total]);
  }

  /** Ends the lease now, so that another node can take the round over. */
  async release(round: TakenRound, now: number): Promise<boolean> {
    return this.#change(release, round, [new Date(now)]);
  }

  async fail(round: TakenRound, { code, retryAt }: { code: string; retryAt: number }): Promise<boolean> {
    return this.#change(fail, round, [new Date(retryAt), code]);
  }

  async finish(round: TakenRound, found: RoundResult, now: number): Promise<boolean> {
    const { ledgerVersion, reportingEntities, holdings, limits, breaches, findings } = found;
    return this.#change(finish, round, [
      new Date(now),
      ledgerVersion,
      reportingEntities,
      holdings,
      limits,
      breaches,
      findings,
      found.holdingSubscribers,
      found.figuresDigest,
    ]);
  }

  async #change(
    statement: typeof renewLease,
    { id, attempts }: TakenRound,
    values: readonly Value[],
  ): Promise<boolean> {
    return (await this.#run(statement, [...this.#tenant, id, attempts, ...values])).count === 1;
  }
}
