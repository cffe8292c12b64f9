// The states of limits at reporting entities, each from one moment until another: every change of a state is a row.

import type { Id } from '../../kit/id.ts';
import type { Resource } from '../../kit/resource.ts';
import { limitBreach } from '../../model/limit/limit-breach.ts';
import type { Limit, LimitKind } from '../../model/limit/limit.ts';
import type { Scope } from '../../model/access/scope.ts';
import type { Run } from '../postgres/statement-runner.ts';
import { endOfMillisecond } from './known-at-sql.ts';
import { endingMomentSql, tenantFilterValues, tenantFilterSql } from './resource-sql.ts';
import { memoized, sql } from '../postgres/statement.ts';

type LimitStateName = 'compliant' | 'breached' | 'not_evaluable';

/** The state that an evaluation finds for a limit at one reporting entity. */
export interface EvaluatedState {
  readonly id: Id;
  readonly limit: Id;
  readonly reportingEntity: Id;
  readonly kind: LimitKind;
  readonly state: LimitStateName;
  readonly reason: string | null;
  /** Of any length: it is a sum of products. */
  readonly currentValue: string | null;
  readonly bound: 'min' | 'max' | null;
  readonly boundValue: string | null;
}

/** A state that is current, or was current at a moment. */
export interface RecordedState {
  readonly limit: Id;
  readonly reportingEntity: Id;
  readonly round: Id | null;
  readonly state: LimitStateName;
  readonly reason: string | null;
  readonly since: number;
}

/** The declaration without its filter for breached states. */
const anyState: Resource = { ...limitBreach, only: {} };

const setEnd = `until = ${endingMomentSql('$3', 's.since')}`;
const isCurrent = 's.workspace_id = $1 AND s.current_environment = $2';

const closeOfLimit = sql(
  'limit-states/close-limit',
  `UPDATE limit_state s SET ${setEnd} WHERE ${isCurrent} AND s.limit_id = $4`,
);

const closeOfEntity = sql(
  'limit-states/close-entity',
  `UPDATE limit_state s SET ${setEnd} WHERE ${isCurrent} AND s.reporting_entity_id = $4`,
);

/** Ends current states that were not found again, and begins those that were found and are not current yet. */
const putStates = sql<{ id: Id }>(
  'limit-states/record',
  `WITH found AS MATERIALIZED (SELECT * FROM jsonb_to_recordset($5::jsonb) AS f (id text, "limit" text, "reportingEntity" text,
       kind text, state text, reason text, "currentValue" numeric, bound text, "boundValue" numeric)),
     lasting AS MATERIALIZED (SELECT s.id, f.id AS found_id FROM limit_state s LEFT JOIN found f ON f."limit" = s.limit_id
       AND f."reportingEntity" = s.reporting_entity_id AND f.state = s.state AND f.reason IS NOT DISTINCT FROM s.reason
       WHERE ${isCurrent} AND s.client_id = $4),
     ended AS (UPDATE limit_state s SET ${setEnd} FROM lasting l
       WHERE ${isCurrent} AND s.id = l.id AND l.found_id IS NULL RETURNING s.limit_id, s.reporting_entity_id, s.until)
   INSERT INTO limit_state (workspace_id, environment, id, client_id, limit_id, reporting_entity_id, round_id, kind, state, reason,
     current_value, bound, bound_value, since)
   SELECT $1, $2, f.id, $4, f."limit", f."reportingEntity", $6, f.kind, f.state, f.reason, f."currentValue", f.bound,
     f."boundValue", coalesce(e.until, $3)
   FROM found f LEFT JOIN ended e ON e.limit_id = f."limit" AND e.reporting_entity_id = f."reportingEntity"
   WHERE f.id NOT IN (SELECT l.found_id FROM lasting l WHERE l.found_id IS NOT NULL) ORDER BY f.id RETURNING id`,
);

/** A limit, as far as it takes to see what its filter names. */
export type LimitWithFilter = Pick<Limit, 'id' | 'client' | 'name' | 'filter'>;

const listWithText = sql<LimitWithFilter>(
  'limit-states/with-text',
  `SELECT l.id, l.client_id AS client, l.name, l.filter FROM limit_rule l WHERE l.workspace_id = $1 AND l.environment = $2
     AND EXISTS (SELECT FROM unnest($3::text[]) t (text) WHERE position(to_json(t.text)::text IN l.filter::text) > 0) ORDER BY l.id`,
);

interface PreviousState {
  /** The id of the state that follows it. */
  readonly of: Id;
  readonly state: LimitStateName;
}

const listPrevious = sql<PreviousState>(
  'limit-states/before',
  `SELECT n.id AS of, b.state FROM unnest($3::text[], $4::text[], $5::text[]) n (id, limit_id, entity_id)
   CROSS JOIN LATERAL (SELECT s.state FROM limit_state s WHERE s.workspace_id = $1 AND s.environment = $2
     AND s.limit_id = n.limit_id AND s.reporting_entity_id = n.entity_id AND s.state <> 'not_evaluable' AND s.id <> n.id
     ORDER BY s.since DESC LIMIT 1) b`,
);

export class LimitStates {
  readonly #scope: Scope;
  readonly #run: Run;

  constructor(scope: Scope, run: Run) {
    this.#scope = scope;
    this.#run = run;
  }

  /** Stores all states that a round found for a client's limits, and returns the ids of the new ones. */
  async putStates(
    found: readonly EvaluatedState[],
    { client, round, now }: { client: Id; round: Id | null; now: number },
  ): Promise<Id[]> {
    const { workspaceId, environment } = this.#scope;
    const values = [workspaceId, environment, new Date(now), client, JSON.stringify(found), round];
    return (await this.#run(putStates, values)).rows.map(({ id }) => id);
  }

  /** For each of these states, the one before it in which the limit could be evaluated. */
  async listPrevious(
    states: readonly Pick<EvaluatedState, 'id' | 'limit' | 'reportingEntity'>[],
  ): Promise<PreviousState[]> {
    const { workspaceId, environment } = this.#scope;
    const columns = [states.map(({ id }) => id), states.map(({ limit }) => limit)];
    const entities = states.map(({ reportingEntity }) => reportingEntity);
    return (await this.#run(listPrevious, [workspaceId, environment, ...columns, entities])).rows;
  }

  /** Limits of the whole workspace whose filter has one of these texts as a value or as anything else. */
  async listLimitsWithText(texts: readonly string[]): Promise<LimitWithFilter[]> {
    const { workspaceId, environment } = this.#scope;
    return (await this.#run(listWithText, [workspaceId, environment, texts])).rows;
  }

  /** Ends the current states of a limit that is deleted. Enqueued. */
  closeLimit(id: Id, now: number): void {
    this.#run.enqueue(closeOfLimit, [this.#scope.workspaceId, this.#scope.environment, new Date(now), id]);
  }

  /** Ends the current states at a reporting entity that is deleted. Enqueued. */
  closeReportingEntity(id: Id, now: number): void {
    this.#run.enqueue(closeOfEntity, [this.#scope.workspaceId, this.#scope.environment, new Date(now), id]);
  }

  /** The states of a client's limits that are current, or were at a moment. */
  async listKnown(client: Id, knownAt?: number): Promise<RecordedState[]> {
    const { visibleClients } = this.#scope;
    const isHistorical = knownAt !== undefined;
    const momentCondition = isHistorical
      ? 'AND t.since <= $5 AND (t.until IS NULL OR t.until > $5)'
      : 'AND t.current_environment IS NOT NULL';
    const statement = memoized<RecordedState>(
      `limit-states/${visibleClients.kind}/${isHistorical ? 'then' : 'now'}`,
      () => `SELECT t.limit_id AS "limit", t.reporting_entity_id AS "reportingEntity", t.round_id AS round, t.state, t.reason,
          t.since FROM limit_state t WHERE ${tenantFilterSql(anyState, visibleClients.kind)} AND t.client_id = $4 ${momentCondition}
          ORDER BY t.limit_id, t.reporting_entity_id`,
    );
    const values = [...tenantFilterValues(this.#scope), client, ...(isHistorical ? [endOfMillisecond(knownAt)] : [])];
    return (await this.#run(statement, values)).rows;
  }
}
