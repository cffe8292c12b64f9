// The calls with which work on the database enters a scope: tenant, visible clients and role, and the checks that its credential still exists
// and that its workspace is active.

import { defined } from '../../kit/assert.ts';
import { Refusal } from '../../kit/refusal.ts';
import type { Scope, VisibleClients } from '../../model/access/scope.ts';
import { visibilityOf, type KnownTree, type Visibility } from './client-trees.ts';
import { fixedSettingCall, settingCall, type SettingForm } from './local-settings.ts';
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
  /** `any` also enters workspaces that are suspended or closed, for the operator's commands. */
  readonly workspaces?: 'active' | 'any';
}

const environmentColumn = (column: string): string =>
  `(SELECT e.${column} FROM environment e WHERE e.workspace_id = $1 AND e.environment = $2)`;

/** The name of a setting that does not exist: reading it fails, so that nothing after it is done. */
const changedTree = 'holdfast.changed_tree';

/** Whether the clients below another one are still those that are remembered; fails if not. */
const isTreeUnchanged = (version: string): string =>
  `CASE WHEN ${environmentColumn('tree_version')} IS NOT DISTINCT FROM ${version}::bigint THEN true
    ELSE current_setting('${changedTree}') = '' END AS unchanged`;

/** Whether a workspace `column` does work: requests, pages, jobs. */
export function isActiveWorkspace(column: string, more = 'true'): string {
  return `NOT EXISTS (SELECT FROM workspace w WHERE w.workspace_id = ${column} AND ${more} AND w.state <> 'active')`;
}

/** The name of another setting that does not exist. */
const suspendedWorkspace = 'holdfast.suspended_workspace';

/** Only whoever has a credential that exists learns that the workspace is suspended. */
function isAlive(id: string, workspaces: EnterOptions['workspaces']): string {
  const active =
    workspaces === 'any'
      ? 'true'
      : `CASE WHEN ${isActiveWorkspace('$1')} THEN true ELSE current_setting('${suspendedWorkspace}') = '' END`;
  return `CASE WHEN ${id}::text IS NULL OR EXISTS (SELECT FROM credential
    WHERE workspace_id = $1 AND environment = $2 AND id = ${id}) THEN ${active} ELSE false END AS alive`;
}

const settings = `set_config('holdfast.workspace', $1, true) AS workspace_id,
    set_config('holdfast.environment', $2, true) AS environment, set_config('holdfast.visible_clients', $3, true) AS visible`;

type AliveStatement = Statement<{ alive: boolean }>;

/** `tree` also checks the version of the hierarchy of clients. */
interface CheckStatements {
  readonly plain: AliveStatement;
  readonly tree: AliveStatement;
}

function checksAfterCommands(workspaces: EnterOptions['workspaces']): CheckStatements {
  const alive = isAlive('$3', workspaces);
  return {
    plain: sql('entered', `SELECT ${alive}`),
    tree: sql('entered-tree', `SELECT ${isTreeUnchanged('$4')}, ${alive}`),
  };
}

const enterPreAuthByFunctions = sql(
  'enter-gate',
  `SELECT set_config('role', '${preAuthRole}', true), set_config('jit', 'off', true)`,
);

/** The calls that enter a scope. */
export interface Entering {
  readonly calls: readonly Call[];
  /** Which of their outcomes says whether the credential is alive; undefined where the scope has none. */
  readonly aliveAt: number | undefined;
}

/** Enters scopes in one way: with these timeouts and in this form. */
export class ScopeEntry {
  readonly #form: SettingForm;
  /** What every transaction sets: role, timeouts. */
  readonly #fixed: readonly (readonly [name: string, value: string])[];
  readonly #checks: CheckStatements;
  readonly #isSuspensionChecked: boolean;
  /** Enter the pre-auth role. */
  readonly preAuthCalls: readonly Call[];
  /** Returns from the pre-auth role to the role in which the transaction was entered. */
  readonly leavePreAuthCall: Call;

  /** `gapMs`: how long the transaction may stay open between two statements. */
  constructor(form: SettingForm, options: EnterOptions, gapMs?: number) {
    const { tenantFilters, statements, timeoutsMs, workspaces } = options;
    const timeouts = { ...timeoutsMs, ...(gapMs === undefined ? {} : { idle_in_transaction_session: gapMs }) };
    this.#form = form;
    this.#fixed = Object.entries({
      ...(tenantFilters === 'store-only' ? {} : { role: serviceRole }),
      ...Object.fromEntries(Object.entries(timeouts).map(([name, ms]) => [`${name}_timeout`, String(ms)])),
      ...(statements === 'unnamed' ? { jit: 'off' } : {}),
    });
    this.preAuthCalls =
      form === 'function'
        ? [{ statement: enterPreAuthByFunctions, values: [] }]
        : [fixedSettingCall(form, 'role', preAuthRole), fixedSettingCall(form, 'jit', 'off')];
    const role = tenantFilters === 'store-only' ? 'none' : serviceRole;
    this.leavePreAuthCall = fixedSettingCall(form, 'role', role);
    this.#isSuspensionChecked = workspaces !== 'any';
    this.#checks = form === 'command' ? checksAfterCommands(workspaces) : this.#checksWithSettings(options);
  }

  /**
   * The credential is looked up last, after the settings that its policy reads. If PostgreSQL ever changed that order, callers would be
   * refused, never let in wrongly.
   */
  #checksWithSettings({ tenantFilters, workspaces }: EnterOptions): CheckStatements {
    const fixed = this.#fixed.map(([name, value]) => `set_config('${name}', '${value}', true)`);
    const check = (name: string, more: readonly string[]): AliveStatement =>
      sql(
        tenantFilters === 'store-only' ? `${name}-store-only` : name,
        `SELECT ${[settings, ...fixed, ...more, isAlive('$4', workspaces)].join(', ')}`,
      );
    return { plain: check('enter', []), tree: check('enter-tree', [isTreeUnchanged('$5')]) };
  }

  /** A remembered tree is checked. */
  enter(scope: Scope, tree?: KnownTree): Entering {
    const visibility = tree?.visibility ?? currentVisibility(scope.visibleClients);
    return this.#form === 'command'
      ? this.#enterByCommands(scope, visibility, tree)
      : this.#enterByFunctions(scope, visibility, tree);
  }

  #enterByFunctions(scope: Scope, { text, buckets }: Visibility, tree: KnownTree | undefined): Entering {
    const values = [scope.workspaceId, scope.environment, text, scope.credentialId];
    const check =
      tree === undefined
        ? { statement: this.#checks.plain, values }
        : { statement: this.#checks.tree, values: [...values, tree.version] };
    const calls = buckets === undefined ? [check] : [check, { statement: setBuckets, values: [buckets] }];
    return { calls, aliveAt: 0 };
  }

  #enterByCommands(scope: Scope, visibility: Visibility, tree: KnownTree | undefined): Entering {
    const { workspaceId, environment, credentialId } = scope;
    const set = [
      ...this.#fixed.map(([name, value]) => fixedSettingCall('command', name, value)),
      settingCall('command', 'holdfast.workspace', workspaceId),
      fixedSettingCall('command', 'holdfast.environment', environment),
      ...this.#allVisibilityCalls(visibility),
    ];
    if (credentialId === null && tree === undefined && !this.#isSuspensionChecked)
      return { calls: set, aliveAt: undefined };
    const values = [workspaceId, environment, credentialId];
    const check =
      tree === undefined
        ? { statement: this.#checks.plain, values }
        : { statement: this.#checks.tree, values: [...values, tree.version] };
    return { calls: [...set, check], aliveAt: set.length };
  }

  #allVisibilityCalls({ text, buckets }: Visibility): readonly Call[] {
    const all = (buckets?.split('|') ?? []).map((value, number) =>
      settingCall('command', `holdfast.visible_clients_${number.toString(16).padStart(2, '0')}`, value),
    );
    return [this.visibilityCall(text), ...all];
  }

  /** What the rest of the transaction sees of the clients; very many ids stay where they were set. */
  visibilityCall(text: string): Call {
    return text === 'all'
      ? fixedSettingCall(this.#form, 'holdfast.visible_clients', text)
      : settingCall(this.#form, 'holdfast.visible_clients', text);
  }

  /** One more setting for the rest of the transaction. */
  settingCall(name: string, value: string): Call {
    return settingCall(this.#form, name, value);
  }
}

/** One text for all of them: an array of this length takes twenty times as long to read. */
const setBuckets = sql(
  'enter/buckets',
  `SELECT count(set_config('holdfast.visible_clients_' || lpad(to_hex(s.number - 1), 2, '0'), s.value, true))
   FROM string_to_table($1, '|') WITH ORDINALITY s (value, number)`,
);

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

/** Makes a refusal of the error of entering a suspended workspace; returns any other error unchanged. */
export function refusedIfSuspended(error: unknown): unknown {
  if (!(error instanceof Error && error.message.includes(suspendedWorkspace))) return error;
  const detail =
    'The operator has suspended this workspace. Nothing in it is lost; it can be used again once the operator resumes it.';
  return new Refusal('workspace-suspended', detail, { cause: error });
}

export function currentVisibility(visibleClients: VisibleClients): Visibility {
  if (visibleClients.kind === 'all') return { text: 'all' };
  if (visibleClients.kind === 'only') return visibilityOf('clients', [visibleClients.clientId]);
  if (visibleClients.kind === 'some')
    return visibilityOf('some', [...visibleClients.clientIds, ...visibleClients.reportingEntityIds]);
  return visibilityOf('clients', defined(seenClients(visibleClients).ids, 'a tree is known before it is entered'));
}

/** `outcomes` are those of the calls that entered, with what followed them. */
export function requireCredentialAlive({ aliveAt }: Entering, outcomes: readonly Outcome[]): void {
  if (aliveAt !== undefined && outcomes[aliveAt]?.rows[0]?.['alive'] !== true) {
    throw new Refusal('token-revoked', 'The application or key this token was issued for has been deleted.');
  }
}
