// Deletes the deliveries of webhooks that were deleted, some at a time: there may be millions of them, and nobody sees them any more.

import type { Id } from '../../kit/id.ts';
import type { Tenant } from '../../model/access/scope.ts';
import { dropBatchMax, type DropResult } from '../access/retention.ts';
import { isActiveWorkspace } from '../postgres/enter-scope.ts';
import type { PreAuthRead, Run } from '../postgres/statement-runner.ts';
import { askingAll, sql } from '../postgres/statement.ts';

/** A webhook that is gone and may have left deliveries in this environment, or in the other one of its workspace. */
export interface LeftoverWebhook extends Tenant {
  readonly webhook: Id;
}

/** Steps from each webhook to the next one that has deliveries, and from none to the first: each step is one look into an index. */
const list = askingAll<LeftoverWebhook>(
  'due-tenants/leftover-deliveries',
  `SELECT DISTINCT e.workspace_id AS "workspaceId", e.environment, n.webhook_id AS webhook FROM (
     SELECT k.workspace_id, (SELECT min(d.webhook_id) FROM delivery d WHERE {d} AND d.workspace_id = k.workspace_id AND d.webhook_id > k.id) AS webhook_id
     FROM (SELECT x.workspace_id, x.id FROM webhook x WHERE {x} UNION ALL SELECT y.workspace_id, '' FROM environment y WHERE {y}) k) n
   JOIN environment e ON e.workspace_id = n.workspace_id AND {e}
   LEFT JOIN webhook w ON w.workspace_id = n.workspace_id AND w.id = n.webhook_id AND {w}
   WHERE n.webhook_id IS NOT NULL AND w.id IS NULL AND ${isActiveWorkspace('n.workspace_id', '{w}')}`,
);

/** The setting without which row-level security lets only what was kept long enough be deleted. */
const droppedWebhook = 'holdfast.dropped_webhook';

/** Finds them in the order of their index, and deletes by whole keys: a planner that does not know how many there are would read all of the tenant. */
const drop = sql(
  'leftover-deliveries/drop',
  `DELETE FROM delivery d WHERE d.workspace_id = $1 AND d.environment = $2 AND d.id = ANY (ARRAY(
     SELECT x.id FROM delivery x WHERE x.workspace_id = $1 AND x.environment = $2 AND x.webhook_id = $3
       AND NOT EXISTS (SELECT FROM webhook w WHERE w.workspace_id = $1 AND w.environment = $2 AND w.id = $3)
     ORDER BY x.state, x.id LIMIT ${dropBatchMax}))`,
);

/** Lists at least one such webhook of each workspace that has any, unless suspended. */
export async function listLeftoverWebhooks(read: PreAuthRead): Promise<readonly LeftoverWebhook[]> {
  return (await read(list, [])).rows;
}

/** Deletes some of the deliveries of a webhook, unless it exists. */
export async function dropLeftoverDeliveries(
  run: Run,
  tenant: readonly [workspaceId: string, environment: string],
  webhook: Id,
): Promise<DropResult> {
  run.set(droppedWebhook, webhook);
  const { count } = await run({ ...drop, plan: 'index-order' }, [...tenant, webhook]);
  return { count, hasMore: count >= dropBatchMax };
}
