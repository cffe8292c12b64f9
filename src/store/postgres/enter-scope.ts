// The statements with which work on the database enters a scope: tenant, visible clients and role, and the check that its credential
// still exists.

import { defined } from '../../kit/assert.ts';
import type { Id } from '../../kit/id.ts';
import { Refusal } from '../../kit/refusal.ts';
import type { Scope, VisibleClients } from '../../model/access/scope.ts';
import { settingFor, visibilityOf, type KnownTree, type Visibility } from './client-trees.ts';
import { preAuthRole, serviceRole } from './roles.ts';
import { seenClients } from './seen-clients.ts';
import { sql, type Call, type Outcome, type Statement } from './statement.ts';

export interface EnterOptions {
  /** With `unnamed` statements each transaction says that none is compiled: poolers pass nothing on when a connection is opened. */
  readonly statements: 'named' | 'unnamed';
  /** Set in each transaction, for poolers that do not pass them on when a connection is opened. */
  readonly timeoutsMs?: { readonly statement: number; readonly lock: number };
  /** `store-only` leaves row-level security out, to measure its cost and to prove that the store's own filter suffices. */
  readonly tenantFilters?: 'both' | 'store-only';
}

const settings = `set_config('holdfast.workspace', $1, true) AS workspace_id,
    set_config('holdfast.environment', $2, true) AS environment, set_config('holdfast.visible_clients', $3, true) AS visible`;

const environmentColumn = (column: string): string =>
  `(SELECT e.${column} FROM environment e WHERE e.workspace_id = $1 AND e.environment = $2)`;

/** The name of a setting that does not exist: reading it fails, so that nothing after it is done. */
const changedTree = 'holdfast.changed_tree';

/** Whether the clients below another one are still those that are remembered; fails if not. */
const isTreeUnchanged = `, CASE WHEN ${environmentColumn('tree_version')} IS NOT DISTINCT FROM $5::bigint THEN true
    ELSE current_setting('${changedTree}') = '' END AS unchanged`;

/**
 * The credential is looked up last, after the settings that its policy reads. If PostgreSQL ever changed that order, callers would be
 * refused, never let in wrongly.
 */
function enterText(moreColumns: string): string {
  return `SELECT ${settings}${moreColumns}, $4::text IS NULL OR EXISTS (SELECT FROM credential
    WHERE workspace_id = $1 AND environment = $2 AND id = $4) AS alive`;
}

const jitOff = `, set_config('jit', 'off', true)`;
const setRole = (role: string): string => `, set_config('role', '${role}', true)`;

type AliveStatement = Statement<{ alive: boolean }>;

/** `tree` also checks the version of the hierarchy of clients. */
export interface EnterStatements {
  readonly plain: AliveStatement;
  readonly tree: AliveStatement;
}

/** `gapMs`: how long the transaction may stay open between two statements. */
export function createEnterStatements(
  { tenantFilters, statements, timeoutsMs }: EnterOptions,
  gapMs?: number,
): EnterStatements {
  const role = tenantFilters === 'store-only' ? '' : setRole(serviceRole);
  const timeouts = { ...timeoutsMs, ...(gapMs === undefined ? {} : { idle_in_transaction_session: gapMs }) };
  const columns = Object.entries(timeouts).map(([name, ms]) => `, set_config('${name}_timeout', '${ms}', true)`);
  const jit = statements === 'unnamed' ? jitOff : '';
  const enter = (name: string, more: string): AliveStatement =>
    sql(tenantFilters === 'store-only' ? `${name}-store-only` : name, enterText(role + columns.join('') + jit + more));
  return { plain: enter('enter', ''), tree: enter('enter-tree', isTreeUnchanged) };
}

/** Sent with the commit of a transaction of a tree: fails if a client has moved since the version $3. */
const requireUnmoved = sql(
  'enter/unmoved',
  `SELECT CASE WHEN ${environmentColumn('moved_version')} <= $3::bigint THEN true
    ELSE current_setting('${changedTree}') = '' END AS unmoved`,
);

export function unmovedCall({ workspaceId, environment }: Scope, version: number): Call {
  return { statement: requireUnmoved, values: [workspaceId, environment, version] };
}

/** Whether a statement failed because the hierarchy of clients has changed since it was read. */
export function isTreeChanged(error: unknown): boolean {
  return error instanceof Error && error.message.includes(changedTree);
}

export const enterPreAuth = sql('enter-gate', `SELECT set_config('role', '${preAuthRole}', true)${jitOff}`);

/** Returns from the pre-auth role to the role in which the transaction was entered. */
export function createLeavePreAuthStatement({ tenantFilters }: EnterOptions): Statement<unknown> {
  const role = tenantFilters === 'store-only' ? 'none' : serviceRole;
  return sql(`leave-gate-to-${role}`, `SELECT set_config('role', '${role}', true)`);
}

function currentVisibility(visibleClients: VisibleClients): Visibility {
  if (visibleClients.kind === 'all') return { text: 'all' };
  if (visibleClients.kind === 'only') return visibilityOf('clients', [visibleClients.clientId]);
  if (visibleClients.kind === 'some')
    return visibilityOf('some', [...visibleClients.clientIds, ...visibleClients.reportingEntityIds]);
  return visibilityOf('clients', defined(seenClients(visibleClients).ids, 'a tree is known before it is entered'));
}

/** One text for all of them: an array of this length takes twenty times as long to read. */
const setBuckets = sql(
  'enter/buckets',
  `SELECT count(set_config('holdfast.visible_clients_' || lpad(to_hex(s.number - 1), 2, '0'), s.value, true))
   FROM string_to_table($1, '|') WITH ORDINALITY s (value, number)`,
);

/** The calls that enter a scope; a remembered tree is checked. The first one says whether the credential is alive. */
export function enterCalls(statements: EnterStatements, scope: Scope, tree?: KnownTree): readonly Call[] {
  const { workspaceId, environment, visibleClients, credentialId } = scope;
  const { text, buckets } = tree?.visibility ?? currentVisibility(visibleClients);
  const values = [workspaceId, environment, text, credentialId];
  const enter =
    tree === undefined
      ? { statement: statements.plain, values }
      : { statement: statements.tree, values: [...values, tree.version] };
  return buckets === undefined ? [enter] : [enter, { statement: setBuckets, values: [buckets] }];
}

const widenVisibility = sql('enter/widen', `SELECT set_config($1, current_setting($1) || $2 || ',', true)`);

/** The call that adds a client to what the rest of the transaction sees. */
export function widenCall(visibility: Visibility, clientId: Id): Call {
  return { statement: widenVisibility, values: [settingFor(visibility, clientId), clientId] };
}

export function requireCredentialAlive(outcome: Outcome | undefined): void {
  if (outcome?.rows[0]?.['alive'] !== true) {
    throw new Refusal('token-revoked', 'The application or key this token was issued for has been deleted.');
  }
}
