// Deletes events that were kept long enough, with their deliveries and attempts: some at a time, and none that has still to be handed out or
// delivered.

import type { Scope } from '../../model/access/scope.ts';
import { allowDrops, dropBatchMax, type DropResult } from '../access/retention.ts';
import type { Run } from '../postgres/statement-runner.ts';
import { sql } from '../postgres/statement.ts';

/** Ids sort by their moment of creation, and nothing ends before it is created. */
const dropDeliveries = sql(
  'event-retention/deliveries',
  `DELETE FROM delivery d WHERE d.workspace_id = $1 AND d.environment = $2 AND d.state <> 'pending' AND d.id = ANY (ARRAY(
     SELECT id FROM delivery WHERE workspace_id = $1 AND environment = $2 AND id < $3 AND state <> 'pending' AND ended_at < $4
     ORDER BY id LIMIT ${dropBatchMax}))`,
);

/** Leaves every event from the first on that waits in the outbox, and every event that has a delivery. */
const dropEvents = sql(
  'event-retention/events',
  `DELETE FROM event e WHERE e.workspace_id = $1 AND e.environment = $2 AND e.id = ANY (ARRAY(
     SELECT k.id FROM event k WHERE k.workspace_id = $1 AND k.environment = $2 AND k.id < least($3, (SELECT min(o.first_id)
       FROM outbox o WHERE o.workspace_id = $1 AND o.environment = $2))
     AND NOT EXISTS (SELECT FROM delivery d WHERE d.workspace_id = $1 AND d.environment = $2 AND d.event_id = k.id)
     ORDER BY k.id LIMIT ${dropBatchMax}))`,
);

/** Deletes some of what ended before a moment. */
export async function dropOldEvents(run: Run, scope: Scope, before: number): Promise<DropResult> {
  const tenant = [scope.workspaceId, scope.environment] as const;
  const firstKeptId = allowDrops(run, before);
  const deliveries = await run(dropDeliveries, [...tenant, firstKeptId, new Date(before)]);
  const events = await run(dropEvents, [...tenant, firstKeptId]);
  const counts = [deliveries.count, events.count];
  return { count: deliveries.count + events.count, hasMore: counts.some((count) => count >= dropBatchMax) };
}
