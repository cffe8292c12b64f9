// Deletes finished rounds and ended states of limits that were kept long enough, except those that answers and later rounds still need.

import type { Scope } from '../../model/access/scope.ts';
import { allowDrops, dropBatchMax, type DropResult } from '../access/retention.ts';
import type { Run } from '../postgres/statement-runner.ts';
import { sql } from '../postgres/statement.ts';

const ofTenant = (alias: string): string => `${alias}.workspace_id = $1 AND ${alias}.environment = $2`;

/** The next round of a client compares itself with its last one. States that last and breaks that are not closed name their round. */
const dropRounds = sql<{ seen: number; lastId: string; count: number }>(
  'round-retention/rounds',
  `WITH old AS MATERIALIZED (SELECT r.id, r.client_id FROM calculation_round r
       WHERE ${ofTenant('r')} AND r.finished_at IS NOT NULL AND r.id > $3 AND r.id < $4 ORDER BY r.id LIMIT ${dropBatchMax}),
     dropped AS (DELETE FROM calculation_round r USING old o WHERE ${ofTenant('r')} AND r.id = o.id
       AND o.id < (SELECT max(n.id) FROM calculation_round n WHERE ${ofTenant('n')} AND n.client_id = o.client_id AND n.state = 'finished')
       AND NOT EXISTS (SELECT FROM limit_state s WHERE s.workspace_id = $1 AND s.current_environment = $2
         AND s.client_id = o.client_id AND s.round_id = o.id)
       AND NOT EXISTS (SELECT FROM reconciliation_break b WHERE ${ofTenant('b')} AND b.client_id = o.client_id
         AND b.state <> 'closed' AND b.round_id = o.id)
       RETURNING r.id)
   SELECT count(*)::int AS seen, coalesce(max(old.id), '') AS "lastId", (SELECT count(*)::int FROM dropped) AS count FROM old`,
);

/** Keeps old rounds that are still needed from making the tenant due again. */
const markRounds = sql(
  'round-retention/rounds-cleared',
  `UPDATE environment e SET rounds_cleared_to = $3 WHERE ${ofTenant('e')} AND EXISTS (SELECT FROM calculation_round r
     WHERE ${ofTenant('r')} AND r.finished_at IS NOT NULL AND r.id >= e.rounds_cleared_to AND r.id < $3)`,
);

/** While a limit cannot be evaluated, the next state that can be is compared with the last that could. */
const isCompared = `k.state <> 'not_evaluable'
  AND EXISTS (SELECT FROM limit_state o WHERE o.workspace_id = $1 AND o.current_environment = $2 AND o.limit_id = k.limit_id
    AND o.reporting_entity_id = k.reporting_entity_id AND o.state = 'not_evaluable')
  AND k.since = (SELECT max(n.since) FROM limit_state n WHERE ${ofTenant('n')} AND n.limit_id = k.limit_id
    AND n.reporting_entity_id = k.reporting_entity_id AND n.state <> 'not_evaluable')`;

const dropStates = sql(
  'round-retention/states',
  `DELETE FROM limit_state s WHERE ${ofTenant('s')} AND s.until IS NOT NULL AND s.id = ANY (ARRAY(
     SELECT k.id FROM limit_state k WHERE ${ofTenant('k')} AND k.id < $3 AND k.until < $4 AND NOT (${isCompared})
     ORDER BY k.until LIMIT ${dropBatchMax}))`,
);

const markStates = sql(
  'round-retention/states-cleared',
  `UPDATE environment e SET limits_cleared_to = $3 WHERE ${ofTenant('e')} AND EXISTS (SELECT FROM limit_state s
     WHERE ${ofTenant('s')} AND s.until >= e.limits_cleared_to AND s.until < $3)`,
);

export interface RoundDropResult extends DropResult {
  /** The last round that was looked at. */
  readonly lastId: string;
}

/** Deletes some of the rounds that began before a moment, looking at those after an id. */
export async function dropOldRounds(
  run: Run,
  { workspaceId, environment }: Scope,
  { before, afterId }: { readonly before: number; readonly afterId: string },
): Promise<RoundDropResult> {
  const firstKeptId = allowDrops(run, before);
  const { rows } = await run({ ...dropRounds, plan: 'set-wise' }, [workspaceId, environment, afterId, firstKeptId]);
  const { seen = 0, lastId = afterId, count = 0 } = rows[0] ?? {};
  const hasMore = seen >= dropBatchMax;
  if (!hasMore) run.enqueue(markRounds, [workspaceId, environment, firstKeptId]);
  return { count, lastId, hasMore };
}

/** Deletes some of the states that ended before a moment. */
export async function dropOldLimitStates(
  run: Run,
  { workspaceId, environment }: Scope,
  before: number,
): Promise<DropResult> {
  const firstKeptId = allowDrops(run, before);
  const { count } = await run(dropStates, [workspaceId, environment, firstKeptId, new Date(before)]);
  const hasMore = count >= dropBatchMax;
  if (!hasMore) run.enqueue(markStates, [workspaceId, environment, new Date(before)]);
  return { count, hasMore };
}
