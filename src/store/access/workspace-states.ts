// The state of a workspace and what changes with it: the clock of its deliveries and mail, and its sessions.

import { defined } from '../../kit/assert.ts';
import type { Scope } from '../../model/access/scope.ts';
import type { WorkspaceState } from '../../model/access/workspace-state.ts';
import type { Run } from '../postgres/statement-runner.ts';
import { sql } from '../postgres/statement.ts';

/** A workspace as an operator sees it, with the counts of one of its environments. */
export interface WorkspaceSummary {
  readonly name: string;
  readonly state: WorkspaceState;
  readonly createdAt: number;
  readonly clients: number;
  readonly transactions: number;
}

const summary = sql<WorkspaceSummary>(
  'workspace/summary',
  `SELECT w.name, w.state, w.created_at AS "createdAt",
     (SELECT count(*)::int FROM client c WHERE c.workspace_id = $1 AND c.environment = $2) AS clients,
     (SELECT count(*)::int FROM transaction t WHERE t.workspace_id = $1 AND t.environment = $2 AND t.known_until IS NULL) AS transactions
   FROM workspace w WHERE w.workspace_id = $1`,
);
const lockState = sql<{ state: WorkspaceState }>(
  'workspace/lock-state',
  'SELECT state FROM workspace WHERE workspace_id = $1 FOR UPDATE',
);
const setState = sql(
  'workspace/set-state',
  'UPDATE workspace SET state = $2, state_since = $3 WHERE workspace_id = $1',
);

/** How many rows one statement changes. */
const restartedMax = 1_000;

const restartDeliveries = sql(
  'workspace/restart-deliveries',
  `UPDATE delivery d SET replayed_at = $3 WHERE d.workspace_id = $1 AND d.environment = $2 AND d.id = ANY (ARRAY(
     SELECT x.id FROM delivery x WHERE x.workspace_id = $1 AND x.environment = $2 AND x.state = 'pending'
       AND coalesce(x.replayed_at, x.created_at) < $3 LIMIT ${restartedMax}))`,
);
const restartMails = sql(
  'workspace/restart-mails',
  `UPDATE mail m SET created_at = $3 WHERE m.workspace_id = $1 AND m.environment = $2 AND m.id = ANY (ARRAY(
     SELECT x.id FROM mail x WHERE x.workspace_id = $1 AND x.environment = $2 AND x.next_attempt_at IS NOT NULL AND x.created_at < $3
     LIMIT ${restartedMax}))`,
);
const endSessions = sql(
  'workspace/end-sessions',
  'UPDATE session SET ended_at = $3 WHERE workspace_id = $1 AND environment = $2 AND ended_at IS NULL',
);
const cancelLinks = sql(
  'workspace/cancel-links',
  `UPDATE administrator_link SET cancelled_at = $3
   WHERE workspace_id = $1 AND environment = $2 AND accepted_at IS NULL AND cancelled_at IS NULL`,
);

export class WorkspaceStates {
  readonly #tenant: readonly [string, string];
  readonly #run: Run;

  constructor({ workspaceId, environment }: Scope, run: Run) {
    this.#tenant = [workspaceId, environment];
    this.#run = run;
  }

  async readSummary(): Promise<WorkspaceSummary> {
    return defined((await this.#run(summary, this.#tenant)).rows[0], 'a workspace that has an environment exists');
  }

  /** Locks the workspace until the transaction ends, and returns its state. */
  async lock(): Promise<WorkspaceState> {
    const { rows } = await this.#run(lockState, [this.#tenant[0]]);
    return defined(rows[0], 'a workspace that has an environment exists').state;
  }

  async set(state: WorkspaceState, at: number): Promise<void> {
    await this.#run(setState, [this.#tenant[0], state, new Date(at)]);
  }

  /** Gives deliveries and mail that wait a new day of attempts, some at a time. Returns whether more may be left. */
  async restartAttempts(at: number): Promise<boolean> {
    const deliveries = await this.#run(restartDeliveries, [...this.#tenant, new Date(at)]);
    const mails = await this.#run(restartMails, [...this.#tenant, new Date(at)]);
    return deliveries.count === restartedMax || mails.count === restartedMax;
  }

  /** Ends the sessions of everybody, and the links that were printed or mailed for administrators. */
  async endAccess(at: number): Promise<void> {
    await this.#run(endSessions, [...this.#tenant, new Date(at)]);
    await this.#run(cancelLinks, [...this.#tenant, new Date(at)]);
  }
}
