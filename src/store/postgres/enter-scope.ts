// The statements with which work on the database enters a scope: tenant, visible clients and role, and the check that its credential
// still exists.

import { Refusal } from '../../kit/refusal.ts';
import type { Scope, VisibleClients } from '../../model/access/scope.ts';
import { preAuthRole, serviceRole } from './roles.ts';
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
    set_config('holdfast.environment', $2, true) AS environment, set_config('holdfast.sight', $3, true) AS sight`;

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

export type EnterStatement = Statement<{ alive: boolean }>;

/** `gapMs`: how long the transaction may stay open between two statements. */
export function createEnterStatement(
  { tenantFilters, statements, timeoutsMs }: EnterOptions,
  gapMs?: number,
): EnterStatement {
  const role = tenantFilters === 'store-only' ? '' : setRole(serviceRole);
  const timeouts = { ...timeoutsMs, ...(gapMs === undefined ? {} : { idle_in_transaction_session: gapMs }) };
  const columns = Object.entries(timeouts).map(([name, ms]) => `, set_config('${name}_timeout', '${ms}', true)`);
  const jit = statements === 'unnamed' ? jitOff : '';
  return sql(tenantFilters === 'store-only' ? 'enter-store-only' : 'enter', enterText(role + columns.join('') + jit));
}

export const enterPreAuth = sql('enter-gate', `SELECT set_config('role', '${preAuthRole}', true)${jitOff}`);

/** Returns from the pre-auth role to the role in which the transaction was entered. */
export function createLeavePreAuthStatement({ tenantFilters }: EnterOptions): Statement<unknown> {
  const role = tenantFilters === 'store-only' ? 'none' : serviceRole;
  return sql(`leave-gate-to-${role}`, `SELECT set_config('role', '${role}', true)`);
}

function visibleClientsText(visibleClients: VisibleClients): string {
  if (visibleClients.kind === 'some')
    return `some:${[...visibleClients.clientIds, ...visibleClients.reportingEntityIds].join(',')}`;
  return visibleClients.kind === 'all' ? 'all' : `${visibleClients.kind}:${visibleClients.clientId}`;
}

export function enterCall(statement: EnterStatement, scope: Scope): Call {
  const { workspaceId, environment, visibleClients, credentialId } = scope;
  return { statement, values: [workspaceId, environment, visibleClientsText(visibleClients), credentialId] };
}

export function requireCredentialAlive(outcome: Outcome | undefined): void {
  if (outcome?.rows[0]?.['alive'] !== true) {
    throw new Refusal('token-revoked', 'The application or key this token was issued for has been deleted.');
  }
}
